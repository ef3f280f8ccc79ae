import { eq, sql } from "drizzle-orm";
import type { AlertRow } from "./alert-row.ts";
import type { IndexChanges, NewAlert, Tx } from "./context.ts";
import { first, isAddress } from "./queries.ts";

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
      ...(organisations.get(row.ownerEmail) ?? NO_ORGANISATION),
      publishedAt: lastPublishedAt,
      revision,
      // The second of two alerts in one millisecond is published slightly after the clock's time, and cannot be updated earlier.
      updatedAt: Math.max(row.updatedAt, lastPublishedAt),
    };
  });
  const seen = newAlerts.flatMap(({ sightings }) => sightings);
  await tx.db
    .update(counter)
    .set({ revision: last.revision + count, lastPublishedAt })
    .where(eq(counter.id, 1));
  await tx.insertAll(alert, added);
  await tx.insertAll(
    sighting,
    seen.map(({ point, ...columns }) => ({ ...columns, ...point })),
  );
  await revise(tx, alert, [...alerts], revision);
  await revise(tx, zone, [...zones], revision + alerts.size);
  return true;
}

const NO_ORGANISATION = { organisation: null, organisationName: null };

/** Organisations with the addresses of owners. Read while the counter is locked: see `saveOrganisation`. */
async function organisationsOf(
  { db, tables: { organisation } }: Tx,
  newAlerts: readonly NewAlert[],
): Promise<ReadonlyMap<string | null, Pick<AlertRow, "organisation" | "organisationName">>> {
  const owners = new Set(newAlerts.map(({ row }) => row.ownerEmail));
  const found = new Map<string | null, Pick<AlertRow, "organisation" | "organisationName">>();
  for (const email of owners) {
    if (email === null) continue;
    const named = { organisation: organisation.slug, organisationName: organisation.name };
    const its = await first(
      db.select(named).from(organisation).where(isAddress(organisation.email, email)),
    );
    if (its !== undefined) found.set(email, its);
  }
  return found;
}

/** Locks the counter row until the end of the transaction: whoever numbers something takes turns until it is visible. */
export async function lockCounter({ db, dialect, tables: { counter } }: Tx) {
  const row = await first(
    dialect.locking(db.select().from(counter).where(eq(counter.id, 1)), "update"),
  );
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
