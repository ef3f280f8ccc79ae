import type { Database, SQLQueryBindings } from "bun:sqlite";
import { getTableColumns, Param, type SQL, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/bun-sqlite";
import type { PgTable } from "drizzle-orm/pg-core";
import type { Db, Reader } from "../context.ts";
import { createReader } from "../reader.ts";
import { createTables } from "../schema/tables.ts";
import { SQLITE_COLUMNS } from "./columns.ts";
import { SQLITE_DIALECT } from "./dialect.ts";

export const SQLITE_TABLES = createTables(SQLITE_COLUMNS);

/** Insertion of one row, whose values are placeholders. */
type Insertion = {
  readonly columns: string;
  execute(row: Record<string, unknown>): Promise<unknown>;
};

/** Queries on a connection. */
export function createSqliteReader(sqlite: Database): Reader {
  const driver = drizzle({ client: sqlite });
  const db = driver as unknown as Db;
  const insertions = new Map<PgTable, Insertion[]>();

  function insertionInto(table: PgTable, row: object): Insertion {
    const columns = Object.keys(row).join();
    const its = insertions.get(table) ?? [];
    const known = its.find((one) => one.columns === columns);
    if (known !== undefined) return known;
    const statement = db.insert(table).values(placeholdersFor(table, row)).prepare("");
    const made: Insertion = {
      columns,
      execute: (values) => statement.execute(values),
    };
    insertions.set(table, [...its, made]);
    return made;
  }

  return createReader({
    db,
    tables: SQLITE_TABLES,
    dialect: SQLITE_DIALECT,
    rows: async (statement) => driver.all(statement),
    run: async (statement) => driver.run(statement),
    arrays: async (text, values) => sqlite.prepare(text).values(...(values as SQLQueryBindings[])),
    // One row at a time: the text is the same for any number of rows.
    async insertAll(table, rows) {
      for (const row of rows)
        await insertionInto(table, row).execute(row as Record<string, unknown>);
    },
  });
}

/** A placeholder for each value of a row. Null stays null, which drizzle would write as JSON or as `false`. */
function placeholdersFor(table: PgTable, row: object): Record<string, SQL> {
  const columns = getTableColumns(table);
  const placeholders = Object.keys(row).map((name) => {
    const column = columns[name];
    if (column === undefined) throw new Error(`the table has no column ${name}`);
    const encoder = {
      mapToDriverValue: (value: unknown) =>
        value === null ? null : column.mapToDriverValue(value),
    };
    return [name, sql`${new Param(sql.placeholder(name), encoder)}`];
  });
  return Object.fromEntries(placeholders);
}
