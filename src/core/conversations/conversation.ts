import { z } from "zod";
import type { Language } from "../alerts/alert.ts";
import { CAPS } from "../caps.ts";
import { alertRefField, emailField, languageField } from "../input.ts";
import type { Hit } from "../limits.ts";

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
  /** Keyed hash of the network the first message came from. Empty in rows of old versions. */
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
  readonly createdAt: number;
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
  .describe("What to tell the owner, in plain text; contact details and links are removed");

export const messageInput = z.object({
  alert: alertRefField,
  message: messageText,
  email: emailField.describe(
    "The sender's email address: gets the confirmation email and the answers; never shown to anyone",
  ),
  name: z
    .string()
    .trim()
    .min(1)
    .max(SENDER_NAME_MAX)
    .describe("How the sender wants to be called")
    .optional(),
  language: languageField.optional(),
});
export type MessageInput = z.infer<typeof messageInput>;

/** Limits of one sender, not shared with anyone. Messages beyond them are refused. */
export function messageHits(alertId: string, strangerHash: string): Hit[] {
  return [{ key: `message:${alertId}:${strangerHash}`, ...CAPS.messagesPerAlertAndSender }];
}

/** Limits of immediate emails to the owner. Messages beyond them go into the owner's digest. */
export function messageEmailHits(alertId: string, networkHash: string): Hit[] {
  return [
    { key: `message-email:${alertId}`, ...CAPS.messageEmailsPerAlert },
    { key: `message-email:${alertId}:${networkHash}`, ...CAPS.messageEmailsPerAlertAndNetwork },
  ];
}
