import {
  and,
  desc,
  eq,
  getTableColumns,
  gt,
  inArray,
  isNotNull,
  isNull,
  lte,
  type SQL,
  sql,
} from "drizzle-orm";
import { CAPS } from "../../src/core/caps.ts";
import type { Conversation, Message } from "../../src/core/conversations/conversation.ts";
import type { ConversationPage, ConversationSummary } from "../../src/core/store/conversations.ts";
import { DAY_MS } from "../../src/core/duration.ts";
import { REPEAT_WINDOW_MS } from "../../src/core/confirmation/pending.ts";
import type { Queries, StoreTools } from "./context.ts";
import { newcomersFirst } from "../expressions.ts";
import { countRows, hasRow, inList } from "./expressions.ts";
import { conversationSubjects } from "../rows.ts";
import { markRead } from "./inbox.ts";
import { deleteLinks } from "./links.ts";
import { insertEmails } from "./outbox.ts";
import { freePhotos, usePhotos } from "./photos.ts";
import { countHits } from "./rate-limits.ts";
import { alert, conversation, message } from "./schema.ts";

export function conversationQueries(tools: StoreTools) {
  const { db, write } = tools;
  return {
    conversation: (id) =>
      db.select().from(conversation).where(eq(conversation.id, id)).get() ?? null,

    conversationBetween(alertId, strangerHash) {
      const between = isBetween(alertId, strangerHash);
      return db.select().from(conversation).where(between).get() ?? null;
    },

    conversationsAbout(alertId, limit, offset) {
      const messages = sql`
        select message.conversation_id, message.text, json_array_length(message.photos),
          max(message.created_at) as at, count(*) as messages
        from conversation join message on message.conversation_id = conversation.id
        where conversation.alert_id = ${alertId} and message."from" = 'stranger'
        group by conversation.id`;
      return conversationPage(tools, alertId, messages, limit, offset);
    },

    messages(conversationId, limit) {
      const newest = db
        .select(MESSAGE)
        .from(message)
        .where(eq(message.conversationId, conversationId))
        .orderBy(desc(message.createdAt), desc(message.id))
        .limit(limit)
        .all();
      return newest.toReversed();
    },

    addReply(reply, alertId, email, action, emailHash) {
      return write(() => {
        const subject = db
          .select({ closedAt: conversation.closedAt, status: alert.status })
          .from(conversation)
          .innerJoin(alert, eq(alert.id, conversation.alertId))
          .where(eq(conversation.id, reply.conversationId))
          .get();
        if (subject === undefined) return "gone";
        if (emailHash !== undefined && hasRow(db, message, eq(message.emailHash, emailHash)))
          return "known";
        if (subject.closedAt !== null || subject.status === "hidden") return "closed";
        const mine = and(
          eq(message.conversationId, reply.conversationId),
          eq(message.from, reply.from),
          lte(message.createdAt, reply.createdAt),
        );
        const same = and(
          mine,
          eq(message.text, reply.text),
          eq(message.photos, reply.photos),
          gt(message.createdAt, reply.createdAt - REPEAT_WINDOW_MS),
        );
        if (emailHash === undefined && hasRow(db, message, same)) return "kept";
        const today = and(mine, gt(message.createdAt, reply.createdAt - DAY_MS));
        if (emailHash !== undefined && newestText(tools, today) === reply.text) return "echo";
        if (countRows(db, message, today) >= CAPS.repliesPerConversationSide.max) return "too_many";
        insertMessage(tools, { ...reply, emailHash }, undefined);
        insertEmails(tools, [email], `alert:${alertId}`);
        if (action !== undefined) markRead(tools, reply.conversationId, action);
        return "kept";
      });
    },

    addReplyRefusal(alertId, email, hits, now) {
      return write(() => {
        const hasRoom = countHits(tools, hits, now) === null;
        if (hasRoom) insertEmails(tools, [email], `alert:${alertId}`);
        return hasRoom;
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

/** Columns of a message that leave the store. */
const { emailHash: _emailHash, ...MESSAGE } = getTableColumns(message);

function newestText({ db }: StoreTools, which: SQL | undefined): string | undefined {
  return db
    .select({ text: message.text })
    .from(message)
    .where(which)
    .orderBy(desc(message.createdAt), desc(message.id))
    .limit(1)
    .get()?.text;
}

/**
 * Page of conversations about an alert. `summed` selects of each the id, the newest text, the number of its photos, its time and
 * the number of messages.
 * The other conversations of a network count as turns it has had.
 */
export function conversationPage(
  { db }: StoreTools,
  alertId: string,
  summed: SQL,
  limit: number,
  offset = 0,
): ConversationPage {
  const network = conversation.networkHash;
  const had = sql`network.conversations - count(*) over (partition by ${network})`;
  const rows = db.all<ConversationSummary & { readonly total: number }>(sql`
    with summed(id, text, photos, at, messages) as (${summed}),
      network(hash, conversations) as (
        select network_mark, count(*) from conversation
        where alert_id = ${alertId} group by network_mark
      )
    select conversation.id, conversation.stranger_name as strangerName, summed.text, summed.photos,
      summed.at, summed.messages, link.sealed as sealedToken, count(*) over () as total
    from summed
    join conversation on conversation.id = summed.id
    join link on link.purpose = 'conversation' and link.subject = conversation.id || ':owner'
    join network on network.hash = conversation.network_mark
    order by ${newcomersFirst(network, sql`summed.at`, had)}, summed.at desc
    limit ${limit} offset ${offset}`);
  return {
    conversations: rows.map(({ total: _total, ...summary }) => summary),
    total: rows[0]?.total ?? 0,
  };
}

/** True if a relayed message can still be added: its alert takes messages, and its conversation is open or not yet there. */
export function canRelay(
  { db }: StoreTools,
  alertId: string,
  relayed: Message,
  opening: Conversation | undefined,
): boolean {
  const reachable = and(
    eq(alert.id, alertId),
    inArray(alert.status, ["active", "expired"]),
    isNotNull(alert.ownerEmail),
  );
  if (!hasRow(db, alert, reachable)) return false;
  if (opening !== undefined)
    return !hasRow(db, conversation, isBetween(alertId, opening.strangerHash));
  const isOpen = and(eq(conversation.id, relayed.conversationId), isNull(conversation.closedAt));
  return hasRow(db, conversation, isOpen);
}

function isBetween(alertId: string, strangerHash: string): SQL | undefined {
  return and(eq(conversation.alertId, alertId), eq(conversation.strangerHash, strangerHash));
}

/** Adds a message, and its conversation if it is the first. Only inside `write`. */
export function insertMessage(
  tools: StoreTools,
  fresh: Message & { readonly emailHash?: string | undefined },
  opening: Conversation | undefined,
): void {
  if (opening !== undefined) tools.db.insert(conversation).values(opening).run();
  tools.db.insert(message).values(fresh).run();
  usePhotos(tools, `message:${fresh.id}`, fresh.photos);
}

/** Erases conversations with their messages, photos and private links. Only inside `write`. */
export function eraseConversations(tools: StoreTools, ids: readonly string[]): void {
  const messages = tools.db
    .select({ id: message.id })
    .from(message)
    .where(inList(message.conversationId, ids))
    .all();
  freePhotos(
    tools,
    messages.map(({ id }) => `message:${id}` as const),
  );
  deleteLinks(tools, "conversation", conversationSubjects(ids));
  tools.db.delete(conversation).where(inList(conversation.id, ids)).run();
}
