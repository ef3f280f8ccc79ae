import { asc, type Column, count, type SQL, sql } from "drizzle-orm";
import type { PgColumn, PgTable, PgUpdateSetSource } from "drizzle-orm/pg-core";
import { MINUTE_MS } from "../src/core/duration.ts";
import type { Reader, Tx } from "./context.ts";
import type { Dialect } from "./dialect.ts";
import type { Tables } from "./schema/tables.ts";

// Short queries and SQL expressions that several subjects use.

/** First of the rows; undefined if there is none. */
export async function first<Row>(rows: PromiseLike<readonly Row[]>): Promise<Row | undefined> {
  return (await rows)[0];
}

/** True if the condition holds for a row of the table. */
export async function hasRow(
  { db }: Reader,
  table: PgTable,
  which: SQL | undefined,
): Promise<boolean> {
  const rows = await db
    .select({ one: sql`1` })
    .from(table)
    .where(which)
    .limit(1);
  return rows.length > 0;
}

/** Number of rows for which the condition holds. */
export async function countRows(
  { db }: Reader,
  table: PgTable,
  which: SQL | undefined,
): Promise<number> {
  const row = await first(db.select({ rows: count() }).from(table).where(which));
  return row?.rows ?? 0;
}

/**
 * Locks the rows for which the condition holds until the end of the transaction, in one order for all writes; returns their
 * ids. What is added to them is then seen by whoever changes or erases them.
 */
export async function lockRows(
  { db, dialect }: Tx,
  table: Tables["alert" | "conversation" | "device" | "pending" | "zone"],
  which: SQL | undefined,
  strength: Parameters<Dialect["locking"]>[1],
): Promise<string[]> {
  const rows = db.select({ id: table.id }).from(table).where(which).orderBy(asc(table.id));
  return idsOf(await dialect.locking(rows, strength));
}

/** Changes the rows for which the condition holds; returns their ids. */
export async function changeIds<Table extends PgTable & { readonly id: PgColumn }>(
  { db }: Tx,
  table: Table,
  set: PgUpdateSetSource<Table>,
  which: SQL | undefined,
): Promise<string[]> {
  const changed = await db.update(table).set(set).where(which).returning({ id: table.id });
  return changed.map(({ id }) => String(id));
}

/** Number of all rows of a query, beside each of its rows. */
export const totalRows = () => sql<number>`count(*) over ()`.mapWith(Number);

/**
 * True for a time in the window before now, or a little later: who waits for a lock counts what others wrote meanwhile, and
 * the clocks of nodes differ. Times further ahead do not count, so that a clock that is set back locks nobody out.
 */
export function isRecent(at: Column | SQL, now: number, windowMs: number): SQL {
  return sql`(${at} > ${now - windowMs} and ${at} <= ${now + APART_MS})`;
}

/** Longer than a transaction waits and is repeated, with clocks as wrong as those of a node may be. */
export const APART_MS = MINUTE_MS;

export function idsOf(rows: readonly { readonly id: string }[]): string[] {
  return rows.map(({ id }) => id);
}

/** True for a column that contains this address, in any case. */
export function isAddress(column: Column, address: string): SQL {
  // As the partial indexes of nullable columns have it: SQLite does not conclude it.
  return sql`(${column} is not null and lower(${column}) = ${address.toLowerCase()})`;
}

/** True for a column that contains exactly this spelling of an address. */
export function isExactly(column: Column, address: string): SQL {
  // The first half is for the index.
  return sql`(${isAddress(column, address)} and ${column} = ${address})`;
}

/** True for two columns that contain the same address, in any case. */
export function isSameAddress(column: Column, other: Column): SQL {
  return sql`lower(${column}) = lower(${other})`;
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
