import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { SourceState } from "../../src/core/store/sources.ts";

/** Tables that are read again and again, and what is known of their reads. */
export const tableSource = sqliteTable("table_source", {
  name: text().primaryKey(),
  state: text({ mode: "json" }).$type<SourceState>().notNull(),
  /** Always 0: only on PostgreSQL do several processes read tables. */
  takenUntil: integer("taken_until").notNull().default(0),
});
