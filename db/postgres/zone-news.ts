import {
  and,
  asc,
  countDistinct,
  desc,
  eq,
  inArray,
  isNull,
  lte,
  not,
  notInArray,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import { CAPS } from "../../src/core/caps.ts";
import { MINUTE_MS } from "../../src/core/duration.ts";
import { DUE_AHEAD_MAX_MS, isDue } from "../expressions.ts";
import { toZone } from "../rows.ts";
import { toAlert } from "./alert-row.ts";
import { selectAlerts } from "./alerts.ts";
import type { Reader } from "./connection.ts";
import type { Queries, StoreTools } from "./context.ts";
import { first, hasRow, inList, isRecent, jsonOf, rowsOf } from "./expressions.ts";
import { insertLinks } from "./links.ts";
import { insertEmails, withdrawWhere } from "./outbox.ts";
import { alert, outbox, zone } from "./schema.ts";
import { zoneNews } from "./zone-schema.ts";
import type { Tx } from "./transaction.ts";
import { ofMailbox, zonesSubject } from "./zones.ts";

/** News for zones: alerts that their mailboxes are to be emailed about. */
export function zoneNewsQueries(tools: StoreTools) {
  const { read, write } = tools;

  /** Position of `mailboxesWithNews` in the news. Only a hint: later calls return to skipped news. */
  let lastRead: NewsPosition = FIRST_NEWS;

  /** Due news after `lastRead`, or from the beginning if none is left. */
  async function nextNews(now: number): Promise<readonly NewsRow[]> {
    const news = await rowsOf<NewsRow>(tools, newsAfter(lastRead, now));
    if (news.length > 0 || lastRead === FIRST_NEWS) return news;
    lastRead = FIRST_NEWS;
    return rowsOf<NewsRow>(tools, newsAfter(lastRead, now));
  }

  return {
    unannouncedAlerts(limit, upTo) {
      const waiting = and(isNull(alert.announcedAt), lte(alert.revision, upTo));
      return selectAlerts(tools, waiting, limit, asc(alert.publishedAt));
    },

    async announce(alertId, news, now, { more } = { more: false }) {
      await write([], async (tx) => {
        await tx.db.execute(sql`
          insert into zone_news (zone_id, alert_id, created_at, due_at)
          select zone.id, ${alertId}, ${now}::bigint, listed."dueAt"
          from json_to_recordset(${jsonOf(news)}) as listed("zoneId" text, "dueAt" bigint)
          join zone on zone.id = listed."zoneId"
          where zone.ended_at is null
          on conflict do nothing`);
        if (!more) await tx.db.update(alert).set({ announcedAt: now }).where(eq(alert.id, alertId));
      });
    },

    async mailboxesWithNews(now, limit) {
      const news = await nextNews(now);
      const takesEmail = await takingEmail(
        tools,
        news.map(({ mailbox }) => mailbox),
        now,
      );
      const ready = new Set<string>();
      let seen = 0;
      for (const { mailbox } of news) {
        if (takesEmail.has(mailbox) && ready.size === limit && !ready.has(mailbox)) break;
        if (takesEmail.has(mailbox)) ready.add(mailbox);
        seen += 1;
      }
      const isAtEnd = seen === news.length && news.length < NEWS_MAX;
      lastRead = (isAtEnd ? undefined : news[seen - 1]) ?? FIRST_NEWS;
      return [...ready];
    },

    mailboxNews: (mailbox, upTo, limit) =>
      read(async (db) => {
        const address = mailbox.toLowerCase();
        const news = await newsOfAlerts({ db }, address, upTo, limit);
        const total = news[0]?.total ?? 0;
        const ids = news.map(({ alertId }) => alertId);
        const rows = await db.select().from(alert).where(inList(alert.id, ids));
        const byId = new Map(rows.map((row) => [row.id, toAlert(row)]));
        const withNews = new Set(
          total > news.length
            ? await zonesWithNews({ db }, address, upTo)
            : news.flatMap(({ zoneIds }) => zoneIds.split(",")),
        );
        const zones = (
          await db
            .select()
            .from(zone)
            .where(inList(zone.id, [...withNews]))
            .orderBy(asc(zone.createdAt), asc(zone.id))
            .limit(ZONES_PER_EMAIL_MAX)
        ).flatMap((row) => toZone(row) ?? []);
        return {
          zones,
          alerts: news.flatMap(({ alertId, zoneIds }) => {
            const found = byId.get(alertId);
            const covering = new Set(zoneIds.split(","));
            const live = zones.flatMap(({ id }) => (covering.has(id) ? [id] : []));
            return found === undefined ? [] : [{ alert: found, zoneIds: live }];
          }),
          total,
        };
      }),

    async addZoneEmail(mailbox, added, links, { upTo, now }) {
      const address = mailbox.toLowerCase();
      await write([zonesSubject(mailbox)], async (tx) => {
        const mine = tx.db.select({ id: zone.id }).from(zone).where(ofMailbox(address));
        const unsent = and(inArray(zoneNews.zoneId, mine), isNull(zoneNews.notifiedAt));
        const unsentDue = and(unsent, isDueBy(upTo));
        const mark = (which: SQL | undefined, emailId: string | null) =>
          tx.db.update(zoneNews).set({ notifiedAt: now, emailId }).where(which);
        if (added !== null) {
          const { email, alertIds, zoneIds, countsMore } = added;
          if (!(await isAsRead(tx, address, alertIds, zoneIds))) return;
          const shown = and(unsent, inList(zoneNews.alertId, alertIds));
          await mark(countsMore ? unsentDue : shown, email.id);
          await insertEmails(tx, [email], null);
          await insertLinks(tx, links);
        }
        if (!(await hasRow(tx, zoneNews, unsentDue))) return;
        // What is still news arrived after it was read.
        const news = tx.db
          .select({ id: alert.id })
          .from(zone)
          .innerJoin(zoneNews, eq(zoneNews.zoneId, zone.id))
          .innerJoin(alert, eq(alert.id, zoneNews.alertId))
          .where(and(isNews(address), isDueBy(upTo)));
        await mark(and(unsentDue, notInArray(zoneNews.alertId, news)), null);
      });
    },
  } satisfies Queries;
}

/** Condition for news of active alerts that are not the mailbox's own, and that no email showed it for any of its zones. */
function isNews(address: string): SQL | undefined {
  return and(
    ofMailbox(address),
    isNull(zoneNews.notifiedAt),
    eq(alert.status, "active"),
    or(isNull(alert.ownerEmail), sql`lower(${alert.ownerEmail}) <> ${address}`),
    sql`not exists (
      select 1 from zone sibling join zone_news heard on heard.zone_id = sibling.id
      where sibling.email is not null and lower(sibling.email) = ${address}
        and heard.alert_id = ${alert.id} and heard.letter_id is not null)`,
  );
}

/** Newest alerts that are news for a mailbox, each with its zones, and the number of all. */
function newsOfAlerts({ db }: Reader, address: string, upTo: number, limit: number) {
  return db
    .select({
      alertId: alert.id,
      zoneIds: sql<string>`string_agg(${zone.id}, ',')`,
      total: sql<number>`(count(*) over ())::int`,
    })
    .from(zone)
    .innerJoin(zoneNews, eq(zoneNews.zoneId, zone.id))
    .innerJoin(alert, eq(alert.id, zoneNews.alertId))
    .where(and(isNews(address), isDueBy(upTo)))
    .groupBy(alert.publishedAt)
    .orderBy(desc(alert.publishedAt))
    .limit(limit);
}

/** Ids of the zones of a mailbox that have news. */
async function zonesWithNews({ db }: Reader, address: string, upTo: number): Promise<string[]> {
  const rows = await db
    .selectDistinct({ zoneId: zone.id })
    .from(zone)
    .innerJoin(zoneNews, eq(zoneNews.zoneId, zone.id))
    .innerJoin(alert, eq(alert.id, zoneNews.alertId))
    .where(and(isNews(address), isDueBy(upTo)));
  return rows.map(({ zoneId }) => zoneId);
}

/**
 * Those of the mailboxes that may get an email. After one with news that the limit had held back, a mailbox gets no other for
 * an hour.
 */
async function takingEmail(
  reader: Reader,
  mailboxes: readonly string[],
  now: number,
): Promise<Set<string>> {
  const { max, windowMs } = CAPS.zoneEmailsPerMailbox;
  const rows = await rowsOf<{ readonly mailbox: string }>(
    reader,
    sql`
    select listed.mailbox from (
      select distinct value as mailbox from json_array_elements_text(${jsonOf(mailboxes)}) as value
    ) listed
    cross join lateral (
      select count(distinct news.letter_id) as emails, max(news.told_at - news.due_at) as held
      from zone join zone_news news on news.zone_id = zone.id
      where zone.email is not null and lower(zone.email) = listed.mailbox collate "C"
        and ${isRecent(sql`news.told_at`, now, windowMs)} and news.letter_id is not null
    ) sent
    where sent.emails < ${max} and coalesce(sent.held, 0) < ${HELD_MS}`,
  );
  return new Set(rows.map(({ mailbox }) => mailbox));
}

/**
 * Checks that these alerts are still live and new to the mailbox, and that none of these zones has ended, and keeps it so.
 * Whoever removes one of them later finds the email.
 */
async function isAsRead(
  { db }: Tx,
  mailbox: string,
  alertIds: readonly string[],
  zoneIds: readonly string[],
): Promise<boolean> {
  const live = and(ofMailbox(mailbox), isNull(zone.endedAt), inList(zone.id, zoneIds));
  const zones = await db
    .select({ id: zone.id })
    .from(zone)
    .where(live)
    .orderBy(asc(zone.id))
    .for("share");
  const active = and(eq(alert.status, "active"), inList(alert.id, alertIds));
  await db
    .select({ id: alert.id })
    .from(alert)
    .where(active)
    .orderBy(asc(alert.publishedAt))
    .for("share");
  const news = await first(
    db
      .select({ alerts: countDistinct(alert.id) })
      .from(zone)
      .innerJoin(zoneNews, eq(zoneNews.zoneId, zone.id))
      .innerJoin(alert, eq(alert.id, zoneNews.alertId))
      .where(and(ofMailbox(mailbox), isNull(zoneNews.notifiedAt), active)),
  );
  return news?.alerts === alertIds.length && zones.length === zoneIds.length;
}

/** Withdraws unsent zone emails that show these alerts; the other alerts in them are news again. */
export async function withdrawNews(
  tx: Tx,
  alertIds: readonly string[],
  now: number,
): Promise<void> {
  const emails = await withdrawWaiting(tx, inList(zoneNews.alertId, alertIds), now);
  await markUnsent(tx, emails, not(inList(zoneNews.alertId, alertIds)));
}

/** Withdraws unsent emails for a zone; the alerts in them are news again for the other zones of its mailbox. */
export async function withdrawZoneEmails(tx: Tx, id: string, now: number): Promise<void> {
  const { db } = tx;
  const emails = await withdrawWaiting(tx, eq(zoneNews.zoneId, id), now);
  if (emails.length === 0) return;
  const row = await first(db.select({ email: zone.email }).from(zone).where(eq(zone.id, id)));
  const siblings = db
    .select({ id: zone.id })
    .from(zone)
    .where(ofMailbox(row?.email?.toLowerCase() ?? ""));
  await markUnsent(tx, emails, inArray(zoneNews.zoneId, siblings));
}

/** Withdraws the waiting emails that contain this news; returns their ids. */
function withdrawWaiting(tx: Tx, news: SQL, now: number): Promise<string[]> {
  const emailIds = tx.db.select({ id: zoneNews.emailId }).from(zoneNews).where(news);
  return withdrawWhere(tx, inArray(outbox.id, emailIds), now);
}

async function markUnsent({ db }: Tx, emails: readonly string[], which: SQL): Promise<void> {
  if (emails.length === 0) return;
  await db
    .update(zoneNews)
    .set({ notifiedAt: null, emailId: null })
    .where(and(which, inList(zoneNews.emailId, emails)));
}

/** Zones in one email. Only databases from before the cap on zones per mailbox have more. */
const ZONES_PER_EMAIL_MAX = 100;
/** Maximum of rows read at once: mailboxes that get no email yet may have many. */
const NEWS_MAX = 1_000;
/** Wait beyond which news counts as held back by the limit of emails, and not by a busy service. */
const HELD_MS = 5 * MINUTE_MS;
const FIRST_NEWS: NewsPosition = { dueAt: -1, number: -1 };

type NewsPosition = { readonly dueAt: number; readonly number: number };
type NewsRow = NewsPosition & { readonly mailbox: string };

/** True for news that is due at a time, or so far ahead that the clock was wrong when it was written. */
function isDueBy(upTo: number): SQL | undefined {
  return isDue(zoneNews.dueAt, upTo);
}

/** Two ranges of the index, so that the news that is not due yet is not read. */
function newsAfter({ dueAt, number }: NewsPosition, now: number): SQL {
  const range = (nth: number, due: SQL) => sql`(
    select ${nth}::int as nth, lower(zone.email) as mailbox, news.due_at::float8 as "dueAt", news.number::float8 as number
    from zone_news news join zone on zone.id = news.zone_id
    where news.told_at is null and ${due}
      and (news.due_at, news.number) > (${dueAt}::bigint, ${number}::bigint)
      and zone.email is not null
    order by news.due_at, news.number
    limit ${NEWS_MAX}
  )`;
  return sql`
    ${range(1, sql`news.due_at <= ${now}`)}
    union all
    ${range(2, sql`news.due_at > ${now + DUE_AHEAD_MAX_MS}`)}
    order by nth, "dueAt", number
    limit ${NEWS_MAX}`;
}
