import { and, eq, inArray, isNotNull, isNull, lte, ne, or, type SQL, sql } from "drizzle-orm";
import { CAPS } from "../../src/core/caps.ts";
import { toAlert } from "./alert-row.ts";
import type { Queries, StoreTools } from "./context.ts";
import { conversationPage } from "./conversations.ts";
import { pushToOwner } from "./device-topics.ts";
import { turnOf } from "../expressions.ts";
import { countRows, inList } from "./expressions.ts";
import { insertEmails, withdrawWhere } from "./outbox.ts";
import { countHits, limitedUntil, noteHits } from "./rate-limits.ts";
import { alert, conversation, message, outbox, ownerNews, sighting } from "./schema.ts";
import { toSighting } from "../rows.ts";
import type { ConfirmationChanges } from "../../src/core/store/requests.ts";

export function ownerNewsQueries(tools: StoreTools) {
  const { db, write } = tools;
  return {
    alertsWithOwnerNews(now, limit) {
      const { max, windowMs } = CAPS.ownerDigestsPerAlert;
      const rows = db.all<{ id: string }>(sql`
          select waiting.alert_id as id
          from (
            select alert_id, min(id) as first from owner_news
            where letter_id is null group by alert_id
          ) waiting
          join alert on alert.id = waiting.alert_id
          where alert.status not in ('hidden', 'removed') and alert.owner_email is not null and (
            select count(*) from hit
            where hit.key = 'digest:' || waiting.alert_id
              and hit.at > ${now - windowMs} and hit.at <= ${now}
          ) < ${max}
          order by waiting.first
          limit ${limit}`);
      return rows.map(({ id }) => id);
    },

    ownerNews(alertId, limit) {
      const row = db.select().from(alert).where(hasReader(alertId)).get();
      const read = db
        .select({ upTo: sql<number>`max(${ownerNews.id})`, count: sql<number>`count(*)` })
        .from(ownerNews)
        .where(unsent(alertId))
        .get();
      if (row === undefined || read === undefined || read.count === 0) return null;
      const messages = sql`
          select message.conversation_id, message.text, json_array_length(message.photos),
            max(message.created_at) as at, count(*) as messages
          from owner_news join message on message.id = owner_news.message_id
          where owner_news.alert_id = ${alertId} and owner_news.letter_id is null
          group by message.conversation_id`;
      const conversations = conversationPage(tools, alertId, messages, limit);
      const seen = db
        .select({ sighting, total: sql<number>`count(*) over ()` })
        .from(ownerNews)
        .innerJoin(sighting, eq(sighting.id, ownerNews.sightingId))
        .where(unsent(alertId))
        .orderBy(turnOf(sighting.networkHash, sighting.createdAt), sql`${sighting.createdAt} desc`)
        .limit(limit)
        .all();
      return {
        alert: toAlert(row),
        ...conversations,
        sightings: seen.map((one) => toSighting(one.sighting)),
        sightingsTotal: seen[0]?.total ?? 0,
        read,
      };
    },

    addOwnerDigest({ alert: { id: alertId }, read: { upTo, count } }, email, conversationIds, now) {
      write(() => {
        const hits = [{ key: `digest:${alertId}`, ...CAPS.ownerDigestsPerAlert }];
        if (limitedUntil(tools, hits, now) !== null) return;
        const owner = db
          .select({ email: alert.ownerEmail })
          .from(alert)
          .where(hasReader(alertId))
          .get();
        if (owner?.email !== email.to) return;
        const wasRead = and(unsent(alertId), lte(ownerNews.id, upTo));
        if (countRows(db, ownerNews, wasRead) !== count) return;
        const shown = shownBy(tools, alertId, conversationIds);
        db.update(ownerNews).set({ emailId: email.id }).where(and(wasRead, shown)).run();
        noteHits(tools, hits, now);
        insertEmails(tools, [email], `alert:${alertId}`);
        pushToOwner(tools, alertId, email);
      });
    },
  } satisfies Queries;
}

function hasReader(alertId: string): SQL | undefined {
  return and(
    eq(alert.id, alertId),
    ne(alert.status, "hidden"),
    ne(alert.status, "removed"),
    isNotNull(alert.ownerEmail),
  );
}

function unsent(alertId: string): SQL | undefined {
  return and(eq(ownerNews.alertId, alertId), isNull(ownerNews.emailId));
}

/** Condition for news that is a sighting, which anyone can see, or a message in one of these conversations. */
function shownBy({ db }: StoreTools, alertId: string, conversationIds: readonly string[]) {
  const messages = db
    .select({ id: message.id })
    .from(message)
    .innerJoin(conversation, eq(conversation.id, message.conversationId))
    .where(and(eq(conversation.alertId, alertId), inList(conversation.id, conversationIds)));
  return or(isNotNull(ownerNews.sightingId), inArray(ownerNews.messageId, messages));
}

/** Emails the owner about a new message or sighting, or leaves it to the digest if the limits are full. Only inside `write`. */
export function notifyOwner(
  tools: StoreTools,
  changes: ConfirmationChanges,
  alertId: string,
  now: number,
): void {
  const { ownerEmail, message: relayed, sighting: seen } = changes;
  if (ownerEmail === undefined) return;
  if (countHits(tools, ownerEmail.hits, now) === null) {
    insertEmails(tools, [ownerEmail.email], `alert:${alertId}`);
    pushToOwner(tools, alertId, ownerEmail.email);
  } else {
    tools.db
      .insert(ownerNews)
      .values({ alertId, messageId: relayed?.id ?? null, sightingId: seen?.id ?? null })
      .run();
  }
}

/**
 * Withdraws unsent digests that show messages of these conversations; what else they contain is news again. Only inside
 * `write`.
 */
export function withdrawDigests(
  tools: StoreTools,
  conversationIds: readonly string[],
  now: number,
): void {
  const { db } = tools;
  const showing = db
    .select({ id: ownerNews.emailId })
    .from(message)
    .innerJoin(ownerNews, eq(ownerNews.messageId, message.id))
    .where(inList(message.conversationId, conversationIds));
  const emails = withdrawWhere(tools, inArray(outbox.id, showing), now);
  db.update(ownerNews).set({ emailId: null }).where(inList(ownerNews.emailId, emails)).run();
}
