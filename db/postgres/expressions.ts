import { count, type SQL, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import { MINUTE_MS } from "../../src/core/duration.ts";
import type { Reader } from "./connection.ts";

// Short queries and SQL expressions of PostgreSQL that several subjects use.

/** First of the rows; undefined if there is none. */
export async function first<Row>(rows: PromiseLike<readonly Row[]>): Promise<Row | undefined> {
  return (await rows)[0];
}

/** Rows of a statement written by hand. Numbers of type `bigint` come as text, unless they are cast. */
export async function rowsOf<Row>({ db }: Reader, statement: SQL): Promise<Row[]> {
  const rows: unknown = await db.execute(statement);
  return rows as Row[];
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
 * True for a time in the window before now, or a little later: who waits for a lock counts what others wrote meanwhile, and
 * the clocks of the nodes differ. Times further ahead do not count, so that a clock that is set back locks nobody out.
 */
export function isRecent(at: PgColumn | SQL, now: number, windowMs: number): SQL {
  return sql`(${at} > ${now - windowMs} and ${at} <= ${now + APART_MS})`;
}

/** Longer than a transaction waits and is repeated, with clocks as wrong as those of a node may be. */
const APART_MS = MINUTE_MS;

/** Membership in a list of any length, passed as one value: the protocol limits the number of values in a statement. */
export function inList(value: PgColumn | SQL, list: readonly string[]): SQL {
  return sql`${value} = any(array(select json_array_elements_text(${jsonOf(list)})))`;
}

/** JSON of a value, as one value of a statement. */
export function jsonOf(value: unknown): SQL {
  return sql`${JSON.stringify(value)}::text::json`;
}
