import { type Column, gt, lte, or, type SQL, sql } from "drizzle-orm";
import { DAY_MS } from "../src/core/duration.ts";

// SQL expressions that are the same in every database.

export function idsOf(rows: readonly { readonly id: string }[]): string[] {
  return rows.map(({ id }) => id);
}

/** True for a column that contains this address, in any case. */
export function isAddress(column: Column, address: string): SQL {
  return sql`lower(${column}) = ${address.toLowerCase()}`;
}

/** True for two columns that contain the same address, in any case. */
export function isSameAddress(column: Column, other: Column): SQL {
  return sql`lower(${column}) = lower(${other})`;
}

/** Longer than anything waits. A time further ahead was written while the clock was ahead. */
export const DUE_AHEAD_MAX_MS = 2 * DAY_MS;

/** True for a time that has come, or that is too far ahead to be correct. */
export function isDue(at: Column, now: number, aheadMaxMs = DUE_AHEAD_MAX_MS) {
  return or(lte(at, now), gt(at, now + aheadMaxMs));
}

/**
 * Rank of a row among the rows of its network, newest first. A list in this order takes one row of every network in
 * turn, so that no network can displace the rows of another.
 */
export function turnOf(network: Column | SQL, newest: Column | SQL): SQL<number> {
  return sql<number>`row_number() over (partition by ${network} order by ${newest} desc)`;
}

/**
 * Order of a list that takes one row of every network in turn. Each network starts after the `had` turns it already had;
 * among networks with equal turns, the one whose oldest row is newest comes first. A network that keeps sending therefore
 * does not displace newcomers.
 */
export function newcomersFirst(network: Column | SQL, newest: SQL, had: SQL): SQL {
  const since = sql`min(${newest}) over (partition by ${network})`;
  return sql`${turnOf(network, newest)} + ${had}, ${since} desc`;
}
