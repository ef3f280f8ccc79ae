import { isDeadMailboxStatus } from "../core/people/suppression.ts";

/** Result of sending an email. `why` is safe to log: it contains no address. */
export type Delivery =
  | { readonly kind: "sent" }
  /**
   * Permanent, for this email only: its mailbox does not exist, or the server rejected its content. `deadMailbox`: the
   * server's status says that the mailbox accepts no mail at all.
   */
  | { readonly kind: "refused"; readonly why: string; readonly deadMailbox?: boolean }
  /** Temporary, for this email only: the problem is its mailbox. Other emails need not wait. */
  | { readonly kind: "deferred"; readonly why: string }
  /** Temporary, for all emails: any other email would fail too. */
  | { readonly kind: "later"; readonly why: string };

/**
 * Outcome of a failed attempt. An email is given up only if the failure is certainly about that email: the address does
 * not exist, or the server rejects the content. Anything else, such as a wrong password or "relay not permitted", is for
 * the operator to fix, and the email stays queued.
 */
export function classifySmtpError(error: unknown): Delivery {
  const { code, command, response, responseCode } = failureOf(error);
  const why = response === "" ? reasonOf(error) : `${code}: ${loggableReply(response)}`;
  if (isReplyTimeout(error)) return { kind: "deferred", why };
  if (code === "EENVELOPE" && command === "RCPT TO") {
    const kind = classifyRecipientReply(response);
    const [, status = ""] = /^5\d\d[ -](5\.\d{1,3}\.\d{1,3})\b/.exec(response) ?? [];
    const isDead = kind === "refused" && isDeadMailboxStatus(status);
    return isDead ? { kind, why, deadMailbox: true } : { kind, why };
  }
  const afterData = code === "EMESSAGE";
  if (afterData && (responseCode === 552 || responseCode === 554)) return { kind: "refused", why };
  return { kind: "later", why };
}

/**
 * True if the server stopped answering on an open connection. Many servers check the recipient before they answer, so
 * only this email is postponed: otherwise one mailbox could hold up all mail. A failure to connect is not included.
 */
function isReplyTimeout(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const hung = "timeoutType" in error && error.timeoutType === "SOCKET_TIMEOUT";
  return hung || error.name === "TimeoutError";
}

/**
 * Classifies a reply to RCPT TO by its enhanced code (RFC 3463): x.1.y is about the address, x.2.y about the mailbox. A
 * rejected recipient delays only its own email; otherwise anyone could stop all mail by entering addresses that the
 * server rejects. All mail waits if the reply is about the sender (x.1.7, x.1.8, or in words), relaying or login, or if
 * the server closes the connection.
 */
function classifyRecipientReply(response: string): "refused" | "deferred" | "later" {
  // Replies repeat the address, which the requester chose.
  const reply = response.replace(/<[^>]*>/g, " ").replace(/\S+@\S+/g, " ");
  const [, family, subject, detail] =
    /^[45]\d\d[ -]([45])\.(\d{1,3})\.(\d{1,3})\b/.exec(response) ?? [];
  const ofSender = subject === "1" && (detail === "7" || detail === "8");
  // x.3.y is about the mail system, x.4.y about the network.
  const ofServer = subject === "3" || subject === "4";
  if (ofSender || ofServer || ABOUT_US.test(reply)) return "later";
  const forGood = family === "5" && (subject === "1" || (subject === "2" && detail === "1"));
  return forGood ? "refused" : "deferred";
}

const ABOUT_US = /^(?:421|530|535)\b|\b(?:sender|relay\w*|authenticat\w*|log ?in)\b/i;

/** Properties that an error of nodemailer may have. */
type SmtpFailure = {
  readonly code: string;
  readonly command: string;
  readonly response: string;
  readonly responseCode: number;
};

function failureOf(error: unknown): SmtpFailure {
  const fields: Readonly<Record<string, unknown>> = error instanceof Error ? { ...error } : {};
  const { code, command, response, responseCode } = fields;
  return {
    code: typeof code === "string" ? code : "",
    command: typeof command === "string" ? command : "",
    response: typeof response === "string" ? response : "",
    responseCode: typeof responseCode === "number" ? responseCode : 0,
  };
}

const WHY_MAX = 300;
const WORD_MAX = 20;
const PLAIN_WORD = /^\[address\]$|^\(?\p{L}+(?:['’-]\p{L}+)*[.,;!)]*$/u;

/**
 * Server reply that is safe to log: the codes, and the text up to the first token that is not a plain word. Some servers
 * quote what they reject: a private link, a subject, a mailbox.
 */
function loggableReply(response: string): string {
  const [, codes = "", reply = ""] =
    /^(\d{3}(?:[ -]\d\.\d{1,3}\.\d{1,3}\b)?)([\s\S]*)$/.exec(response) ?? [];
  const named = withoutAddresses(reply.replace(/<[^>]*>:?/g, " "));
  const words = named.trim().split(/\s+/);
  const end = words.findIndex((word) => word.length > WORD_MAX || !PLAIN_WORD.test(word));
  return [codes, ...(end < 0 ? words : words.slice(0, end))].join(" ").slice(0, WHY_MAX);
}

/** Reason for a failure to connect, log in or write a file, safe to log: mailboxes are removed. */
export function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const { code } = failureOf(error);
  const named = code === "" || message.includes(code) ? message : `${code}: ${message}`;
  return withoutAddresses(named.replace(/\p{Cc}+/gu, " ")).slice(0, WHY_MAX);
}

function withoutAddresses(text: string): string {
  return text.replace(/[^\s<>]+@[^\s<>]+/g, "[address]");
}
