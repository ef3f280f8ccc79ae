import {
  and,
  asc,
  countDistinct,
  desc,
  eq,
  gt,
  inArray,
  isNotNull,
  isNull,
  lte,
  not,
  notInArray,
  or,
  type Placeholder,
  type SQL,
  sql,
} from "drizzle-orm";
import { CAPS } from "../../src/core/caps.ts";
import { MINUTE_MS } from "../../src/core/duration.ts";
import { toAlert } from "./alert-row.ts";
import { selectAlerts } from "./alerts.ts";
import type { MailboxNews, SettledNews } from "../../src/core/store/zones.ts";
import type { Queries, StoreTools } from "./context.ts";
import { noteZoneNews, withdrawPushes } from "./device-topics.ts";
import { countRows, hasRow, inList } from "./expressions.ts";
import { insertLinks } from "./links.ts";
import { insertEmails, withdrawWhere } from "./outbox.ts";
import { alert, outbox, zone, zoneNews } from "./schema.ts";
import { DUE_AHEAD_MAX_MS } from "../expressions.ts";
import { toZone } from "../rows.ts";
import { ofMailbox } from "./zones.ts";

/** News for zones: alerts that their mailboxes are to be emailed about. */
export function zoneNewsQueries(tools: StoreTools) {
  const { db, write } = tools;

  // Prepared: one alert may concern thousands of mailboxes.
  const address = sql.placeholder("address");
  const due = isDueBy(sql.placeholder("upTo"));
  const newsOfAlerts = db
    .select({
      alertId: alert.id,
      zoneIds: sql<string>`group_concat(${zone.id})`,
      total: sql<number>`count(*) over ()`,
    })
    .from(zone)
    .innerJoin(zoneNews, eq(zoneNews.zoneId, zone.id))
    .innerJoin(alert, eq(alert.id, zoneNews.alertId))
    .where(and(isNews(address), due))
    .groupBy(alert.id)
    .orderBy(desc(alert.publishedAt))
    .limit(sql.placeholder("limit"))
    .prepare();
  const zonesWithNews = db
    .selectDistinct({ zoneId: zone.id })
    .from(zone)
    .innerJoin(zoneNews, eq(zoneNews.zoneId, zone.id))
    .innerJoin(alert, eq(alert.id, zoneNews.alertId))
    .where(and(isNews(address), due))
    .prepare();
  const sentBetween = db
    .select({
      emails: countDistinct(zoneNews.emailId),
      heldMs: sql<number | null>`max(${zoneNews.notifiedAt} - ${zoneNews.dueAt})`,
    })
    .from(zone)
    .innerJoin(zoneNews, eq(zoneNews.zoneId, zone.id))
    .where(
      and(
        ofMailbox(address),
        gt(zoneNews.notifiedAt, sql.placeholder("after")),
        lte(zoneNews.notifiedAt, sql.placeholder("upTo")),
        isNotNull(zoneNews.emailId),
      ),
    )
    .prepare();

  /** True if a mailbox may get an email. After one with news that the limit had held back, it gets no other for an hour. */
  function mayEmail(mailbox: string, now: number): boolean {
    const { max, windowMs } = CAPS.zoneEmailsPerMailbox;
    const sent = sentBetween.get({ address: mailbox, after: now - windowMs, upTo: now });
    return sent === undefined || (sent.emails < max && (sent.heldMs ?? 0) < HELD_MS);
  }

  /** True if these alerts are still live and new to the mailbox, and none of these zones has ended. */
  function isAsRead(mailbox: string, alertIds: readonly string[], zoneIds: readonly string[]) {
    const still = and(
      ofMailbox(mailbox),
      isNull(zoneNews.notifiedAt),
      eq(alert.status, "active"),
      inList(alert.id, alertIds),
    );
    const news = db
      .select({ alerts: countDistinct(alert.id) })
      .from(zone)
      .innerJoin(zoneNews, eq(zoneNews.zoneId, zone.id))
      .innerJoin(alert, eq(alert.id, zoneNews.alertId))
      .where(still)
      .get();
    const live = and(ofMailbox(mailbox), isNull(zone.endedAt), inList(zone.id, zoneIds));
    return news?.alerts === alertIds.length && countRows(db, zone, live) === zoneIds.length;
  }

  function newsOf(address: string, upTo: number, limit: number): MailboxNews {
    const news = newsOfAlerts.all({ address, upTo, limit });
    const total = news[0]?.total ?? 0;
    const ids = news.map(({ alertId }) => alertId);
    const rows = db.select().from(alert).where(inList(alert.id, ids)).all();
    const byId = new Map(rows.map((row) => [row.id, toAlert(row)]));
    const withNews = new Set(
      total > news.length
        ? zonesWithNews.all({ address, upTo }).map(({ zoneId }) => zoneId)
        : news.flatMap(({ zoneIds }) => zoneIds.split(",")),
    );
    const zones = db
      .select()
      .from(zone)
      .where(inList(zone.id, [...withNews]))
      .orderBy(asc(zone.createdAt), asc(zone.id))
      .limit(ZONES_PER_EMAIL_MAX)
      .all()
      .flatMap((row) => toZone(row) ?? []);
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
  }

  /** Queues the email of a mailbox, if everything is still as it was read. Only inside `write`. */
  function settle(
    { mailbox, email: added, links }: SettledNews,
    { upTo, now }: { readonly upTo: number; readonly now: number },
  ): void {
    const address = mailbox.toLowerCase();
    const mine = db.select({ id: zone.id }).from(zone).where(ofMailbox(address));
    const unsent = and(inArray(zoneNews.zoneId, mine), isNull(zoneNews.notifiedAt));
    const unsentDue = and(unsent, isDueBy(upTo));
    const mark = (which: SQL | undefined, emailId: string | null) =>
      db.update(zoneNews).set({ notifiedAt: now, emailId }).where(which).run();
    if (added !== null) {
      const { email, alertIds, zoneIds, countsMore } = added;
      if (!isAsRead(address, alertIds, zoneIds)) return;
      mark(countsMore ? unsentDue : and(unsent, inList(zoneNews.alertId, alertIds)), email.id);
      insertEmails(tools, [email], null);
      insertLinks(tools, links);
    }
    if (!hasRow(db, zoneNews, unsentDue)) return;
    // What is still news arrived after it was read.
    const news = db
      .select({ id: alert.id })
      .from(zone)
      .innerJoin(zoneNews, eq(zoneNews.zoneId, zone.id))
      .innerJoin(alert, eq(alert.id, zoneNews.alertId))
      .where(and(isNews(address), isDueBy(upTo)));
    mark(and(unsentDue, notInArray(zoneNews.alertId, news)), null);
  }

  /** Position of `mailboxesWithNews` in the news. Only a hint: later calls return to skipped news. */
  let lastRead: NewsPosition = FIRST_NEWS;

  /** Due news after `lastRead`, or from the beginning if none is left. */
  function nextNews(now: number): readonly NewsRow[] {
    const news = db.all<NewsRow>(newsAfter(lastRead, now));
    if (news.length > 0 || lastRead === FIRST_NEWS) return news;
    lastRead = FIRST_NEWS;
    return db.all<NewsRow>(newsAfter(lastRead, now));
  }

  return {
    unannouncedAlerts(limit, upTo) {
      const waiting = and(isNull(alert.announcedAt), lte(alert.revision, upTo));
      return selectAlerts(tools, waiting, limit, asc(alert.publishedAt));
    },

    announce(alertId, news, now, { more } = { more: false }) {
      write(() => {
        // Most of them are due at the same time, and a list of ids is read faster than a list of objects.
        for (const [dueAt, zones] of Map.groupBy(news, (one) => one.dueAt)) {
          const zoneIds = JSON.stringify(zones.map(({ zoneId }) => zoneId));
          db.run(sql`
            insert into zone_news (zone_id, alert_id, created_at, due_at)
            select zone.id, ${alertId}, ${now}, ${dueAt}
            from json_each(${zoneIds}) join zone on zone.id = value
            where zone.ended_at is null
            on conflict do nothing`);
          noteZoneNews(
            tools,
            zones.map(({ zoneId }) => zoneId),
            dueAt,
          );
        }
        if (!more) db.update(alert).set({ announcedAt: now }).where(eq(alert.id, alertId)).run();
      });
    },

    mailboxesWithNews(now, limit) {
      const news = nextNews(now);
      const checked = new Map<string, boolean>();
      const ready = new Set<string>();
      let seen = 0;
      for (const { mailbox } of news) {
        const takesEmail = checked.get(mailbox) ?? mayEmail(mailbox, now);
        checked.set(mailbox, takesEmail);
        if (takesEmail && ready.size === limit && !ready.has(mailbox)) break;
        if (takesEmail) ready.add(mailbox);
        seen += 1;
      }
      const isAtEnd = seen === news.length && news.length < NEWS_MAX;
      lastRead = (isAtEnd ? undefined : news[seen - 1]) ?? FIRST_NEWS;
      return [...ready];
    },

    mailboxNews: (mailboxes, upTo, limit) =>
      mailboxes.map((mailbox) => newsOf(mailbox.toLowerCase(), upTo, limit)),

    addZoneEmails(settled, times) {
      write(() => {
        for (const one of settled) settle(one, times);
      });
    },
  } satisfies Queries;
}

/**
 * Condition for news of active alerts that are not the mailbox's own, and that no email showed it for any of its zones.
 * The cross join makes SQLite start with the few zones of the mailbox, not with the many that have the alert as news.
 */
function isNews(address: string | Placeholder): SQL | undefined {
  return and(
    ofMailbox(address),
    isNull(zoneNews.notifiedAt),
    eq(alert.status, "active"),
    or(isNull(alert.ownerEmail), sql`lower(${alert.ownerEmail}) <> ${address}`),
    sql`not exists (
      select 1 from zone sibling cross join zone_news heard on heard.zone_id = sibling.id
      where sibling.email is not null and lower(sibling.email) = ${address}
        and heard.alert_id = ${alert.id} and heard.letter_id is not null)`,
  );
}

/** Withdraws unsent zone emails and pushes that show these alerts; the other alerts in them are news again. Only inside `write`. */
export function withdrawNews(tools: StoreTools, alertIds: readonly string[], now: number): void {
  const about = inList(zoneNews.alertId, alertIds);
  const emails = withdrawWaiting(tools, about, now);
  const pushes = withdrawPushes(tools, idsOfNews(tools, about), now);
  markUnsent(tools, [...emails, ...pushes], not(about));
}

/** Withdraws unsent emails for a zone; the alerts in them are news again for the other zones of its mailbox. Only inside `write`. */
export function withdrawZoneEmails(tools: StoreTools, id: string, now: number): void {
  const { db } = tools;
  const emails = withdrawWaiting(tools, eq(zoneNews.zoneId, id), now);
  if (emails.length === 0) return;
  const row = db.select({ email: zone.email }).from(zone).where(eq(zone.id, id)).get();
  const siblings = db
    .select({ id: zone.id })
    .from(zone)
    .where(ofMailbox(row?.email?.toLowerCase() ?? ""));
  markUnsent(tools, emails, inArray(zoneNews.zoneId, siblings));
}

/** Withdraws the waiting emails that contain this news; returns their ids. */
function withdrawWaiting(tools: StoreTools, news: SQL, now: number): string[] {
  return withdrawWhere(tools, inArray(outbox.id, idsOfNews(tools, news)), now);
}

/** Emails and pushes that contained this news. */
function idsOfNews({ db }: StoreTools, news: SQL) {
  return db.select({ id: zoneNews.emailId }).from(zoneNews).where(news);
}

function markUnsent({ db }: StoreTools, emails: readonly string[], which: SQL): void {
  if (emails.length === 0) return;
  db.update(zoneNews)
    .set({ notifiedAt: null, emailId: null })
    .where(and(which, inList(zoneNews.emailId, emails)))
    .run();
}

/** Zones in one email. Only databases from before the cap on zones per mailbox have more. */
const ZONES_PER_EMAIL_MAX = 100;
/** Maximum of rows read at once, which blocks requests for about 10 ms: mailboxes that get no email yet may have many. */
const NEWS_MAX = 1_000;
/** Wait beyond which news counts as held back by the limit of emails, and not by a busy service. */
const HELD_MS = 5 * MINUTE_MS;
const FIRST_NEWS: NewsPosition = { dueAt: -1, rowid: -1 };

type NewsPosition = { readonly dueAt: number; readonly rowid: number };
type NewsRow = NewsPosition & { readonly mailbox: string };

/** True for news that is due at a time, or so far ahead that the clock was wrong when it was written. */
function isDueBy(upTo: number | Placeholder): SQL {
  return sql`(${zoneNews.dueAt} <= ${upTo} or ${zoneNews.dueAt} > ${upTo} + ${DUE_AHEAD_MAX_MS})`;
}

/** Two ranges of the index, so that the news that is not due yet is not read. */
function newsAfter({ dueAt, rowid }: NewsPosition, now: number): SQL {
  const range = (due: SQL) => sql`
    select * from (
      select lower(zone.email) as mailbox, news.due_at as dueAt, news.rowid as rowid
      from zone_news news join zone on zone.id = news.zone_id
      where news.told_at is null and ${due} and (news.due_at, news.rowid) > (${dueAt}, ${rowid})
        and zone.email is not null
      order by news.due_at, news.rowid
      limit ${NEWS_MAX}
    )`;
  return sql`
    ${range(sql`news.due_at <= ${now}`)}
    union all
    ${range(sql`news.due_at > ${now + DUE_AHEAD_MAX_MS}`)}
    limit ${NEWS_MAX}`;
}
