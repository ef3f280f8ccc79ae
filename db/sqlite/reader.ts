import type { Database, SQLQueryBindings } from "bun:sqlite";
import { getTableColumns, Param, sql, type SQL } from "drizzle-orm";
import { drizzle } from "drizzle-orm/bun-sqlite";
import type { PgTable } from "drizzle-orm/pg-core";
import * as sqlite from "drizzle-orm/sqlite-core";
import { createReader, type Db, type Reader } from "../context.ts";
import { SQLITE_DIALECT } from "../dialect.ts";
import type { Columns } from "../schema/columns.ts";
import { createTables } from "../schema/tables.ts";

// The one cast that lets tables of SQLite pass for tables of PostgreSQL. The contract tests of the store run on both.
export const SQLITE_COLUMNS = {
  table: sqlite.sqliteTable,
  text: (name = "") => sqlite.text(name),
  number: (name = "") => sqlite.integer(name),
  bool: (name = "") => sqlite.integer(name, { mode: "boolean" }),
  json: (name = "") => sqlite.text(name, { mode: "json" }),
  real: (name = "") => sqlite.real(name),
  row: () => sqlite.integer().primaryKey({ autoIncrement: true }),
  parent: (name: string, id: () => sqlite.AnySQLiteColumn) =>
    sqlite.text(name).notNull().references(id, { onDelete: "cascade" }),
  index: sqlite.index,
  partial: (name: string, where: string, ...columns: Parameters<sqlite.IndexBuilderOn["on"]>) =>
    sqlite
      .index(name)
      .on(...columns)
      .where(sql.raw(where)),
  uniqueIndex: sqlite.uniqueIndex,
  primaryKey: sqlite.primaryKey,
  check: sqlite.check,
} as unknown as Columns;

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
