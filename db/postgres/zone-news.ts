import { CryptoHasher } from "bun";
import { and, asc, eq, inArray, isNull, lte, not, type SQL, sql } from "drizzle-orm";
import { DUE_AHEAD_MAX_MS, idsOf } from "../expressions.ts";
import { selectAlerts } from "./alerts.ts";
import { type Claims, endClaims } from "./claims.ts";
import type { Queries, StoreTools } from "./context.ts";
import { noteZoneNews, withdrawPushes } from "./device-topics.ts";
import { first, inList, jsonOf, rowsOf } from "./expressions.ts";
import { unlessLinkTaken } from "./links.ts";
import { withdrawWhere } from "./outbox.ts";
import { alert, outbox, zone } from "./schema.ts";
import type { Tx } from "./transaction.ts";
import { newsOf, settle, takingEmail } from "./zone-emails.ts";
import { zoneNews } from "./zone-schema.ts";
import { ofMailbox, zonesSubject } from "./zones.ts";

/** News for zones: alerts that their mailboxes are to be emailed about. */
export function zoneNewsQueries(tools: StoreTools) {
  const { read, write, claims } = tools;

  /** Position of `mailboxesWithNews` in the news. Only a hint: later calls return to skipped news. */
  let lastRead: NewsPosition = FIRST_NEWS;

  /** Due news after `lastRead`, or from the beginning if none is left. */
  async function nextNews(now: number): Promise<readonly NewsRow[]> {
    const news = await rowsOf<NewsRow>(tools, newsAfter(claims, lastRead, now));
    if (news.length > 0 || lastRead === FIRST_NEWS) return news;
    lastRead = FIRST_NEWS;
    return rowsOf<NewsRow>(tools, newsAfter(claims, lastRead, now));
  }

  /** Mailboxes with news that may be emailed now, without those already known. */
  async function readyMailboxes(
    now: number,
    limit: number,
    known: ReadonlySet<string>,
  ): Promise<readonly string[]> {
    const news = await nextNews(now);
    const takesEmail = await takingEmail(
      tools,
      news.map(({ mailbox }) => mailbox),
      now,
    );
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
        await tx.db.execute(sql`
          insert into zone_news (zone_id, alert_id, created_at, due_at)
          select zone.id, ${alertId}, ${now}::bigint, listed."dueAt"
          from json_to_recordset(${jsonOf(news)}) as listed("zoneId" text, "dueAt" bigint)
          join zone on zone.id = listed."zoneId"
          where zone.ended_at is null
          on conflict do nothing`);
        await noteZoneNews(tx, news);
        if (more) return;
        await tx.db.update(alert).set({ announcedAt: now }).where(eq(alert.id, alertId));
        await endClaims(tx, "announce", [alertId]);
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
      const addresses = mailboxes.map((one) => one.toLowerCase());
      return read((db) => newsOf({ db }, addresses, upTo, limit));
    },

    async addZoneEmails(settled, times) {
      const all = settled.map((one) => ({ ...one, mailbox: one.mailbox.toLowerCase() }));
      const mailboxes = all.map(({ mailbox }) => mailbox);
      const adding = write(mailboxes.map(zonesSubject), async (tx) => {
        await settle(tx, all, times);
        await endClaims(tx, "zone email", mailboxes.map(claimOf));
      });
      await unlessLinkTaken(adding);
    },
  } satisfies Queries;
}

/** Withdraws unsent zone emails and pushes that show these alerts; the other alerts in them are news again. */
export async function withdrawNews(
  tx: Tx,
  alertIds: readonly string[],
  now: number,
): Promise<void> {
  const about = inList(zoneNews.alertId, alertIds);
  const emails = await withdrawWaiting(tx, about, now);
  const pushes = await withdrawPushes(tx, idsOfNews(tx, about), now);
  await markUnsent(tx, [...emails, ...pushes], not(about));
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
  return withdrawWhere(tx, inArray(outbox.id, idsOfNews(tx, news)), now);
}

/** Emails and pushes that contained this news. */
function idsOfNews({ db }: Tx, news: SQL) {
  return db.select({ id: zoneNews.emailId }).from(zoneNews).where(news);
}

async function markUnsent({ db }: Tx, emails: readonly string[], which: SQL): Promise<void> {
  if (emails.length === 0) return;
  await db
    .update(zoneNews)
    .set({ notifiedAt: null, emailId: null })
    .where(and(which, inList(zoneNews.emailId, emails)));
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
type NewsRow = NewsPosition & { readonly mailbox: string; readonly isOpen: boolean };

/** Two ranges of the index, so that the news that is not due yet is not read. */
function newsAfter(claims: Claims, { dueAt, number }: NewsPosition, now: number): SQL {
  // Materialized: the order and the limit come from the index alone, and the rest is done for one page.
  const range = (nth: number, due: SQL) => sql`(
    select ${nth}::int as nth, zone_id, due_at, number from zone_news
    where told_at is null and ${due}
      and (due_at, number) > (${dueAt}::bigint, ${number}::bigint)
    order by due_at, number
    limit ${NEWS_MAX}
  )`;
  return sql`
    with page as materialized (
      ${range(1, sql`due_at <= ${now}`)}
      union all
      ${range(2, sql`due_at > ${now + DUE_AHEAD_MAX_MS}`)}
      order by nth, due_at, number
      limit ${NEWS_MAX}
    )
    select lower(zone.email) as mailbox, page.due_at::float8 as "dueAt", page.number::float8 as number,
      ${claims.isOpen("zone email", sql`md5(lower(zone.email))`)} as "isOpen"
    from page join zone on zone.id = page.zone_id
    where zone.email is not null
    order by page.nth, page.due_at, page.number`;
}
