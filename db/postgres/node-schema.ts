import { sql } from "drizzle-orm";
import { boolean, check, index, pgTable, primaryKey, timestamp, uuid } from "drizzle-orm/pg-core";
import type { Duty } from "../context.ts";
import { POSTGRES_COLUMNS } from "./columns.ts";

const { number, row, text } = POSTGRES_COLUMNS;

// Tables that SQLite lacks: nodes and transactions on one database, by its clock.

/** Lease of the node that leads, in one row; by the clock of the database. */
export const lead = pgTable(
  "lead",
  {
    id: number().primaryKey(),
    node: text().notNull(),
    endsAt: timestamp("ends_at", { withTimezone: true }).notNull(),
  },
  (table) => [check("lead_is_one_row", sql`${table.id} = 1`)],
);

/** Work that a node does for the others: see `createClaims`. */
export const claim = pgTable(
  "claim",
  {
    duty: text().$type<Duty>().notNull(),
    /** Id of an alert, or hash of a mailbox. */
    subject: text().notNull(),
    node: text().notNull(),
    endsAt: timestamp("ends_at", { withTimezone: true }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.duty, table.subject] })],
);

/** A row for each transaction that erased something, until the old versions of rows were removed. */
export const vacuumOwed = pgTable("vacuum_owed", {
  id: row(),
});

/**
 * A row for each write transaction that was committed. It tells the outcome of a commit whose answer was lost. Rows
 * are deleted after an hour.
 */
export const ledger = pgTable(
  "ledger",
  {
    id: uuid().primaryKey().defaultRandom(),
    at: timestamp({ withTimezone: true }).notNull().defaultNow(),
    /** True for a transaction that was given up, and cannot be committed any more. */
    isVoid: boolean("is_void").notNull().default(false),
  },
  (table) => [index("ledger_by_age").on(table.at)],
);
