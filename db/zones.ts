import { and, asc, eq, isNull, ne, type SQL, sql } from "drizzle-orm";
import { STOCKS } from "../src/core/caps.ts";
import type { DeviceZone } from "../src/core/push/device.ts";
import type { Zone, ZoneFrequency } from "../src/core/zones/zone.ts";
import type { Queries, Reader, StoreTools, Tx } from "./context.ts";
import { countRows, first, isExactly } from "./queries.ts";
import { toZone } from "./rows.ts";

export function zoneQueries(tools: StoreTools) {
  const { zone } = tools.tables;
  const { db, write } = tools;
  return {
    async zone(id) {
      const row = await first(db.select().from(zone).where(eq(zone.id, id)));
      return row === undefined ? null : toZone(row);
    },

    async zonesOf(email, limit) {
      const rows = await db
        .select()
        .from(zone)
        .where(and(ofMailbox(tools, email), isNull(zone.endedAt)))
        .orderBy(asc(zone.createdAt), asc(zone.id))
        .limit(limit);
      return rows.flatMap((row) => toZone(row) ?? []);
    },

    async setZoneFrequency(id, frequency) {
      await write([], (tx) => changeFrequency(tx, id, frequency));
    },
  } satisfies Queries;
}

/** Condition for the zones of a mailbox. Ended zones have no mailbox. */
export function ofMailbox({ tables: { zone } }: Reader, email: string): SQL | undefined {
  return isExactly(zone.email, email);
}

/** Subject of the zones of a mailbox. */
export function zonesSubject(email: string): string {
  return `zones:${email.toLowerCase()}`;
}

/** Condition for the zones with the same circle and filters. */
export function isSameCircle(
  { tables: { zone } }: Reader,
  { point, radiusKm, species, type }: Pick<Zone, "point" | "radiusKm" | "species" | "type">,
): SQL | undefined {
  return and(
    eq(zone.lat, point.lat),
    eq(zone.lng, point.lng),
    eq(zone.radiusKm, radiusKm),
    sql`${zone.species} is not distinct from ${species}`,
    sql`${zone.type} is not distinct from ${type}`,
  );
}

/** Live zone of the same mailbox with the same circle and filters. */
export async function sameZone(tx: Tx, fresh: Zone): Promise<string | null> {
  const { zone } = tx.tables;
  const same = and(ofMailbox(tx, fresh.email), isNull(zone.endedAt), isSameCircle(tx, fresh));
  const row = await first(
    tx.db.select({ id: zone.id }).from(zone).where(same).orderBy(asc(zone.id)).limit(1),
  );
  return row?.id ?? null;
}

/** Checks the cap on zones of a mailbox, whose subject is locked. */
export async function hasRoomForZone(tx: Tx, email: string): Promise<boolean> {
  const { zone } = tx.tables;
  const mine = and(ofMailbox(tx, email), isNull(zone.endedAt));
  return (await countRows(tx, zone, mine)) < STOCKS.zonesPerMailbox;
}

/** Adds the zone of a mailbox, or of a device. */
export async function insertZone(
  { db, changes, tables: { zone } }: Tx,
  {
    point,
    ...columns
  }: DeviceZone & Omit<typeof zone.$inferInsert, keyof Zone["point"] | "revision">,
): Promise<void> {
  await db.insert(zone).values({ ...columns, ...point, revision: 0 });
  changes.zones.add(columns.id);
}

export async function changeFrequency(tx: Tx, id: string, frequency: ZoneFrequency): Promise<void> {
  const { zone } = tx.tables;
  const other = and(eq(zone.id, id), isNull(zone.endedAt), ne(zone.frequency, frequency));
  const changed = await tx.db
    .update(zone)
    .set({ frequency })
    .where(other)
    .returning({ id: zone.id });
  for (const one of changed) tx.changes.zones.add(one.id);
}
