import { badInput } from "../input.ts";
import type { Removed } from "../alerts/publication.ts";
import { type ContactKind, redact } from "../redaction/redact.ts";
import { cleanText } from "../text.ts";

/** Message text cleaned and without contact details. Throws `bad_input` if nothing is left. */
export function cleanMessage(
  text: string,
  countryCode: string,
): { text: string; removed: Removed[] } {
  const found = redact(cleanText(text, { multiline: true }), { countryCode });
  if (found.text === "") throw badInput([{ field: "message", reason: { kind: "empty" } }]);
  return { text: found.text, removed: removedFrom("message", found.removed) };
}

/** Digits allowed in a name: enough for a year of birth. */
const NAME_DIGITS_MAX = 4;

/**
 * Sender's name for an email to a stranger. A name with a contact detail is dropped entirely (null), because a domain
 * next to our own text would look endorsed by us. Stricter than text: spaces around a dot or @ are ignored, and a phone
 * number must not begin here and continue in the message. Throws `bad_input` if no visible character is left.
 */
export function cleanSenderName(
  name: string,
  countryCode: string,
): { text: string | null; removed: Removed[] } {
  const visible = cleanText(name, { multiline: false });
  if (visible === "") throw badInput([{ field: "name", reason: { kind: "empty" } }]);
  const closedUp = visible.replace(/\s?([.@。．․])\s?/g, "$1");
  const { text, removed } = redact(visible, { countryCode });
  const kinds = new Set<ContactKind>([...removed, ...redact(closedUp, { countryCode }).removed]);
  if ((visible.match(/\p{N}/gu) ?? []).length > NAME_DIGITS_MAX) kinds.add("phone");
  return { text: kinds.size === 0 ? text : null, removed: removedFrom("name", [...kinds]) };
}

function removedFrom(field: string, kinds: readonly ContactKind[]): Removed[] {
  return kinds.length === 0 ? [] : [{ field, kinds }];
}
