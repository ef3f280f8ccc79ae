import { and, desc, eq, inArray, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import { CAPS } from "../src/core/caps.ts";
import { REPEAT_WINDOW_MS } from "../src/core/pending/pending.ts";
import type { Conversation, Message } from "../src/core/conversations/conversation.ts";
import { DAY_MS } from "../src/core/duration.ts";
import type {
  ConversationPage,
  ConversationSummary,
} from "../src/core/conversations/conversation-store.ts";
import { lockAlert } from "./alerts.ts";
import type { Reader, Queries, StoreTools, Tx } from "./context.ts";
import { markRead } from "./inbox.ts";
import { deleteLinks } from "./links.ts";
import { insertEmails } from "./outbox.ts";
import { freePhotos, usePhotos } from "./photos.ts";
import { countRows, first, hasRow, idsOf, isRecent, lockRows, newcomersFirst } from "./queries.ts";
import { countHits, subjectsOf } from "./rate-limits.ts";
import { conversationSubjects } from "./rows.ts";

export function conversationQueries(tools: StoreTools) {
  const { alert, conversation, message } = tools.tables;
  const { db, dialect, write } = tools;
  return {
    async conversation(id) {
      return (await first(db.select().from(conversation).where(eq(conversation.id, id)))) ?? null;
    },

    async conversationBetween(alertId, strangerHash) {
      const between = isBetween(tools, alertId, strangerHash);
      return (await first(db.select().from(conversation).where(between))) ?? null;
    },

    conversationsAbout(alertId, limit, offset) {
      const messages = sql`
        select message.conversation_id, ${newestMessage(tools)}, max(message.created_at) as at,
          count(*) as messages
        from conversation join message on message.conversation_id = conversation.id
        where conversation.alert_id = ${alertId} and message."from" = 'stranger'
        group by message.conversation_id`;
      return conversationPage(tools, alertId, messages, limit, offset);
    },

    async messages(conversationId, limit) {
      const newest = await db
        .select()
        .from(message)
        .where(eq(message.conversationId, conversationId))
        .orderBy(desc(message.createdAt), desc(message.id))
        .limit(limit);
      return newest
        .toReversed()
        .map(({ emailHash, ...stored }) => ({ ...stored, isByEmail: emailHash !== null }));
    },

    addReply(reply, alertId, email, action, emailHash) {
      return write([], async (tx) => {
        // Replies to one conversation take turns, and an erasure of it waits.
        const named = tx.db
          .select({ closedAt: conversation.closedAt, status: alert.status })
          .from(conversation)
          .innerJoin(alert, eq(alert.id, conversation.alertId))
          .where(eq(conversation.id, reply.conversationId));
        const subject = await first(dialect.locking(named, "no key update", { of: conversation }));
        if (subject === undefined) return "gone";
        const isKnown = eq(message.emailHash, emailHash ?? "");
        if (emailHash !== undefined && (await hasRow(tx, message, isKnown))) return "known";
        if (subject.closedAt !== null || subject.status === "hidden") return "closed";
        const mine = and(
          eq(message.conversationId, reply.conversationId),
          eq(message.from, reply.from),
        );
        const same = and(
          mine,
          eq(message.text, reply.text),
          eq(message.photos, reply.photos),
          isRecent(message.createdAt, reply.createdAt, REPEAT_WINDOW_MS),
        );
        if (emailHash === undefined && (await hasRow(tx, message, same))) return "kept";
        const today = and(mine, isRecent(message.createdAt, reply.createdAt, DAY_MS));
        if (emailHash !== undefined && (await newestText(tx, today)) === reply.text) return "echo";
        if ((await countRows(tx, message, today)) >= CAPS.repliesPerConversationSide.max)
          return "too_many";
        await insertMessage(tx, { ...reply, emailHash }, undefined);
        await insertEmails(tx, [email], `alert:${alertId}`);
        if (action !== undefined) await markRead(tx, reply.conversationId, action);
        return "kept";
      });
    },

    addReplyRefusal(alertId, email, hits, now) {
      return write(subjectsOf(hits), async (tx) => {
        const hasRoom = (await countHits(tx, hits, now)) === null;
        if (hasRoom) await insertEmails(tx, [email], `alert:${alertId}`);
        return hasRoom;
      });
    },

    async closeConversation(id, now) {
      const open = and(eq(conversation.id, id), isNull(conversation.closedAt));
      await write([], (tx) => tx.db.update(conversation).set({ closedAt: now }).where(open));
    },
  } satisfies Queries;
}

async function newestText(tx: Tx, which: SQL | undefined): Promise<string | undefined> {
  const { message } = tx.tables;
  const newest = tx.db
    .select({ text: message.text })
    .from(message)
    .where(which)
    .orderBy(desc(message.createdAt), desc(message.id))
    .limit(1);
  return (await first(newest))?.text;
}

/** Text of the newest message of a group, and the number of its photos. The query also selects its time with `max`. */
export function newestMessage({ dialect }: Reader): SQL {
  const order = sql`message.created_at desc, message.id desc`;
  const photos = dialect.lengthOf(sql`message.photos`);
  return sql`${dialect.firstOf(sql`message.text`, order)}, ${dialect.firstOf(photos, order)}`;
}

/**
 * Page of conversations about an alert. `summed` selects of each the id, the newest text, the number of its photos, its time and
 * the number of messages. The other conversations of a network count as turns it has had.
 */
export async function conversationPage(
  reader: Reader,
  alertId: string,
  summed: SQL,
  limit: number,
  offset = 0,
): Promise<ConversationPage> {
  const { conversation } = reader.tables;
  const network = conversation.networkHash;
  const had = sql`network.conversations - count(*) over (partition by ${network})`;
  type Row = ConversationSummary & { readonly total: number };
  const page = sql`
    with summed(id, text, photos, at, messages) as (${summed}),
      network(hash, conversations) as (
        select network_hash, count(*) from conversation
        where alert_id = ${alertId} group by network_hash
      )
    select conversation.id, conversation.stranger_name as "strangerName", summed.text, summed.photos,
      cast(summed.at as double precision) as at, cast(summed.messages as integer) as messages, link.sealed as "sealedToken",
      cast(count(*) over () as integer) as total
    from summed
    join conversation on conversation.id = summed.id
    join link on link.purpose = 'conversation' and link.subject = conversation.id || ':owner'
    join network on network.hash = conversation.network_hash
    order by ${newcomersFirst(network, sql`summed.at`, had)}, summed.at desc
    limit ${limit} offset ${offset}`;
  const rows = await reader.rows<Row>(page);
  return {
    conversations: rows.map(({ total: _total, ...summary }) => summary),
    total: rows[0]?.total ?? 0,
  };
}

/**
 * Checks that a relayed message can still be added, and keeps it so: its alert takes messages, and its conversation is open
 * or not yet there. The subject of the conversation is locked.
 */
export async function canRelay(
  tx: Tx,
  alertId: string,
  relayed: Message,
  opening: Conversation | undefined,
): Promise<boolean> {
  const { alert, conversation } = tx.tables;
  const reachable = and(
    eq(alert.id, alertId),
    inArray(alert.status, ["active", "expired"]),
    isNotNull(alert.ownerEmail),
  );
  if (!(await lockAlert(tx, reachable))) return false;
  if (opening !== undefined)
    return !(await hasRow(tx, conversation, isBetween(tx, alertId, opening.strangerHash)));
  const isOpen = and(eq(conversation.id, relayed.conversationId), isNull(conversation.closedAt));
  return (await lockRows(tx, conversation, isOpen, "share")).length > 0;
}

/** Subject of the conversation of a stranger about an alert. */
export function conversationSubject(alertId: string, strangerHash: string): string {
  return `conversation:${alertId}:${strangerHash}`;
}

function isBetween(reader: Reader, alertId: string, strangerHash: string): SQL | undefined {
  const { conversation } = reader.tables;
  return and(eq(conversation.alertId, alertId), eq(conversation.strangerHash, strangerHash));
}

/** Adds a message, and its conversation if it is the first. */
export async function insertMessage(
  tx: Tx,
  fresh: Message & { readonly emailHash?: string | undefined },
  opening: Conversation | undefined,
): Promise<void> {
  const { conversation, message } = tx.tables;
  if (opening !== undefined) await tx.db.insert(conversation).values(opening);
  await tx.db.insert(message).values(fresh);
  if (fresh.photos.length > 0) await usePhotos(tx, `message:${fresh.id}`, fresh.photos);
}

/** Erases conversations with their messages, photos and private links. Their rows are locked. */
export async function eraseConversations(tx: Tx, ids: readonly string[]): Promise<void> {
  const { conversation, message } = tx.tables;
  const { db, dialect } = tx;
  const isInOne = dialect.inList(message.conversationId, ids);
  const messages = await db.select({ id: message.id }).from(message).where(isInOne);
  await freePhotos(tx, "message", idsOf(messages));
  await deleteLinks(tx, "conversation", conversationSubjects(ids));
  await db.delete(conversation).where(dialect.inList(conversation.id, ids));
}
