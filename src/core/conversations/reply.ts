import { type Alert, type PublicAlert, readerOf, toPublicAlert } from "../alerts/alert.ts";
import {
  cleanMessage,
  type Conversation,
  MESSAGES_SHOWN,
  type Side,
  type StoredMessage,
} from "./conversation.ts";
import { DAY_MS } from "../duration.ts";
import { Fault } from "../fault.ts";
import { type EmailAlert, emailAlert } from "../alerts/email-alert.ts";
import { type Email, emailTo } from "../email.ts";
import { tooMany } from "../limits.ts";
import type { PhotoActions } from "../photos/photos.ts";
import type { Ports } from "./ports.ts";
import { openedLink } from "../people/private-link.ts";
import type { ReplyOutcome } from "./conversation-store.ts";
import type { PhotoSize } from "../photos/photo-files.ts";
import type { MemberAction } from "../organisations/organisation.ts";

/** To one side of a conversation: a message of the other side. */
export type MessageEmail = {
  readonly kind: "message";
  readonly alert: EmailAlert;
  /** Writer: a stranger about the reader's alert, or the owner of the alert the reader wrote about. */
  readonly from: Side;
  /** True if the owner is an organisation that has the animal. */
  readonly isFromShelter: boolean;
  /** Name given by the writer, or null. */
  readonly name: string | null;
  readonly text: string;
  /** Count of its photos, which only the page shows. */
  readonly photos: number;
  readonly conversationId: string;
  readonly sealedToken: string;
  /** Slug of the organisation that owns the alert and reads the email; null for a private person. */
  readonly organisation: string | null;
};

/** One side's view of a conversation. */
export type ConversationView = {
  readonly side: Side;
  /** Null if the alert is hidden or removed. */
  readonly alert: PublicAlert | null;
  readonly strangerName: string | null;
  readonly messages: readonly StoredMessage[];
  readonly open: boolean;
  /** True if one side or a moderator closed it. */
  readonly closed: boolean;
};

/** Conversation as one side opened it. */
export type OpenedConversation = {
  readonly conversation: Conversation;
  readonly alert: Alert;
  readonly side: Side;
};

/** Conversation with this id and its alert, for a side that may open it. Throws `not_found`. */
export async function openConversation(
  { store }: Ports,
  id: string,
  side: Side,
): Promise<OpenedConversation> {
  const conversation = await store.conversation(id);
  const alert = conversation && (await store.alert({ by: "id", id: conversation.alertId }));
  if (conversation === null || alert === null)
    throw new Fault("not_found", { reason: "conversation_erased" });
  return { conversation, alert, side };
}

/** Conversation of a private link. Throws `not_found` for an unknown link. */
export async function openedConversation(ports: Ports, token: string): Promise<OpenedConversation> {
  const { subject } = await openedLink(ports, "conversation", token);
  const [id = "", which] = subject.split(":");
  return openConversation(ports, id, which === "owner" ? "owner" : "stranger");
}

export async function conversationView(
  { store, links }: Ports,
  { conversation, alert, side }: OpenedConversation,
): Promise<ConversationView> {
  const messages = await store.messages(conversation.id, MESSAGES_SHOWN);
  const view = toPublicAlert(alert, links);
  const closed = conversation.closedAt !== null;
  return {
    side,
    alert: view,
    strangerName: conversation.strangerName,
    messages,
    open: !closed && alert.ownerEmail !== null && view !== null,
    closed,
  };
}

/** Photo of one of the messages shown, or null. */
export async function photoInConversation(
  { store, photos }: Ports,
  { conversation }: OpenedConversation,
  name: string,
  size: PhotoSize,
): Promise<Uint8Array | null> {
  const messages = await store.messages(conversation.id, MESSAGES_SHOWN);
  const isShown = messages.some((message) => message.photos.includes(name));
  return isShown ? photos.read(name, size) : null;
}

/**
 * Sends a reply, without contact details; `tickets` are those of uploaded photos, `action` is that of a member of the
 * alert's organisation. Throws `bad_input`, `too_many`, `gone`, and `conflict` if it was closed.
 */
export async function sendReply(
  ports: Ports,
  photos: Pick<PhotoActions, "attached">,
  opened: OpenedConversation,
  { message, tickets }: { readonly message: string; readonly tickets: readonly string[] },
  action?: MemberAction,
): Promise<void> {
  const now = ports.clock();
  const { text } = cleanMessage(message, opened.alert.countryCode);
  const outcome = await photos.attached(tickets, (names) =>
    relayReply(ports, opened, { text, photos: names }, now, { action }),
  );
  switch (outcome) {
    case "kept":
    case "known":
    case "echo":
      return;
    case "gone":
      throw new Fault("gone", { reason: "nobody_left" });
    case "closed":
      throw new Fault("conflict", { reason: "conversation_closed" });
    case "too_many":
      throw tooMany(ports, "reply", now + DAY_MS, now, { reason: "enough_for_today" });
  }
}

/**
 * Stores a cleaned reply and queues its email to the other side. `emailHash` is that of the email that brought it, `action`
 * that of a member of the alert's organisation.
 */
export async function relayReply(
  ports: Ports,
  { conversation, alert, side: writer }: OpenedConversation,
  { text, photos }: { readonly text: string; readonly photos: readonly string[] },
  now: number,
  origin: {
    readonly action?: MemberAction | undefined;
    readonly emailHash?: string | undefined;
  } = {},
): Promise<ReplyOutcome> {
  const reader: Side = writer === "owner" ? "stranger" : "owner";
  const email = await messageEmail(ports, { conversation, alert, side: reader }, text, photos, now);
  if (email === null) return "gone";
  const reply = {
    id: ports.random.id(),
    conversationId: conversation.id,
    from: writer,
    text,
    photos,
    createdAt: now,
  };
  return ports.store.addReply(reply, alert.id, email, origin.action, origin.emailHash);
}

/** Email to a side with a message of the other one; null once the side was erased. */
export async function messageEmail(
  { store, random }: Ports,
  { conversation, alert, side: reader }: OpenedConversation,
  text: string,
  photos: readonly string[],
  now: number,
): Promise<Email | null> {
  const to = mailboxOf(reader, conversation, alert);
  const link = await store.linkTo("conversation", `${conversation.id}:${reader}`);
  if (to === null || link === null) return null;
  const { language } = reader === "owner" ? alert : conversation;
  const opened = { conversation, alert, side: reader };
  return emailTo(random, { to, language }, messageTo(opened, text, photos, link.sealed), now);
}

/** Content of an email to a side with a message of the other one. */
export function messageTo(
  { conversation, alert, side: reader }: OpenedConversation,
  text: string,
  photos: readonly string[],
  sealedToken: string,
): MessageEmail {
  return {
    kind: "message",
    alert: emailAlert(alert),
    from: reader === "owner" ? "stranger" : "owner",
    isFromShelter: reader === "stranger" && readerOf(alert) === "shelter",
    name: reader === "owner" ? conversation.strangerName : null,
    text,
    photos: photos.length,
    conversationId: conversation.id,
    sealedToken,
    organisation: reader === "owner" ? alert.organisation : null,
  };
}

/** Mailbox of a side; null once it was erased. */
export function mailboxOf(side: Side, conversation: Conversation, alert: Alert): string | null {
  return side === "owner" ? alert.ownerEmail : conversation.strangerEmail;
}

/** Use cases of a conversation's two sides, by their private links. All throw `not_found` for an unknown link. */
export function createConversations(ports: Ports, photos: PhotoActions) {
  const opened = (token: string) => openedConversation(ports, token);

  return {
    conversation: async (token: string): Promise<ConversationView> =>
      conversationView(ports, await opened(token)),

    /** Photo of one of the messages shown, or null. */
    conversationPhoto: async (
      token: string,
      name: string,
      size: PhotoSize,
    ): Promise<Uint8Array | null> => photoInConversation(ports, await opened(token), name, size),

    /** Sends a reply; see `sendReply`. */
    reply: async (token: string, message: string, tickets: readonly string[] = []): Promise<void> =>
      sendReply(ports, photos, await opened(token), { message, tickets }),

    /** Closes the conversation for both sides, permanently. Idempotent. */
    async closeConversation(token: string): Promise<void> {
      const { conversation } = await opened(token);
      await ports.store.closeConversation(conversation.id, ports.clock());
    },
  };
}
