import { and, asc, eq, inArray, isNull, type SQL, sql } from "drizzle-orm";
import { CAPS } from "../../src/core/caps.ts";
import { MINUTE_MS } from "../../src/core/duration.ts";
import type { MailboxNews, SettledNews } from "../../src/core/store/zones.ts";
import { DUE_AHEAD_MAX_MS } from "../expressions.ts";
import { toZone } from "../rows.ts";
import { toAlert } from "./alert-row.ts";
import type { Reader } from "./connection.ts";
import { inList, isRecent, jsonOf, rowsOf } from "./expressions.ts";
import { insertLinks } from "./links.ts";
import { insertEmails } from "./outbox.ts";
import { alert, zone } from "./schema.ts";
import type { Tx } from "./transaction.ts";

// News of many mailboxes is read, and emails about it are written, in a few statements: one alert may concern thousands.

/** News of each of the mailboxes, given in lower case: see `Store.mailboxNews`. */
export async function newsOf(
  reader: Reader,
  mailboxes: readonly string[],
  upTo: number,
  limit: number,
): Promise<MailboxNews[]> {
  const { db } = reader;
  type Row = { mailbox: string; alertId: string; zoneIds: string; total: number };
  const rows = await rowsOf<Row>(
    reader,
    sql`
    select listed.mailbox, found."alertId", found."zoneIds", found.total
    from (${listOf(mailboxes)}) listed cross join lateral (
      select alert.id as "alertId", string_agg(zone.id, ',') as "zoneIds",
        (count(*) over ())::int as total, alert.published_at
      from zone
      ${NEWS_OF_ZONE}
      join alert on alert.id = news.alert_id
      where ${IS_OF_LISTED} and news.told_at is null and ${isDueBy(upTo)} and ${IS_NEWS}
      group by alert.published_at
      order by alert.published_at desc
      limit ${limit}
    ) found
    order by found.published_at desc`,
  );
  const byMailbox = Map.groupBy(rows, ({ mailbox }) => mailbox);
  const alertIds = new Set(rows.map(({ alertId }) => alertId));
  const alerts = await db
    .select()
    .from(alert)
    .where(inList(alert.id, [...alertIds]));
  const alertById = new Map(alerts.map((row) => [row.id, toAlert(row)]));
  // An email that counts further alerts is about the zones of those, too.
  const crowded = mailboxes.filter((mailbox) => {
    const its = byMailbox.get(mailbox) ?? [];
    return (its[0]?.total ?? 0) > its.length;
  });
  const zoneIds = new Set([
    ...rows.flatMap((row) => row.zoneIds.split(",")),
    ...(await zonesWithNews(reader, crowded, upTo)),
  ]);
  const zones = await db
    .select()
    .from(zone)
    .where(inList(zone.id, [...zoneIds]))
    .orderBy(asc(zone.createdAt), asc(zone.id));
  const zonesOf = Map.groupBy(
    zones.flatMap((row) => toZone(row) ?? []),
    ({ email }) => email.toLowerCase(),
  );
  return mailboxes.map((mailbox) => {
    const news = byMailbox.get(mailbox) ?? [];
    const its = (zonesOf.get(mailbox) ?? []).slice(0, ZONES_PER_EMAIL_MAX);
    return {
      zones: its,
      alerts: news.flatMap(({ alertId, zoneIds: covered }) => {
        const found = alertById.get(alertId);
        const covering = new Set(covered.split(","));
        const live = its.flatMap(({ id }) => (covering.has(id) ? [id] : []));
        return found === undefined ? [] : [{ alert: found, zoneIds: live }];
      }),
      total: news[0]?.total ?? 0,
    };
  });
}

/** Ids of the zones of mailboxes that have news. */
async function zonesWithNews(
  reader: Reader,
  mailboxes: readonly string[],
  upTo: number,
): Promise<string[]> {
  if (mailboxes.length === 0) return [];
  const rows = await rowsOf<{ id: string }>(
    reader,
    sql`
    select distinct zone.id
    from (${listOf(mailboxes)}) listed
    join zone on ${IS_OF_LISTED}
    ${NEWS_OF_ZONE}
    join alert on alert.id = news.alert_id
    where news.told_at is null and ${isDueBy(upTo)} and ${IS_NEWS}`,
  );
  return rows.map(({ id }) => id);
}

/**
 * Queues emails and marks their news as delivered, each if everything is still as it was read. The subjects of the zones of
 * the mailboxes are locked.
 */
export async function settle(
  tx: Tx,
  settled: readonly SettledNews[],
  { upTo, now }: { readonly upTo: number; readonly now: number },
): Promise<void> {
  const added = await asRead(tx, settled, now);
  const told = added.map(({ mailbox, email: { email, countsMore, alertIds } }) => ({
    mailbox,
    letter: email.id,
    more: countsMore,
    alerts: alertIds,
  }));
  await tx.db.execute(sql`
    update zone_news set told_at = ${now}::bigint, letter_id = picked.letter
    from (
      select news.zone_id, news.alert_id, told.letter
      from json_to_recordset(${jsonOf(told)}) as told(mailbox text, letter text, more boolean, alerts json)
      join zone on zone.email is not null and lower(zone.email) = told.mailbox collate "C"
      ${NEWS_OF_ZONE}
      where news.told_at is null and case
        when told.more then ${isDueBy(upTo)}
        else news.alert_id in (select json_array_elements_text(told.alerts)) end
      offset 0
    ) picked
    where ${IS_PICKED}`);
  await insertEmails(
    tx,
    added.map(({ email }) => email.email),
    null,
  );
  await insertLinks(
    tx,
    added.flatMap(({ links }) => links),
  );
  const over = [
    ...added.map(({ mailbox }) => mailbox),
    ...settled.flatMap(({ mailbox, email }) => (email === null ? [mailbox] : [])),
  ];
  // What is still news arrived after it was read.
  await tx.db.execute(sql`
    update zone_news set told_at = ${now}::bigint, letter_id = null
    from (
      select news.zone_id, news.alert_id
      from (${listOf(over)}) listed
      join zone on ${IS_OF_LISTED}
      ${NEWS_OF_ZONE}
      where news.told_at is null and ${isDueBy(upTo)}
        and not exists (select 1 from alert where alert.id = news.alert_id and ${IS_NEWS})
      offset 0
    ) picked
    where ${IS_PICKED}`);
}

type AddedNews = SettledNews & { readonly email: NonNullable<SettledNews["email"]> };

/**
 * Those with an email whose alerts are still live and new to the mailbox, whose zones have not ended, and whose mailbox may
 * still be emailed; keeps them so. Whoever removes one of them later finds the email.
 */
async function asRead(
  tx: Tx,
  settled: readonly SettledNews[],
  now: number,
): Promise<readonly AddedNews[]> {
  const { db } = tx;
  const added = settled.flatMap((one) =>
    one.email === null ? [] : [{ ...one, email: one.email }],
  );
  const mailboxes = added.map(({ mailbox }) => mailbox);
  // Another node may have emailed it meanwhile.
  const allowed = await takingEmail(tx, mailboxes, now);
  const zoneIds = added.flatMap(({ email }) => email.zoneIds);
  const zones = await db
    .select({ id: zone.id, email: zone.email })
    .from(zone)
    .where(and(inList(zone.id, zoneIds), isNull(zone.endedAt)))
    .orderBy(asc(zone.id))
    .for("share");
  const readerOf = new Map(zones.map(({ id, email }) => [id, email?.toLowerCase()]));
  const alertIds = [...new Set(added.flatMap(({ email }) => email.alertIds))];
  const active = await db
    .select({ id: alert.id })
    .from(alert)
    .where(and(eq(alert.status, "active"), inArray(alert.id, alertIds)))
    .orderBy(asc(alert.publishedAt))
    .for("share");
  const activeIds = active.map(({ id }) => id);
  const unsent = await rowsOf<{ readonly mailbox: string; readonly alertId: string }>(
    tx,
    sql`
    select distinct listed.mailbox, news.alert_id as "alertId"
    from (${listOf(mailboxes)}) listed
    join zone on ${IS_OF_LISTED}
    ${NEWS_OF_ZONE}
    where news.told_at is null and ${inList(sql`news.alert_id`, activeIds)}`,
  );
  const isUnsent = new Set(unsent.map(({ mailbox, alertId }) => `${alertId} ${mailbox}`));
  return added.filter(
    ({ mailbox, email }) =>
      allowed.has(mailbox) &&
      email.zoneIds.every((id) => readerOf.get(id) === mailbox) &&
      email.alertIds.every((id) => isUnsent.has(`${id} ${mailbox}`)),
  );
}

/**
 * Those of the mailboxes that may get an email. After one with news that the limit had held back, a mailbox gets no other for
 * an hour.
 */
export async function takingEmail(
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
      from zone ${NEWS_OF_ZONE}
      where zone.email is not null and lower(zone.email) = listed.mailbox collate "C"
        and ${isRecent(sql`news.told_at`, now, windowMs)} and news.letter_id is not null
    ) sent
    where sent.emails < ${max} and coalesce(sent.held, 0) < ${HELD_MS}`,
  );
  return new Set(rows.map(({ mailbox }) => mailbox));
}

/** Mailboxes as rows, each once. */
function listOf(mailboxes: readonly string[]): SQL {
  return sql`select distinct value collate "C" as mailbox from json_array_elements_text(${jsonOf(mailboxes)}) as value`;
}

/** Condition for the zones of a listed mailbox. Ended zones have none. */
const IS_OF_LISTED = sql`zone.email is not null and lower(zone.email) = listed.mailbox`;

/** Condition for an active alert that is not the listed mailbox's own, and that no email showed it for any of its zones. */
const IS_NEWS = sql`alert.status = 'active'
  and (alert.owner_email is null or lower(alert.owner_email) <> listed.mailbox)
  and not exists (
    select 1 from zone sibling cross join lateral (
      select * from zone_news where zone_id = sibling.id and alert_id = alert.id offset 0
    ) heard
    where sibling.email is not null and lower(sibling.email) = listed.mailbox
      and heard.letter_id is not null)`;

/**
 * Join with the news of a zone, of which there is little. The offset keeps the planner from reading all that is due, or all
 * news of an alert, for each zone: its estimates are wrong while thousands of zones hear of one alert.
 */
const NEWS_OF_ZONE = sql`cross join lateral (
  select * from zone_news where zone_news.zone_id = zone.id offset 0) news`;

/** Condition for a row of the news that was picked, by its key. */
const IS_PICKED = sql`zone_news.zone_id = picked.zone_id and zone_news.alert_id = picked.alert_id
  and zone_news.told_at is null`;

/** True for news that is due at a time, or so far ahead that the clock was wrong when it was written. */
function isDueBy(upTo: number): SQL {
  return sql`(news.due_at <= ${upTo}::bigint or news.due_at > ${upTo + DUE_AHEAD_MAX_MS}::bigint)`;
}

/** Zones in one email. Only databases from before the cap on zones per mailbox have more. */
const ZONES_PER_EMAIL_MAX = 100;
/** Wait beyond which news counts as held back by the limit of emails, and not by a busy service. */
const HELD_MS = 5 * MINUTE_MS;
