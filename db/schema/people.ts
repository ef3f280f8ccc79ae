import { sql } from "drizzle-orm";
import type { Language } from "../../src/messages/languages.ts";
import type { AlertNames } from "../../src/core/alerts/alert.ts";
import type { Pending, PendingPayload, PendingResult } from "../../src/core/pending/pending.ts";
import type { PendingKind } from "../../src/core/email.ts";
import type { DataInventory } from "../../src/core/people/erase.ts";
import type { MagicLink } from "../../src/core/people/magic-link.ts";
import type { LinkPurpose } from "../../src/core/people/link-store.ts";
import type { Columns } from "../columns.ts";

/** Requests that wait for their human, private links, and mailboxes, which are stored as keyed hashes. */
export function peopleTables(c: Columns) {
  const pending = c.table(
    "pending",
    {
      id: c.text().primaryKey(),
      kind: c.text().$type<PendingKind>().notNull(),
      tokenHash: c.text("token_hash").notNull().unique(),
      email: c.text().notNull(),
      mailboxHash: c.text("mailbox_hash").notNull(),
      addressHash: c.text("address_hash").notNull(),
      networkHash: c.text("network_hash").notNull().default(""),
      contentHash: c.text("content_hash").notNull(),
      idempotencyHash: c.text("idempotency_hash"),
      language: c.text().$type<Language>().notNull(),
      names: c.json().$type<AlertNames>(),
      payload: c.json().$type<PendingPayload>(),
      result: c.json().$type<PendingResult>(),
      state: c.text().$type<Pending["state"]>().notNull(),
      /** Sealed confirmation token, for the list of what waits. Null once the request has ended. */
      sealedToken: c.text("sealed_token"),
      /** Time at which its confirmation email was put into the outbox; null before. */
      emailedAt: c.number("emailed_at"),
      /** True once its requester asked for a second email. */
      resent: c.bool().notNull().default(false),
      /** Number of corrections of the address, including those of earlier versions of this request. */
      readdressed: c.number().notNull().default(0),
      /** Id of the request that this one repeats: its confirmation links open that one. */
      repeats: c.text(),
      createdAt: c.number("created_at").notNull(),
      expiresAt: c.number("expires_at").notNull(),
      confirmedAt: c.number("confirmed_at"),
    },
    (table) => [
      c.index("pending_by_address").on(table.addressHash, table.createdAt),
      c.index("pending_by_content").on(table.contentHash, table.createdAt),
      c.partial(
        "pending_by_idempotency",
        "idempotency_hash is not null",
        table.idempotencyHash,
        table.createdAt,
      ),
      c.index("pending_by_age").on(table.createdAt),
      c.partial("pending_repeats", "repeats is not null", table.repeats),
      c.index("pending_by_mailbox").on(table.mailboxHash),
      c.partial("pending_by_network", "network_hash <> ''", table.networkHash, table.createdAt),
      // Lookups by name ask for all rows with names, so that they may use these indexes.
      c.partial("pending_by_alert_id", "names is not null", sql`(names ->> 'id')`),
      c.partial("pending_by_short_code", "names is not null", sql`(names ->> 'shortCode')`),
      c.partial("pending_expiring", "state = 'waiting' and email <> ''", table.expiresAt),
      // Messages and sightings that wait for their confirmation, and requests that became an alert or a zone.
      c.partial(
        "pending_about_alert",
        "state = 'waiting' and payload ->> 'alertId' is not null",
        sql`(payload ->> 'alertId')`,
      ),
      c.partial(
        "pending_became_alert",
        "result ->> 'alertId' is not null",
        sql`(result ->> 'alertId')`,
      ),
      c.partial(
        "pending_became_zone",
        "result ->> 'zoneId' is not null",
        sql`(result ->> 'zoneId')`,
      ),
      c.partial("pending_by_email", "email <> ''", sql`lower(email)`),
    ],
  );

  const link = c.table(
    "link",
    {
      tokenHash: c.text("token_hash").primaryKey(),
      purpose: c.text().$type<LinkPurpose>().notNull(),
      subject: c.text().notNull(),
      sealed: c.text().notNull(),
    },
    (table) => [c.uniqueIndex("link_by_subject").on(table.purpose, table.subject)],
  );

  /** Requests for links by email, until a job finds out who gets one. Addresses are sealed. */
  const linkRequest = c.table("link_request", {
    id: c.text().primaryKey(),
    kind: c.text().$type<MagicLink>().notNull(),
    sealedRequester: c.text("sealed_email").notNull(),
    language: c.text().$type<Language>().notNull(),
    /** Part of a list too long for one email, from 1. */
    part: c.number().notNull().default(1),
    askedAt: c.number("asked_at").notNull(),
  });

  /** Emailed links that erase all data of a mailbox. A used one keeps only the numbers of what was erased. */
  const erasure = c.table(
    "erasure",
    {
      tokenHash: c.text("token_hash").primaryKey(),
      email: c.text(),
      erased: c.json().$type<DataInventory>(),
      expiresAt: c.number("expires_at").notNull(),
      /** Mailbox that had confirmed nothing, for which the email counts as unanswered; null for any other. */
      unconfirmedHash: c.text("unconfirmed_hash"),
    },
    (table) => [
      c.partial("erasure_unconfirmed", "unconfirmed_hash is not null", table.unconfirmedHash),
    ],
  );

  /** Mailboxes whose readers stopped our emails. */
  const stopped = c.table("stopped", {
    addressHash: c.text("address_hash").primaryKey(),
    stoppedAt: c.number("stopped_at").notNull(),
  });

  /** Links that can undo a stop, as hashes of their tokens. They outlive the requests they were sent for. */
  const stopLink = c.table(
    "stop_link",
    {
      tokenHash: c.text("token_hash").primaryKey(),
      addressHash: c.parent("address_hash", () => stopped.addressHash),
    },
    (table) => [c.index("stop_link_by_address").on(table.addressHash)],
  );

  /** Emails of the last day that anyone could have caused. */
  const confirmationEmail = c.table(
    "confirmation_email",
    {
      /** Id of the email in the outbox. */
      id: c.text().primaryKey(),
      addressHash: c.text("address_hash").notNull(),
      networkHash: c.text("network_hash").notNull(),
      kind: c.text().$type<PendingKind | "erase">().notNull(),
      sentAt: c.number("sent_at").notNull(),
      /** True once the mailbox confirmed something. */
      answered: c.bool().notNull().default(false),
    },
    (table) => [
      c.index("confirmation_email_by_address").on(table.addressHash, table.sentAt),
      c.index("confirmation_email_by_network").on(table.networkHash, table.sentAt),
      c.index("confirmation_email_by_age").on(table.sentAt),
    ],
  );

  /** Mailboxes that confirmed something. */
  const confirmedMailbox = c.table(
    "confirmed_mailbox",
    {
      addressHash: c.text("address_hash").primaryKey(),
      confirmedAt: c.number("confirmed_at").notNull(),
    },
    (table) => [c.index("confirmed_mailbox_by_age").on(table.confirmedAt)],
  );

  /** Suppression list: mailboxes whose emails bounce, and those that reported our emails as spam. */
  const suppression = c.table("suppression", {
    /** Keyed hash of exactly this mailbox. */
    mailboxHash: c.text("mailbox_hash").primaryKey(),
    /** Time at which the first bounced email was sent; null if none bounced. */
    firstFailureAt: c.number("first_failure_at"),
    deadSince: c.number("dead_since"),
    complainedAt: c.number("complained_at"),
  });

  return {
    pending,
    link,
    linkRequest,
    erasure,
    stopped,
    stopLink,
    confirmationEmail,
    confirmedMailbox,
    suppression,
  };
}
