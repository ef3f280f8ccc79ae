import { and, asc, countDistinct, eq, gt, inArray, isNull, lt, min, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Store } from "../../src/core/store.ts";
import type { Zone } from "../../src/core/zone.ts";
import { insertLetters, withdrawLetters } from "./outbox.ts";
import { alert, link, zone, zoneNews } from "./schema.ts";
import type { StoreTools } from "./store.ts";
import { toAlert } from "./alerts.ts";

type Verbs = Pick<
  Store,
  "zone" | "endZone" | "unannounced" | "announce" | "zonesWithNews" | "zoneNews" | "tellZone"
>;

export function zoneVerbs(tools: StoreTools): Verbs {
  const { db, read, write, nextRevision } = tools;

  function lettersSince(zoneId: string, since: number): number {
    const told = and(eq(zoneNews.zoneId, zoneId), gt(zoneNews.toldAt, since));
    return (
      db
        .select({ letters: countDistinct(zoneNews.letterId) })
        .from(zoneNews)
        .where(told)
        .get()?.letters ?? 0
    );
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
        for (const zoneId of zoneIds) {
          db.insert(zoneNews)
            .values({ zoneId, alertId, createdAt: now })
            .onConflictDoNothing()
            .run();
        }
        db.update(alert).set({ announcedAt: now }).where(eq(alert.id, alertId)).run();
      });
    },

    zonesWithNews(since, lettersMax, limit) {
      const told = alias(zoneNews, "told");
      const letters = db
        .select({ letters: countDistinct(told.letterId) })
        .from(told)
        .where(and(eq(told.zoneId, zoneNews.zoneId), gt(told.toldAt, since)));
      const rows = read(() =>
        db
          .select({ zoneId: zoneNews.zoneId })
          .from(zoneNews)
          .where(isNull(zoneNews.toldAt))
          .groupBy(zoneNews.zoneId)
          .having(lt(sql`(${letters})`, lettersMax))
          .orderBy(min(zoneNews.createdAt))
          .limit(limit)
          .all(),
      );
      return rows.map(({ zoneId }) => zoneId);
    },

    zoneNews(zoneId, since, limit) {
      return read(() => {
        const row = db.select().from(zone).where(eq(zone.id, zoneId)).get();
        const reader = row === undefined ? null : toZone(row);
        if (reader === null) return null;
        const untold = db
          .select({ alertId: zoneNews.alertId })
          .from(zoneNews)
          .where(and(eq(zoneNews.zoneId, zoneId), isNull(zoneNews.toldAt)))
          .orderBy(asc(zoneNews.createdAt), asc(zoneNews.alertId))
          .limit(limit)
          .all();
        return {
          zone: reader,
          alertIds: untold.map(({ alertId }) => alertId),
          lettersInLastHour: lettersSince(zoneId, since),
        };
      });
    },

    tellZone(zoneId, letters, dropped, now) {
      write(() => {
        const markTold = (alertIds: readonly string[], letterId: string | null) =>
          db
            .update(zoneNews)
            .set({ toldAt: now, letterId })
            .where(
              and(
                eq(zoneNews.zoneId, zoneId),
                inArray(zoneNews.alertId, [...alertIds]),
                isNull(zoneNews.toldAt),
              ),
            )
            .returning({ alertId: zoneNews.alertId })
            .all().length;
        for (const { letter, alertIds } of letters) {
          if (markTold(alertIds, letter.id) > 0) insertLetters(tools, [letter], `zone:${zoneId}`);
        }
        if (dropped.length > 0) markTold(dropped, null);
      });
    },
  };
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
