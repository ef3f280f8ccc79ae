import type { Conversation, Message } from "../conversations/conversation.ts";
import type { Email } from "../email.ts";
import type { Sighting } from "../sightings/sighting.ts";

/** `gone`: the conversation was erased; `closed`: it accepts no messages; `too_many`: the writer's daily limit is reached. */
export type ReplyOutcome = "kept" | "too_many" | "gone" | "closed";

/** Conversations and sightings. */
export interface ConversationStore {
  conversation(id: string): Promise<Conversation | null>;
  conversationBetween(alertId: string, strangerHash: string): Promise<Conversation | null>;
  /** Newest messages up to the limit, oldest first. */
  messages(conversationId: string, limit: number): Promise<Message[]>;
  /** Adds a reply and its email. The same text is added once within ten minutes. */
  addReply(message: Message, alertId: string, email: Email): Promise<ReplyOutcome>;
  /** Closes a conversation: it accepts no more messages. */
  closeConversation(id: string, now: number): Promise<void>;
  /** Sightings of an alert, taking the newest of each network in turn up to the limit; most recently seen first. */
  sightings(alertId: string, limit: number): Promise<Sighting[]>;
}
