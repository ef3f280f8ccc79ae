import { addressParser } from "postal-mime";
import { mailbox } from "../core/input.ts";

/** Longest From that is read: to parse a hostile one takes time that grows with the square of its length. */
const FROM_MAX = 1_000;

/** Field of a message header, with its name in lower case and its value unfolded. */
export type HeaderField = { readonly name: string; readonly value: string };

/**
 * Fields of a header block as received, newest first. Only CRLF ends a line (RFC 5322, section 2.2): a CR or an LF alone
 * belongs to the value that a sender or a server has put it into, and no field is left out because of one.
 */
export function headerFields(headers: string): HeaderField[] {
  const unfolded = headers.replace(/\r\n(?=[ \t])/g, "");
  return unfolded.split("\r\n").flatMap((line) => {
    const [, name, value = ""] = /^([!-9;-~]+)[ \t]*:(.*)$/s.exec(line) ?? [];
    return name === undefined ? [] : [{ name: name.toLowerCase(), value: value.trim() }];
  });
}

/** True for a value with a character that no field may have, such as a CR alone: programs disagree on what it then says. */
export function isMalformed(value: string): boolean {
  return [...value].some((one) => (one < " " && one !== "\t") || one === "\x7f");
}

/** Values of all fields of a name. */
export function valuesOf(fields: readonly HeaderField[], name: string): string[] {
  return fields.flatMap((field) => (field.name === name ? [field.value] : []));
}

/**
 * Mailbox of the author; null unless the message names exactly one. A second @ in the field is refused because programs
 * disagree on which address it then names; quoted names may have one.
 */
export function authorOf(fields: readonly HeaderField[]): string | null {
  const [from, ...others] = valuesOf(fields, "from");
  if (from === undefined || from.length > FROM_MAX || others.length > 0 || isMalformed(from))
    return null;
  const unquoted = from.replace(/"(?:[^"\\]|\\.)*"/g, "");
  if (unquoted.split("@").length !== 2) return null;
  const [author, ...more] = addressParser(unquoted);
  return author?.address === undefined || more.length > 0 ? null : mailbox(author.address);
}

/**
 * True for a message that a program sent: an answering machine, a mailing list or a mail server (RFC 3834). To relay it
 * would let two such programs answer each other.
 */
export function isAutomatic(fields: readonly HeaderField[]): boolean {
  return fields.some(({ name, value }) => {
    switch (name) {
      case "auto-submitted":
        return !/^no\b/i.test(value);
      case "precedence":
        return /^(?:bulk|list|junk|auto_reply)\b/i.test(value);
      case "return-path":
        return /^<\s*>/.test(value);
      case "content-type":
        return /^multipart\/report\b/i.test(value);
      default:
        return AUTOMATIC_FIELDS.has(name);
    }
  });
}

/** Fields that only programs write. */
const AUTOMATIC_FIELDS: ReadonlySet<string> = new Set([
  "list-id",
  "list-unsubscribe",
  "x-auto-response-suppress",
  "x-autoreply",
  "x-autorespond",
  "x-autoresponder",
  "x-failed-recipients",
  "x-vacation",
]);
