import { and, asc, type Column, eq, gt, isNull, sql, type SQL } from "drizzle-orm";
import { type AlertStatus, searchableTexts } from "../src/core/alerts/alert.ts";
import { fieldsWhere } from "../src/core/alerts/fields.ts";
import { AGES, ALERT_TYPES, SEXES, SIZES, SPECIES } from "../src/values/animal.ts";
import { type KnownSubject, SUBJECTS_MAX } from "../src/core/matches/pair-store.ts";
import type { IndexChanges, InsertedAlert, Queries, Reader, StoreTools, Tx } from "./context.ts";
import { first, isAddress } from "./queries.ts";
import type { Row, Tables } from "./schema/tables.ts";
import type { IndexedZone, ZoneChange } from "../src/search/search.ts";
import type { ActiveAlert, ActiveAlertChange, FeedPosition } from "../src/core/jobs/index-sync.ts";

/** Reads from which the in-memory indexes are built: everything active, then the changes since a revision. */
export function indexSyncQueries(tools: StoreTools) {
  const { arrays, db, read } = tools;
  const { zone } = tools.tables;
  return {
    position: () => position(tools),

    async activeAlerts(after, limit) {
      const rows = await arrays<IndexRow>(activeAfter, { after: after ?? BEFORE_ALL, limit });
      return rows.map(activeAlert);
    },

    async activeZones(after, limit) {
      const { id, lat, lng, radiusKm, species, type, frequency } = zone;
      const rows = await db
        .select({ id, lat, lng, radiusKm, species, type, frequency })
        .from(zone)
        .where(and(gt(zone.id, after ?? ""), isNull(zone.endedAt)))
        .orderBy(asc(zone.id))
        .limit(limit);
      return rows.map(indexedZone);
    },

    async subjectsByKeys(keys) {
      const known = JSON.stringify(keys.slice(0, SUBJECTS_MAX));
      return (await arrays<NamedRow>(byKeys, { keys: known })).map(knownSubject);
    },

    async changesSince(since, limit) {
      const current = await position(tools);
      if (current.revision <= since) return { ...current, alerts: [], zones: [], more: false };
      // Of one moment: else the zones could show a change whose predecessor among the alerts was not seen.
      return read(async (reader) => {
        const { history } = await position(reader);
        const alerts = await reader.arrays<ChangedRow>(alertsSince, { since, limit });
        const isNew = gt(zone.revision, since);
        const zones = await reader.db
          .select()
          .from(zone)
          .where(isNew)
          .orderBy(zone.revision)
          .limit(limit);
        const changes = changesInStep(alerts.map(alertChange), zones.map(zoneChange), since, limit);
        return { history, ...changes };
      });
    },
  } satisfies Queries;
}

async function position({ db, dialect, tables: { counter } }: Reader): Promise<FeedPosition> {
  const row = await first(
    db.select({ history: dialect.serverStart, revision: counter.revision }).from(counter),
  );
  if (row === undefined) throw new Error("the counter row is missing");
  return row;
}

/** Less than any `publishedAt`. */
const BEFORE_ALL = -1;

const activeAfter = ({ db, tables }: Reader) =>
  db
    .select(indexColumns(tables))
    .from(tables.alert)
    .where(and(gt(tables.alert.publishedAt, sql.placeholder("after")), sql`status = 'active'`))
    .orderBy(tables.alert.publishedAt)
    .limit(sql.placeholder("limit"));

const byKeys = ({ db, dialect, tables }: Reader) =>
  db
    .select({
      id: tables.alert.id,
      updatedAt: asFloat(tables.alert.updatedAt),
      ...indexColumns(tables),
    })
    .from(tables.alert)
    .where(dialect.inNumbers(tables.alert.publishedAt, sql.placeholder("keys")));

const alertsSince = ({ db, tables }: Reader) =>
  db
    .select({
      revision: asFloat(tables.alert.revision),
      status: tables.alert.status,
      ...indexColumns(tables),
    })
    .from(tables.alert)
    .where(gt(tables.alert.revision, sql.placeholder("since")))
    .orderBy(tables.alert.revision)
    .limit(sql.placeholder("limit"));

// Rows from which the in-memory indexes are built. They are read by position: there may be a million at start-up, and
// objects would take twice as long.

/** Columns of the table of alerts that search and matching need, in the order of an `IndexRow`. */
function indexColumns({ alert }: Tables) {
  return {
    publishedAt: asFloat(alert.publishedAt),
    species: nthOf(SPECIES, alert.species),
    type: nthOf(ALERT_TYPES, alert.type),
    name: alert.name,
    breed: alert.breed,
    color: alert.color,
    city: alert.city,
    district: alert.district,
    size: nthOf(SIZES, alert.size),
    sex: nthOf(SEXES, alert.sex),
    age: nthOf(AGES, alert.age),
    eventDate: alert.eventDate,
    chipHash: alert.chipHash,
    lat: alert.lat,
    lng: alert.lng,
    organisation: alert.organisation,
    ...Object.fromEntries(ONLY_SEARCHED.map((name) => [name, alert[name]])),
  };
}

/** Fields that search reads and matching does not, at the end of a row. */
const ONLY_SEARCHED = fieldsWhere(({ isSearched }) => isSearched).filter(
  (name) => !["name", "breed", "color"].includes(name),
);

/** Number up to 2^53 in a `bigint`, which the driver of PostgreSQL returns as text. */
function asFloat(column: Column): SQL<number> {
  return sql<number>`cast(${column} as double precision)`;
}

/** Position of a value in the list of its possible values: numbers are read much faster than texts. */
function nthOf(values: readonly string[], column: Column): SQL<number> {
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
  district: string | null,
  nthSize: number,
  nthSex: number,
  nthAge: number,
  eventDate: string,
  chipHash: string | null,
  lat: number,
  lng: number,
  organisation: string | null,
  ...texts: (string | null)[],
];
type ChangedRow = [revision: number, status: AlertStatus, ...IndexRow];
type NamedRow = [id: string, updatedAt: number, ...IndexRow];
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
  district,
  nthSize,
  nthSex,
  nthAge,
  eventDate,
  chipHash,
  lat,
  lng,
  organisation,
  ...texts
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
    texts: searchableTexts([name, breed, color, ...texts, district, city]),
    organisation,
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

function knownSubject([id, updatedAt, ...row]: NamedRow): KnownSubject {
  const { texts: _texts, organisation: _organisation, ...subject } = activeAlert(row);
  return { id, updatedAt, ...subject };
}

type ZoneRow = Omit<IndexedZone, "point"> & IndexedZone["point"];

function indexedZone({ id, lat, lng, radiusKm, species, type, frequency }: ZoneRow): IndexedZone {
  return { id, point: { lat, lng }, radiusKm, species, type, frequency };
}

function zoneChange(row: Row<"zone">): Changed<ZoneChange> {
  const { id, revision, endedAt } = row;
  return {
    revision,
    change: endedAt === null ? { kind: "put", zone: indexedZone(row) } : { kind: "drop", id },
  };
}

/** Page of changes after a revision, of lists that were read up to a limit each. */
function changesInStep(
  alerts: readonly Changed<ActiveAlertChange>[],
  zones: readonly Changed<ZoneChange>[],
  revision: number,
  limit: number,
) {
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
}

export function noChanges(): IndexChanges {
  return { newAlerts: [], alerts: new Set(), zones: new Set() };
}

/**
 * Gives each change a revision of its own and adds the new alerts. Its lock on the counter row lasts until the transaction
 * has ended, so that revisions become visible in their order: a reader that has seen one has missed no lower one. As the
 * last step of a transaction it holds up others least. Returns false if there are no changes.
 */
export async function takeRevisions(tx: Tx): Promise<boolean> {
  const { newAlerts, alerts, zones } = tx.changes;
  const { alert, counter, sighting, zone } = tx.tables;
  const count = newAlerts.length + alerts.size + zones.size;
  if (count === 0) return false;
  const last = await lockCounter(tx);
  const organisations = await organisationsOf(tx, newAlerts);
  let { revision, lastPublishedAt } = last;
  const added = newAlerts.map(({ row, now }) => {
    lastPublishedAt = Math.max(lastPublishedAt + 1, now);
    revision += 1;
    return {
      ...row,
      ...(organisations.get(row.ownerEmail ?? "") ?? NO_ORGANISATION),
      publishedAt: lastPublishedAt,
      revision,
      // The second of two alerts in one millisecond is published slightly after the clock's time, and cannot be updated earlier.
      updatedAt: Math.max(row.updatedAt, lastPublishedAt),
    };
  });
  const seen = newAlerts
    .flatMap(({ sightings }) => sightings)
    .map(({ point, ...columns }) => ({ ...columns, ...point }));
  await tx.db
    .update(counter)
    .set({ revision: last.revision + count, lastPublishedAt })
    .where(eq(counter.id, 1));
  await tx.insertAll(alert, added);
  await tx.insertAll(sighting, seen);
  await revise(tx, alert, [...alerts], revision);
  await revise(tx, zone, [...zones], revision + alerts.size);
  return true;
}

type NamedOrganisation = Pick<Row<"alert">, "organisation" | "organisationName">;
const NO_ORGANISATION: NamedOrganisation = { organisation: null, organisationName: null };

/** Organisations by the addresses of owners. Read while the counter is locked: see `saveOrganisation`. */
async function organisationsOf(
  { db, tables: { organisation } }: Tx,
  newAlerts: readonly InsertedAlert[],
): Promise<ReadonlyMap<string, NamedOrganisation>> {
  const named = { organisation: organisation.slug, organisationName: organisation.name };
  const found = new Map<string, NamedOrganisation>();
  for (const owner of new Set(newAlerts.flatMap(({ row }) => row.ownerEmail ?? []))) {
    const which = isAddress(organisation.email, owner);
    const row = await first(db.select(named).from(organisation).where(which));
    if (row !== undefined) found.set(owner, row);
  }
  return found;
}

/** Locks the counter row until the end of the transaction: whoever numbers something takes turns until it is visible. */
export async function lockCounter({ db, dialect, tables: { counter } }: Tx) {
  const counters = db.select().from(counter).where(eq(counter.id, 1));
  const row = await first(dialect.locking(counters, "update"));
  if (row === undefined) throw new Error("the counter row is missing");
  return row;
}

/** Gives changed rows the revisions after this one. */
async function revise(
  { run, dialect }: Tx,
  table: Tx["tables"]["alert"] | Tx["tables"]["zone"],
  ids: readonly string[],
  revision: number,
): Promise<void> {
  if (ids.length === 0) return;
  const changed = ids.map((id, nth) => ({ id, revision: revision + nth + 1 }));
  await run(sql`
    update ${table} set revision = cast(listed.value ->> 'revision' as bigint)
    from ${dialect.objects(changed)}
    where ${table.id} = listed.value ->> 'id'`);
}
