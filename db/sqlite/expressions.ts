import { count, getTableColumns, Param, type Placeholder, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Db } from "./open.ts";

// Short queries and SQL expressions of SQLite that several subjects use.

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

/** Membership in a list of any length, passed as one value: SQLite limits the number of values in a statement. */
export function inList(value: SQLiteColumn | SQL, list: readonly string[] | Placeholder): SQL {
  return sql`${value} in (select value from json_each(${Array.isArray(list) ? JSON.stringify(list) : list}))`;
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
