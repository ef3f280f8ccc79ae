import { and, asc, eq, gt, inArray, isNull, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { FeedPosition } from "../../src/core/store/alerts.ts";
import { type KnownSubject, SUBJECTS_MAX } from "../../src/core/matching/pair-store.ts";
import {
  activeAlert,
  alertChange,
  changesInStep,
  type ChangedRow,
  indexColumns,
  indexedZone,
  type IndexRow,
  knownSubject,
  type NamedRow,
  zoneChange,
} from "../index-row.ts";
import { arraysOf, type Reader } from "./connection.ts";
import type { Queries, StoreTools } from "./context.ts";
import { first } from "./expressions.ts";
import { alert, counter, zone } from "./schema.ts";

/** Reads from which the in-memory indexes are built: everything active, then the changes since a revision. */
export function indexSyncQueries(tools: StoreTools) {
  const { db, read } = tools;
  return {
    position: () => position(tools),

    async activeAlerts(after, limit) {
      const page = db
        .select(COLUMNS)
        .from(alert)
        .where(and(gt(alert.publishedAt, after ?? BEFORE_ALL), eq(alert.status, "active")))
        .orderBy(alert.publishedAt)
        .limit(limit);
      return (await arraysOf<IndexRow>(db, page)).map(activeAlert);
    },

    async activeZones(after, limit) {
      const rows = await db
        .select(INDEXED_ZONE)
        .from(zone)
        .where(and(gt(zone.id, after ?? ""), isNull(zone.endedAt)))
        .orderBy(asc(zone.id))
        .limit(limit);
      return rows.map(indexedZone);
    },

    async subjectsByKeys(keys): Promise<KnownSubject[]> {
      const named = db
        .select({ id: alert.id, ...COLUMNS })
        .from(alert)
        .where(inArray(alert.publishedAt, keys.slice(0, SUBJECTS_MAX)));
      return (await arraysOf<NamedRow>(db, named)).map(knownSubject);
    },

    async changesSince(since, limit) {
      const current = await position(tools);
      if (current.revision <= since) return { ...current, alerts: [], zones: [], more: false };
      // Of one moment: else the zones could show a change whose predecessor among the alerts was not seen.
      return read(async (db) => {
        const { history } = await position({ db });
        const alerts = db
          .select({ revision: asFloat(alert.revision), status: alert.status, ...COLUMNS })
          .from(alert)
          .where(gt(alert.revision, since))
          .orderBy(alert.revision)
          .limit(limit);
        const zones = db
          .select()
          .from(zone)
          .where(gt(zone.revision, since))
          .orderBy(zone.revision)
          .limit(limit);
        const changes = changesInStep(
          (await arraysOf<ChangedRow>(db, alerts)).map(alertChange),
          (await zones).map(zoneChange),
          since,
          limit,
        );
        return { history, ...changes };
      });
    },
  } satisfies Queries;
}

async function position({ db }: Reader): Promise<FeedPosition> {
  const row = await first(
    db.select({ history: STARTED_AT, revision: counter.revision }).from(counter),
  );
  if (row === undefined) throw new Error("the counter row is missing");
  return row;
}

/** A server that was started again, or another one, may lack the last commits of the one before. */
const STARTED_AT = sql<string>`pg_postmaster_start_time()::text`;

/** Less than any `publishedAt`. */
const BEFORE_ALL = -1;
/** Number up to 2^53 in a `bigint`, which the driver returns as text. */
const asFloat = (column: PgColumn) => sql<number>`${column}::float8`;
/** Columns in the order of an `IndexRow`. */
const COLUMNS = { ...indexColumns<PgColumn>(alert), publishedAt: asFloat(alert.publishedAt) };
const INDEXED_ZONE = {
  id: zone.id,
  lat: zone.lat,
  lng: zone.lng,
  radiusKm: zone.radiusKm,
  species: zone.species,
  type: zone.type,
  frequency: zone.frequency,
};
