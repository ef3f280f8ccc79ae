import { and, desc, eq, inArray, isNull, type SQL } from "drizzle-orm";
import { FINDABLE } from "../src/core/matches/pair-store.ts";
import type { Sighting } from "../src/core/sightings/sighting.ts";
import type { Queries, StoreTools, Tx } from "./context.ts";
import { freePhotos, usePhotos } from "./photos.ts";
import { first, idsOf, turnOf } from "./queries.ts";
import type { Row } from "./schema/tables.ts";

export function sightingQueries({ db, write, tables: { sighting } }: StoreTools) {
  return {
    async sightings(alertId, limit) {
      const newest = await db
        .select()
        .from(sighting)
        .where(eq(sighting.alertId, alertId))
        .orderBy(
          turnOf(sighting.networkHash, sighting.seenAt),
          desc(sighting.seenAt),
          desc(sighting.id),
        )
        .limit(limit);
      return newest.map(toSighting).toSorted((a, b) => b.seenAt - a.seenAt);
    },

    removeSighting(alertId, sightingId) {
      const which = and(eq(sighting.id, sightingId), eq(sighting.alertId, alertId));
      return write([], async (tx) => {
        const isThere = (await eraseSightings(tx, which)) > 0;
        if (isThere) await tx.oweErasure();
        return isThere;
      });
    },
  } satisfies Queries;
}

/**
 * Checks that a sighting can still be added, and keeps it so: its alert takes sightings, and `owner` is the mailbox of its
 * owner (null if it has none).
 */
export async function canSight(tx: Tx, alertId: string, owner: string | null): Promise<boolean> {
  const { alert } = tx.tables;
  const open = and(
    eq(alert.id, alertId),
    inArray(alert.status, [...FINDABLE]),
    isNull(alert.erasedAt),
  );
  const alerts = tx.db.select({ ownerEmail: alert.ownerEmail }).from(alert).where(open);
  const row = await first(tx.dialect.locking(alerts, "share"));
  return row !== undefined && row.ownerEmail === owner;
}

export async function insertSighting(tx: Tx, { point, ...columns }: Sighting): Promise<void> {
  const { sighting } = tx.tables;
  await tx.db.insert(sighting).values({ ...columns, ...point });
  if (columns.photos.length > 0) await usePhotos(tx, `sighting:${columns.id}`, columns.photos);
}

/** Deletes sightings with their photos; returns how many there were. */
export async function eraseSightings(tx: Tx, which: SQL | undefined): Promise<number> {
  const { sighting } = tx.tables;
  const erased = await tx.db.delete(sighting).where(which).returning({ id: sighting.id });
  await freePhotos(tx, "sighting", idsOf(erased));
  return erased.length;
}

export function toSighting({ lat, lng, ...columns }: Row<"sighting">): Sighting {
  return { ...columns, point: { lat, lng } };
}
