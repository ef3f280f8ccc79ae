import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";

/** Whether a value is one of these, however many: a statement takes only so many values one by one. */
export function among(value: SQLiteColumn | SQL, ones: readonly string[]): SQL {
  return sql`${value} in (select value from json_each(${JSON.stringify(ones)}))`;
}
