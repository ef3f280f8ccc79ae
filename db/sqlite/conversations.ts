import { and, count, desc, eq, gt, inArray, isNotNull, isNull, lte } from "drizzle-orm";
import { CAPS } from "../../src/core/caps.ts";
import type { Conversation, Message } from "../../src/core/conversations/conversation.ts";
import { DAY_MS } from "../../src/core/duration.ts";
import { REPEAT_WINDOW_MS } from "../../src/core/confirmation/pending.ts";
import type { Queries, StoreTools } from "./context.ts";
import { inList } from "./expressions.ts";
import { insertEmails } from "./outbox.ts";
import { alert, conversation, link, message } from "./schema.ts";

export function conversationQueries(tools: StoreTools) {
  const { db, read, write } = tools;
  return {
    conversation: (id) =>
      read(() => db.select().from(conversation).where(eq(conversation.id, id)).get() ?? null),

    conversationBetween(alertId, strangerHash) {
      const ofTwo = and(
        eq(conversation.alertId, alertId),
        eq(conversation.strangerHash, strangerHash),
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

    addReply(reply, alertId, email) {
      return write(() => {
        const subject = db
          .select({ closedAt: conversation.closedAt, status: alert.status })
          .from(conversation)
          .innerJoin(alert, eq(alert.id, conversation.alertId))
          .where(eq(conversation.id, reply.conversationId))
          .get();
        if (subject === undefined) return "gone";
        if (subject.closedAt !== null || subject.status === "hidden") return "closed";
        const mine = and(
          eq(message.conversationId, reply.conversationId),
          eq(message.from, reply.from),
          lte(message.createdAt, reply.createdAt),
        );
        const same = and(
          mine,
          eq(message.text, reply.text),
          gt(message.createdAt, reply.createdAt - REPEAT_WINDOW_MS),
        );
        if (countMessages(tools, same) > 0) return "kept";
        const today = and(mine, gt(message.createdAt, reply.createdAt - DAY_MS));
        if (countMessages(tools, today) >= CAPS.repliesPerConversationSide.max) return "too_many";
        db.insert(message).values(reply).run();
        insertEmails(tools, [email], `alert:${alertId}`);
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
  } satisfies Queries;
}

/** True if a relayed message can still be added: its alert takes messages, and its conversation is open or not yet there. */
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
    eq(conversation.strangerHash, opening.strangerHash),
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

/** Only inside `write`. */
export function insertConversation({ db }: StoreTools, fresh: Conversation): void {
  db.insert(conversation).values(fresh).run();
}

/** Only inside `write`. */
export function insertMessage({ db }: StoreTools, fresh: Message): void {
  db.insert(message).values(fresh).run();
}

/** Erases conversations with their messages and private links. Only inside `write`. */
export function eraseConversations({ db }: StoreTools, ids: readonly string[]): void {
  const sides = ids.flatMap((id) => [`${id}:owner`, `${id}:stranger`]);
  db.delete(link)
    .where(and(eq(link.purpose, "conversation"), inList(link.subject, sides)))
    .run();
  db.delete(conversation).where(inList(conversation.id, ids)).run();
}

function countMessages({ db }: StoreTools, which: ReturnType<typeof and>): number {
  const row = db
    .select({ sent: count() })
    .from(message)
    .innerJoin(conversation, eq(conversation.id, message.conversationId))
    .where(which)
    .get();
  return row?.sent ?? 0;
}
