import type { Delivery } from "./transport.ts";

/**
 * Gives up a letter only for what is surely about that letter: an address that does not exist, a text the server will
 * not have. Everything else, a wrong password or "relay not permitted" too, is ours to mend, and no letter is lost.
 */
export function verdict(error: unknown): Delivery {
  const why = whyOf(error);
  const { code, command, response, responseCode } = failureOf(error);
  if (code === "EENVELOPE" && command === "RCPT TO") return { kind: judgeRecipient(response), why };
  const afterData = code === "EMESSAGE";
  if (afterData && (responseCode === 552 || responseCode === 554)) return { kind: "refused", why };
  return { kind: "later", why };
}

/**
 * Enhanced codes of RFC 3463: x.1.y is about an address, x.2.y about a mailbox. Servers that check the sender late
 * say so here too (x.1.7, x.1.8, or in words): that is our setting, not the reader's mailbox.
 */
function judgeRecipient(response: string): "refused" | "deferred" | "later" {
  const [, family, subject, detail] =
    /^[45]\d\d[ -]([45])\.(\d{1,3})\.(\d{1,3})\b/.exec(response) ?? [];
  const ofSender =
    (subject === "1" && (detail === "7" || detail === "8")) || /\bsender\b/i.test(response);
  if (ofSender || (subject !== "1" && subject !== "2")) return "later";
  const forGood = family === "5" && (subject === "1" || detail === "1");
  return forGood ? "refused" : "deferred";
}

/** What an error of nodemailer may carry. */
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

/** Servers like to repeat the address in their replies; logs hold none. */
export function whyOf(error: unknown): string {
  const said = error instanceof Error ? error.message : String(error);
  const { code } = failureOf(error);
  const named = code === "" || said.includes(code) ? said : `${code}: ${said}`;
  return named
    .replace(/\p{Cc}+/gu, " ")
    .replace(/[^\s<>]+@[^\s<>]+/g, "[address]")
    .slice(0, WHY_MAX);
}
