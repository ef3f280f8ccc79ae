import { sql } from "drizzle-orm";
import type { Language } from "../../src/messages/languages.ts";
import type { Side } from "../../src/core/conversations/conversation.ts";
import type { Columns } from "../columns.ts";
import { type AlertTables, NO_PHOTOS } from "./alerts.ts";

export type ConversationTables = ReturnType<typeof conversationTables>;

/** Conversations about alerts. */
export function conversationTables(c: Columns, tables: AlertTables) {
  const conversation = c.table(
    "conversation",
    {
      id: c.text().primaryKey(),
      alertId: c.parent("alert_id", () => tables.alert.id),
      strangerEmail: c.text("stranger_email").notNull(),
      strangerHash: c.text("stranger_hash").notNull(),
      strangerName: c.text("stranger_name"),
      networkHash: c.text("network_hash").notNull().default(""),
      language: c.text().$type<Language>().notNull(),
      createdAt: c.number("created_at").notNull(),
      /** Time at which one side closed it: it takes no more messages. */
      closedAt: c.number("closed_at"),
      /** Time up to which a member of the alert's organisation has read it. */
      readAt: c.number("read_at"),
    },
    (table) => [
      c.uniqueIndex("conversation_of_two").on(table.alertId, table.strangerHash),
      c.index("conversation_by_stranger").on(sql`lower(stranger_email)`),
    ],
  );

  const message = c.table(
    "message",
    {
      id: c.text().primaryKey(),
      conversationId: c.parent("conversation_id", () => conversation.id),
      from: c.text().$type<Side>().notNull(),
      text: c.text().notNull(),
      photos: c.json().$type<readonly string[]>().notNull().default(NO_PHOTOS),
      createdAt: c.number("created_at").notNull(),
      /** Keyed hash of the email that brought the reply, which adds no other; null for one typed on the page. */
      emailHash: c.text("email_hash"),
    },
    (table) => [
      c.index("message_of_conversation").on(table.conversationId, table.createdAt),
      c.partial("message_of_email", "email_hash is not null", table.emailHash),
    ],
  );

  /** Messages and sightings for the next digest to the owner of an alert, which were not emailed at once. */
  const ownerNews = c.table(
    "owner_news",
    {
      id: c.row(),
      alertId: c.parent("alert_id", () => tables.alert.id),
      /** One of these two is set. */
      messageId: c.text("message_id").references(() => message.id, { onDelete: "cascade" }),
      sightingId: c
        .text("sighting_id")
        .references(() => tables.sighting.id, { onDelete: "cascade" }),
      /** Digest that contained it; null while it waits. */
      emailId: c.text("email_id"),
    },
    (table) => [
      c.partial("owner_news_untold", "email_id is null", table.alertId, table.id),
      c.index("owner_news_by_message").on(table.messageId),
      c.index("owner_news_by_sighting").on(table.sightingId),
      c.index("owner_news_by_email").on(table.emailId),
    ],
  );

  return { conversation, message, ownerNews };
}
