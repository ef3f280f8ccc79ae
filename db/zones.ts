import { CryptoHasher } from "bun";
import { and, asc, eq, inArray, isNull, lte, ne, not, type SQL, sql } from "drizzle-orm";
import { CAPS, QUOTAS } from "../src/core/caps.ts";
import type { DeviceZone } from "../src/core/push/device.ts";
import type { Zone, ZoneFrequency } from "../src/core/zones/zone.ts";
import type { MailboxNews, SettledNews, ZoneEmail } from "../src/core/zones/zone-store.ts";
import { takeAlerts, toAlert } from "./alerts.ts";
import type { Queries, Reader, StoreTools, Tx } from "./context.ts";
import { noteZoneNews, withdrawPushes } from "./device-topics.ts";
import type { Dialect } from "./dialect.ts";
import { insertLinks, unlessLinkTaken } from "./links.ts";
import { insertEmails, withdrawWhere } from "./outbox.ts";
import { changeIds, countRows, first, idsOf, isExactly, isRecent } from "./queries.ts";
import type { Row } from "./schema/tables.ts";

/** Zones of mailboxes, and their news: alerts that the mailboxes are to be emailed about. */
export function zoneQueries(tools: StoreTools) {
  const { alert, zone } = tools.tables;
  const { claims, db, read, write } = tools;
  return {
    async zone(id) {
      const row = await first(db.select().from(zone).where(eq(zone.id, id)));
      return row === undefined ? null : toZone(row);
    },

    async zonesOf(email, limit) {
      const rows = await db
        .select()
        .from(zone)
        .where(and(ofMailbox(tools, email), isNull(zone.endedAt)))
        .orderBy(asc(zone.createdAt), asc(zone.id))
        .limit(limit);
      return rows.flatMap((row) => toZone(row) ?? []);
    },

    async setZoneFrequency(id, frequency) {
      await write([], (tx) => changeFrequency(tx, id, frequency));
    },

    unannouncedAlerts(limit, upTo) {
      const waiting = and(isNull(alert.announcedAt), lte(alert.revision, upTo));
      return takeAlerts(tools, "announce", waiting, limit, asc(alert.publishedAt));
    },

    async announce(alertId, news, now, { more } = { more: false }) {
      await write([], async (tx) => {
        // Most of it is due at the same time.
        for (const [dueAt, same] of Map.groupBy(news, (one) => one.dueAt)) {
          const zoneIds = same.map(({ zoneId }) => zoneId);
          await tx.run(sql`
            insert into zone_news (zone_id, alert_id, created_at, due_at)
            select zone.id, ${alertId}, ${now},
              case when zone.email is not null then cast(${dueAt} as bigint) end
            from ${tx.dialect.texts(zoneIds)} cross join zone
            where zone.id = listed.value and zone.ended_at is null
            on conflict do nothing`);
          await noteZoneNews(tx, zoneIds, dueAt);
        }
        if (more) return;
        await tx.db.update(alert).set({ announcedAt: now }).where(eq(alert.id, alertId));
        await claims.end(tx, "announce", [alertId]);
      });
    },

    async mailboxesWithNews(now, limit) {
      const mine = new Set<string>();
      let after = FIRST_NEWS;
      // Of those found first, some may be full, and some may have much news.
      for (let tries = 0; tries < TRIES_MAX && mine.size < limit; tries++) {
        const due = await dueNews(tools, now, after);
        const last = due.at(-1);
        if (last === undefined) break;
        const found = new Set(due.map(({ mailbox }) => mailbox)).difference(mine);
        const byClaim = new Map([...found].map((mailbox) => [claimOf(mailbox), mailbox]));
        const room = limit - mine.size;
        const taken = await claims.take("zone email", [...byClaim.keys()], room);
        if (found.size <= room) after = last;
        const mailboxes = taken.map((key) => byClaim.get(key) ?? "");
        const full = await fullMailboxes(tools, mailboxes, now);
        if (full.size > 0) await write([], (tx) => holdNews(tx, full, now));
        for (const mailbox of mailboxes) if (!full.has(mailbox)) mine.add(mailbox);
      }
      return [...mine];
    },

    mailboxNews(mailboxes, upTo, limit) {
      return read((reader) => newsOf(reader, mailboxes, upTo, limit));
    },

    async addZoneEmails(settled, times) {
      const mailboxes = settled.map(({ mailbox }) => mailbox);
      const adding = write(mailboxes.map(mailboxZonesSubject), async (tx) => {
        await settle(tx, settled, times);
        await claims.end(tx, "zone email", mailboxes.map(claimOf));
      });
      await unlessLinkTaken(adding);
    },
  } satisfies Queries;
}

/** Condition for the zones of a mailbox. Ended zones have no mailbox. */
export function ofMailbox({ tables: { zone } }: Reader, email: string): SQL | undefined {
  return isExactly(zone.email, email);
}

/** Subject of the zones of a mailbox. */
export function mailboxZonesSubject(email: string): string {
  return `zones:${email.toLowerCase()}`;
}

/** Condition for the zones with the same circle and filters. */
export function isSameCircle(
  { tables: { zone } }: Reader,
  { point, radiusKm, species, type }: Pick<Zone, "point" | "radiusKm" | "species" | "type">,
): SQL | undefined {
  return and(
    eq(zone.lat, point.lat),
    eq(zone.lng, point.lng),
    eq(zone.radiusKm, radiusKm),
    sql`${zone.species} is not distinct from ${species}`,
    sql`${zone.type} is not distinct from ${type}`,
  );
}

/** Live zone of the same mailbox with the same circle and filters. */
export async function sameZone(tx: Tx, fresh: Zone): Promise<string | null> {
  const { zone } = tx.tables;
  const same = and(ofMailbox(tx, fresh.email), isNull(zone.endedAt), isSameCircle(tx, fresh));
  const row = await first(
    tx.db.select({ id: zone.id }).from(zone).where(same).orderBy(asc(zone.id)).limit(1),
  );
  return row?.id ?? null;
}

/** Checks the cap on zones of a mailbox, whose subject is locked. */
export async function hasRoomForZone(tx: Tx, email: string): Promise<boolean> {
  const { zone } = tx.tables;
  const mine = and(ofMailbox(tx, email), isNull(zone.endedAt));
  return (await countRows(tx, zone, mine)) < QUOTAS.zonesPerMailbox;
}

/** Adds the zone of a mailbox, or of a device. */
export async function insertZone(
  { db, changes, tables: { zone } }: Tx,
  {
    point,
    ...columns
  }: DeviceZone & Omit<typeof zone.$inferInsert, keyof Zone["point"] | "revision">,
): Promise<void> {
  await db.insert(zone).values({ ...columns, ...point, revision: 0 });
  changes.zones.add(columns.id);
}

export async function changeFrequency(tx: Tx, id: string, frequency: ZoneFrequency): Promise<void> {
  const { zone } = tx.tables;
  const other = and(eq(zone.id, id), isNull(zone.endedAt), ne(zone.frequency, frequency));
  for (const changed of await changeIds(tx, zone, { frequency }, other))
    tx.changes.zones.add(changed);
}

/** Times that a call looks for mailboxes with news. */
const TRIES_MAX = 4;
/** Maximum of rows of news that are read to find mailboxes, and to write their emails. */
const DUE_MAX = 1_000;
const NEWS_MAX = 50_000;

/** Subject of the claim to a mailbox; an address is not stored for it. */
function claimOf(mailbox: string): string {
  return new CryptoHasher("md5").update(mailbox).digest("hex");
}

type NewsPosition = { readonly dueAt: number; readonly number: number };
const FIRST_NEWS: NewsPosition = { dueAt: -1, number: -1 };

/** News after a position, in the order in which it is due, with its mailboxes. */
async function dueNews({ rows }: Reader, now: number, { dueAt, number }: NewsPosition) {
  // Materialized: the order and the limit come from the index alone.
  return rows<NewsPosition & { readonly mailbox: string }>(sql`
    with due as materialized (
      select zone_id, due_at, number from zone_news
      where notified_at is null and due_at <= ${now} and (due_at, number) > (${dueAt}, ${number})
      order by due_at, number
      limit ${DUE_MAX}
    )
    select zone.email as mailbox, cast(due.due_at as double precision) as "dueAt",
      cast(due.number as double precision) as number
    from due join zone on zone.id = due.zone_id
    where zone.email is not null
    order by due.due_at, due.number`);
}

/**
 * Those of the mailboxes that may get no email now, and when they may. After one with news that the limit had held back, a
 * mailbox gets no other for an hour.
 */
async function fullMailboxes(
  { rows, dialect }: Reader,
  mailboxes: readonly string[],
  now: number,
): Promise<Map<string, number>> {
  const { max, windowMs } = CAPS.zoneEmailsPerMailbox;
  const isSent = isRecent(dialect.unindexed(sql`notified_at`), now, windowMs);
  type Sent = { mailbox: string; emails: number; firstAt: number; heldAt: number | null };
  const sent = await rows<Sent>(sql`
    ${withNews(dialect, mailboxes, sql`${isSent} and email_id is not null`)}
    select zone.email as mailbox, cast(count(distinct news.email_id) as integer) as emails,
      cast(min(news.notified_at) as double precision) as "firstAt",
      cast(max(case when news.is_held then news.notified_at end) as double precision) as "heldAt"
    from news join zone on zone.id = news.zone_id
    group by zone.email`);
  const full = sent.filter(({ emails, heldAt }) => emails >= max || heldAt !== null);
  return new Map(
    full.map(({ mailbox, firstAt, heldAt }) => [mailbox, (heldAt ?? firstAt) + windowMs]),
  );
}

/** Lets the due news of full mailboxes wait until they may get an email. */
async function holdNews(tx: Tx, full: ReadonlyMap<string, number>, now: number): Promise<void> {
  const { zone, zoneNews } = tx.tables;
  for (const [mailbox, dueAt] of full) {
    const zones = tx.db.select({ id: zone.id }).from(zone).where(ofMailbox(tx, mailbox));
    const isDue = and(isNull(zoneNews.notifiedAt), lte(zoneNews.dueAt, now));
    await tx.db
      .update(zoneNews)
      .set({ dueAt, isHeld: true })
      .where(and(isDue, inArray(zoneNews.zoneId, zones)));
  }
}

/** News of each of the mailboxes: see `Store.mailboxNews`. */
async function newsOf(
  { db, rows, dialect, tables: { alert, zone } }: Reader,
  mailboxes: readonly string[],
  upTo: number,
  limit: number,
): Promise<MailboxNews[]> {
  type Found = { readonly mailbox: string; readonly zoneId: string; readonly alertId: string };
  const found = await rows<Found>(sql`
    ${withNews(dialect, mailboxes, sql`${isUnsent(dialect)} and due_at <= ${upTo}`)}
    select zone.email as mailbox, zone.id as "zoneId", alert.id as "alertId"
    ${FROM_NEWS} and ${IS_NEWS}
    order by alert.published_at desc
    limit ${NEWS_MAX}`);
  const byMailbox = Map.groupBy(found, ({ mailbox }) => mailbox);
  const news = mailboxes.map((mailbox) => {
    const its = byMailbox.get(mailbox) ?? [];
    const alertIds = [...new Set(its.map(({ alertId }) => alertId))];
    const zoneIds = new Set(its.map(({ zoneId }) => zoneId));
    return { zoneIds, alertIds: alertIds.slice(0, limit), total: alertIds.length };
  });
  const alertIds = new Set(news.flatMap((one) => one.alertIds));
  const alerts = await db
    .select()
    .from(alert)
    .where(dialect.inList(alert.id, [...alertIds]));
  const alertById = new Map(alerts.map((row) => [row.id, toAlert(row)]));
  const zoneIds = new Set(found.map(({ zoneId }) => zoneId));
  const zones = await db
    .select()
    .from(zone)
    .where(dialect.inList(zone.id, [...zoneIds]))
    .orderBy(asc(zone.createdAt), asc(zone.id));
  const live = zones.flatMap((row) => toZone(row) ?? []);
  return news.map((one) => ({
    zones: live.filter(({ id }) => one.zoneIds.has(id)),
    alerts: one.alertIds.flatMap((id) => alertById.get(id) ?? []),
    total: one.total,
  }));
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
  const full = await fullMailboxes(tx, mailboxes, now);
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
      (!full.has(mailbox) &&
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
  const isDue = sql`due_at <= ${upTo}`;
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

/** Zone in a row; null if it has ended. */
export function toZone(row: Row<"zone">): Zone | null {
  const { lat, lng, email, endedAt, revision: _revision, ...columns } = row;
  if (email === null || endedAt !== null) return null;
  return { ...columns, email, point: { lat, lng } };
}
