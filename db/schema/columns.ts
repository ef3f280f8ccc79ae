import { sql } from "drizzle-orm";
import * as pg from "drizzle-orm/pg-core";

/**
 * Types of columns, and what else a table is declared with. Each engine has its own; those of SQLite have the types of
 * PostgreSQL's, so that one declaration and one set of queries serve both.
 */
export type Columns = typeof POSTGRES_COLUMNS;

/**
 * Text that is compared and sorted by bytes, and whose `lower` folds ASCII letters alone, as in SQLite. By the locale of the
 * server, one mailbox could become two.
 */
const text = pg.customType<{ data: string }>({ dataType: () => 'text collate "C"' });

/** JSON. The type of drizzle gives the driver a text, which is then stored as a JSON string; the driver takes the value. */
const json = pg.customType<{ data: unknown }>({ dataType: () => "jsonb" });

export const POSTGRES_COLUMNS = {
  table: pg.pgTable,
  text: (name = "") => text(name),
  /** Integer up to 2^53, or milliseconds since 1970 UTC. */
  number: (name = "") => pg.bigint(name, { mode: "number" }),
  bool: (name = "") => pg.boolean(name),
  json: (name = "") => json(name),
  real: (name = "") => pg.doublePrecision(name),
  /** Number of a row, in the order of creation. */
  row: () => pg.bigint({ mode: "number" }).primaryKey().generatedByDefaultAsIdentity(),
  /** Id of the row with which a row is deleted. */
  parent: (name: string, id: () => pg.AnyPgColumn) =>
    text(name).notNull().references(id, { onDelete: "cascade" }),
  index: pg.index,
  /** Index of the rows for which a condition holds. */
  partial: (name: string, where: string, ...columns: Parameters<pg.IndexBuilderOn["on"]>) =>
    pg
      .index(name)
      .on(...columns)
      .where(sql.raw(where)),
  uniqueIndex: pg.uniqueIndex,
  primaryKey: pg.primaryKey,
  check: pg.check,
};
