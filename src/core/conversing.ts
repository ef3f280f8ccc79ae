import { type Alert, type PublicAlert, publicFace } from "./alert.ts";
import { cleanMessage } from "./asking.ts";
import { type Conversation, MESSAGES_SHOWN, type Side } from "./conversation.ts";
import { DAY_MS } from "./duration.ts";
import { Fault } from "./fault.ts";
import { alertInLetter, letterTo } from "./letter.ts";
import { type Caller, tooMany } from "./limit.ts";
import type { Ports } from "./ports.ts";
import { openedLink } from "./private-link.ts";
import type { ConversationReportInput } from "./report.ts";
import { keepReport } from "./reporting.ts";

/** One side's view of a conversation. */
export type ConversationView = {
  readonly side: Side;
  /** Null when the alert is gone. */
  readonly alert: PublicAlert | null;
  readonly strangerName: string | null;
  readonly messages: readonly {
    readonly from: Side;
    readonly text: string;
    readonly createdAt: number;
  }[];
  /** Whether an answer would reach anybody. */
  readonly open: boolean;
  /** Whether one side, or a moderator, closed it. */
  readonly closed: boolean;
};

/** What the two sides of a conversation do, each by its private link. All throw `not_found` for one that opens nothing. */
export function createConversing(ports: Ports) {
  async function opened(
    token: string,
  ): Promise<{ conversation: Conversation; alert: Alert; side: Side }> {
    const { subject } = await openedLink(ports, "conversation", token);
    const [id = "", which] = subject.split(":");
    const conversation = await ports.store.conversation(id);
    const alert =
      conversation === null
        ? null
        : await ports.store.alert({ by: "id", id: conversation.alertId });
    if (conversation === null || alert === null)
      throw new Fault("not_found", { reason: "conversation_erased" });
    return { conversation, alert, side: which === "owner" ? "owner" : "stranger" };
  }

  return {
    async conversation(token: string): Promise<ConversationView> {
      const { conversation, alert, side } = await opened(token);
      const messages = await ports.store.messages(conversation.id, MESSAGES_SHOWN);
      const face = publicFace(alert, ports.links);
      const closed = conversation.closedAt !== null;
      return {
        side,
        alert: face,
        strangerName: conversation.strangerName,
        messages: messages.map(({ from, text, createdAt }) => ({ from, text, createdAt })),
        open: !closed && alert.ownerEmail !== null && face !== null,
        closed,
      };
    },

    /** Sends an answer to the other side, without contact details. Throws `too_many`, `gone`, and `conflict` when it was closed. */
    async reply(token: string, message: string): Promise<void> {
      const { conversation, alert, side: writer } = await opened(token);
      const now = ports.clock();
      const reader: Side = writer === "owner" ? "stranger" : "owner";
      const to = reader === "owner" ? alert.ownerEmail : conversation.strangerEmail;
      const readerLink = await ports.store.linkTo("conversation", `${conversation.id}:${reader}`);
      if (to === null || readerLink === null) throw new Fault("gone", { reason: "nobody_left" });

      const { text } = cleanMessage(message, alert.countryCode, "message");
      const letter = letterTo(
        ports.dice,
        { to, language: reader === "owner" ? alert.language : conversation.language },
        {
          kind: "message",
          alert: alertInLetter(alert),
          from: writer,
          name: writer === "stranger" ? conversation.strangerName : null,
          text,
          sealedToken: readerLink.sealed,
        },
        now,
      );
      const reply = {
        id: ports.dice.id(),
        conversationId: conversation.id,
        from: writer,
        text,
        createdAt: now,
      };
      switch (await ports.store.addReply(reply, alert.id, letter)) {
        case "kept":
          return;
        case "gone":
          throw new Fault("gone", { reason: "nobody_left" });
        case "closed":
          throw new Fault("conflict", { reason: "conversation_closed" });
        case "too_many":
          throw tooMany(ports, "reply", now + DAY_MS, now, { reason: "enough_for_today" });
      }
    },

    /** Ends the conversation for both sides and for good. Doing it again is as good. */
    async closeConversation(token: string): Promise<void> {
      const { conversation } = await opened(token);
      await ports.store.closeConversation(conversation.id, ports.clock());
    },

    /** Tells the moderators, who can read the conversation from then on. Throws `too_many`. */
    async reportConversation(
      token: string,
      input: ConversationReportInput,
      caller: Caller,
    ): Promise<void> {
      const { conversation, alert } = await opened(token);
      await keepReport(
        ports,
        { alertId: alert.id, conversationId: conversation.id },
        input,
        caller,
      );
    },
  };
}
