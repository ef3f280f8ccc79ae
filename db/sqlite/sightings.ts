import { and, desc, eq, inArray, isNull } from "drizzle-orm";
import { FINDABLE } from "../../src/core/store.ts";
import type { Sighting } from "../../src/core/sighting.ts";
import { among } from "./among.ts";
import { alert, sighting } from "./schema.ts";
import type { StoreTools, SyncStore } from "./store.ts";

type Verbs = Pick<SyncStore, "sightings">;

export function sightingVerbs({ db, read }: StoreTools): Verbs {
  return {
    sightings(alertId, limit) {
      const newest = read(() =>
        db
          .select()
          .from(sighting)
          .where(eq(sighting.alertId, alertId))
          .orderBy(desc(sighting.seenAt), desc(sighting.id))
          .limit(limit)
          .all(),
      );
      return newest.map(toSighting);
    },
  };
}

/**
 * Whether what a sighting's effect was made from still holds: its alert takes sightings, and its owner is who is told
 * (null where nobody is).
 */
export function canSight({ db }: StoreTools, alertId: string, told: string | null): boolean {
  const open = and(
    eq(alert.id, alertId),
    inArray(alert.status, [...FINDABLE]),
    isNull(alert.erasedAt),
  );
  const row = db.select({ ownerEmail: alert.ownerEmail }).from(alert).where(open).get();
  return row !== undefined && row.ownerEmail === told;
}

/** Only inside `write`. */
export function insertSighting({ db }: StoreTools, { point, ...columns }: Sighting): void {
  db.insert(sighting)
    .values({ ...columns, lat: point.lat, lng: point.lng })
    .run();
}

/** Only inside `write`. */
export function eraseSightings({ db }: StoreTools, alertIds: readonly string[]): void {
  db.delete(sighting).where(among(sighting.alertId, alertIds)).run();
}

function toSighting({ lat, lng, ...columns }: typeof sighting.$inferSelect): Sighting {
  return { ...columns, point: { lat, lng } };
}
