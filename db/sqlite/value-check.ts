import type { Database } from "bun:sqlite";
import { is } from "drizzle-orm";
import { getTableConfig, type SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { Fault } from "../../src/core/fault.ts";
import * as mailboxSchema from "./mailbox-schema.ts";
import * as matchSchema from "./match-schema.ts";
import * as moderationSchema from "./moderation-schema.ts";
import * as schema from "./schema.ts";

const TABLES = [schema, matchSchema, mailboxSchema, moderationSchema].flatMap((file) =>
  Object.values<unknown>(file).filter((value) => is(value, SQLiteTable)),
);

/**
 * Checks that every row of a database with the newest schema can be read: values have the type of their column, JSON is
 * well-formed, photos have names that this program assigns. SQLite's integrity check covers none of it. Reads every row.
 * Throws `bad_input` with a message.
 */
export function refuseUnreadableValues(sqlite: Database): void {
  for (const table of TABLES) {
    const { name, columns } = getTableConfig(table);
    const hasRow = (condition: string) =>
      sqlite.query(`SELECT 1 FROM "${name}" WHERE ${condition} LIMIT 1`).get() !== null;
    // All columns in one query: scanning a table takes longest.
    if (!hasRow(columns.map(isUnreadable).join(" OR "))) continue;
    const column = columns.find((one) => hasRow(isUnreadable(one)));
    throw new Fault(
      "bad_input",
      `The database has a row in table "${name}" whose "${column?.name}" cannot be read. It is damaged, or was changed by another program.`,
    );
  }
}

/** SQL that is true for an unreadable value. NULL is readable: SQLite checks it. */
function isUnreadable(column: SQLiteColumn): string {
  const name = `"${column.name}"`;
  const types = column.getSQLType() === "text" ? "'text'" : "'integer', 'real'";
  const conditions = [`typeof(${name}) NOT IN (${types})`];
  if (column === schema.alert.photos) conditions.push(areNotPhotoNames(name));
  else if (column.dataType === "json") conditions.push(`NOT json_valid(${name})`);
  return `(${name} IS NOT NULL AND (${conditions.join(" OR ")}))`;
}

/** SQL that is true unless a value is a list of photo names. CASE, because json_each fails on malformed JSON. */
function areNotPhotoNames(name: string): string {
  const isForeign = "type <> 'text' OR length(value) <> 32 OR value GLOB '*[^0-9a-f]*'";
  return `CASE WHEN json_valid(${name}) AND json_type(${name}) = 'array'
    THEN EXISTS (SELECT 1 FROM json_each(${name}) WHERE ${isForeign}) ELSE 1 END`;
}
