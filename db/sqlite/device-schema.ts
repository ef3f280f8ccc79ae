import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Language } from "../../src/core/alerts/alert.ts";
import type { PushContent } from "../../src/core/push/push.ts";

/** Browsers that get notifications by Web Push. */
export const device = sqliteTable(
  "device",
  {
    id: text().primaryKey(),
    /** Keyed hash of its address at the push service. */
    endpointHash: text("endpoint_mark").notNull().unique(),
    /** Sealed address and keys. */
    sealed: text().notNull(),
    language: text().$type<Language>().notNull(),
    createdAt: integer("created_at").notNull(),
    /** Time at which a push reached it last; null before the first. */
    okAt: integer("ok_at"),
  },
  (table) => [index("device_by_age").on(table.okAt, table.createdAt)],
);

/** Topics of devices, each with the push that waits. */
export const deviceTopic = sqliteTable(
  "device_topic",
  {
    deviceId: text("device_id")
      .notNull()
      .references(() => device.id, { onDelete: "cascade" }),
    /** `owner:` and the id of an alert, or `zone:` and that of a zone. */
    subject: text().notNull(),
    createdAt: integer("created_at").notNull(),
    /** Time from which news of the zone may be pushed; null without news. */
    newsDueAt: integer("news_due_at"),
    /** Id of the push that waits; null if there is none. */
    pushId: text("push_id"),
    content: text({ mode: "json" }).$type<PushContent>(),
    pushedAt: integer("pushed_at"),
    giveUpAt: integer("give_up_at"),
    dueAt: integer("due_at"),
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
