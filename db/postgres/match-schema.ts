import { sql } from "drizzle-orm";
import { boolean, index, pgTable, primaryKey } from "drizzle-orm/pg-core";
import { ofAlert } from "./schema.ts";
import { number, text } from "./columns.ts";

/** Likely pairs: each owner is notified once. A pair ends for good when either owner says "not my pet". */
export const pair = pgTable(
  "pair",
  {
    lostId: ofAlert("lost_id"),
    foundId: ofAlert("found_id"),
    notifiedAt: number("told_at"),
    endedAt: number("ended_at"),
  },
  (table) => [
    primaryKey({ columns: [table.lostId, table.foundId] }),
    index("pair_by_found").on(table.foundId),
  ],
);

/**
 * Notices to owners about likely pairs: one row for each pair and owner. Rows remain after the email, so that none is
 * sent twice.
 */
export const matchNotice = pgTable(
  "match_notice",
  {
    /** The reader's alert. */
    alertId: ofAlert("alert_id"),
    otherId: ofAlert("other_id"),
    /** The alert whose comparison found the pair: one of the two. */
    causeId: text("cause_id").notNull(),
    /** Percent. */
    score: number().notNull(),
    createdAt: number("created_at").notNull(),
    /** Not sent before this time. */
    dueAt: number("due_at").notNull(),
    /** True if it waits for the reader's next digest. */
    inDigest: boolean("in_digest").notNull().default(false),
    notifiedAt: number("told_at"),
    /** Digest that contained it. */
    emailId: text("letter_id"),
  },
  (table) => [
    primaryKey({ columns: [table.alertId, table.otherId] }),
    index("match_notice_by_other").on(table.otherId),
    index("match_notice_due")
      .on(table.inDigest, table.dueAt)
      .where(sql`told_at is null`),
    index("match_notice_by_letter")
      .on(table.emailId)
      .where(sql`letter_id is not null`),
  ],
);

/** Edits of fields that matching uses. */
export const claimEdit = pgTable(
  "claim_edit",
  {
    id: number().primaryKey().generatedByDefaultAsIdentity(),
    alertId: ofAlert("alert_id"),
    at: number().notNull(),
    /** Time at which a moderator handled it. */
    handledAt: number("handled_at"),
  },
  (table) => [
    index("claim_edit_of_alert").on(table.alertId, table.at),
    index("claim_edit_by_age").on(table.at),
  ],
);
