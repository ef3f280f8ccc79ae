import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { ModerationAct, ReportReason } from "../../src/core/moderation/report.ts";
import { conversation, ofAlert } from "./schema.ts";
import { sessionKeyTable } from "./session-key-schema.ts";

/** Reports to the moderators. */
export const report = sqliteTable(
  "report",
  {
    id: text().primaryKey(),
    alertId: ofAlert("alert_id"),
    /** Set when a conversation was reported. */
    conversationId: text("conversation_id").references(() => conversation.id, {
      onDelete: "cascade",
    }),
    reason: text().$type<ReportReason>().notNull(),
    text: text(),
    createdAt: integer("created_at").notNull(),
    handledAt: integer("handled_at"),
    /** Time at which the moderators were emailed about it; null before, and if it was handled first. */
    emailedAt: integer("emailed_at"),
  },
  (table) => [
    index("report_open")
      .on(table.createdAt)
      .where(sql`handled_at is null`),
    index("report_news")
      .on(table.createdAt)
      .where(sql`handled_at is null and emailed_at is null`),
    index("report_of_alert").on(table.alertId),
  ],
);

/** Mailboxes that moderators blocked, as keyed hashes. */
export const blocked = sqliteTable("blocked", {
  addressHash: text("address_mark").primaryKey(),
  blockedAt: integer("blocked_at").notNull(),
});

/** Log of the moderators' actions. */
export const moderation = sqliteTable(
  "moderation",
  {
    id: text().primaryKey(),
    at: integer().notNull(),
    /** Mailbox of the moderator, or a name in its place: see `ModerationAction`. */
    who: text().notNull(),
    act: text().$type<ModerationAct>().notNull(),
    alertId: text("alert_id"),
    shortCode: text("short_code"),
  },
  (table) => [index("moderation_by_time").on(table.at)],
);

/** Sign-in links of moderators, which work once, and the sessions they open. */
export const adminKey = sessionKeyTable("admin_key");
