import { sql } from "drizzle-orm";
import { index, pgTable, primaryKey } from "drizzle-orm/pg-core";
import type { Language } from "../../src/core/alerts/alert.ts";
import type { PushContent } from "../../src/core/push/push.ts";
import { jsonb, number, text } from "./columns.ts";

/** Browsers that get notifications by Web Push. */
export const device = pgTable(
  "device",
  {
    id: text().primaryKey(),
    /** Keyed hash of its address at the push service. */
    endpointHash: text("endpoint_mark").notNull().unique(),
    /** Sealed address and keys. */
    sealed: text().notNull(),
    language: text().$type<Language>().notNull(),
    createdAt: number("created_at").notNull(),
    /** Time at which a push reached it last; null before the first. */
    okAt: number("ok_at"),
  },
  (table) => [index("device_by_age").on(table.okAt, table.createdAt)],
);

/** Topics of devices, each with the push that waits. */
export const deviceTopic = pgTable(
  "device_topic",
  {
    deviceId: text("device_id")
      .notNull()
      .references(() => device.id, { onDelete: "cascade" }),
    /** `owner:` and the id of an alert, or `zone:` and that of a zone. */
    subject: text().notNull(),
    createdAt: number("created_at").notNull(),
    /** Time from which news of the zone may be pushed; null without news. */
    newsDueAt: number("news_due_at"),
    /** Id of the push that waits; null if there is none. */
    pushId: text("push_id"),
    content: jsonb().$type<PushContent>(),
    pushedAt: number("pushed_at"),
    giveUpAt: number("give_up_at"),
    dueAt: number("due_at"),
  },
  (table) => [
    primaryKey({ columns: [table.deviceId, table.subject] }),
    index("device_topic_by_subject").on(table.subject),
    index("device_topic_news")
      .on(table.newsDueAt)
      .where(sql`news_due_at is not null`),
    index("device_topic_due")
      .on(table.dueAt)
      .where(sql`push_id is not null`),
    index("device_topic_by_push")
      .on(table.pushId)
      .where(sql`push_id is not null`),
  ],
);
