import type { Alert } from "../alerts/alert.ts";
import type { Conversation, Message, StoredMessage } from "./conversation.ts";
import type { Email } from "../email.ts";
import type { Hit } from "../limits.ts";
import type { Sighting } from "../sightings/sighting.ts";
import type { MemberAction } from "../organisations/organisation.ts";

/**
 * `known`: the email that brought the reply has been here before; `echo`: the writer's last message within a day had the
 * same text; `gone`: the conversation was erased; `closed`: it accepts no messages; `too_many`: the writer's daily limit is
 * reached.
 */
export type ReplyOutcome = "kept" | "known" | "echo" | "too_many" | "gone" | "closed";

/** Email to the owner of an alert, sent at once while its limits have room; otherwise the content goes into the next digest. */
export type OwnerEmail = { readonly email: Email; readonly hits: readonly Hit[] };

/** Entry of the owner's list of conversations. */
export type ConversationSummary = {
  readonly id: string;
  readonly strangerName: string | null;
  readonly text: string;
  /** Count of the photos of that message. */
  readonly photos: number;
  readonly at: number;
  readonly messages: number;
  /** Owner's private link to it. */
  readonly sealedToken: string;
};

/** Page of conversations, taking the newest of each network in turn. */
export type ConversationPage = {
  readonly conversations: readonly ConversationSummary[];
  readonly total: number;
};

/** Messages and sightings not yet emailed to the owner, taking the newest of each network in turn. */
export type OwnerNews = ConversationPage & {
  readonly alert: Alert;
  readonly sightings: readonly Sighting[];
  readonly sightingsTotal: number;
  /** Extent of the read: news that arrives later waits for the next digest. */
  readonly read: { readonly upTo: number; readonly count: number };
};

/** Conversations. */
export interface ConversationStore {
  conversation(id: string): Promise<Conversation | null>;
  conversationBetween(alertId: string, strangerHash: string): Promise<Conversation | null>;
  /** Newest messages up to the limit, oldest first. */
  messages(conversationId: string, limit: number): Promise<StoredMessage[]>;
  /**
   * Adds a reply and its email. The same text with the same photos is added once within ten minutes. `action` logs that a
   * member of the alert's organisation wrote it, who has then read the conversation. `emailHash` is that of the email that
   * brought the reply: one email adds one reply, and not the text of the writer's last message again.
   */
  addReply(
    message: Message,
    alertId: string,
    email: Email,
    action?: MemberAction,
    emailHash?: string,
  ): Promise<ReplyOutcome>;
  /** Queues an email about a reply that was not passed on, if its limits have room. Returns false if they have none. */
  addReplyRefusal(
    alertId: string,
    email: Email,
    hits: readonly Hit[],
    now: number,
  ): Promise<boolean>;
  /** Closes a conversation: it accepts no more messages. */
  closeConversation(id: string, now: number): Promise<void>;
}

export interface OwnerNewsStore {
  /** Page of conversations about an alert, each with the stranger's newest message. Beyond the last page it is empty with total 0. */
  conversationsAbout(alertId: string, limit: number, offset: number): Promise<ConversationPage>;
  /** Ids of alerts with news that may be emailed now, the longest waiting first. */
  alertsWithOwnerNews(now: number, limit: number): Promise<string[]>;
  /** At most `limit` conversations and as many sightings; null if there is no news or no owner. */
  ownerNews(alertId: string, limit: number): Promise<OwnerNews | null>;
  /**
   * Queues a digest and marks its news as delivered: all sightings, which are public, and these conversations; the others
   * wait for the next digest. Does nothing if some of the news, or the owner, has been erased.
   */
  addOwnerDigest(
    news: Pick<OwnerNews, "alert" | "read">,
    email: Email,
    conversationIds: readonly string[],
    now: number,
  ): Promise<void>;
}
