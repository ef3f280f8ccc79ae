import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { SourceState } from "../../src/core/store/sources.ts";

/** Tables that are read again and again, and what is known of their reads. */
export const tableSource = sqliteTable("table_source", {
  name: text().primaryKey(),
  state: text({ mode: "json" }).$type<SourceState>().notNull(),
  /** As on PostgreSQL, where several processes read; 0 here. */
  takenUntil: integer("taken_until").notNull().default(0),
});
