import { and, asc, gt, isNull, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import {
  AGES,
  ALERT_TYPES,
  type AlertStatus,
  searchableTexts,
  SEXES,
  SIZES,
  SPECIES,
} from "../../src/core/alerts/alert.ts";
import type { IndexedZone, ZoneChange } from "../../src/core/ports.ts";
import { type KnownSubject, SUBJECTS_MAX } from "../../src/core/matching/pair-store.ts";
import type { Queries, StoreTools } from "./context.ts";
import { alert, counter, zone } from "./schema.ts";
import type { ActiveAlert, ActiveAlertChange } from "../../src/core/store/alerts.ts";

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
    revision() {
      const row = db.select({ revision: counter.revision }).from(counter).get();
      if (row === undefined) throw new Error("the counter row is missing");
      return row.revision;
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
      // If one list reached the limit, the other must stop at the same revision.
      const cuts = [alerts, zones]
        .filter((changes) => changes.length === limit)
        .map((changes) => changes.at(-1)?.revision ?? revision);
      const upTo = Math.min(...cuts, Number.MAX_SAFE_INTEGER);
      const inStep = <Change>(changes: readonly Changed<Change>[]) =>
        changes.filter((changed) => changed.revision <= upTo);
      const seen = [...inStep<unknown>(alerts), ...inStep<unknown>(zones)];
      return {
        alerts: inStep(alerts).map(({ change }) => change),
        zones: inStep(zones).map(({ change }) => change),
        revision: seen.reduce((highest, changed) => Math.max(highest, changed.revision), revision),
        more: cuts.length > 0,
      };
    },
  } satisfies Queries;
}

/** Less than any `publishedAt`. */
const BEFORE_ALL = -1;

/** Columns that search and matching need, in the order of a `Row`. */
const COLUMNS = {
  publishedAt: alert.publishedAt,
  species: nthOf(SPECIES, alert.species),
  type: nthOf(ALERT_TYPES, alert.type),
  name: alert.name,
  breed: alert.breed,
  color: alert.color,
  city: alert.city,
  size: nthOf(SIZES, alert.size),
  sex: nthOf(SEXES, alert.sex),
  age: nthOf(AGES, alert.age),
  eventDate: alert.eventDate,
  chipHash: alert.chipHash,
  lat: alert.lat,
  lng: alert.lng,
};

/** Position of a value in the list of its possible values: numbers are read much faster than texts. */
function nthOf(values: readonly string[], column: SQLiteColumn) {
  const cases = values.map(
    (value, nth) => sql`when ${sql.raw(`'${value}'`)} then ${sql.raw(`${nth}`)}`,
  );
  return sql<number>`case ${column} ${sql.join(cases, sql` `)} end`;
}

type IndexRow = [
  publishedAt: number,
  nthSpecies: number,
  nthType: number,
  name: string | null,
  breed: string,
  color: string,
  city: string,
  nthSize: number,
  nthSex: number,
  nthAge: number,
  eventDate: string,
  chipHash: string | null,
  lat: number,
  lng: number,
];
type ChangedRow = [revision: number, status: AlertStatus, ...IndexRow];
type NamedRow = [id: string, ...IndexRow];
type Changed<Change> = { readonly revision: number; readonly change: Change };

/** Reads a row by position. The compiler cannot catch two swapped texts, so a test gives each column its own value. */
function activeAlert([
  publishedAt,
  nthSpecies,
  nthType,
  name,
  breed,
  color,
  city,
  nthSize,
  nthSex,
  nthAge,
  eventDate,
  chipHash,
  lat,
  lng,
]: IndexRow): ActiveAlert {
  return {
    publishedAt,
    species: SPECIES[nthSpecies]!,
    type: ALERT_TYPES[nthType]!,
    name,
    breed,
    color,
    size: SIZES[nthSize]!,
    sex: SEXES[nthSex]!,
    age: AGES[nthAge]!,
    eventDate,
    chipHash,
    point: { lat, lng },
    texts: searchableTexts({ name, breed, color, city }),
  };
}

function alertChange([revision, status, ...row]: ChangedRow): Changed<ActiveAlertChange> {
  const read = activeAlert(row);
  const { publishedAt } = read;
  return {
    revision,
    change: status === "active" ? { kind: "put", alert: read } : { kind: "drop", publishedAt },
  };
}

function knownSubject([id, ...row]: NamedRow): KnownSubject {
  const { texts: _texts, ...subject } = activeAlert(row);
  return { id, ...subject };
}

function zoneChange(row: typeof zone.$inferSelect): Changed<ZoneChange> {
  const { id, revision, endedAt } = row;
  return {
    revision,
    change: endedAt === null ? { kind: "put", zone: indexedZone(row) } : { kind: "drop", id },
  };
}

const INDEXED_ZONE = {
  id: zone.id,
  lat: zone.lat,
  lng: zone.lng,
  radiusKm: zone.radiusKm,
  species: zone.species,
  type: zone.type,
  frequency: zone.frequency,
};

function indexedZone({
  id,
  lat,
  lng,
  radiusKm,
  species,
  type,
  frequency,
}: Pick<typeof zone.$inferSelect, keyof typeof INDEXED_ZONE>): IndexedZone {
  return { id, point: { lat, lng }, radiusKm, species, type, frequency };
}
