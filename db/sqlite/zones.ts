import {
  and,
  asc,
  count,
  countDistinct,
  desc,
  eq,
  gt,
  inArray,
  isNull,
  lte,
  ne,
  not,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import { HOUR_MS } from "../../src/core/duration.ts";
import type { IndexedZone } from "../../src/core/ports.ts";
import { ZONE_LETTERS_AN_HOUR, type Zone } from "../../src/core/zone.ts";
import { among } from "./among.ts";
import { insertLetters, withdrawLetters, withdrawWhere } from "./outbox.ts";
import { alert, link, outbox, zone, zoneNews } from "./schema.ts";
import type { StoreTools, SyncStore } from "./store.ts";
import { toAlert } from "./alerts.ts";

type Verbs = Pick<
  SyncStore,
  "zone" | "activeZones" | "unannounced" | "announce" | "zonesWithNews" | "zoneNews" | "tellZone"
>;

export function zoneVerbs(tools: StoreTools): Verbs {
  const { db, read, write } = tools;

  /** How many of these alerts are live and untold. */
  function stillNews(zoneId: string, alertIds: readonly string[]): number {
    const news = and(
      eq(zoneNews.zoneId, zoneId),
      isNull(zoneNews.toldAt),
      inArray(zoneNews.alertId, [...alertIds]),
      eq(alert.status, "active"),
    );
    return db
      .select({ id: alert.id })
      .from(zoneNews)
      .innerJoin(alert, eq(alert.id, zoneNews.alertId))
      .where(news)
      .all().length;
  }

  function lettersInHour(zoneId: string, now: number): number {
    const told = and(
      eq(zoneNews.zoneId, zoneId),
      gt(zoneNews.toldAt, now - HOUR_MS),
      lte(zoneNews.toldAt, now),
    );
    const row = db
      .select({ letters: countDistinct(zoneNews.letterId) })
      .from(zoneNews)
      .where(told)
      .get();
    return row?.letters ?? 0;
  }

  /** How far `zonesWithNews` has looked. Only a hint of where to go on: what it passes over, it comes back to. */
  let seenNews: Pick<LookedNews, "createdAt" | "rowid"> = FIRST_NEWS;

  /** News from there on, or from the beginning where none is left. */
  function lookOn(now: number): readonly LookedNews[] {
    const news = db.all<LookedNews>(lookThrough(now, seenNews));
    if (news.length > 0 || seenNews === FIRST_NEWS) return news;
    seenNews = FIRST_NEWS;
    return db.all<LookedNews>(lookThrough(now, seenNews));
  }

  return {
    zone(id) {
      const row = read(() => db.select().from(zone).where(eq(zone.id, id)).get());
      return row === undefined ? null : toZone(row);
    },

    activeZones(after, limit) {
      const rows = read(() =>
        db
          .select(INDEXED_ZONE)
          .from(zone)
          .where(and(gt(zone.id, after ?? ""), isNull(zone.endedAt)))
          .orderBy(asc(zone.id))
          .limit(limit)
          .all(),
      );
      return rows.map(indexedZone);
    },

    unannounced: (limit) =>
      read(() =>
        db
          .select()
          .from(alert)
          .where(isNull(alert.announcedAt))
          .orderBy(asc(alert.publishedAt))
          .limit(limit)
          .all()
          .map(toAlert),
      ),

    announce(alertId, zoneIds, now, { more } = { more: false }) {
      write(() => {
        db.run(sql`
          insert into zone_news (zone_id, alert_id, created_at)
          select zone.id, ${alertId}, ${now}
          from json_each(${JSON.stringify(zoneIds)}) join zone on zone.id = value
          where zone.ended_at is null
          on conflict do nothing`);
        if (!more) db.update(alert).set({ announcedAt: now }).where(eq(alert.id, alertId)).run();
      });
    },

    zonesWithNews(now, limit) {
      const news = read(() => lookOn(now));
      const zones = new Set<string>();
      let seen = 0;
      for (const { zoneId, mayHear } of news) {
        if (mayHear === 1 && zones.size === limit && !zones.has(zoneId)) break;
        if (mayHear === 1) zones.add(zoneId);
        seen += 1;
      }
      const isAtEnd = seen === news.length && news.length < NEWS_LOOKED_AT;
      seenNews = (isAtEnd ? undefined : news[seen - 1]) ?? FIRST_NEWS;
      return [...zones];
    },

    zoneNews(zoneId, now, limit) {
      return read(() => {
        const row = db.select().from(zone).where(eq(zone.id, zoneId)).get();
        const reader = row === undefined ? null : toZone(row);
        if (reader === null) return null;
        const worthTelling = and(
          eq(zoneNews.zoneId, zoneId),
          isNull(zoneNews.toldAt),
          eq(alert.status, "active"),
          // Nobody needs to hear of their own alert.
          or(
            isNull(alert.ownerEmail),
            ne(sql`lower(${alert.ownerEmail})`, reader.email.toLowerCase()),
          ),
        );
        const untold = db
          .select({ alert })
          .from(zoneNews)
          .innerJoin(alert, eq(alert.id, zoneNews.alertId))
          .where(worthTelling)
          .orderBy(desc(alert.publishedAt))
          .limit(limit)
          .all();
        const total = db
          .select({ total: count() })
          .from(zoneNews)
          .innerJoin(alert, eq(alert.id, zoneNews.alertId))
          .where(worthTelling)
          .get();
        return {
          zone: reader,
          alerts: untold.map((found) => toAlert(found.alert)),
          total: total?.total ?? 0,
          lettersInLastHour: lettersInHour(zoneId, now),
        };
      });
    },

    tellZone(zoneId, letters, now) {
      write(() => {
        const untold = and(eq(zoneNews.zoneId, zoneId), isNull(zoneNews.toldAt));
        const shown = letters.flatMap(({ alertIds }) => alertIds);
        if (stillNews(zoneId, shown) < shown.length) return;
        const mark = (which: SQL | undefined, letterId: string | null) =>
          db
            .update(zoneNews)
            .set({ toldAt: now, letterId })
            .where(which)
            .returning({ alertId: zoneNews.alertId })
            .all().length;
        for (const { letter, alertIds, andAllLeft } of letters) {
          const which = andAllLeft ? untold : and(untold, inArray(zoneNews.alertId, [...alertIds]));
          if (mark(which, letter.id) > 0) insertLetters(tools, [letter], `zone:${zoneId}`);
        }
        mark(untold, null);
      });
    },
  };
}

/** Ends a zone for good: nothing of it is kept but that it was. Only inside `write`. */
export function wipeZone(tools: StoreTools, id: string, now: number): void {
  const { db } = tools;
  db.update(zone)
    .set({
      email: null,
      label: null,
      lat: 0,
      lng: 0,
      endedAt: now,
      revision: tools.nextRevision(),
    })
    .where(eq(zone.id, id))
    .run();
  db.delete(zoneNews).where(eq(zoneNews.zoneId, id)).run();
  db.delete(link)
    .where(and(eq(link.purpose, "unsubscribe"), eq(link.subject, `zone:${id}`)))
    .run();
  withdrawLetters(tools, `zone:${id}`, now);
}

/** Each look costs some 10 ms, while requests wait; zones that may not hear yet can have much news. */
const NEWS_LOOKED_AT = 1_000;
const FIRST_NEWS = { createdAt: -1, rowid: -1 };

type LookedNews = {
  readonly zoneId: string;
  readonly createdAt: number;
  readonly rowid: number;
  readonly mayHear: 0 | 1;
};

/** After a letter that gathered several alerts, a zone hears again an hour later. */
function lookThrough(now: number, after: Pick<LookedNews, "createdAt" | "rowid">): SQL {
  return sql`
    select news.zone_id as zoneId, news.created_at as createdAt, news.rowid as rowid, (
      select count(distinct told.letter_id) < ${ZONE_LETTERS_AN_HOUR}
        and count(*) = count(distinct told.letter_id)
      from zone_news told
      where told.zone_id = news.zone_id
        and told.told_at > ${now - HOUR_MS} and told.told_at <= ${now}
        and told.letter_id is not null
    ) as mayHear
    from zone_news news
    where news.told_at is null
      and (news.created_at, news.rowid) > (${after.createdAt}, ${after.rowid})
    order by news.created_at, news.rowid
    limit ${NEWS_LOOKED_AT}`;
}

/** Takes back zone letters that tell of alerts and have not gone; what else they told is news again. Only inside `write`. */
export function withdrawNews(tools: StoreTools, alertIds: readonly string[], now: number): void {
  const { db } = tools;
  const telling = db
    .selectDistinct({ id: outbox.id })
    .from(zoneNews)
    .innerJoin(outbox, eq(outbox.id, zoneNews.letterId))
    .where(and(among(zoneNews.alertId, alertIds), eq(outbox.state, "waiting")))
    .all();
  if (telling.length === 0) return;
  const letters = telling.map(({ id }) => id);
  withdrawWhere(tools, among(outbox.id, letters), now);
  db.update(zoneNews)
    .set({ toldAt: null, letterId: null })
    .where(and(among(zoneNews.letterId, letters), not(among(zoneNews.alertId, alertIds))))
    .run();
}

/** Only inside `write`. */
export function insertZone({ db, nextRevision }: StoreTools, fresh: Zone): void {
  const { point, ...columns } = fresh;
  db.insert(zone)
    .values({ ...columns, lat: point.lat, lng: point.lng, revision: nextRevision() })
    .run();
}

const INDEXED_ZONE = {
  id: zone.id,
  lat: zone.lat,
  lng: zone.lng,
  radiusKm: zone.radiusKm,
  species: zone.species,
  type: zone.type,
};

/** What an index reads of a zone. */
export function indexedZone({
  id,
  lat,
  lng,
  radiusKm,
  species,
  type,
}: Pick<typeof zone.$inferSelect, keyof typeof INDEXED_ZONE>): IndexedZone {
  return { id, point: { lat, lng }, radiusKm, species, type };
}

function toZone(row: typeof zone.$inferSelect): Zone | null {
  if (row.email === null || row.endedAt !== null) return null;
  const { id, radiusKm, species, type, label, email, language, createdAt } = row;
  return {
    id,
    point: { lat: row.lat, lng: row.lng },
    radiusKm,
    species,
    type,
    label,
    email,
    language,
    createdAt,
  };
}
