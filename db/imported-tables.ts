import { and, asc, eq, gt, gte, isNull, lt } from "drizzle-orm";
import type { ImportUpdate, ImportedAlert } from "../src/core/tables/imported-alert.ts";
import { changeAlert, noteClaimEdit, toAlert } from "./alerts.ts";
import type { Queries, Reader, StoreTools, Tx } from "./context.ts";
import { insertEmails } from "./outbox.ts";
import { usePhotos } from "./photos.ts";
import { changeIds, first } from "./queries.ts";
import { countHits, subjectsOf } from "./rate-limits.ts";
import type { Row } from "./schema/tables.ts";

/** Imported alerts with the state of their rows, and the tables that are read again and again. */
export function importQueries(tools: StoreTools) {
  const { alert, tableSource } = tools.tables;
  const { db, write } = tools;
  const rowOf = (reader: Reader, name: string) =>
    first(reader.db.select().from(tableSource).where(eq(tableSource.name, name)));
  return {
    async importedAlerts(prefix, after, limit) {
      const { source } = alert;
      const which = and(
        gte(source, prefix),
        lt(source, prefixEnd(prefix)),
        after === null ? undefined : gt(source, after),
      );
      const rows = await db.select().from(alert).where(which).orderBy(asc(source)).limit(limit);
      return rows.map(toImported);
    },

    async animalPage(alertId) {
      const named = eq(alert.id, alertId);
      const row = await first(db.select({ page: alert.animalPage }).from(alert).where(named));
      return row?.page ?? null;
    },

    updateImported: (updates, now) =>
      write(["import"], async (tx) => {
        const changed: string[] = [];
        for (const update of updates)
          if (await updateOne(tx, update, now)) changed.push(update.seen.alert.id);
        return changed;
      }),

    async tableStates(limit) {
      const rows = await db.select().from(tableSource).orderBy(asc(tableSource.name)).limit(limit);
      return rows.map(({ state }) => state);
    },

    takeTable: (fresh, now, releaseAt) =>
      write([subjectOf(fresh.name)], async (tx) => {
        const row = await rowOf(tx, fresh.name);
        if (row !== undefined && isTaken(row.takenUntil, now, releaseAt)) return null;
        const state = row?.state ?? fresh;
        await tx.db
          .insert(tableSource)
          .values({ name: fresh.name, state, takenUntil: releaseAt })
          .onConflictDoUpdate({ target: tableSource.name, set: { takenUntil: releaseAt } });
        return state;
      }),

    async saveTable(state, releaseAt, notices, now) {
      const subjects = notices.flatMap(({ hits }) => subjectsOf(hits));
      return write([subjectOf(state.name), ...subjects], async (tx) => {
        if (releaseAt !== null && (await rowOf(tx, state.name))?.takenUntil !== releaseAt)
          return false;
        await tx.db
          .insert(tableSource)
          .values({ name: state.name, state })
          .onConflictDoUpdate({
            target: tableSource.name,
            set: { state, ...(releaseAt === null ? {} : { takenUntil: 0 }) },
          });
        for (const { emails, hits } of notices)
          if ((await countHits(tx, hits, now)) === null) await insertEmails(tx, emails, null);
        return true;
      });
    },
  } satisfies Queries;
}

/** Changes one alert if it is as seen; returns whether it was. */
async function updateOne(tx: Tx, update: ImportUpdate, now: number): Promise<boolean> {
  const { alert } = tx.tables;
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
  const state = {
    rowHash,
    missedReads,
    ...(animalPage === undefined ? {} : { animalPage }),
    ...(releasesSource ? { source: null } : {}),
  };
  if (draft === undefined && photos === undefined && change === undefined) {
    // The indexes do not follow these columns.
    return (await changeIds(tx, alert, state, asSeen)).length > 0;
  }
  const { point, ...columns } = draft ?? {};
  const isChanged =
    draft !== undefined ||
    photos !== undefined ||
    (change !== undefined && change.status !== seen.alert.status);
  const isChangedNow = await changeAlert(tx, asSeen, {
    ...columns,
    ...point,
    ...(photos === undefined ? {} : { photos: [...photos] }),
    ...change,
    ...state,
    ...(isChanged ? { updatedAt: Math.max(now, seen.alert.updatedAt + 1) } : {}),
    ...(change?.status === "active" && seen.alert.status !== "active" ? { comparedAt: null } : {}),
  });
  if (!isChangedNow) return false;
  if (photos !== undefined) await usePhotos(tx, `alert:${seen.alert.id}`, photos);
  if (waitsMs !== undefined) await noteClaimEdit(tx, seen.alert.id, waitsMs, now);
  return true;
}

/** Imported alert in a row. */
function toImported(row: Row<"alert">): ImportedAlert {
  const { source, ...alert } = toAlert(row);
  if (source === null) throw new Error("an alert without a source was not imported");
  const { rowHash, missedReads, animalPage } = row;
  return {
    alert: { ...alert, source },
    rowHash,
    missedReads,
    animalPage,
    isErased: row.erasedAt !== null,
  };
}

/** First text after all that begin with a prefix, which ends with an ASCII character. */
function prefixEnd(prefix: string): string {
  const last = prefix.charCodeAt(prefix.length - 1);
  return prefix.slice(0, -1) + String.fromCharCode(last + 1);
}

function subjectOf(name: string): string {
  return `table:${name}`;
}

/**
 * True if a table is taken for a read. A time later than `releaseAt`, at which a read that begins now would end, was
 * written before the clock was set back.
 */
function isTaken(takenUntil: number, now: number, releaseAt: number): boolean {
  return takenUntil > now && takenUntil <= releaseAt;
}
