import { sql } from "drizzle-orm";
import type { Dialect } from "../context.ts";

export const SQLITE_DIALECT: Dialect = {
  inList: (value, list) => sql`${value} in (select value from json_each(${JSON.stringify(list)}))`,
  inNumbers: (value, list) => sql`${value} in (select value from json_each(${list}))`,
  inRows: (value, rows) => sql`${value} in (${rows})`,
  texts: (list) => sql`json_each(${JSON.stringify(list)}) as listed`,
  objects: (list) => sql`json_each(${JSON.stringify(list)}) as listed`,
  items: (list) => sql`json_each(${list}) as item`,
  lengthOf: (list) => sql`json_array_length(${list})`,
  typeOf: (value) => sql`json_type(${value})`,
  jsonNumbers: (values) =>
    sql`json_array(${sql.join([...values], sql`, `)})`.mapWith((list: string) => JSON.parse(list)),
  json: (value) => sql`${JSON.stringify(value)}`,
  greater: (one, other) => sql`max(${one}, ${other})`,
  lesser: (one, other) => sql`min(${one}, ${other})`,
  unindexed: (value) => sql`${value}`,
  contains: (text, part) => sql`instr(${text}, ${part}) > 0`,
  textAfter: (text, mark) => sql`substr(${text}, instr(${text}, ${mark}) + 1)`,
  // SQLite takes other columns from the row that has the least or greatest value.
  firstOf: (value) => sql`${value}`,
  rowId: sql`rowid`,
  hasRowId: (rows) => sql`rowid in (select rowid from (${rows}))`,
  // A file that one process has open loses nothing that was committed.
  serverStart: sql<string>`''`,
  // Only one transaction writes at a time.
  locking: (query) => query,
};
