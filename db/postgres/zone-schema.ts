import { sql } from "drizzle-orm";
import { index, pgTable, primaryKey } from "drizzle-orm/pg-core";
import { number, text } from "./columns.ts";
import { ofAlert, zone } from "./schema.ts";

/** Alerts that zones are emailed about; a row remains after the email, so that none is sent twice. */
export const zoneNews = pgTable(
  "zone_news",
  {
    zoneId: text("zone_id")
      .notNull()
      .references(() => zone.id, { onDelete: "cascade" }),
    alertId: ofAlert("alert_id"),
    createdAt: number("created_at").notNull(),
    /** Time from which its mailbox may be emailed about it. */
    dueAt: number("due_at").notNull().default(0),
    notifiedAt: number("told_at"),
    /** Email that contained it; null if none was needed. */
    emailId: text("letter_id"),
    /** Order of creation. */
    number: number().notNull().generatedByDefaultAsIdentity(),
  },
  (table) => [
    primaryKey({ columns: [table.zoneId, table.alertId] }),
    index("zone_news_due")
      .on(table.dueAt, table.number)
      .where(sql`told_at is null`),
    index("zone_news_told").on(table.zoneId, table.notifiedAt),
    index("zone_news_by_alert").on(table.alertId),
    index("zone_news_by_age")
      .on(table.notifiedAt)
      .where(sql`told_at is not null`),
  ],
);
