import PostalMime, { type Email } from "postal-mime";
import { isDeadMailboxStatus } from "../core/suppression.ts";

/** A message that came back for an email of ours. */
export type BounceReport =
  /** The mailbox does not exist or takes no mail; another permanent failure; or not delivered for now. */
  | { readonly kind: "dead_mailbox" | "permanent" | "transient" }
  /** The reader pressed "this is spam" (RFC 5965). */
  | { readonly kind: "complaint" };

/** Groups of a delivery status that are looked at. */
const GROUPS_MAX = 50;
/** Characters of a server's words that are looked at. */
const WORDS_MAX = 4_000;
const NESTING_MAX = 20;
const HEADERS_BYTES_MAX = 256 * 1024;

/**
 * Reads a delivery status notification (RFC 3464), an abuse report (RFC 5965), or a bounce in words as qmail and old
 * Exim write them. Null for any other message, and for one that cannot be parsed. The end of a message may be missing.
 */
export async function readBounceReport(raw: Uint8Array): Promise<BounceReport | null> {
  const email = await parse(raw);
  if (email === null) return null;
  const feedback = partOf(email, "message/feedback-report");
  if (feedback !== null) return complaintIn(feedback);
  const status = partOf(email, "message/delivery-status", "message/global-delivery-status");
  if (status !== null) return failureIn(status);
  return isWordedBounce(email) ? failureInWords(email.text ?? "") : null;
}

async function parse(raw: Uint8Array): Promise<Email | null> {
  try {
    return await PostalMime.parse(raw, {
      forceRfc822Attachments: true,
      maxNestingDepth: NESTING_MAX,
      maxHeadersSize: HEADERS_BYTES_MAX,
    });
  } catch {
    return null;
  }
}

function partOf(email: Email, ...mimeTypes: readonly string[]): string | null {
  const part = email.attachments.find(({ mimeType }) => mimeTypes.includes(mimeType.toLowerCase()));
  if (part === undefined) return null;
  return typeof part.content === "string" ? part.content : new TextDecoder().decode(part.content);
}

/** Fields of one group, by their names in lower case. */
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
            const [, name, value] = /^([\w-]+):(.*)$/.exec(line) ?? [];
            return name === undefined ? [] : [[name.toLowerCase(), (value ?? "").trim()]];
          }),
        ),
    );
}

/** Other types speak of viruses or fraud, or say that an email was no spam. */
const COMPLAINTS = ["abuse", "opt-out", "opt-out-list"];

function complaintIn(text: string): BounceReport | null {
  const type = groupsIn(text)[0]?.get("feedback-type")?.toLowerCase() ?? "";
  return COMPLAINTS.includes(type) ? { kind: "complaint" } : null;
}

/** An email of ours has one recipient. Where it was passed on to several, the mildest says most about its mailbox. */
function failureIn(text: string): BounceReport | null {
  const reports = groupsIn(text).flatMap((group) => failureOf(group) ?? []);
  const mildest = [...SEVERITY].find((kind) => reports.some((report) => report === kind));
  // Delivered, or passed on to a server that says nothing of failures.
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
      return kindOf(status, (group.get("diagnostic-code") ?? "").slice(0, WORDS_MAX));
    case "delayed":
      return "transient";
    default:
      return "none";
  }
}

/** Codes that say "it failed" and no more: Exim writes 5.0.0 into every report, Outlook.com 5.5.0 for no such mailbox. */
const VAGUE_STATUS = /^5\.(?:0\.0|1\.0|2\.0|5\.0)$|^$/;
const NO_SUCH_MAILBOX =
  /\b(?:user|mailbox|recipient|address|account)\b.{0,40}\b(?:unknown|not found|(?:does not|doesn't|doesn’t) exist|unavailable|disabled)\b|\b(?:no such|unknown) (?:user|mailbox|recipient|person|address|account)\b|\bno mailbox here\b/i;

function kindOf(status: string, said: string): "dead_mailbox" | "permanent" {
  const exact = VAGUE_STATUS.test(status) ? (statusIn(said) ?? status) : status;
  if (isDeadMailboxStatus(exact)) return "dead_mailbox";
  return VAGUE_STATUS.test(exact) && NO_SUCH_MAILBOX.test(withoutAddresses(said))
    ? "dead_mailbox"
    : "permanent";
}

/** The first enhanced status code of a permanent failure that stands in words. */
function statusIn(words: string): string | null {
  return /(?<![\d.])5\.\d{1,3}\.\d{1,3}(?![\d.])/.exec(words)?.[0] ?? null;
}

/** Replies quote addresses, and their words are not the server's. */
function withoutAddresses(text: string): string {
  return text.replace(/<[^>]{0,320}>/g, " ").replace(/\S{1,64}@\S{1,255}/g, " ");
}

/**
 * qmail begins "Hi. This is the qmail-send program at ..." (QSBMF); Exim before 4.82 names failed recipients in a
 * header. Anything else is left to a person.
 */
function isWordedBounce(email: Email): boolean {
  return (
    /^\s*Hi\. This is the\b/.test(email.text ?? "") ||
    email.headers.some(({ key }) => key === "x-failed-recipients")
  );
}

function failureInWords(text: string): BounceReport | null {
  // qmail puts the returned message below this line, Exim below a longer one.
  const [report = ""] = text.split(/^-{3,}.*$/m);
  const said = report.slice(0, WORDS_MAX);
  const status = statusIn(said) ?? "";
  if (status !== "" || NO_SUCH_MAILBOX.test(withoutAddresses(said)))
    return { kind: kindOf(status, said) };
  return /(?<![\d.])4\.\d{1,3}\.\d{1,3}(?![\d.])/.test(said) ? { kind: "transient" } : null;
}
