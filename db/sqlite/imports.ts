import { and, asc, eq, getTableColumns, gt, gte, isNull, lt } from "drizzle-orm";
import type { ImportedAlert, ImportUpdate } from "../../src/core/store/imports.ts";
import { prefixEnd, toImported } from "../imported-row.ts";
import { toAlert } from "./alert-row.ts";
import { noteClaimEdit } from "./alerts.ts";
import type { Queries, StoreTools } from "./context.ts";
import { usePhotos } from "./photos.ts";
import { alert } from "./schema.ts";

/** Imported alerts and the state of their rows. */
export function importQueries(tools: StoreTools) {
  const { db, write } = tools;
  return {
    importedAlerts(prefix, after, limit): ImportedAlert[] {
      const rows = db
        .select(getTableColumns(alert))
        .from(alert)
        .where(
          and(
            gte(alert.source, prefix),
            lt(alert.source, prefixEnd(prefix)),
            after === null ? undefined : gt(alert.source, after),
          ),
        )
        .orderBy(asc(alert.source))
        .limit(limit)
        .all();
      return rows.map((row) => toImported(toAlert(row), row));
    },

    animalPage: (alertId) =>
      db.select({ page: alert.animalPage }).from(alert).where(eq(alert.id, alertId)).get()?.page ??
      null,

    updateImported: (updates, now) =>
      write(() =>
        updates.flatMap((update) => (updateOne(tools, update, now) ? [update.seen.alert.id] : [])),
      ),
  } satisfies Queries;
}

/** Changes one alert if it is as seen; returns whether it was. Only inside `write`. */
function updateOne(tools: StoreTools, update: ImportUpdate, now: number): boolean {
  const { db, nextRevision } = tools;
  const { seen, rowHash, missedReads, animalPage, draft, change, waitsMs } = update;
  const { releasesSource = false } = update;
  const photos = update.photos ?? draft?.photos;
  const asSeen = and(
    eq(alert.id, seen.alert.id),
    eq(alert.status, seen.alert.status),
    eq(alert.updatedAt, seen.alert.updatedAt),
    eq(alert.expiresAt, seen.alert.expiresAt),
    eq(alert.missedReads, seen.missedReads),
    releasesSource ? undefined : isNull(alert.erasedAt),
  );
  const { point, ...columns } = draft ?? {};
  const isVisible = draft !== undefined || photos !== undefined || change !== undefined;
  const isChanged =
    draft !== undefined ||
    photos !== undefined ||
    (change !== undefined && change.status !== seen.alert.status);
  const changed = db
    .update(alert)
    .set({
      ...columns,
      ...(point === undefined ? {} : { lat: point.lat, lng: point.lng }),
      ...(photos === undefined ? {} : { photos: [...photos] }),
      ...change,
      rowHash,
      missedReads,
      ...(animalPage === undefined ? {} : { animalPage }),
      ...(releasesSource ? { source: null } : {}),
      ...(isVisible ? { revision: nextRevision() } : {}),
      ...(isChanged ? { updatedAt: Math.max(now, seen.alert.updatedAt + 1) } : {}),
      ...(change?.status === "active" && seen.alert.status !== "active"
        ? { comparedAt: null }
        : {}),
    })
    .where(asSeen)
    .returning({ id: alert.id })
    .get();
  if (changed === undefined) return false;
  if (photos !== undefined) usePhotos(tools, `alert:${seen.alert.id}`, photos);
  if (waitsMs !== undefined) noteClaimEdit(tools, seen.alert.id, waitsMs, now);
  return true;
}
