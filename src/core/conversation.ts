import { z } from "zod";
import type { Language } from "./alert.ts";
import { alertRefField, emailField, languageField } from "./input.ts";

/** The two who write about one alert: its owner, and the stranger who wrote first. */
export type Side = "owner" | "stranger";

/** Messages between the owner of an alert and one stranger. Neither sees the other's address. */
export type Conversation = {
  readonly id: string;
  readonly alertId: string;
  readonly strangerEmail: string;
  /** Keyed hash of the stranger's exact mailbox: one conversation for each stranger and alert. */
  readonly strangerMark: string;
  readonly strangerName: string | null;
  readonly language: Language;
  readonly createdAt: number;
  /** When one side closed it, or null. */
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
/** Shares of one day: what an alert takes from all strangers, what one stranger may write to it, what a side may answer. */
export const MESSAGES_A_DAY = { alert: 20, stranger: 3, reply: 20 } as const;
/** Messages shown on a conversation's page, the newest. */
export const MESSAGES_SHOWN = 100;

export const messageText = z
  .string()
  .trim()
  .min(1)
  .max(MESSAGE_TEXT_MAX)
  .describe("What to tell the owner, in plain text; contact details and links are removed");

/** Writing to the owner of an alert. */
export const messageInput = z.object({
  alert: alertRefField,
  message: messageText,
  email: emailField.describe(
    "The sender's e-mail address: gets the confirmation letter and the answers; never shown to anyone",
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
