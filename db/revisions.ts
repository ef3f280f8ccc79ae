import { eq, sql } from "drizzle-orm";
import type { IndexChanges, NewAlert, Tx } from "./context.ts";
import { first, isAddress } from "./queries.ts";
import type { Row } from "./schema/tables.ts";

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
  newAlerts: readonly NewAlert[],
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
