import { and, asc, eq, isNotNull, isNull, ne, type Placeholder, type SQL, sql } from "drizzle-orm";
import { STOCKS } from "../../src/core/caps.ts";
import type { Zone, ZoneFrequency } from "../../src/core/zones/zone.ts";
import type { Queries, StoreTools } from "./context.ts";
import { toZone } from "../rows.ts";
import { countRows, hasRow } from "./expressions.ts";
import { zone } from "./schema.ts";

export function zoneQueries(tools: StoreTools) {
  const { db, write } = tools;
  return {
    zone(id) {
      const row = db.select().from(zone).where(eq(zone.id, id)).get();
      return row === undefined ? null : toZone(row);
    },

    zonesOf(email, limit) {
      const mine = and(ofMailbox(email.toLowerCase()), isNull(zone.endedAt));
      const rows = db
        .select()
        .from(zone)
        .where(mine)
        .orderBy(asc(zone.createdAt), asc(zone.id))
        .limit(limit)
        .all();
      return rows.flatMap((row) => toZone(row) ?? []);
    },

    setZoneFrequency: (id, frequency) => write(() => changeFrequency(tools, id, frequency)),
  } satisfies Queries;
}

/** Condition for the zones of a mailbox, given in lower case. Ended zones have no mailbox. */
export function ofMailbox(address: string | Placeholder): SQL | undefined {
  return and(isNotNull(zone.email), sql`lower(${zone.email}) = ${address}`);
}

/** Live zone of the same mailbox with the same circle and filters. Only inside `write`. */
export function sameZone({ db }: StoreTools, fresh: Zone): string | null {
  const same = and(
    ofMailbox(fresh.email.toLowerCase()),
    isNull(zone.endedAt),
    eq(zone.lat, fresh.point.lat),
    eq(zone.lng, fresh.point.lng),
    eq(zone.radiusKm, fresh.radiusKm),
    sql`${zone.species} is ${fresh.species}`,
    sql`${zone.type} is ${fresh.type}`,
  );
  const row = db.select({ id: zone.id }).from(zone).where(same).orderBy(asc(zone.id)).get();
  return row?.id ?? null;
}

/** Checks the cap on zones of a mailbox. Only inside `write`. */
export function hasRoomForZone({ db }: StoreTools, email: string): boolean {
  const mine = and(ofMailbox(email.toLowerCase()), isNull(zone.endedAt));
  return countRows(db, zone, mine) < STOCKS.zonesPerMailbox;
}

/** Only inside `write`. */
export function insertZone({ db, nextRevision }: StoreTools, fresh: Zone): void {
  const { point, ...columns } = fresh;
  db.insert(zone)
    .values({ ...columns, lat: point.lat, lng: point.lng, revision: nextRevision() })
    .run();
}

/** Only inside `write`. */
export function changeFrequency(
  { db, nextRevision }: StoreTools,
  id: string,
  frequency: ZoneFrequency,
): void {
  const other = and(eq(zone.id, id), isNull(zone.endedAt), ne(zone.frequency, frequency));
  if (!hasRow(db, zone, other)) return;
  db.update(zone).set({ frequency, revision: nextRevision() }).where(other).run();
}
