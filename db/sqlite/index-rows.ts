import { and, gt, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { AGES, ALERT_TYPES, searchedTexts, SEXES, SIZES, SPECIES } from "../../src/core/alert.ts";
import type { ZoneChange } from "../../src/core/ports.ts";
import { type ActiveAlert, type KnownSubject, SUBJECTS_MAX } from "../../src/core/store.ts";
import { alert, counter, zone } from "./schema.ts";
import type { StoreTools, SyncStore } from "./store.ts";
import { indexedZone } from "./zones.ts";

type Verbs = Pick<SyncStore, "revision" | "activeAlerts" | "changesSince" | "subjectsByKeys">;

/**
 * What is kept in memory is learned by these: all that is active, then what changed since a revision, and of some
 * alerts once more what matching reads.
 */
export function indexVerbs({ db, read }: StoreTools): Verbs {
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
      const row = read(() => db.select({ revision: counter.revision }).from(counter).get());
      if (row === undefined) throw new Error("the counter row is missing");
      return row.revision;
    },

    // Bare rows: at a start there may be a million, and naming their columns one by one takes as long as all the rest.
    activeAlerts(after, limit) {
      const rows = read(() => activeAfter.values({ after: after ?? BEFORE_ALL, limit }));
      return (rows as Row[]).map(activeAlert);
    },

    subjectsByKeys(keys) {
      const known = JSON.stringify(keys.slice(0, SUBJECTS_MAX));
      return (read(() => byKeys.values({ keys: known })) as NamedRow[]).map(knownSubject);
    },

    changesSince(revision, limit) {
      return read(() => {
        const alerts = (alertsSince.values({ revision, limit }) as ChangedRow[]).map(alertChange);
        const zones = zonesSince.all({ revision, limit }).map(zoneChange);
        // Where one list was cut, the other must not run ahead of it.
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
          revision: seen.reduce(
            (highest, changed) => Math.max(highest, changed.revision),
            revision,
          ),
          more: cuts.length > 0,
        };
      });
    },
  };
}

/** Less than any key. */
const BEFORE_ALL = -1;

/** What the index and matching read of an alert, in the order of a `Row`. */
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

/** Which of its few values a column holds, from 0: a number costs much less to hand over than a text. */
function nthOf(values: readonly string[], column: SQLiteColumn) {
  const cases = values.map(
    (value, nth) => sql`when ${sql.raw(`'${value}'`)} then ${sql.raw(`${nth}`)}`,
  );
  return sql<number>`case ${column} ${sql.join(cases, sql` `)} end`;
}

type AlertRow = typeof alert.$inferSelect;
type Row = [
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
type ChangedRow = [revision: number, status: AlertRow["status"], ...Row];
type NamedRow = [id: string, ...Row];
type Changed<Change> = { readonly revision: number; readonly change: Change };
type AlertChange = ReturnType<SyncStore["changesSince"]>["alerts"][number];

/** A row's values by position: a test gives each its own, for the types know one text from another no more than SQL does. */
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
]: Row): ActiveAlert {
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
    texts: searchedTexts({ name, breed, color, city }),
  };
}

function alertChange([revision, status, ...row]: ChangedRow): Changed<AlertChange> {
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
