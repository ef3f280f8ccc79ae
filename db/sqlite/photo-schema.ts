import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Use of photos by alerts, sightings, messages and waiting requests. */
export const photoUse = sqliteTable(
  "photo_use",
  {
    name: text().notNull(),
    /** `alert:`, `sighting:`, `message:` or `pending:` and an id. */
    user: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.name, table.user] }),
    index("photo_use_by_user").on(table.user),
  ],
);

/** Photos that nobody uses yet or any more, until their files are deleted. One that is used may have a row for a while. */
export const photoGone = sqliteTable("photo_gone", {
  name: text().primaryKey(),
  /** Time until which an uploaded one is kept; 0 once it has been used. */
  keptUntil: integer("kept_until").notNull().default(0),
  /** Number of requests under way that may use it, and the time after which they no longer count. */
  holders: integer().notNull().default(0),
  heldUntil: integer("held_until").notNull().default(0),
  /** Time at which its files began to be deleted; nobody may use it from then on. */
  leavingAt: integer("leaving_at"),
});
