import {
  and,
  count,
  desc,
  eq,
  inArray,
  isNotNull,
  isNull,
  lte,
  max,
  ne,
  or,
  sql,
  type SQL,
} from "drizzle-orm";
import { CAPS } from "../src/core/caps.ts";
import type {
  ConversationPage,
  ConversationSummary,
  OwnerEmail,
} from "../src/core/conversations/conversation-store.ts";
import type { Conversation, Message } from "../src/core/conversations/conversation.ts";
import { DAY_MS } from "../src/core/duration.ts";
import { REPEAT_WINDOW_MS } from "../src/core/pending/pending.ts";
import { lockAlert, toAlert } from "./alerts.ts";
import type { Queries, Reader, StoreTools, Tx } from "./context.ts";
import { pushToOwner } from "./device-topics.ts";
import { deleteLinks } from "./links.ts";
import { markRead } from "./organisations.ts";
import { insertEmails, withdrawWhere } from "./outbox.ts";
import { freePhotos, usePhotos } from "./photos.ts";
import {
  countRows,
  first,
  hasRow,
  idsOf,
  isRecent,
  lockRows,
  newcomersFirst,
  totalRows,
  turnOf,
} from "./queries.ts";
import { countHits, limitedUntil, noteHits, subjectsOf } from "./rate-limits.ts";
import { toSighting } from "./sightings.ts";

/** Conversations, and the messages and sightings that wait for the next digest to an owner. */
export function conversationQueries(tools: StoreTools) {
  const { alert, conversation, hit, message, ownerNews, sighting } = tools.tables;
  const { claims, db, dialect, read, write } = tools;
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
        await insertMessage(tx, { ...reply, emailHash }, null);
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

    async alertsWithOwnerNews(now, limit) {
      const { max: most, windowMs } = CAPS.ownerDigestsPerAlert;
      const rows = await tools.rows<{ id: string }>(sql`
        select waiting.alert_id as id
        from (
          select alert_id, min(id) as first from owner_news
          where email_id is null group by alert_id
        ) waiting
        join alert on alert.id = waiting.alert_id
        where alert.status not in ('hidden', 'removed') and alert.owner_email is not null and (
          select count(*) from hit
          where hit.key = 'digest:' || waiting.alert_id
            and ${isRecent(hit.at, now, windowMs)}
        ) < ${most}
        order by waiting.first
        limit ${limit * claims.processesMax}`);
      return claims.take("owner digest", idsOf(rows), limit);
    },

    ownerNews: (alertId, limit) =>
      read(async (reader) => {
        const { db } = reader;
        const row = await first(db.select().from(alert).where(hasReader(tools, alertId)));
        const waiting = await first(
          db
            .select({ upTo: max(ownerNews.id), count: count() })
            .from(ownerNews)
            .where(unsent(tools, alertId)),
        );
        if (row === undefined || waiting === undefined || waiting.upTo === null) return null;
        const { upTo } = waiting;
        const messages = sql`
          select message.conversation_id, ${newestMessage(reader)}, max(message.created_at) as at,
            count(*) as messages
          from owner_news join message on message.id = owner_news.message_id
          where owner_news.alert_id = ${alertId} and owner_news.email_id is null
          group by message.conversation_id`;
        const conversations = await conversationPage(reader, alertId, messages, limit);
        const seen = await db
          .select({ sighting, total: totalRows() })
          .from(ownerNews)
          .innerJoin(sighting, eq(sighting.id, ownerNews.sightingId))
          .where(unsent(tools, alertId))
          .orderBy(
            turnOf(sighting.networkHash, sighting.createdAt),
            sql`${sighting.createdAt} desc`,
          )
          .limit(limit);
        return {
          alert: toAlert(row),
          ...conversations,
          sightings: seen.map((one) => toSighting(one.sighting)),
          sightingsTotal: seen[0]?.total ?? 0,
          read: { upTo, count: waiting.count },
        };
      }),

    async addOwnerDigest(
      { alert: { id: alertId }, read: { upTo, count } },
      email,
      conversationIds,
      now,
    ) {
      const hits = [{ key: `digest:${alertId}`, ...CAPS.ownerDigestsPerAlert }];
      await write(subjectsOf(hits), async (tx) => {
        await claims.end(tx, "owner digest", [alertId]);
        if ((await limitedUntil(tx, hits, now)) !== null) return;
        const isRead = hasReader(tools, alertId);
        const owners = tx.db.select({ email: alert.ownerEmail }).from(alert).where(isRead);
        const owner = await first(dialect.locking(owners, "share"));
        if (owner?.email !== email.to) return;
        const wasRead = and(unsent(tools, alertId), lte(ownerNews.id, upTo));
        // The conversations of the news stay, so that whoever erases one finds the email.
        const shown = dialect.inList(conversation.id, conversationIds);
        await lockRows(tx, conversation, shown, "share");
        if ((await countRows(tx, ownerNews, wasRead)) !== count) return;
        const told = and(wasRead, shownBy(tx, alertId, conversationIds));
        await tx.db.update(ownerNews).set({ emailId: email.id }).where(told);
        await noteHits(tx, hits, now);
        await insertEmails(tx, [email], `alert:${alertId}`);
        await pushToOwner(tx, alertId, email);
      });
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
  opened: Conversation | null,
): Promise<boolean> {
  const { alert, conversation } = tx.tables;
  const reachable = and(
    eq(alert.id, alertId),
    inArray(alert.status, ["active", "expired"]),
    isNotNull(alert.ownerEmail),
  );
  if (!(await lockAlert(tx, reachable))) return false;
  if (opened !== null)
    return !(await hasRow(tx, conversation, isBetween(tx, alertId, opened.strangerHash)));
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
  opened: Conversation | null,
): Promise<void> {
  const { conversation, message } = tx.tables;
  if (opened !== null) await tx.db.insert(conversation).values(opened);
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

function hasReader({ tables: { alert } }: Reader, alertId: string): SQL | undefined {
  return and(
    eq(alert.id, alertId),
    ne(alert.status, "hidden"),
    ne(alert.status, "removed"),
    isNotNull(alert.ownerEmail),
  );
}

function unsent({ tables: { ownerNews } }: Reader, alertId: string): SQL | undefined {
  return and(eq(ownerNews.alertId, alertId), isNull(ownerNews.emailId));
}

/** Condition for news that is a sighting, which anyone can see, or a message in one of these conversations. */
function shownBy(
  { db, dialect, tables: { conversation, message, ownerNews } }: Tx,
  alertId: string,
  conversationIds: readonly string[],
) {
  const messages = db
    .select({ id: message.id })
    .from(message)
    .innerJoin(conversation, eq(conversation.id, message.conversationId))
    .where(
      and(eq(conversation.alertId, alertId), dialect.inList(conversation.id, conversationIds)),
    );
  return or(isNotNull(ownerNews.sightingId), inArray(ownerNews.messageId, messages));
}

/** Emails the owner about a new message or sighting, or leaves it to the digest if the limits are full. */
export async function notifyOwner(
  tx: Tx,
  ownerEmail: OwnerEmail | null,
  news: { readonly alertId: string; readonly messageId?: string; readonly sightingId?: string },
  now: number,
): Promise<void> {
  const { alertId } = news;
  if (ownerEmail === null) return;
  if ((await countHits(tx, ownerEmail.hits, now)) === null) {
    await insertEmails(tx, [ownerEmail.email], `alert:${alertId}`);
    await pushToOwner(tx, alertId, ownerEmail.email);
  } else await tx.db.insert(tx.tables.ownerNews).values(news);
}

/** Withdraws unsent digests that show messages of these conversations; what else they contain is news again. */
export async function withdrawDigests(
  tx: Tx,
  conversationIds: readonly string[],
  now: number,
): Promise<void> {
  const { message, outbox, ownerNews } = tx.tables;
  const { db, dialect } = tx;
  const showing = db
    .select({ id: ownerNews.emailId })
    .from(message)
    .innerJoin(ownerNews, eq(ownerNews.messageId, message.id))
    .where(dialect.inList(message.conversationId, conversationIds));
  const emails = await withdrawWhere(tx, inArray(outbox.id, showing), now);
  const isWithdrawn = dialect.inList(ownerNews.emailId, emails);
  await db.update(ownerNews).set({ emailId: null }).where(isWithdrawn);
}

/** Subjects of the private links to conversations, for both sides. */
export function conversationSubjects(ids: readonly string[]): string[] {
  return ids.flatMap((id) => [`${id}:owner`, `${id}:stranger`]);
}
