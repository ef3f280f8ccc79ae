import {
  type Alert,
  canMove,
  faceOf,
  moved,
  type OwnerMove,
  type PublicAlert,
  publicFace,
} from "./alert.ts";
import { cleanMessage } from "./asking.ts";
import { type Conversation, MESSAGES_SHOWN, type Side } from "./conversation.ts";
import { Fault } from "./fault.ts";
import { alertInLetter, letterTo } from "./letter.ts";
import type { Ports } from "./ports.ts";
import type { CatchUp } from "./catching-up.ts";
import type { LinkPurpose, PrivateLink } from "./store.ts";
import { type ZoneFace, zoneFace } from "./zone.ts";

const MOVES: readonly OwnerMove[] = ["resolve", "renew", "reopen", "remove"];

/** The owner's view of an alert and what can be done with it now. */
export type Managed = { readonly alert: PublicAlert; readonly moves: readonly OwnerMove[] };

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
};

/** What an unsubscribe link ends. */
export type Subscription =
  | { readonly kind: "zone"; readonly zone: ZoneFace }
  | { readonly kind: "reminders" | "matches"; readonly alert: PublicAlert }
  | { readonly kind: "ended" };

/** What private links open. All throw `not_found` for a link that opens nothing (any more). */
export function createOwning(ports: Ports, catchUp: CatchUp) {
  async function opened(purpose: LinkPurpose, token: string): Promise<PrivateLink> {
    const link = await ports.store.link(ports.vault.tokenHash(token), purpose);
    if (link === null)
      throw new Fault(
        "not_found",
        "This link opens nothing any more, or a part of it was cut off.",
      );
    return link;
  }

  async function managed(token: string): Promise<{ alert: Alert; view: Managed }> {
    const { subject } = await opened("manage", token);
    const alert = await ports.store.alert({ by: "id", id: subject });
    const view = faceOf(alert, ports.links);
    if (alert === null) throw new Error("faceOf refuses null");
    return {
      alert,
      view: { alert: view, moves: MOVES.filter((move) => canMove(alert, move, ports.clock())) },
    };
  }

  async function side(
    token: string,
  ): Promise<{ conversation: Conversation; alert: Alert; side: Side }> {
    const { subject } = await opened("conversation", token);
    const [id = "", which] = subject.split(":");
    const conversation = await ports.store.conversation(id);
    const alert =
      conversation === null
        ? null
        : await ports.store.alert({ by: "id", id: conversation.alertId });
    if (conversation === null || alert === null)
      throw new Fault("not_found", "This conversation has been erased.");
    return { conversation, alert, side: which === "owner" ? "owner" : "stranger" };
  }

  return {
    managed: async (token: string): Promise<Managed> => (await managed(token)).view,

    /** Throws `conflict` when the alert's state does not allow the move, or changed in between. */
    async move(token: string, move: OwnerMove): Promise<PublicAlert | null> {
      const { alert } = await managed(token);
      const now = ports.clock();
      const change = moved(alert, move, now);
      if (move === "remove") await ports.store.removeAlert(alert.id, now);
      else if (!(await ports.store.moveAlert(alert, change, now))) {
        throw new Fault("conflict", "The alert changed a moment ago. Please look at it again.");
      }
      await catchUp();
      return publicFace(
        (await ports.store.alert({ by: "id", id: alert.id })) ?? alert,
        ports.links,
      );
    },

    async conversation(token: string): Promise<ConversationView> {
      const { conversation, alert, side: reader } = await side(token);
      const messages = await ports.store.messages(conversation.id, MESSAGES_SHOWN);
      return {
        side: reader,
        alert: publicFace(alert, ports.links),
        strangerName: conversation.strangerName,
        messages: messages.map(({ from, text, createdAt }) => ({ from, text, createdAt })),
        open:
          conversation.closedAt === null && alert.ownerEmail !== null && alert.status !== "removed",
      };
    },

    /** Sends an answer to the other side, without contact details. Throws `too_many`, `gone`. */
    async reply(token: string, message: string): Promise<void> {
      const { conversation, alert, side: writer } = await side(token);
      const now = ports.clock();
      const reader: Side = writer === "owner" ? "stranger" : "owner";
      const to = reader === "owner" ? alert.ownerEmail : conversation.strangerEmail;
      const readerLink = await ports.store.linkTo("conversation", `${conversation.id}:${reader}`);
      if (to === null || readerLink === null)
        throw new Fault("gone", "Nobody is left on the other side of this conversation.");

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
          throw new Fault("gone", "Nobody is left on the other side of this conversation.");
        case "too_many":
          throw new Fault("too_many", "That is enough for one day. Please go on tomorrow.", {
            retryAfterSeconds: 86_400,
          });
      }
    },

    async subscription(token: string): Promise<Subscription> {
      const link = await ports.store.link(ports.vault.tokenHash(token), "unsubscribe");
      const [kind, id = ""] = link?.subject.split(":") ?? [];
      if (kind === "zone") {
        const zone = await ports.store.zone(id);
        if (zone === null) return { kind: "ended" };
        return { kind: "zone", zone: zoneFace(zone, ports.gazetteer) };
      }
      if (kind !== "reminders" && kind !== "matches") return { kind: "ended" };
      const alert = await ports.store.alert({ by: "id", id });
      const face = alert === null ? null : publicFace(alert, ports.links);
      return face === null ? { kind: "ended" } : { kind, alert: face };
    },

    /** Ends what the link is for. Doing it again is as good; an unknown link has nothing left to end. */
    async unsubscribe(token: string): Promise<void> {
      const link = await ports.store.link(ports.vault.tokenHash(token), "unsubscribe");
      const [kind, id = ""] = link?.subject.split(":") ?? [];
      if (kind === "zone") await ports.store.endZone(id, ports.clock());
      if (kind === "reminders") await ports.store.muteReminders(id);
      if (kind === "matches") await ports.store.muteMatches(id);
      await catchUp();
    },
  };
}
