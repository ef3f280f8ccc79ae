import { and, desc, eq, inArray, isNull, type SQL } from "drizzle-orm";
import { FINDABLE } from "../../src/core/matching/pair-store.ts";
import type { Sighting } from "../../src/core/sightings/sighting.ts";
import type { Queries, StoreTools } from "./context.ts";
import { toSighting } from "../rows.ts";
import { turnOf } from "../expressions.ts";
import { hasRow } from "./expressions.ts";
import { freePhotos, usePhotos } from "./photos.ts";
import { alert, sighting } from "./schema.ts";

export function sightingQueries(tools: StoreTools) {
  const { db, write } = tools;
  return {
    sightings(alertId, limit) {
      const newest = db
        .select()
        .from(sighting)
        .where(eq(sighting.alertId, alertId))
        .orderBy(
          turnOf(sighting.networkHash, sighting.seenAt),
          desc(sighting.seenAt),
          desc(sighting.id),
        )
        .limit(limit)
        .all();
      return newest.map(toSighting).toSorted((a, b) => b.seenAt - a.seenAt);
    },

    removeSighting(alertId, sightingId) {
      const removed = write(() => {
        const which = and(eq(sighting.id, sightingId), eq(sighting.alertId, alertId));
        if (!hasRow(db, sighting, which)) return false;
        eraseSightings(tools, which);
        return true;
      });
      if (removed) tools.clearLog();
      return removed;
    },
  } satisfies Queries;
}

/**
 * True if a sighting can still be added: its alert takes sightings, and `owner` is the mailbox of its owner (null if it
 * has none).
 */
export function canSight({ db }: StoreTools, alertId: string, owner: string | null): boolean {
  const open = and(
    eq(alert.id, alertId),
    inArray(alert.status, [...FINDABLE]),
    isNull(alert.erasedAt),
  );
  const row = db.select({ ownerEmail: alert.ownerEmail }).from(alert).where(open).get();
  return row !== undefined && row.ownerEmail === owner;
}

/** Only inside `write`. */
export function insertSighting(tools: StoreTools, { point, ...columns }: Sighting): void {
  tools.db
    .insert(sighting)
    .values({ ...columns, lat: point.lat, lng: point.lng })
    .run();
  usePhotos(tools, `sighting:${columns.id}`, columns.photos);
}

/** Deletes sightings with their photos. Only inside `write`. */
export function eraseSightings(tools: StoreTools, which: SQL | undefined): void {
  const erased = tools.db.delete(sighting).where(which).returning({ id: sighting.id }).all();
  freePhotos(
    tools,
    erased.map(({ id }) => `sighting:${id}` as const),
  );
}
