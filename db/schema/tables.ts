import { sql } from "drizzle-orm";
import type { Language } from "../../src/messages/languages.ts";
import type { Email, EmailKind, EmailOutcome } from "../../src/core/email.ts";
import type { TableState } from "../../src/core/tables/table.ts";
import { alertTables } from "./alerts.ts";
import type { Columns } from "./columns.ts";
import { peopleTables } from "./people.ts";

/** All tables that both engines have. */
export type Tables = ReturnType<typeof createTables>;

/** Row of a table. */
export type Row<Name extends keyof Tables> = Tables[Name]["$inferSelect"];

/** Declares the tables with the columns of an engine, each after those that it refers to. */
export function createTables(c: Columns) {
  const alerts = alertTables(c);

  /** Keyed hash of a constant, which identifies the key of the database: see `keyStateOf`. */
  const keyCheck = c.table(
    "key_check",
    { id: c.number().primaryKey(), mark: c.text().notNull() },
    (table) => [c.check("key_check_is_one_row", sql`${table.id} = 1`)],
  );

  /** Counters of the instance, in one row. */
  const counter = c.table(
    "counter",
    {
      id: c.number().primaryKey(),
      /** Raised with each visible change of an alert, and with each zone that begins or ends. */
      revision: c.number().notNull(),
      /** Newest `published_at` ever assigned. */
      lastPublishedAt: c.number("last_published_at").notNull(),
      beatAt: c.number("beat_at"),
      steadySince: c.number("steady_since"),
    },
    (table) => [c.check("counter_is_one_row", sql`${table.id} = 1`)],
  );

  /** Emails to send. A closed one keeps its id and outcome, and for bounces its kind and a keyed hash of its mailbox. */
  const outbox = c.table(
    "outbox",
    {
      id: c.text().primaryKey(),
      to: c.text(),
      language: c.text().$type<Language>().notNull(),
      content: c.json().$type<Email["content"]>(),
      state: c.text().$type<"waiting" | EmailOutcome>().notNull(),
      /** Subject (`pending:`, `alert:`, `zone:` or `mailbox:`, and an id) by which the email can be withdrawn. */
      about: c.text(),
      createdAt: c.number("created_at").notNull(),
      giveUpAt: c.number("give_up_at").notNull(),
      dueAt: c.number("due_at").notNull(),
      closedAt: c.number("closed_at"),
      /** Set when it is closed. */
      kind: c.text().$type<EmailKind>(),
      /** Keyed hash of its mailbox, set when it is sent or refused; null again once a bounce was counted. */
      mailboxHash: c.text("mailbox_hash"),
    },
    (table) => [
      c.partial("outbox_by_mailbox", "mailbox_hash is not null", table.mailboxHash),
      // Emails of one tick are due at the same time: in their order, a page of them is read without the others.
      c.partial("outbox_due", "state = 'waiting'", table.dueAt, table.id),
      c.partial("outbox_about", "state = 'waiting'", table.about),
      c.partial("outbox_by_reader", "state = 'waiting'", sql`lower("to")`),
      c.partial(
        "outbox_of_match",
        "state = 'waiting' and content -> 'other' ->> 'shortCode' is not null",
        sql`(content -> 'other' ->> 'shortCode')`,
      ),
      c
        .index("outbox_with_entries")
        .on(table.id)
        .where(sql`state = 'waiting' and content -> 'entries' is not null`),
      c.partial(
        "outbox_by_sealed_token",
        "state = 'waiting' and content ->> 'sealedToken' is not null",
        sql`(content ->> 'sealedToken')`,
      ),
      c.partial("outbox_closed", "state <> 'waiting'", table.closedAt),
    ],
  );

  /** Hits that count against rate limits. */
  const hit = c.table(
    "hit",
    {
      id: c.row(),
      key: c.text().notNull(),
      at: c.number().notNull(),
    },
    (table) => [c.index("hit_by_key").on(table.key, table.at), c.index("hit_by_age").on(table.at)],
  );

  /** Tombstones that were applied to this database; one restored from a backup lacks the later ones. */
  const tombstone = c.table("tombstone", { line: c.text().primaryKey() });

  /** Tables that are read again and again, and what is known of their reads. */
  const tableSource = c.table("table_source", {
    name: c.text().primaryKey(),
    state: c.json().$type<TableState>().notNull(),
    /** Time until which someone has taken it for a read; 0 if nobody has. */
    takenUntil: c.number("taken_until").notNull().default(0),
  });

  const instance = { keyCheck, counter, outbox, hit, tombstone, tableSource };
  return { ...alerts, ...peopleTables(c, alerts), ...instance };
}
