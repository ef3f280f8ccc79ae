import { sql } from "drizzle-orm";
import * as sqlite from "drizzle-orm/sqlite-core";
import type { Columns } from "../columns.ts";

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
