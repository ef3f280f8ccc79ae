import { and, count, desc, eq, gt, isNull, lte, max, ne, sql } from "drizzle-orm";
import { DAY_MS } from "../../src/core/duration.ts";
import { toAlert } from "./alerts.ts";
import type { Queries, StoreTools } from "./context.ts";
import { inList } from "./expressions.ts";
import { claimEdit } from "./match-schema.ts";
import { usePhotos } from "./photos.ts";
import { alert } from "./schema.ts";

export function alertEditQueries(tools: StoreTools) {
  const { db, read, write, nextRevision } = tools;
  return {
    editAlert(seen, draft, now, waitsMs) {
      const { point, ...columns } = draft;
      const asSeen = and(
        eq(alert.id, seen.id),
        eq(alert.status, seen.status),
        eq(alert.updatedAt, seen.updatedAt),
        isNull(alert.erasedAt),
      );
      return write(() => {
        const changed = db
          .update(alert)
          .set({
            ...columns,
            lat: point.lat,
            lng: point.lng,
            updatedAt: Math.max(now, seen.updatedAt + 1),
            revision: nextRevision(),
          })
          .where(asSeen)
          .returning({ id: alert.id })
          .get();
        if (changed === undefined) return false;
        usePhotos(tools, `alert:${seen.id}`, draft.photos);
        if (waitsMs !== undefined) noteClaimEdit(tools, seen.id, waitsMs, now);
        return true;
      });
    },

    oftenEdited(rates, now, limit) {
      const counts = rates.map(
        ({ windowMs }) =>
          sql<number>`sum(${claimEdit.at} > ${now - windowMs} and ${claimEdit.at} <= ${now})`,
      );
      const isOften = rates.map(({ max: least }, nth) => sql`${counts[nth]} >= ${least}`);
      const rows = read(() =>
        db
          .select({ alert, ...Object.fromEntries(counts.map((one, nth) => [`count${nth}`, one])) })
          .from(claimEdit)
          .innerJoin(alert, eq(alert.id, claimEdit.alertId))
          .where(and(isNull(claimEdit.handledAt), ne(alert.status, "removed")))
          .groupBy(alert.id)
          .having(sql.join(isOften, sql` or `))
          .orderBy(desc(max(claimEdit.at)))
          .limit(limit)
          .all(),
      );
      return rows.map((row) => ({
        alert: toAlert(row.alert),
        counts: rates.map(
          (_, nth) => (row as unknown as Record<string, number>)[`count${nth}`] ?? 0,
        ),
      }));
    },
  } satisfies Queries;
}

/** Edits of one alert that are counted within a day. */
const COUNTED_MAX = 100;

/** Counts an edit and postpones the next comparison of the alert: see `Store.editAlert`. Only inside `write`. */
function noteClaimEdit(
  { db }: StoreTools,
  alertId: string,
  waitsMs: readonly number[],
  now: number,
): void {
  const inLastDay = and(
    eq(claimEdit.alertId, alertId),
    gt(claimEdit.at, now - DAY_MS),
    lte(claimEdit.at, now),
  );
  const before = db.select({ many: count() }).from(claimEdit).where(inLastDay).get()?.many ?? 0;
  if (before < COUNTED_MAX) db.insert(claimEdit).values({ alertId, at: now }).run();
  const waitMs = waitsMs[before] ?? waitsMs.at(-1) ?? 0;
  db.update(alert)
    .set({ comparedAt: null, compareAt: now + waitMs })
    .where(eq(alert.id, alertId))
    .run();
}

/** Marks the edits of alerts as handled by a moderator; returns how many there were. Only inside `write`. */
export function closeClaimEdits(
  { db }: StoreTools,
  alertIds: readonly string[],
  now: number,
): number {
  return db
    .update(claimEdit)
    .set({ handledAt: now })
    .where(and(inList(claimEdit.alertId, alertIds), isNull(claimEdit.handledAt)))
    .returning({ id: claimEdit.id })
    .all().length;
}
