import { z } from "zod";
import type { Language } from "../../messages/languages.ts";
import { badInput, emailField, languageField } from "../input.ts";
import type { Removed } from "../alerts/publication.ts";
import { CAPS } from "../caps.ts";
import { type Alert, requireNotHome } from "../alerts/alert.ts";
import { alertRefField } from "../alerts/alert-ref.ts";
import { Fault } from "../fault.ts";
import type { Hit } from "../limits.ts";
import { type ContactKind, redact } from "../../redaction/redact.ts";
import { cleanText } from "../text.ts";

/** Sides of a conversation: the alert's owner, and the stranger who wrote first. */
export type Side = "owner" | "stranger";

/** Messages between the owner of an alert and one stranger. Neither sees the other's address. */
export type Conversation = {
  readonly id: string;
  readonly alertId: string;
  readonly strangerEmail: string;
  /** Keyed hash of the stranger's exact mailbox. There is one conversation per stranger and alert. */
  readonly strangerHash: string;
  readonly strangerName: string | null;
  /** Keyed hash of the network the first message came from. */
  readonly networkHash: string;
  readonly language: Language;
  readonly createdAt: number;
  readonly closedAt: number | null;
};

export type Message = {
  readonly id: string;
  readonly conversationId: string;
  readonly from: Side;
  readonly text: string;
  /** Names of its photos, in order. */
  readonly photos: readonly string[];
  readonly createdAt: number;
};

/** Message as it is stored. */
export type StoredMessage = Message & {
  /** True if an email brought it: what the email quoted, its signature and its attachments were left out. */
  readonly isByEmail: boolean;
};

export const SENDER_NAME_MAX = 60;
export const MESSAGE_TEXT_MAX = 2_000;
/** Newest messages shown on a conversation's page. */
export const MESSAGES_SHOWN = 100;

export const messageText = z
  .string()
  .trim()
  .min(1)
  .max(MESSAGE_TEXT_MAX)
  .describe("Plain text for the owner; contact details, links and payment details are removed");

export const messageInput = z.object({
  alert: alertRefField,
  message: messageText,
  email: emailField.describe(
    "The sender's address; gets the confirmation email and answers, never shown",
  ),
  name: z
    .string()
    .trim()
    .min(1)
    .max(SENDER_NAME_MAX)
    .describe("The sender's name for the owner")
    .optional(),
  language: languageField.optional(),
});
export type MessageInput = z.infer<typeof messageInput>;

/** Limits of one sender, not shared with anyone. Messages beyond them are refused. */
export function messageHits(alertId: string, addressHash: string): Hit[] {
  return [{ key: `message:${alertId}:${addressHash}`, ...CAPS.messagesPerAlertAndSender }];
}

/** Limits of immediate emails to the owner. Messages beyond them go into the owner's digest. */
export function messageEmailHits(alertId: string, networkHash: string): Hit[] {
  return [
    { key: `message-email:${alertId}`, ...CAPS.messageEmailsPerAlert },
    { key: `message-email:${alertId}:${networkHash}`, ...CAPS.messageEmailsPerAlertAndNetwork },
  ];
}

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

/** Owner's address, to which a message about the alert would go. Throws `gone` or `conflict` if there is none. */
export function requireReachable(alert: Alert): string {
  requireNotHome(alert);
  if (alert.ownerEmail === null) throw new Fault("conflict", { reason: "no_owner" });
  return alert.ownerEmail;
}
