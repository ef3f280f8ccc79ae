import { sql } from "drizzle-orm";
import { boolean, index, pgTable } from "drizzle-orm/pg-core";
import type { UnansweredEmail } from "../../src/core/confirmation/mailbox-budget.ts";
import { number, text } from "./columns.ts";

// Tables of mailboxes, which are stored as keyed hashes; most other tables are in schema.ts.

/** Mailboxes whose readers stopped our emails. */
export const stopped = pgTable("stopped", {
  addressHash: text("address_mark").primaryKey(),
  stoppedAt: number("stopped_at").notNull(),
});

/** Links that can undo a stop, as hashes of their tokens. They outlive the requests they were sent for. */
export const stopLink = pgTable(
  "stop_link",
  {
    tokenHash: text("token_hash").primaryKey(),
    addressHash: text("address_mark")
      .notNull()
      .references(() => stopped.addressHash, { onDelete: "cascade" }),
  },
  (table) => [index("stop_link_by_address").on(table.addressHash)],
);

/** Emails of the last two days that anyone could have caused. */
export const confirmationEmail = pgTable(
  "confirmation_email",
  {
    /** Id of the email in the outbox. */
    id: text().primaryKey(),
    addressHash: text("address_mark").notNull(),
    networkHash: text("network_mark").notNull(),
    kind: text().$type<UnansweredEmail["kind"]>().notNull(),
    sentAt: number("sent_at").notNull(),
    /** False for an email that waited in the queue. */
    atOnce: boolean("at_once").notNull(),
    /** True once the mailbox confirmed something. */
    answered: boolean().notNull().default(false),
  },
  (table) => [
    index("confirmation_email_by_address").on(table.addressHash, table.sentAt),
    index("confirmation_email_by_network").on(table.networkHash, table.sentAt),
    index("confirmation_email_at_once")
      .on(table.sentAt)
      .where(sql`at_once and not answered`),
    index("confirmation_email_held")
      .on(table.sentAt)
      .where(sql`not at_once`),
    index("confirmation_email_by_age").on(table.sentAt),
  ],
);

/** Mailboxes that confirmed something. */
export const confirmedMailbox = pgTable(
  "confirmed_mailbox",
  {
    addressHash: text("address_mark").primaryKey(),
    confirmedAt: number("confirmed_at").notNull(),
  },
  (table) => [index("confirmed_mailbox_by_age").on(table.confirmedAt)],
);

/** Suppression list: mailboxes whose emails bounce, and those that reported our emails as spam. */
export const suppression = pgTable("suppression", {
  /** Keyed hash of exactly this mailbox. */
  mailboxHash: text("mailbox_mark").primaryKey(),
  /** Time at which the first bounced email was sent; null if none bounced. */
  firstFailureAt: number("first_failure_at"),
  deadSince: number("dead_since"),
  complainedAt: number("complained_at"),
});
