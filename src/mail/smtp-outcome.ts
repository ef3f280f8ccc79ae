import { isDeadMailboxStatus } from "../core/suppression.ts";
import type { Delivery } from "./smtp.ts";

/**
 * Gives up an email only for what is surely about that email: an address that does not exist, a text the server will
 * not have. Everything else, a wrong password or "relay not permitted" too, is ours to mend, and no email is lost.
 */
export function classifySmtpError(error: unknown): Delivery {
  const { code, command, response, responseCode } = failureOf(error);
  const why = response === "" ? reasonOf(error) : `${code}: ${plainly(response)}`;
  if (isSilence(error)) return { kind: "deferred", why };
  if (code === "EENVELOPE" && command === "RCPT TO") {
    const kind = judgeRecipient(response);
    const [, status = ""] = /^5\d\d[ -](5\.\d{1,3}\.\d{1,3})\b/.exec(response) ?? [];
    const isDead = kind === "refused" && isDeadMailboxStatus(status);
    return isDead ? { kind, why, deadMailbox: true } : { kind, why };
  }
  const afterData = code === "EMESSAGE";
  if (afterData && (responseCode === 552 || responseCode === 554)) return { kind: "refused", why };
  return { kind: "later", why };
}

/**
 * True if a server that had let us in stopped answering. Servers ask others about a recipient before they answer: what
 * hangs is that email, or one mailbox could hold all mail. A server that lets nobody in is another matter.
 */
function isSilence(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const hung = "timeoutType" in error && error.timeoutType === "SOCKET_TIMEOUT";
  return hung || error.name === "TimeoutError";
}

/**
 * Enhanced codes of RFC 3463: x.1.y is about an address, x.2.y about a mailbox. What a server says against one
 * recipient holds that email alone, or anybody could stop all mail by naming mailboxes that it refuses. It is about
 * us, and holds all mail, when it speaks of the sender (x.1.7, x.1.8, or in words), of relaying or logging in, or
 * closes the connection.
 */
function judgeRecipient(response: string): "refused" | "deferred" | "later" {
  // Servers repeat the address in their replies, and its words are the asker's.
  const said = response.replace(/<[^>]*>/g, " ").replace(/\S+@\S+/g, " ");
  const [, family, subject, detail] =
    /^[45]\d\d[ -]([45])\.(\d{1,3})\.(\d{1,3})\b/.exec(response) ?? [];
  const ofSender = subject === "1" && (detail === "7" || detail === "8");
  // x.3.y is about the mail system, x.4.y about the network.
  const ofServer = subject === "3" || subject === "4";
  if (ofSender || ofServer || ABOUT_US.test(said)) return "later";
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
 * A server's reply to an email as logs hold it: its codes, and its words up to the first that is none. Some quote what
 * they refuse: a link that is somebody's key, a subject, a mailbox.
 */
function plainly(response: string): string {
  const [, codes = "", said = ""] =
    /^(\d{3}(?:[ -]\d\.\d{1,3}\.\d{1,3}\b)?)([\s\S]*)$/.exec(response) ?? [];
  const named = withoutAddresses(said.replace(/<[^>]*>:?/g, " "));
  const words = named.trim().split(/\s+/);
  const end = words.findIndex((word) => word.length > WORD_MAX || !PLAIN_WORD.test(word));
  return [codes, ...(end < 0 ? words : words.slice(0, end))].join(" ").slice(0, WHY_MAX);
}

/** Why there was no connection, no login, or no file: of what knew no email. It holds no mailbox all the same. */
export function reasonOf(error: unknown): string {
  const said = error instanceof Error ? error.message : String(error);
  const { code } = failureOf(error);
  const named = code === "" || said.includes(code) ? said : `${code}: ${said}`;
  return withoutAddresses(named.replace(/\p{Cc}+/gu, " ")).slice(0, WHY_MAX);
}

function withoutAddresses(text: string): string {
  return text.replace(/[^\s<>]+@[^\s<>]+/g, "[address]");
}
