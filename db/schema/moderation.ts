import type { ModerationAct, ReportReason } from "../../src/core/moderation/report.ts";
import type { Columns } from "../columns.ts";
import type { AlertTables } from "./alerts.ts";
import type { ConversationTables } from "./conversations.ts";
import { sessionKeyTable } from "./organisations.ts";

/** Reports and what moderators do. */
export function moderationTables(c: Columns, tables: AlertTables & ConversationTables) {
  /** Reports to the moderators. */
  const report = c.table(
    "report",
    {
      id: c.text().primaryKey(),
      alertId: c.parent("alert_id", () => tables.alert.id),
      /** Set when a conversation was reported. */
      conversationId: c.text("conversation_id").references(() => tables.conversation.id, {
        onDelete: "cascade",
      }),
      reason: c.text().$type<ReportReason>().notNull(),
      text: c.text(),
      createdAt: c.number("created_at").notNull(),
      handledAt: c.number("handled_at"),
      /** Time at which the moderators were emailed about it; null before, and if it was handled first. */
      emailedAt: c.number("emailed_at"),
    },
    (table) => [
      c.partial("report_open", "handled_at is null", table.createdAt),
      c.partial("report_news", "handled_at is null and emailed_at is null", table.createdAt),
      c.index("report_of_alert").on(table.alertId),
    ],
  );

  /** Mailboxes that moderators blocked, as keyed hashes. */
  const blocked = c.table("blocked", {
    addressHash: c.text("address_hash").primaryKey(),
    blockedAt: c.number("blocked_at").notNull(),
  });

  /** Log of the moderators' actions. */
  const moderation = c.table(
    "moderation",
    {
      id: c.text().primaryKey(),
      at: c.number().notNull(),
      /** Mailbox of the moderator, or a name in its place: see `ModerationAction`. */
      who: c.text().notNull(),
      act: c.text().$type<ModerationAct>().notNull(),
      alertId: c.text("alert_id"),
      shortCode: c.text("short_code"),
    },
    (table) => [c.index("moderation_by_time").on(table.at)],
  );

  /** Sign-in links of moderators, which work once, and the sessions they open. */
  const adminKey = sessionKeyTable(c, "admin_key");

  return { report, blocked, moderation, adminKey };
}
