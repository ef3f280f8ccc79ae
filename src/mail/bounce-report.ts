import type { Email } from "postal-mime";
import { isDeadMailboxStatus } from "../core/people/suppression.ts";
import { parseMessage } from "./parsed-message.ts";

/** Report about an email that we sent. */
export type BounceReport =
  /** The mailbox does not exist or accepts no mail; another permanent failure; a temporary failure. */
  | { readonly kind: "dead_mailbox" | "permanent" | "transient" }
  /** The reader marked the email as spam (RFC 5965). */
  | { readonly kind: "complaint" };

/** Field groups read of a delivery status. */
const GROUPS_MAX = 50;
/** Characters read of a server's reply. */
const REPLY_MAX = 4_000;

/**
 * Reads a delivery status notification (RFC 3464), an abuse report (RFC 5965), or what a mail system reports in words. Null
 * for any other message, and for one that cannot be parsed. The message may be truncated.
 */
export async function readBounceReport(raw: Uint8Array): Promise<BounceReport | null> {
  const email = await parseMessage(raw);
  if (email === null) return null;
  const feedback = partOf(email, "message/feedback-report");
  if (feedback !== null) return complaintIn(feedback);
  const status = partOf(email, "message/delivery-status", "message/global-delivery-status");
  if (status !== null) return failureIn(status);
  return isFromMailSystem(email) ? failureInText(email, raw) : null;
}

function partOf(email: Email, ...mimeTypes: readonly string[]): string | null {
  const part = email.attachments.find(({ mimeType }) => mimeTypes.includes(mimeType.toLowerCase()));
  if (part === undefined) return null;
  return typeof part.content === "string" ? part.content : new TextDecoder().decode(part.content);
}

/** Fields of one group by lower-case name. */
type Fields = ReadonlyMap<string, string>;

function groupsIn(text: string): Fields[] {
  const unfolded = text.replace(/\r\n?/g, "\n").replace(/\n[ \t]+/g, " ");
  return unfolded
    .split(/\n\n+/)
    .slice(0, GROUPS_MAX)
    .map(
      (group) =>
        new Map(
          group.split("\n").flatMap((line) => {
            const [, name, value] = /^([\w-]+)[ \t]*:(.*)$/.exec(line) ?? [];
            return name === undefined ? [] : [[name.toLowerCase(), (value ?? "").trim()]];
          }),
        ),
    );
}

/** Feedback types that are complaints. Others report viruses or fraud, or that an email was not spam. */
const COMPLAINTS = ["abuse", "opt-out", "opt-out-list"];

function complaintIn(text: string): BounceReport | null {
  const type = groupsIn(text)[0]?.get("feedback-type")?.toLowerCase() ?? "";
  return COMPLAINTS.includes(type) ? { kind: "complaint" } : null;
}

/**
 * Failure in a delivery status. Our emails have one recipient; if it was forwarded to several, the mildest failure
 * counts, as the mailbox itself accepted the email.
 */
function failureIn(text: string): BounceReport | null {
  const reports = groupsIn(text).flatMap((group) => failureOf(group) ?? []);
  const mildest = [...SEVERITY].find((kind) => reports.some((report) => report === kind));
  // "none": delivered, or relayed to a server that sends no reports.
  return mildest === undefined || mildest === "none" ? null : { kind: mildest };
}

const SEVERITY = ["none", "transient", "permanent", "dead_mailbox"] as const;

function failureOf(group: Fields): (typeof SEVERITY)[number] | null {
  const action = group.get("action")?.toLowerCase();
  const [status = ""] = /\d\.\d{1,3}\.\d{1,3}/.exec(group.get("status") ?? "") ?? [];
  switch (action) {
    case undefined:
      return null;
    case "failed":
      if (status.startsWith("4")) return "transient";
      return kindOf(status, (group.get("diagnostic-code") ?? "").slice(0, REPLY_MAX));
    case "delayed":
      return "transient";
    default:
      return "none";
  }
}

/** Codes without a specific reason: Exim always writes 5.0.0, Outlook.com writes 5.5.0 for an unknown mailbox. */
const VAGUE_STATUS = /^5\.(?:0\.0|1\.0|2\.0|5\.0)$|^$/;
const NO_SUCH_MAILBOX =
  /\b(?:user|mailbox|recipient|address|account)\b.{0,40}\b(?:unknown|not found|(?:does not|doesn't|doesn’t) exist|unavailable|disabled)\b|\b(?:no such|unknown) (?:user|mailbox|recipient|person|address|account)\b|\bno mailbox here\b/i;
/** Refusals that strangers can cause by many or large emails to a mailbox. Gmail has 5.2.1 for it as for closed accounts. */
const OVER_LIMIT = /\b(?:rate|quota|full|limit|storage|size|too (?:many|much|fast|large|big))\b/i;

/** The server that refused the email knows best, and a report may sum up what it said. */
function kindOf(status: string, reply: string): "dead_mailbox" | "permanent" {
  const words = withoutAddresses(reply);
  if (OVER_LIMIT.test(words)) return "permanent";
  const told = statusIn(reply) ?? "";
  const exact = VAGUE_STATUS.test(told) ? status : told;
  if (isDeadMailboxStatus(exact)) return "dead_mailbox";
  return VAGUE_STATUS.test(exact) && NO_SUCH_MAILBOX.test(words) ? "dead_mailbox" : "permanent";
}

/** First enhanced status code of a permanent failure in a reply. */
function statusIn(reply: string): string | null {
  return /(?<![\d.])5\.\d{1,3}\.\d{1,3}(?![\d.])/.exec(reply)?.[0] ?? null;
}

/** Replies quote addresses and links, which may contain any word. */
function withoutAddresses(text: string): string {
  return text.replace(/<[^>]{0,320}>/g, " ").replace(/\S{1,64}@\S{1,255}|https?:\S+/g, " ");
}

/** Names of the mailboxes that mail systems report from. People and their answering machines have others. */
const MAIL_SYSTEM = /^\s*<>|(?:^|[<\s"])(?:mailer-daemon|postmaster)(?=@|>|\s*(?:<>|\(|$))/i;
/** Beginning of the bounces of qmail: "Hi. This is the qmail-send program at ..." (QSBMF). */
const QMAIL = /^\s*Hi\. This is the\b/;

function isFromMailSystem(email: Email): boolean {
  return (
    QMAIL.test(email.text ?? "") ||
    email.headers.some(
      ({ key, value }) => isFailedRecipients(key) || (key === "from" && MAIL_SYSTEM.test(value)),
    )
  );
}

/** Header of Exim and Google, which they write for permanent failures alone. */
function isFailedRecipients(key: string): boolean {
  return key === "x-failed-recipients";
}

/**
 * First line of the returned message, whose words may be a stranger's: what separates it from the report in the bounces of
 * qmail and others, or a field of its header.
 */
const RETURNED =
  /^(?:-{3,}.*|(?:return-path|received|dkim-signature|message-id|mime-version|from|to|subject|date)[ \t]*:.*)$/im;
/** Code of an SMTP reply. */
const REPLY_CODE = /(?:^|[\s(:])([45])[0-57]\d(?=[\s:-])/m;
const FIRST_STATUS = /(?<![\d.])([45])\.\d{1,3}\.\d{1,3}(?![\d.])/;

function failureInText(email: Email, raw: Uint8Array): BounceReport | null {
  const text = email.text ?? bodyOf(raw);
  const [report = ""] = text.split(RETURNED);
  const status = failureIn(report);
  if (status !== null) return status;
  const reply = report.replace(/^\s?>.*$/gm, "").slice(0, REPLY_MAX);
  // What follows a temporary failure may be a copy of our email, with a stranger's words about failures.
  if (FIRST_STATUS.exec(reply)?.[1] === "4") return { kind: "transient" };
  const said = statusIn(reply) ?? "";
  if (said !== "" || NO_SUCH_MAILBOX.test(withoutAddresses(reply)))
    return { kind: kindOf(said, reply) };
  const code = REPLY_CODE.exec(reply)?.[1];
  if (code === "4") return { kind: "transient" };
  const isFailure =
    code === "5" || QMAIL.test(text) || email.headers.some(({ key }) => isFailedRecipients(key));
  return isFailure ? { kind: "permanent" } : null;
}

/** Body of a message whose parts cannot be told apart. */
function bodyOf(raw: Uint8Array): string {
  const text = Buffer.from(raw).toString("latin1");
  return text.slice(text.search(/\r?\n\r?\n/));
}
