import {
  and,
  asc,
  count,
  countDistinct,
  desc,
  eq,
  gt,
  inArray,
  isNotNull,
  isNull,
  lte,
  min,
  ne,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { HOUR_MS } from "../../src/core/duration.ts";
import { ZONE_LETTERS_AN_HOUR, type Zone } from "../../src/core/zone.ts";
import { closeLetter, insertLetters, withdrawLetters } from "./outbox.ts";
import { alert, link, outbox, zone, zoneNews } from "./schema.ts";
import type { StoreTools, SyncStore } from "./store.ts";
import { toAlert } from "./alerts.ts";

type Verbs = Pick<
  SyncStore,
  "zone" | "endZone" | "unannounced" | "announce" | "zonesWithNews" | "zoneNews" | "tellZone"
>;

export function zoneVerbs(tools: StoreTools): Verbs {
  const { db, read, write, nextRevision } = tools;

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

  return {
    zone(id) {
      const row = read(() => db.select().from(zone).where(eq(zone.id, id)).get());
      return row === undefined ? null : toZone(row);
    },

    endZone(id, now) {
      write(() => {
        const row = db
          .select()
          .from(zone)
          .where(and(eq(zone.id, id), isNull(zone.endedAt)))
          .get();
        if (row === undefined) return;
        db.update(zone)
          .set({
            email: null,
            label: null,
            lat: 0,
            lng: 0,
            endedAt: now,
            revision: nextRevision(),
          })
          .where(eq(zone.id, id))
          .run();
        db.delete(zoneNews).where(eq(zoneNews.zoneId, id)).run();
        db.delete(link)
          .where(and(eq(link.purpose, "unsubscribe"), eq(link.subject, `zone:${id}`)))
          .run();
        withdrawLetters(tools, `zone:${id}`, now);
      });
      tools.clearLog();
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

    announce(alertId, zoneIds, now) {
      write(() => {
        // One statement however many zones there are: requests wait meanwhile.
        db.run(sql`
          insert into zone_news (zone_id, alert_id, created_at)
          select value, ${alertId}, ${now} from json_each(${JSON.stringify(zoneIds)}) where true
          on conflict do nothing`);
        db.update(alert).set({ announcedAt: now }).where(eq(alert.id, alertId)).run();
      });
    },

    zonesWithNews(now, limit) {
      const told = alias(zoneNews, "told");
      const inHour = and(
        eq(told.zoneId, zoneNews.zoneId),
        gt(told.toldAt, now - HOUR_MS),
        lte(told.toldAt, now),
        isNotNull(told.letterId),
      );
      const letters = db
        .select({ letters: countDistinct(told.letterId) })
        .from(told)
        .where(inHour);
      const alerts = db.select({ alerts: count() }).from(told).where(inHour);
      // After a letter that gathered several alerts, the next one comes an hour later.
      const mayHear = sql`(${letters}) < ${ZONE_LETTERS_AN_HOUR} and (${alerts}) = (${letters})`;
      const rows = read(() =>
        db
          .select({ zoneId: zoneNews.zoneId })
          .from(zoneNews)
          .where(isNull(zoneNews.toldAt))
          .groupBy(zoneNews.zoneId)
          .having(mayHear)
          .orderBy(min(zoneNews.createdAt))
          .limit(limit)
          .all(),
      );
      return rows.map(({ zoneId }) => zoneId);
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

/** Takes back zone letters that tell of an alert and have not gone; what else they told is news again. Only inside `write`. */
export function withdrawNews(tools: StoreTools, alertId: string, now: number): void {
  const { db } = tools;
  const telling = db
    .select({ letterId: zoneNews.letterId })
    .from(zoneNews)
    .innerJoin(outbox, eq(outbox.id, zoneNews.letterId))
    .where(and(eq(zoneNews.alertId, alertId), eq(outbox.state, "waiting")))
    .all();
  for (const { letterId } of telling) {
    if (letterId === null) continue;
    closeLetter(tools, letterId, "given_up", now);
    db.update(zoneNews)
      .set({ toldAt: null, letterId: null })
      .where(and(eq(zoneNews.letterId, letterId), ne(zoneNews.alertId, alertId)))
      .run();
  }
}

/** Only inside `write`. */
export function insertZone({ db, nextRevision }: StoreTools, fresh: Zone): void {
  const { point, ...columns } = fresh;
  db.insert(zone)
    .values({ ...columns, lat: point.lat, lng: point.lng, revision: nextRevision() })
    .run();
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
