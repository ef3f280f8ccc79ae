import { pgTable } from "drizzle-orm/pg-core";
import type { SourceState } from "../../src/core/store/sources.ts";
import { jsonb, number, text } from "./columns.ts";

/** Tables that are read again and again, and what is known of their reads. */
export const tableSource = pgTable("table_source", {
  name: text().primaryKey(),
  state: jsonb().$type<SourceState>().notNull(),
  /** Time until which someone has taken it for a read; 0 if nobody has. */
  takenUntil: number("taken_until").notNull().default(0),
});
