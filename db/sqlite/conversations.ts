import { and, count, desc, eq, gt, inArray, isNotNull, isNull, lte } from "drizzle-orm";
import { type Conversation, type Message, MESSAGES_A_DAY } from "../../src/core/conversation.ts";
import { DAY_MS } from "../../src/core/duration.ts";
import { SAME_ASK_MS } from "../../src/core/pending.ts";
import { among } from "./among.ts";
import { insertLetters } from "./outbox.ts";
import { alert, conversation, link, message } from "./schema.ts";
import type { StoreTools, SyncStore } from "./store.ts";

type Verbs = Pick<
  SyncStore,
  "conversation" | "conversationBetween" | "messages" | "addReply" | "closeConversation"
>;

export function conversationVerbs(tools: StoreTools): Verbs {
  const { db, read, write } = tools;
  return {
    conversation: (id) =>
      read(() => db.select().from(conversation).where(eq(conversation.id, id)).get() ?? null),

    conversationBetween(alertId, strangerMark) {
      const ofTwo = and(
        eq(conversation.alertId, alertId),
        eq(conversation.strangerMark, strangerMark),
      );
      return read(() => db.select().from(conversation).where(ofTwo).get() ?? null);
    },

    messages(conversationId, limit) {
      const newest = read(() =>
        db
          .select()
          .from(message)
          .where(eq(message.conversationId, conversationId))
          .orderBy(desc(message.createdAt), desc(message.id))
          .limit(limit)
          .all(),
      );
      return newest.toReversed();
    },

    addReply(reply, alertId, letter) {
      return write(() => {
        const where = db
          .select({ closedAt: conversation.closedAt, status: alert.status })
          .from(conversation)
          .innerJoin(alert, eq(alert.id, conversation.alertId))
          .where(eq(conversation.id, reply.conversationId))
          .get();
        if (where === undefined) return "gone";
        if (where.closedAt !== null || where.status === "hidden") return "closed";
        const mine = and(
          eq(message.conversationId, reply.conversationId),
          eq(message.from, reply.from),
          lte(message.createdAt, reply.createdAt),
        );
        const same = and(
          mine,
          eq(message.text, reply.text),
          gt(message.createdAt, reply.createdAt - SAME_ASK_MS),
        );
        if (sentSince(tools, same) > 0) return "kept";
        const today = and(mine, gt(message.createdAt, reply.createdAt - DAY_MS));
        if (sentSince(tools, today) >= MESSAGES_A_DAY.reply) return "too_many";
        db.insert(message).values(reply).run();
        insertLetters(tools, [letter], `alert:${alertId}`);
        return "kept";
      });
    },

    closeConversation(id, now) {
      write(() =>
        db
          .update(conversation)
          .set({ closedAt: now })
          .where(and(eq(conversation.id, id), isNull(conversation.closedAt)))
          .run(),
      );
    },
  };
}

/** Whether what a relayed message was made from still holds: its alert can be written to, its conversation is the one. */
export function canRelay(
  tools: StoreTools,
  alertId: string,
  relayed: Message,
  opening: Conversation | undefined,
): boolean {
  const { db } = tools;
  const reachable = and(
    eq(alert.id, alertId),
    inArray(alert.status, ["active", "expired"]),
    isNotNull(alert.ownerEmail),
  );
  if (db.select({ id: alert.id }).from(alert).where(reachable).get() === undefined) return false;
  if (opening === undefined) return isOpen(tools, relayed.conversationId);
  const ofTwo = and(
    eq(conversation.alertId, alertId),
    eq(conversation.strangerMark, opening.strangerMark),
  );
  return db.select({ id: conversation.id }).from(conversation).where(ofTwo).get() === undefined;
}

function isOpen({ db }: StoreTools, id: string): boolean {
  const row = db
    .select({ id: conversation.id })
    .from(conversation)
    .where(and(eq(conversation.id, id), isNull(conversation.closedAt)))
    .get();
  return row !== undefined;
}

/** Whether the alert and the stranger have some of their day's share of messages left. */
export function withinShares(tools: StoreTools, alertId: string, relayed: Message): boolean {
  const today = and(
    eq(message.from, "stranger"),
    gt(message.createdAt, relayed.createdAt - DAY_MS),
    lte(message.createdAt, relayed.createdAt),
  );
  const toAlert = sentSince(tools, and(today, eq(conversation.alertId, alertId)));
  const fromStranger = sentSince(
    tools,
    and(today, eq(message.conversationId, relayed.conversationId)),
  );
  return toAlert < MESSAGES_A_DAY.alert && fromStranger < MESSAGES_A_DAY.stranger;
}

/** Only inside `write`. */
export function insertConversation({ db }: StoreTools, fresh: Conversation): void {
  db.insert(conversation).values(fresh).run();
}

/** Only inside `write`. */
export function insertMessage({ db }: StoreTools, fresh: Message): void {
  db.insert(message).values(fresh).run();
}

/** Drops them with their messages and their private links. Only inside `write`. */
export function eraseConversations({ db }: StoreTools, ids: readonly string[]): void {
  const sides = ids.flatMap((id) => [`${id}:owner`, `${id}:stranger`]);
  db.delete(link)
    .where(and(eq(link.purpose, "conversation"), among(link.subject, sides)))
    .run();
  db.delete(conversation).where(among(conversation.id, ids)).run();
}

function sentSince({ db }: StoreTools, which: ReturnType<typeof and>): number {
  const row = db
    .select({ sent: count() })
    .from(message)
    .innerJoin(conversation, eq(conversation.id, message.conversationId))
    .where(which)
    .get();
  return row?.sent ?? 0;
}
