import { eq, sql } from "drizzle-orm";
import type { Sighting } from "../../src/core/sightings/sighting.ts";
import type { AlertRow } from "../alert-row.ts";
import { isAddress } from "../expressions.ts";
import type { Db } from "./connection.ts";
import { jsonOf } from "./expressions.ts";
import { organisation } from "./organisation-schema.ts";
import { alert, counter, sighting, zone } from "./schema.ts";

/** Alert to add. Its key and revision are those of the end of the transaction. */
type NewAlert = {
  readonly row: Omit<AlertRow, "publishedAt" | "revision" | "organisation" | "organisationName">;
  /** Time of publication, unless another alert has it already. */
  readonly now: number;
  /** Sightings to add with it. */
  readonly sightings: readonly Sighting[];
};

/** Changes of a transaction that the in-memory indexes follow. */
export type IndexChanges = {
  readonly newAlerts: NewAlert[];
  /** Ids of changed alerts. */
  readonly alerts: Set<string>;
  /** Ids of zones that began or ended. */
  readonly zones: Set<string>;
};

export function noChanges(): IndexChanges {
  return { newAlerts: [], alerts: new Set(), zones: new Set() };
}

/**
 * Gives each change a revision of its own and adds the new alerts. Its lock on the counter row lasts until the transaction
 * has ended, so that revisions become visible in their order: a reader that has seen one has missed no lower one. As the
 * last step of a transaction it holds up others least. Returns false if there are no changes.
 */
export async function takeRevisions(
  db: Db,
  { newAlerts, alerts, zones }: IndexChanges,
): Promise<boolean> {
  const count = newAlerts.length + alerts.size + zones.size;
  if (count === 0) return false;
  const last = await lockCounter(db);
  let { revision, lastPublishedAt } = last;
  const added = newAlerts.map(({ row, now }) => {
    lastPublishedAt = Math.max(lastPublishedAt + 1, now);
    revision += 1;
    return {
      ...row,
      ...organisationOf(row.ownerEmail),
      publishedAt: lastPublishedAt,
      revision,
      // The second of two alerts in one millisecond is published slightly after the clock's time, and cannot be updated earlier.
      updatedAt: Math.max(row.updatedAt, lastPublishedAt),
    };
  });
  const seen = newAlerts.flatMap(({ sightings }) => sightings);
  await db
    .update(counter)
    .set({ revision: last.revision + count, lastPublishedAt })
    .where(eq(counter.id, 1));
  if (added.length > 0) await db.insert(alert).values(added);
  if (seen.length > 0)
    await db
      .insert(sighting)
      .values(seen.map(({ point, ...columns }) => ({ ...columns, ...point })));
  await revise(db, alert, alerts, revision);
  await revise(db, zone, zones, revision + alerts.size);
  return true;
}

/** Columns of the organisation with the address of an owner. Read while the counter is locked: see `saveOrganisation`. */
function organisationOf(ownerEmail: string | null) {
  if (ownerEmail === null) return {};
  const its = isAddress(organisation.email, ownerEmail);
  return {
    organisation: sql`(select ${organisation.slug} from ${organisation} where ${its})`,
    organisationName: sql`(select ${organisation.name} from ${organisation} where ${its})`,
  };
}

/** Locks the counter row until the end of the transaction: whoever numbers something takes turns until it is visible. */
export async function lockCounter(db: Db): Promise<typeof counter.$inferSelect> {
  const [row] = await db.select().from(counter).where(eq(counter.id, 1)).for("update");
  if (row === undefined) throw new Error("the counter row is missing");
  return row;
}

/** Gives changed rows the revisions after this one. */
async function revise(
  db: Db,
  table: typeof alert | typeof zone,
  ids: ReadonlySet<string>,
  revision: number,
): Promise<void> {
  if (ids.size === 0) return;
  await db.execute(sql`
    update ${table} set revision = ${revision}::bigint + changed.nth
    from json_array_elements_text(${jsonOf([...ids])}) with ordinality as changed(id, nth)
    where ${table.id} = changed.id`);
}
