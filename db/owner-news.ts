import {
  and,
  count,
  eq,
  inArray,
  isNotNull,
  isNull,
  lte,
  max,
  ne,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import { CAPS } from "../src/core/caps.ts";
import type { ConfirmationChanges } from "../src/core/pending/request-store.ts";
import { toAlert } from "./alert-row.ts";
import type { Queries, Reader, StoreTools, Tx } from "./context.ts";
import { conversationPage, newestMessage } from "./conversations.ts";
import { pushToOwner } from "./device-topics.ts";
import { insertEmails, withdrawWhere } from "./outbox.ts";
import { countRows, first, idsOf, isRecent, lockRows, totalRows, turnOf } from "./queries.ts";
import { countHits, limitedUntil, noteHits, subjectsOf } from "./rate-limits.ts";
import { toSighting } from "./rows.ts";

export function ownerNewsQueries(tools: StoreTools) {
  const { alert, conversation, hit, ownerNews, sighting } = tools.tables;
  const { dialect, read, write, claims } = tools;
  return {
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
        ) < ${most} and ${claims.isOpen("owner digest", sql`waiting.alert_id`)}
        order by waiting.first
        limit ${limit}`);
      return claims.take("owner digest", idsOf(rows));
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
        await tx.endClaims("owner digest", [alertId]);
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
  changes: ConfirmationChanges,
  alertId: string,
  now: number,
): Promise<void> {
  const { ownerNews } = tx.tables;
  const { ownerEmail, message: relayed, sighting: seen } = changes;
  if (ownerEmail === undefined) return;
  if ((await countHits(tx, ownerEmail.hits, now)) === null) {
    await insertEmails(tx, [ownerEmail.email], `alert:${alertId}`);
    await pushToOwner(tx, alertId, ownerEmail.email);
  } else
    await tx.db
      .insert(ownerNews)
      .values({ alertId, messageId: relayed?.id ?? null, sightingId: seen?.id ?? null });
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
