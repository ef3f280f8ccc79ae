import {
  count,
  getTableColumns,
  gt,
  lte,
  or,
  Param,
  type Placeholder,
  type SQL,
  sql,
} from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { DAY_MS } from "../../src/core/duration.ts";
import type { Db } from "./open.ts";

// Short queries and SQL expressions that several subjects use.

/** True if the condition holds for a row of the table. */
export function hasRow(db: Db, table: SQLiteTable, which: SQL | undefined): boolean {
  return (
    db
      .select({ one: sql`1` })
      .from(table)
      .where(which)
      .limit(1)
      .get() !== undefined
  );
}

/** Number of rows for which the condition holds. */
export function countRows(db: Db, table: SQLiteTable, which: SQL | undefined): number {
  return db.select({ rows: count() }).from(table).where(which).get()?.rows ?? 0;
}

export function idsOf(rows: readonly { readonly id: string }[]): string[] {
  return rows.map(({ id }) => id);
}

/** True for a column that contains this address, in any case. */
export function isAddress(column: SQLiteColumn, address: string): SQL {
  return sql`lower(${column}) = ${address.toLowerCase()}`;
}

/** Membership in a list of any length, passed as one value: SQLite limits the number of values in a statement. */
export function inList(value: SQLiteColumn | SQL, list: readonly string[] | Placeholder): SQL {
  return sql`${value} in (select value from json_each(${Array.isArray(list) ? JSON.stringify(list) : list}))`;
}

/** Longer than anything waits. A time further ahead was written while the clock was ahead. */
export const DUE_AHEAD_MAX_MS = 2 * DAY_MS;

/** True for a time that has come, or that is too far ahead to be correct. */
export function isDue(at: SQLiteColumn, now: number, aheadMaxMs = DUE_AHEAD_MAX_MS) {
  return or(lte(at, now), gt(at, now + aheadMaxMs));
}

/**
 * Rank of a row among the rows of its network, newest first. A list in this order takes one row of every network in
 * turn, so that no network can displace the rows of another.
 */
export function turnOf(network: SQLiteColumn | SQL, newest: SQLiteColumn | SQL): SQL<number> {
  return sql<number>`row_number() over (partition by ${network} order by ${newest} desc)`;
}

/**
 * Order of a list that takes one row of every network in turn. Each network starts after the `had` turns it already had;
 * among networks with equal turns, the one whose oldest row is newest comes first. A network that keeps sending therefore
 * does not displace newcomers.
 */
export function newcomersFirst(network: SQLiteColumn | SQL, newest: SQL, had: SQL): SQL {
  const since = sql`min(${newest}) over (partition by ${network})`;
  return sql`${turnOf(network, newest)} + ${had}, ${since} desc`;
}

/** Placeholders for all columns of a table, to insert rows with a prepared statement. */
export function placeholdersOf<Table extends SQLiteTable>(
  table: Table,
): Record<keyof Table["$inferSelect"], SQL> {
  const placeholders = Object.entries<SQLiteColumn>(getTableColumns(table)).map(
    ([name, column]) => [name, sql`${new Param(sql.placeholder(name), nullable(column))}`],
  );
  return Object.fromEntries(placeholders) as Record<keyof Table["$inferSelect"], SQL>;
}

/** Encoder of a column that leaves null alone, which drizzle would write as JSON or as `false`. */
function nullable(column: SQLiteColumn) {
  return {
    mapToDriverValue: (value: unknown) => (value === null ? null : column.mapToDriverValue(value)),
  };
}
