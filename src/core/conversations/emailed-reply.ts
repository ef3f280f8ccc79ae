import { CAPS } from "../caps.ts";
import { DAY_MS } from "../duration.ts";
import { type EmailAlert, emailAlert } from "../alerts/email-alert.ts";
import { type Email, emailTo } from "../email.ts";
import { Fault } from "../fault.ts";
import { normalizedMailbox } from "../people/mailbox-spelling.ts";
import type { Ports } from "./ports.ts";
import { storedToken, TOKEN_LENGTH } from "../people/private-link.ts";
import { cleanMessage, messageText, type Side } from "./conversation.ts";
import { mailboxOf, messageEmail, type OpenedConversation, relayReply } from "./reply.ts";

/** Reason why a reply by email was not passed on: nobody vouches for its sender, or it cannot be sent as it is. */
type ReplyRefusal = "unverified" | "unsuitable";
/** To one side of a conversation: its reply by email was not passed on. */
export type ReplyRefusalEmail = {
  readonly kind: "reply-refusal";
  readonly alert: EmailAlert;
  readonly why: ReplyRefusal;
  readonly sealedToken: string;
};

/** Email to the reply address of one side of a conversation, by its headers. */
export type EmailedReply = {
  readonly conversationId: string;
  readonly side: Side;
  /** Mailbox in From if the mail server that received it vouches for its domain; otherwise null. */
  readonly sender: string | null;
};

/** Messages of the other side that a reply may answer. */
const ANSWERED_MAX = 10;

/** Time after which emails to reply addresses are deleted from the mailbox, by the day they arrived. */
export const INCOMING_EMAIL_KEEP_MS = 7 * DAY_MS;

/** Outcomes of emails to reply addresses, for the metrics. */
export const EMAILED_REPLY_CLASSES = [
  "relayed",
  /** Was relayed before: it was fetched twice. */
  "known",
  /** Sent by a program. */
  "automatic",
  /** Not certainly from the side that has the address. Its mailbox is told. */
  "unverified",
  /** Empty, too long, a repetition, beyond the limits or to a closed conversation. The sender is told. */
  "unsuitable",
  /** The conversation was erased. */
  "ended",
  /** The address has a wrong MAC. */
  "forged",
] as const;
export type EmailedReplyClass = (typeof EMAILED_REPLY_CLASSES)[number];

/** Use cases for emails to reply addresses. Neither gives anything to the sender of an email, only to the known mailbox. */
export function createEmailedReplies(ports: Ports) {
  async function writerOf({
    conversationId,
    side,
  }: EmailedReply): Promise<OpenedConversation | null> {
    const conversation = await ports.store.conversation(conversationId);
    const alert = conversation && (await ports.store.alert({ by: "id", id: conversation.alertId }));
    return conversation === null || alert === null ? null : { conversation, alert, side };
  }

  /** Tells the writer's known mailbox that a reply was not passed on, at most once a day for each reason. */
  async function refuse(
    writer: OpenedConversation,
    why: ReplyRefusal,
    now: number,
  ): Promise<ReplyRefusal> {
    const { conversation, alert, side } = writer;
    const to = mailboxOf(side, conversation, alert);
    const subject = `${conversation.id}:${side}`;
    const link = await ports.store.linkTo("conversation", subject);
    if (to === null || link === null) return why;
    const { language } = side === "owner" ? alert : conversation;
    const content: ReplyRefusalEmail = {
      kind: "reply-refusal",
      alert: emailAlert(alert),
      why,
      sealedToken: link.sealed,
    };
    const email = emailTo(ports.random, { to, language }, content, now);
    const hits = [{ key: `reply-refusal:${subject}:${why}`, ...CAPS.replyRefusalsPerSide }];
    await ports.store.addReplyRefusal(alert.id, email, hits, now);
    return why;
  }

  /** Email with the newest messages to a side, whose texts are those of every email that it may answer. */
  async function answeredBy(writer: OpenedConversation, now: number): Promise<Email | null> {
    const messages = await ports.store.messages(writer.conversation.id, 2 * ANSWERED_MAX);
    const texts = messages.flatMap(({ from, text }) => (from === writer.side ? [] : [text]));
    return messageEmail(ports, writer, texts.slice(-ANSWERED_MAX).join("\n\n"), [], now);
  }

  return {
    /**
     * Decides by the headers if the text of an email may be read, and tells the writer if not. If it may, resolves to an
     * email with the texts of those that it may answer.
     */
    async expectEmailedReply(
      reply: EmailedReply,
    ): Promise<{ readonly answered: Email } | Extract<EmailedReplyClass, ReplyRefusal | "ended">> {
      const now = ports.clock();
      const writer = await writerOf(reply);
      const mailbox = writer && mailboxOf(writer.side, writer.conversation, writer.alert);
      if (writer === null || mailbox === null) return "ended";
      const isWriter =
        reply.sender !== null && normalizedMailbox(reply.sender) === normalizedMailbox(mailbox);
      if (!isWriter) return refuse(writer, "unverified", now);
      const hit = {
        key: `emailed-reply:${reply.conversationId}:${reply.side}`,
        ...CAPS.emailedRepliesPerSide,
      };
      const retryAt = await ports.store.countHits([hit], now);
      if (retryAt !== null) return refuse(writer, "unsuitable", now);
      const answered = await answeredBy(writer, now);
      return answered === null ? "ended" : { answered };
    },

    /**
     * Relays the text of an expected email as a message that was typed on the page. `identity` is equal for copies of one
     * email: its Message-ID. An email is relayed once, whatever happens in between.
     */
    async relayEmailedReply(
      reply: EmailedReply,
      text: string,
      identity: string,
    ): Promise<Extract<EmailedReplyClass, "relayed" | "known" | ReplyRefusal | "ended">> {
      const now = ports.clock();
      const writer = await writerOf(reply);
      if (writer === null) return "ended";
      const own = await withoutOwnLinks(ports, writer, text);
      const cleaned = cleanedOrNull(own, writer.alert.countryCode);
      if (cleaned === null) return refuse(writer, "unsuitable", now);
      const emailHash = ports.secrets.keyedHash(
        "reply",
        `${reply.conversationId}:${reply.side} ${identity}`,
      );
      const content = { text: cleaned, photos: [] };
      const outcome = await relayReply(ports, writer, content, now, { emailHash });
      switch (outcome) {
        case "kept":
          return "relayed";
        case "known":
          return "known";
        case "gone":
          return "ended";
        case "echo":
        case "closed":
        case "too_many":
          return refuse(writer, "unsuitable", now);
      }
    },
  };
}

/** Message as the page would accept it; null if it is empty or too long. */
function cleanedOrNull(text: string, countryCode: string): string | null {
  const message = messageText.safeParse(text);
  if (!message.success) return null;
  try {
    return cleanMessage(message.data, countryCode).text;
  } catch (error) {
    if (error instanceof Fault && error.code === "bad_input") return null;
    throw error;
  }
}

/**
 * Run of characters that may be a private token, a part of one that a mail program broke into lines, or one in a link that a
 * mail server rewrote, in which "%2F" stands for a slash.
 */
const TOKEN_PART = /(?<!%)(?<!%[0-9a-f])[\w-]{12,}/gi;

/**
 * Text without links of this site and without private tokens, which quoted emails hold: whoever has one acts for the
 * writer. Of tokens that may be in the writer's emails, parts are found, too.
 */
async function withoutOwnLinks(
  ports: Ports,
  writer: OpenedConversation,
  text: string,
): Promise<string> {
  const { conversation, alert, side } = writer;
  const tokens = [
    await storedToken(ports, "conversation", `${conversation.id}:${side}`),
    side === "owner" ? await storedToken(ports, "manage", alert.id) : null,
  ].filter((token) => token !== null);
  const site = ports.links.home.replace(/\/$/, "");
  const address = new RegExp(`<?${RegExp.escape(site)}(?![\\w.-])[^\\s<>]*>?`, "gi");
  return text.replace(address, "").replace(TOKEN_PART, (part) => {
    const isOfToken = tokens.some((token) => token.includes(part) || part.includes(token));
    return part.length === TOKEN_LENGTH || isOfToken ? "" : part;
  });
}
