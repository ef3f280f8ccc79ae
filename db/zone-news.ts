import { CryptoHasher } from "bun";
import { and, asc, eq, inArray, isNull, lte, not, type SQL, sql } from "drizzle-orm";
import { CAPS } from "../src/core/caps.ts";
import { MINUTE_MS } from "../src/core/duration.ts";
import type { MailboxNews, SettledNews, ZoneEmail } from "../src/core/zones/zone-store.ts";
import { selectAlerts, toAlert } from "./alerts.ts";
import type { Claims, Queries, Reader, StoreTools, Tx } from "./context.ts";
import type { Dialect } from "./dialect.ts";
import { noteZoneNews, withdrawPushes } from "./device-topics.ts";
import { insertLinks, unlessLinkTaken } from "./links.ts";
import { insertEmails, withdrawWhere } from "./outbox.ts";
import { DUE_AHEAD_MAX_MS, first, idsOf, isRecent } from "./queries.ts";
import { toZone } from "./rows.ts";
import { ofMailbox, zonesSubject } from "./zones.ts";

/** News for zones: alerts that their mailboxes are to be emailed about. */
export function zoneNewsQueries(tools: StoreTools) {
  const { alert } = tools.tables;
  const { read, write, claims } = tools;

  /** Position of `mailboxesWithNews` in the news. Only a hint: later calls return to skipped news. */
  let lastRead: NewsPosition = FIRST_NEWS;

  /** Due news after `lastRead`, or from the beginning if none is left. */
  async function nextNews(now: number): Promise<readonly NewsRow[]> {
    const news = await tools.rows<NewsRow>(newsAfter(claims, lastRead, now));
    if (news.length > 0 || lastRead === FIRST_NEWS) return news;
    lastRead = FIRST_NEWS;
    return tools.rows<NewsRow>(newsAfter(claims, lastRead, now));
  }

  /** Mailboxes with news that may be emailed now, without those already known. */
  async function readyMailboxes(
    now: number,
    limit: number,
    known: ReadonlySet<string>,
  ): Promise<readonly string[]> {
    const news = await nextNews(now);
    const mailboxes = news.map(({ mailbox }) => mailbox);
    const takesEmail = await takingEmail(tools, mailboxes, now);
    const ready = new Set<string>();
    let seen = 0;
    for (const { mailbox, isOpen } of news) {
      if (isOpen && takesEmail.has(mailbox) && !known.has(mailbox)) {
        if (ready.size === limit && !ready.has(mailbox)) break;
        ready.add(mailbox);
      }
      seen += 1;
    }
    const isAtEnd = seen === news.length && news.length < NEWS_MAX;
    lastRead = (isAtEnd ? undefined : news[seen - 1]) ?? FIRST_NEWS;
    return [...ready];
  }

  return {
    async unannouncedAlerts(limit, upTo) {
      const isOpen = claims.isOpen("announce", alert.id);
      const waiting = and(isNull(alert.announcedAt), lte(alert.revision, upTo), isOpen);
      const found = await selectAlerts(tools, waiting, limit, asc(alert.publishedAt));
      const mine = new Set(await claims.take("announce", idsOf(found)));
      return found.filter(({ id }) => mine.has(id));
    },

    async announce(alertId, news, now, { more } = { more: false }) {
      await write([], async (tx) => {
        // Most of it is due at the same time.
        for (const [dueAt, same] of Map.groupBy(news, (one) => one.dueAt)) {
          const zoneIds = same.map(({ zoneId }) => zoneId);
          await tx.run(sql`
            insert into zone_news (zone_id, alert_id, created_at, due_at)
            select zone.id, ${alertId}, ${now}, ${dueAt}
            from ${tx.dialect.texts(zoneIds)} cross join zone
            where zone.id = listed.value and zone.ended_at is null
            on conflict do nothing`);
          await noteZoneNews(tx, zoneIds, dueAt);
        }
        if (more) return;
        await tx.db.update(alert).set({ announcedAt: now }).where(eq(alert.id, alertId));
        await tx.endClaims("announce", [alertId]);
      });
    },

    async mailboxesWithNews(now, limit) {
      const mine: string[] = [];
      // Another node may claim the same ones at the same time.
      for (let tries = 0; tries < CLAIM_TRIES_MAX && mine.length < limit; tries++) {
        const ready = await readyMailboxes(now, limit - mine.length, new Set(mine));
        if (ready.length === 0) break;
        const byClaim = new Map(ready.map((mailbox) => [claimOf(mailbox), mailbox]));
        for (const key of await claims.take("zone email", [...byClaim.keys()]))
          mine.push(byClaim.get(key) ?? "");
      }
      return mine;
    },

    mailboxNews(mailboxes, upTo, limit) {
      return read((reader) => newsOf(reader, mailboxes, upTo, limit));
    },

    async addZoneEmails(settled, times) {
      const mailboxes = settled.map(({ mailbox }) => mailbox);
      const adding = write(mailboxes.map(zonesSubject), async (tx) => {
        await settle(tx, settled, times);
        await tx.endClaims("zone email", mailboxes.map(claimOf));
      });
      await unlessLinkTaken(adding);
    },
  } satisfies Queries;
}

/** Maximum of rows read at once: mailboxes that get no email yet may have many. */
const NEWS_MAX = 1_000;
const FIRST_NEWS: NewsPosition = { dueAt: -1, number: -1 };

/** Times that a node looks for mailboxes which no other has claimed. */
const CLAIM_TRIES_MAX = 4;

/** Subject of the claim to a mailbox; an address is not stored for it. */
function claimOf(mailbox: string): string {
  return new CryptoHasher("md5").update(mailbox).digest("hex");
}

type NewsPosition = { readonly dueAt: number; readonly number: number };
/** Row of news; not open if another node has claimed its mailbox. */
type NewsRow = NewsPosition & { readonly mailbox: string; readonly isOpen: boolean | 0 | 1 };

/** Two ranges of the index, so that the news that is not due yet is not read. */
function newsAfter(claims: Claims, { dueAt, number }: NewsPosition, now: number): SQL {
  const range = (nth: 1 | 2, due: SQL) => sql`
    select * from (
      select ${sql.raw(`${nth}`)} as nth, zone_id, due_at, number from zone_news
      where notified_at is null and ${due} and (due_at, number) > (${dueAt}, ${number})
      order by due_at, number
      limit ${NEWS_MAX}
    ) as due`;
  // Materialized: the order and the limit come from the index alone, and the rest is done for one page.
  return sql`
    with page as materialized (
      ${range(1, sql`due_at <= ${now}`)}
      union all
      ${range(2, sql`due_at > ${now + DUE_AHEAD_MAX_MS}`)}
      order by nth, due_at, number
      limit ${NEWS_MAX}
    )
    select zone.email as mailbox, cast(page.due_at as double precision) as "dueAt",
      cast(page.number as double precision) as number,
      ${claims.isOpen("zone email", sql`md5(zone.email)`)} as "isOpen"
    from page join zone on zone.id = page.zone_id
    where zone.email is not null
    order by page.nth, page.due_at, page.number`;
}

/**
 * Those of the mailboxes that may get an email. After one with news that the limit had held back, a mailbox gets no other for
 * an hour.
 */
async function takingEmail(
  { rows, dialect }: Reader,
  mailboxes: readonly string[],
  now: number,
): Promise<Set<string>> {
  const { max, windowMs } = CAPS.zoneEmailsPerMailbox;
  const isSent = isRecent(dialect.unindexed(sql`notified_at`), now, windowMs);
  const full = await rows<{ readonly mailbox: string }>(sql`
    ${withNews(dialect, mailboxes, sql`${isSent} and email_id is not null`)}
    select zone.email as mailbox ${FROM_NEWS}
    group by zone.email
    having count(distinct news.email_id) >= ${max}
      or max(news.notified_at - news.due_at) >= ${HELD_MS}`);
  return new Set(mailboxes).difference(new Set(full.map(({ mailbox }) => mailbox)));
}

/** Wait beyond which news counts as held back by the limit of emails, and not by a busy service. */
const HELD_MS = 5 * MINUTE_MS;

/** News of each of the mailboxes: see `Store.mailboxNews`. */
async function newsOf(
  { db, rows, dialect, tables: { alert, zone } }: Reader,
  mailboxes: readonly string[],
  upTo: number,
  limit: number,
): Promise<MailboxNews[]> {
  const due = (of: readonly string[]) =>
    withNews(dialect, of, sql`${isUnsent(dialect)} and ${isDueBy(upTo)}`);
  type Row = { mailbox: string; alertId: string; zoneIds: string; total: number };
  const found = await rows<Row>(sql`
    ${due(mailboxes)}
    select mailbox, alert_id as "alertId", zone_ids as "zoneIds", cast(total as integer) as total
    from (
      select zone.email as mailbox, news.alert_id, alert.published_at,
        string_agg(zone.id, ',') as zone_ids,
        count(*) over (partition by zone.email) as total,
        row_number() over (partition by zone.email order by alert.published_at desc) as nth
      ${FROM_NEWS} and ${IS_NEWS}
      group by zone.email, news.alert_id, alert.published_at
    ) as counted
    where nth <= ${limit}
    order by published_at desc`);
  const byMailbox = Map.groupBy(found, ({ mailbox }) => mailbox);
  const alertIds = new Set(found.map(({ alertId }) => alertId));
  const isFound = dialect.inList(alert.id, [...alertIds]);
  const alerts = await db.select().from(alert).where(isFound);
  const alertById = new Map(alerts.map((row) => [row.id, toAlert(row)]));
  // An email that counts further alerts is about the zones of those, too.
  const crowded = mailboxes.filter((mailbox) => (byMailbox.get(mailbox)?.[0]?.total ?? 0) > limit);
  const further =
    crowded.length === 0
      ? []
      : await rows<{ readonly id: string }>(
          sql`${due(crowded)} select distinct zone.id ${FROM_NEWS} and ${IS_NEWS}`,
        );
  const zoneIds = new Set([...found.flatMap((row) => row.zoneIds.split(",")), ...idsOf(further)]);
  const zones = await db
    .select()
    .from(zone)
    .where(dialect.inList(zone.id, [...zoneIds]))
    .orderBy(asc(zone.createdAt), asc(zone.id));
  const zonesOf = Map.groupBy(
    zones.flatMap((row) => toZone(row) ?? []),
    ({ email }) => email,
  );
  return mailboxes.map((mailbox) => {
    const news = byMailbox.get(mailbox) ?? [];
    const own = zonesOf.get(mailbox) ?? [];
    return {
      zones: own,
      alerts: news.flatMap(({ alertId, zoneIds: covered }) => {
        const found = alertById.get(alertId);
        const covering = new Set(covered.split(","));
        const live = own.flatMap(({ id }) => (covering.has(id) ? [id] : []));
        return found === undefined ? [] : [{ alert: found, zoneIds: live }];
      }),
      total: news[0]?.total ?? 0,
    };
  });
}

/**
 * Queues emails and marks their news as delivered, each if everything is still as it was read; marks due news that needs no
 * email any more. The subjects of the zones of the mailboxes are locked.
 */
async function settle(
  tx: Tx,
  settled: readonly SettledNews[],
  { upTo, now }: { readonly upTo: number; readonly now: number },
): Promise<void> {
  const mailboxes = settled.map(({ mailbox }) => mailbox);
  // Another node may have emailed it meanwhile.
  const allowed = await takingEmail(tx, mailboxes, now);
  const shown = settled.flatMap(({ email }) => email ?? []);
  const live = await lockShown(tx, shown);
  const news = await unsentNews(tx, mailboxes, live.alertIds, upTo);
  const added: SettledNews[] = [];
  const marks: Mark[] = [];
  for (const one of settled) {
    const { mailbox, email } = one;
    const unsent = news.get(mailbox) ?? [];
    const unsentIds = new Set(unsent.map(({ alertId }) => alertId));
    const isAsRead =
      email === null ||
      (allowed.has(mailbox) &&
        email.zoneIds.every((id) => live.mailboxOf.get(id) === mailbox) &&
        email.alertIds.every((id) => live.alertIds.has(id) && unsentIds.has(id)));
    if (!isAsRead) continue;
    added.push(one);
    marks.push(...marksOf(unsent, email));
  }
  if (marks.length > 0)
    await tx.run(sql`
      update zone_news set notified_at = ${now}, email_id = listed.value ->> 'emailId'
      from ${tx.dialect.objects(marks)}
      where zone_news.number = cast(listed.value ->> 'number' as bigint)`);
  const emails = added.flatMap(({ email }) => email?.email ?? []);
  await insertEmails(tx, emails, null);
  const links = added.flatMap((one) => one.links);
  await insertLinks(tx, links);
}

/**
 * Those zones of emails that have not ended, with their mailboxes, and those alerts that are active; keeps them so. Whoever
 * removes one of them later finds the email.
 */
async function lockShown(
  { db, dialect, tables: { alert, zone } }: Tx,
  emails: readonly ZoneEmail[],
) {
  const zoneIds = emails.flatMap((email) => email.zoneIds);
  const isLive = and(dialect.inList(zone.id, zoneIds), isNull(zone.endedAt));
  const zones = db.select().from(zone).where(isLive).orderBy(asc(zone.id));
  const live = await dialect.locking(zones, "share");
  const alertIds = [...new Set(emails.flatMap((email) => email.alertIds))];
  const { id, publishedAt, status } = alert;
  const isActive = and(dialect.inList(id, alertIds), eq(status, "active"));
  const active = db.select({ id }).from(alert).where(isActive).orderBy(asc(publishedAt));
  return {
    mailboxOf: new Map(live.map(({ id, email }) => [id, email])),
    alertIds: new Set(idsOf(await dialect.locking(active, "share"))),
  };
}

type UnsentNews = {
  readonly mailbox: string;
  readonly number: number;
  readonly alertId: string;
  readonly isDue: 0 | 1;
  readonly isNews: 0 | 1;
};

/** Unsent news of each of the mailboxes: what is due, and what is about these alerts. */
async function unsentNews(
  { rows, dialect }: Reader,
  mailboxes: readonly string[],
  alertIds: ReadonlySet<string>,
  upTo: number,
): Promise<Map<string, UnsentNews[]>> {
  const isDue = isDueBy(upTo);
  const isWanted = sql`(${isDue} or ${dialect.inList(sql`alert_id`, [...alertIds])})`;
  const news = await rows<UnsentNews>(sql`
    ${withNews(dialect, mailboxes, sql`${isUnsent(dialect)} and ${isWanted}`)}
    select zone.email as mailbox, cast(news.number as double precision) as number,
      news.alert_id as "alertId", case when ${isDue} then 1 else 0 end as "isDue",
      case when ${IS_NEWS} then 1 else 0 end as "isNews"
    ${FROM_NEWS}`);
  return Map.groupBy(news, ({ mailbox }) => mailbox);
}

/** Row of news that is dealt with, and the email that contains it; null if none is needed. */
type Mark = { readonly number: number; readonly emailId: string | null };

/** Marks for the news of a mailbox that its email shows or counts, and for what is due and no longer news. */
function marksOf(unsent: readonly UnsentNews[], email: ZoneEmail | null): Mark[] {
  return unsent.flatMap(({ number, alertId, isDue, isNews }): Mark[] => {
    const isTold = email?.countsMore ? isDue === 1 : email?.alertIds.includes(alertId);
    if (email !== null && isTold) return [{ number, emailId: email.email.id }];
    return isDue === 1 && isNews === 0 ? [{ number, emailId: null }] : [];
  });
}

/**
 * Table `news`: the rows of the zones of mailboxes for which the condition holds. Ended zones have no
 * mailbox. Materialized, so that it is read by zone: PostgreSQL expects few rows while thousands of zones hear of one alert,
 * and would read all of them for each call.
 */
function withNews(dialect: Dialect, mailboxes: readonly string[], which: SQL): SQL {
  const lower = mailboxes.map((one) => one.toLowerCase());
  // The first half is for the index.
  const isOwn = and(
    dialect.inList(sql`lower(email)`, lower),
    dialect.inList(sql`email`, mailboxes),
  );
  const zones = sql`select id from zone where email is not null and ${isOwn}`;
  return sql`with news as materialized (
    select * from zone_news where ${dialect.inRows(sql`zone_id`, zones)} and ${which})`;
}

/** Join of the news, in the order in which SQLite reads the tables, and the start of its condition. */
const FROM_NEWS = sql`from news cross join zone cross join alert
  where zone.id = news.zone_id and alert.id = news.alert_id`;

function isUnsent(dialect: Dialect): SQL {
  return sql`${dialect.unindexed(sql`notified_at`)} is null`;
}

/** True for news that is due at a time, or so far ahead that the clock was wrong when it was written. */
function isDueBy(upTo: number): SQL {
  return sql`(due_at <= ${upTo} or due_at > ${upTo + DUE_AHEAD_MAX_MS})`;
}

/** Condition for an active alert that is not the mailbox's own, and that no email showed it for any of its zones. */
const IS_NEWS = sql`alert.status = 'active'
  and (alert.owner_email is null or lower(alert.owner_email) <> lower(zone.email))
  and not exists (
    select 1 from zone as sibling
    where sibling.email is not null and lower(sibling.email) = lower(zone.email) and sibling.email = zone.email and (
      select count(heard.email_id) from zone_news as heard
      where heard.zone_id = sibling.id and heard.alert_id = alert.id) > 0)`;

/** Withdraws unsent zone emails and pushes that show these alerts; the other alerts in them are news again. */
export async function withdrawNews(
  tx: Tx,
  alertIds: readonly string[],
  now: number,
): Promise<void> {
  const { zoneNews } = tx.tables;
  const about = tx.dialect.inList(zoneNews.alertId, alertIds);
  const emails = await withdrawWaiting(tx, about, now);
  const pushes = await withdrawPushes(tx, idsOfNews(tx, about), now);
  await markUnsent(tx, [...emails, ...pushes], not(about));
}

/** Withdraws unsent emails for a zone; the alerts in them are news again for the other zones of its mailbox. */
export async function withdrawZoneEmails(tx: Tx, id: string, now: number): Promise<void> {
  const { zone, zoneNews } = tx.tables;
  const { db } = tx;
  const emails = await withdrawWaiting(tx, eq(zoneNews.zoneId, id), now);
  if (emails.length === 0) return;
  const row = await first(db.select({ email: zone.email }).from(zone).where(eq(zone.id, id)));
  const isSibling = ofMailbox(tx, row?.email ?? "");
  const siblings = db.select({ id: zone.id }).from(zone).where(isSibling);
  await markUnsent(tx, emails, inArray(zoneNews.zoneId, siblings));
}

/** Withdraws the waiting emails that contain this news; returns their ids. */
function withdrawWaiting(tx: Tx, news: SQL, now: number): Promise<string[]> {
  const { outbox } = tx.tables;
  return withdrawWhere(tx, inArray(outbox.id, idsOfNews(tx, news)), now);
}

/** Emails and pushes that contained this news. */
function idsOfNews({ db, tables: { zoneNews } }: Tx, news: SQL) {
  return db.select({ id: zoneNews.emailId }).from(zoneNews).where(news);
}

async function markUnsent(tx: Tx, emails: readonly string[], which: SQL): Promise<void> {
  const { zoneNews } = tx.tables;
  if (emails.length === 0) return;
  const isTold = and(which, tx.dialect.inList(zoneNews.emailId, emails));
  await tx.db.update(zoneNews).set({ notifiedAt: null, emailId: null }).where(isTold);
}
