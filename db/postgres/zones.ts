import { and, asc, eq, isNotNull, isNull, ne, type SQL, sql } from "drizzle-orm";
import { STOCKS } from "../../src/core/caps.ts";
import type { Zone, ZoneFrequency } from "../../src/core/zones/zone.ts";
import { toZone } from "../rows.ts";
import type { Queries, StoreTools } from "./context.ts";
import { countRows, first } from "./expressions.ts";
import { zone } from "./schema.ts";
import type { Tx } from "./transaction.ts";

export function zoneQueries({ db, write }: StoreTools) {
  return {
    async zone(id) {
      const row = await first(db.select().from(zone).where(eq(zone.id, id)));
      return row === undefined ? null : toZone(row);
    },

    async zonesOf(email, limit) {
      const rows = await db
        .select()
        .from(zone)
        .where(and(ofMailbox(email.toLowerCase()), isNull(zone.endedAt)))
        .orderBy(asc(zone.createdAt), asc(zone.id))
        .limit(limit);
      return rows.flatMap((row) => toZone(row) ?? []);
    },

    async setZoneFrequency(id, frequency) {
      await write([], (tx) => changeFrequency(tx, id, frequency));
    },
  } satisfies Queries;
}

/** Condition for the zones of a mailbox, given in lower case. Ended zones have no mailbox. */
export function ofMailbox(address: string): SQL | undefined {
  return and(isNotNull(zone.email), sql`lower(${zone.email}) = ${address}`);
}

/** Subject of the zones of a mailbox. */
export function zonesSubject(email: string): string {
  return `zones:${email.toLowerCase()}`;
}

/** Live zone of the same mailbox with the same circle and filters. */
export async function sameZone({ db }: Tx, fresh: Zone): Promise<string | null> {
  const same = and(
    ofMailbox(fresh.email.toLowerCase()),
    isNull(zone.endedAt),
    eq(zone.lat, fresh.point.lat),
    eq(zone.lng, fresh.point.lng),
    eq(zone.radiusKm, fresh.radiusKm),
    sql`${zone.species} is not distinct from ${fresh.species}`,
    sql`${zone.type} is not distinct from ${fresh.type}`,
  );
  const row = await first(
    db.select({ id: zone.id }).from(zone).where(same).orderBy(asc(zone.id)).limit(1),
  );
  return row?.id ?? null;
}

/** Checks the cap on zones of a mailbox, whose subject is locked. */
export async function hasRoomForZone(tx: Tx, email: string): Promise<boolean> {
  const mine = and(ofMailbox(email.toLowerCase()), isNull(zone.endedAt));
  return (await countRows(tx, zone, mine)) < STOCKS.zonesPerMailbox;
}

export async function insertZone({ db, changes }: Tx, fresh: Zone): Promise<void> {
  const { point, ...columns } = fresh;
  await db.insert(zone).values({ ...columns, ...point, revision: 0 });
  changes.zones.add(fresh.id);
}

export async function changeFrequency(
  { db, changes }: Tx,
  id: string,
  frequency: ZoneFrequency,
): Promise<void> {
  const other = and(eq(zone.id, id), isNull(zone.endedAt), ne(zone.frequency, frequency));
  const changed = await db.update(zone).set({ frequency }).where(other).returning({ id: zone.id });
  for (const one of changed) changes.zones.add(one.id);
}
