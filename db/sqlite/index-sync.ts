import { and, asc, gt, isNull, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { SUBJECTS_MAX } from "../../src/core/matching/pair-store.ts";
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
import type { Queries, StoreTools } from "./context.ts";
import { alert, counter, zone } from "./schema.ts";

/** Reads from which the in-memory indexes are built: everything active, then the changes since a revision. */
export function indexSyncQueries({ db }: StoreTools) {
  const limit = sql.placeholder("limit");
  const since = sql.placeholder("revision");
  const activeAfter = db
    .select(COLUMNS)
    .from(alert)
    .where(and(gt(alert.publishedAt, sql.placeholder("after")), sql`status = 'active'`))
    .orderBy(alert.publishedAt)
    .limit(limit)
    .prepare();
  const alertsSince = db
    .select({ revision: alert.revision, status: alert.status, ...COLUMNS })
    .from(alert)
    .where(gt(alert.revision, since))
    .orderBy(alert.revision)
    .limit(limit)
    .prepare();
  const byKeys = db
    .select({ id: alert.id, ...COLUMNS })
    .from(alert)
    .where(sql`${alert.publishedAt} in (select value from json_each(${sql.placeholder("keys")}))`)
    .prepare();
  const zonesSince = db
    .select()
    .from(zone)
    .where(gt(zone.revision, since))
    .orderBy(zone.revision)
    .limit(limit)
    .prepare();

  return {
    position() {
      const row = db.select({ revision: counter.revision }).from(counter).get();
      if (row === undefined) throw new Error("the counter row is missing");
      return { history: HISTORY, revision: row.revision };
    },

    // Arrays instead of objects: there may be a million rows at start-up, and objects would take twice as long.
    activeAlerts(after, limit) {
      const rows = activeAfter.values({ after: after ?? BEFORE_ALL, limit });
      return (rows as IndexRow[]).map(activeAlert);
    },

    activeZones(after, limit) {
      const rows = db
        .select(INDEXED_ZONE)
        .from(zone)
        .where(and(gt(zone.id, after ?? ""), isNull(zone.endedAt)))
        .orderBy(asc(zone.id))
        .limit(limit)
        .all();
      return rows.map(indexedZone);
    },

    subjectsByKeys(keys) {
      const known = JSON.stringify(keys.slice(0, SUBJECTS_MAX));
      return (byKeys.values({ keys: known }) as NamedRow[]).map(knownSubject);
    },

    changesSince(revision, limit) {
      const alerts = (alertsSince.values({ revision, limit }) as ChangedRow[]).map(alertChange);
      const zones = zonesSince.all({ revision, limit }).map(zoneChange);
      return { history: HISTORY, ...changesInStep(alerts, zones, revision, limit) };
    },
  } satisfies Queries;
}

/** A file that one process has open loses nothing that was committed. */
const HISTORY = "";
const COLUMNS = indexColumns<SQLiteColumn>(alert);
/** Less than any `publishedAt`. */
const BEFORE_ALL = -1;

const INDEXED_ZONE = {
  id: zone.id,
  lat: zone.lat,
  lng: zone.lng,
  radiusKm: zone.radiusKm,
  species: zone.species,
  type: zone.type,
  frequency: zone.frequency,
};
