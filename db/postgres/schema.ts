import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  doublePrecision,
  index,
  pgTable,
  primaryKey,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import type {
  Age,
  AlertNames,
  AlertStatus,
  AlertType,
  Custody,
  GoesOutside,
  Language,
  Sex,
  Size,
  Species,
} from "../../src/core/alerts/alert.ts";
import type { Side } from "../../src/core/conversations/conversation.ts";
import type { MagicLink } from "../../src/core/magic-link.ts";
import type { DataInventory } from "../../src/core/erasure/erase.ts";
import type { EmailContent, EmailOutcome, PendingKind } from "../../src/core/email.ts";
import type { ReturnDistance, ReturnWay } from "../../src/core/alerts/outcome.ts";
import type {
  Pending,
  PendingPayload,
  PendingResult,
} from "../../src/core/confirmation/pending.ts";
import type { LinkPurpose } from "../../src/core/store/links.ts";
import type { ZoneFrequency } from "../../src/core/zones/zone.ts";
import { jsonb, number, text } from "./columns.ts";
import { organisation } from "./organisation-schema.ts";

// Times are milliseconds since 1970 UTC. Columns that can be wiped are nullable.

/** Keyed hash of a constant, which identifies the key of the database: see `keyStateOf`. */
export const keyCheck = pgTable(
  "key_check",
  { id: number().primaryKey(), mark: text().notNull() },
  (table) => [check("key_check_is_one_row", sql`${table.id} = 1`)],
);

/** Counters of the instance, in one row. */
export const counter = pgTable(
  "counter",
  {
    id: number().primaryKey(),
    /** Raised with each visible change of an alert, and with each zone that begins or ends. */
    revision: number().notNull(),
    /** Newest `published_at` ever assigned. */
    lastPublishedAt: number("last_published_at").notNull(),
    beatAt: number("beat_at"),
    steadySince: number("steady_since"),
  },
  (table) => [check("counter_is_one_row", sql`${table.id} = 1`)],
);

/** Every short code ever assigned. */
export const shortCode = pgTable("short_code", { code: text().primaryKey() });

export const alert = pgTable(
  "alert",
  {
    publishedAt: number("published_at").primaryKey(),
    id: text().notNull().unique(),
    slug: text().notNull().unique(),
    shortCode: text("short_code")
      .notNull()
      .unique()
      .references(() => shortCode.code),
    status: text().$type<AlertStatus>().notNull(),
    type: text().$type<AlertType>().notNull(),
    species: text().$type<Species>().notNull(),
    name: text(),
    breed: text().notNull(),
    color: text().notNull(),
    size: text().$type<Size>().notNull(),
    sex: text().$type<Sex>().notNull(),
    age: text().$type<Age>().notNull(),
    description: text(),
    eventDate: text("event_date").notNull(),
    eventTime: text("event_time"),
    landmark: text(),
    custody: text().$type<Custody>(),
    city: text().notNull(),
    countryCode: text("country_code").notNull(),
    /** Snapped: the exact point is never stored. */
    lat: doublePrecision().notNull(),
    lng: doublePrecision().notNull(),
    photos: jsonb().$type<readonly string[]>().notNull(),
    chipHash: text("chip_hash"),
    goesOutside: text("goes_outside").$type<GoesOutside>(),
    updatedAt: number("updated_at").notNull(),
    expiresAt: number("expires_at").notNull(),
    endedAt: number("ended_at"),
    ownerEmail: text("owner_email"),
    language: text().$type<Language>().notNull(),
    source: text().unique(),
    organisation: text().references(() => organisation.slug),
    organisationName: text("organisation_name"),
    /** Null until its zones were notified of it. */
    announcedAt: number("announced_at"),
    remindersMuted: boolean("reminders_muted").notNull().default(false),
    /** Null until it was compared with the alerts of the other type; null again after an edit, or once it is active again. */
    comparedAt: number("compared_at"),
    /** Not compared before this time. */
    compareAt: number("compare_at").notNull().default(0),
    matchesMuted: boolean("matches_muted").notNull().default(false),
    /** Time at which its owner stopped the emails about the plan. */
    planMutedAt: number("plan_muted_at"),
    /** True once its owner reported how the animal came home, which is stored apart from the alert. */
    outcomeTold: boolean("outcome_told").notNull().default(false),
    /** Keyed hash of its row in the table it was imported from, as it was read last. */
    rowHash: text("row_hash"),
    /** Number of reads in a row in which that table lacked it. */
    missedReads: number("missed_reads").notNull().default(0),
    /** URL of the animal at its organisation's site, from that table. */
    animalPage: text("animal_page"),
    /** Status of a hidden alert before it was hidden. */
    hiddenFrom: text("hidden_from").$type<AlertStatus>(),
    /** Time at which personal data was erased. */
    erasedAt: number("erased_at"),
    revision: number().notNull(),
  },
  (table) => [
    index("alert_by_revision").on(table.revision),
    index("alert_ending")
      .on(table.expiresAt)
      .where(sql`status = 'active'`),
    index("alert_ended")
      .on(table.endedAt)
      .where(sql`ended_at is not null and erased_at is null`),
    index("alert_resolved")
      .on(table.endedAt)
      .where(sql`status = 'resolved'`),
    index("alert_hidden")
      .on(table.publishedAt)
      .where(sql`status = 'hidden'`),
    index("alert_unannounced")
      .on(table.publishedAt)
      .where(sql`announced_at is null`),
    index("alert_uncompared")
      .on(table.compareAt, table.publishedAt)
      .where(sql`compared_at is null and status = 'active'`),
    index("alert_by_owner")
      .on(sql`lower(owner_email)`)
      .where(sql`owner_email is not null`),
    index("alert_by_organisation")
      .on(table.organisation)
      .where(sql`organisation is not null`),
    index("alert_by_chip")
      .on(table.chipHash)
      .where(sql`chip_hash is not null`),
  ],
);

/** Column with the id of an alert, with which the row is deleted. */
export const ofAlert = (name: string) =>
  text(name)
    .notNull()
    .references(() => alert.id, { onDelete: "cascade" });

export const pending = pgTable(
  "pending",
  {
    id: text().primaryKey(),
    kind: text().$type<PendingKind>().notNull(),
    tokenHash: text("token_hash").notNull().unique(),
    email: text().notNull(),
    addressHash: text("address_mark").notNull(),
    /** Empty for requests older than the column. */
    networkHash: text("network_mark").notNull().default(""),
    contentHash: text("content_mark").notNull(),
    idempotencyHash: text("idempotency_hash"),
    language: text().$type<Language>().notNull(),
    names: jsonb().$type<AlertNames>(),
    payload: jsonb().$type<PendingPayload>(),
    result: jsonb().$type<PendingResult>(),
    state: text().$type<Pending["state"]>().notNull(),
    /** Sealed confirmation token, for emails sent later. Null once the request has ended. */
    sealedToken: text("sealed_token"),
    /** Time at which its confirmation email was put into the outbox; null before. */
    emailedAt: number("emailed_at"),
    /** Time at which a queued confirmation email is due; null when none is queued. */
    emailDueAt: number("email_due_at"),
    /** Hash of the token of a second email, sent at the request of the requester. */
    secondTokenHash: text("second_token_hash").unique(),
    /** Number of corrections of the address, including those of earlier versions of this request. */
    readdressed: number().notNull().default(0),
    /** Id of the request that this one repeats: its confirmation links open that one. */
    repeats: text(),
    createdAt: number("created_at").notNull(),
    expiresAt: number("expires_at").notNull(),
    /** Also null for requests confirmed before the column existed. */
    confirmedAt: number("confirmed_at"),
  },
  (table) => [
    index("pending_by_address").on(table.addressHash, table.createdAt),
    index("pending_by_content").on(table.contentHash, table.createdAt),
    index("pending_by_idempotency")
      .on(table.idempotencyHash, table.createdAt)
      .where(sql`idempotency_hash is not null`),
    index("pending_by_age").on(table.createdAt),
    index("pending_repeats")
      .on(table.repeats)
      .where(sql`repeats is not null`),
    index("pending_queued")
      .on(table.emailDueAt, table.networkHash, table.addressHash, table.createdAt)
      .where(sql`email_due_at is not null`),
    // Lookups by name ask for all rows with names, so that they may use these indexes.
    index("pending_by_alert_id")
      .on(sql`(names ->> 'id')`)
      .where(sql`names is not null`),
    index("pending_by_short_code")
      .on(sql`(names ->> 'shortCode')`)
      .where(sql`names is not null`),
    index("pending_expiring")
      .on(table.expiresAt)
      .where(sql`state = 'waiting' and email <> ''`),
    // Messages and sightings that wait for their confirmation, and requests that became an alert or a zone.
    index("pending_about_alert")
      .on(sql`(payload ->> 'alertId')`)
      .where(sql`state = 'waiting' and payload ->> 'alertId' is not null`),
    index("pending_became_alert")
      .on(sql`(result ->> 'alertId')`)
      .where(sql`result ->> 'alertId' is not null`),
    index("pending_became_zone")
      .on(sql`(result ->> 'zoneId')`)
      .where(sql`result ->> 'zoneId' is not null`),
    index("pending_by_email")
      .on(sql`lower(email)`)
      .where(sql`email <> ''`),
  ],
);

export const link = pgTable(
  "link",
  {
    tokenHash: text("token_hash").primaryKey(),
    purpose: text().$type<LinkPurpose>().notNull(),
    subject: text().notNull(),
    sealed: text().notNull(),
  },
  (table) => [uniqueIndex("link_by_subject").on(table.purpose, table.subject)],
);

export const zone = pgTable(
  "zone",
  {
    id: text().primaryKey(),
    lat: doublePrecision().notNull(),
    lng: doublePrecision().notNull(),
    radiusKm: doublePrecision("radius_km").notNull(),
    species: text().$type<Species>(),
    type: text().$type<AlertType>(),
    label: text(),
    frequency: text().$type<ZoneFrequency>().notNull().default("at_once"),
    email: text(),
    language: text().$type<Language>().notNull(),
    createdAt: number("created_at").notNull(),
    endedAt: number("ended_at"),
    revision: number().notNull(),
  },
  (table) => [
    index("zone_by_revision").on(table.revision),
    index("zone_ended")
      .on(table.endedAt)
      .where(sql`ended_at is not null`),
    index("zone_by_email")
      .on(sql`lower(email)`)
      .where(sql`email is not null`),
  ],
);

export const conversation = pgTable(
  "conversation",
  {
    id: text().primaryKey(),
    alertId: ofAlert("alert_id"),
    strangerEmail: text("stranger_email").notNull(),
    strangerHash: text("stranger_mark").notNull(),
    strangerName: text("stranger_name"),
    /** Of the first message; empty for conversations older than the column. */
    networkHash: text("network_mark").notNull().default(""),
    language: text().$type<Language>().notNull(),
    createdAt: number("created_at").notNull(),
    /** Time at which one side closed it: it takes no more messages. */
    closedAt: number("closed_at"),
    /** Time up to which a member of the alert's organisation has read it. */
    readAt: number("read_at"),
  },
  (table) => [
    uniqueIndex("conversation_of_two").on(table.alertId, table.strangerHash),
    index("conversation_by_stranger").on(sql`lower(stranger_email)`),
  ],
);

export const message = pgTable(
  "message",
  {
    id: text().primaryKey(),
    conversationId: text("conversation_id")
      .notNull()
      .references(() => conversation.id, { onDelete: "cascade" }),
    from: text().$type<Side>().notNull(),
    text: text().notNull(),
    photos: jsonb()
      .$type<readonly string[]>()
      .notNull()
      .default(sql`'[]'`),
    createdAt: number("created_at").notNull(),
    /** Keyed hash of the email that brought the reply, which adds no other; null for one typed on the page. */
    emailHash: text("email_hash"),
  },
  (table) => [
    index("message_of_conversation").on(table.conversationId, table.createdAt),
    index("message_of_email")
      .on(table.emailHash)
      .where(sql`email_hash is not null`),
  ],
);

/** Emails to send. A closed one keeps its id and outcome, and for bounces its kind and a keyed hash of its mailbox. */
export const outbox = pgTable(
  "outbox",
  {
    id: text().primaryKey(),
    to: text(),
    language: text().$type<Language>().notNull(),
    content: jsonb().$type<EmailContent>(),
    state: text().$type<"waiting" | EmailOutcome>().notNull(),
    /** Subject (`pending:`, `alert:`, `zone:` or `mailbox:`, and an id) by which the email can be withdrawn. */
    about: text(),
    createdAt: number("created_at").notNull(),
    giveUpAt: number("give_up_at").notNull(),
    dueAt: number("due_at").notNull(),
    closedAt: number("closed_at"),
    /** Set when it is closed. */
    kind: text().$type<EmailContent["kind"]>(),
    /** Keyed hash of its mailbox, set when it is sent or refused; null again once a bounce was counted. */
    mailboxHash: text("mailbox_mark"),
  },
  (table) => [
    index("outbox_by_mailbox")
      .on(table.mailboxHash)
      .where(sql`mailbox_mark is not null`),
    // Emails of one tick are due at the same time: in their order, a page of them is read without the others.
    index("outbox_due")
      .on(table.dueAt, table.id)
      .where(sql`state = 'waiting'`),
    index("outbox_about")
      .on(table.about)
      .where(sql`state = 'waiting'`),
    index("outbox_by_reader")
      .on(sql`lower("to")`)
      .where(sql`state = 'waiting'`),
    index("outbox_of_match")
      .on(sql`(content -> 'other' ->> 'shortCode')`)
      .where(sql`state = 'waiting' and content -> 'other' ->> 'shortCode' is not null`),
    index("outbox_with_entries")
      .on(table.id)
      .where(sql`state = 'waiting' and content -> 'entries' is not null`),
    index("outbox_by_sealed_token")
      .on(sql`(content ->> 'sealedToken')`)
      .where(sql`state = 'waiting' and content ->> 'sealedToken' is not null`),
    index("outbox_closed")
      .on(table.closedAt)
      .where(sql`state <> 'waiting'`),
  ],
);

/** Reminders sent: one per alert, time of expiry and distance to it. */
export const reminder = pgTable(
  "reminder",
  {
    alertId: ofAlert("alert_id"),
    expiresAt: number("expires_at").notNull(),
    withinMs: number("within_ms").notNull(),
  },
  (table) => [primaryKey({ columns: [table.alertId, table.expiresAt, table.withinMs] })],
);

/** Hits that count against rate limits. */
export const hit = pgTable(
  "hit",
  {
    id: number().primaryKey().generatedByDefaultAsIdentity(),
    key: text().notNull(),
    at: number().notNull(),
  },
  (table) => [index("hit_by_key").on(table.key, table.at), index("hit_by_age").on(table.at)],
);

/** Sightings of the animal of an alert. */
export const sighting = pgTable(
  "sighting",
  {
    id: text().primaryKey(),
    alertId: ofAlert("alert_id"),
    /** Snapped, like the point of an alert. */
    lat: doublePrecision().notNull(),
    lng: doublePrecision().notNull(),
    city: text().notNull(),
    countryCode: text("country_code").notNull(),
    seenAt: number("seen_at").notNull(),
    note: text(),
    photos: jsonb()
      .$type<readonly string[]>()
      .notNull()
      .default(sql`'[]'`),
    /** Empty for sightings older than the column. */
    networkHash: text("network_mark").notNull().default(""),
    createdAt: number("created_at").notNull(),
  },
  (table) => [index("sighting_of_alert").on(table.alertId, table.seenAt)],
);

/** Messages and sightings for the next digest to the owner of an alert, which were not emailed at once. */
export const ownerNews = pgTable(
  "owner_news",
  {
    id: number().primaryKey().generatedByDefaultAsIdentity(),
    alertId: ofAlert("alert_id"),
    /** One of these two is set. */
    messageId: text("message_id").references(() => message.id, { onDelete: "cascade" }),
    sightingId: text("sighting_id").references(() => sighting.id, { onDelete: "cascade" }),
    /** Digest that contained it; null while it waits. */
    emailId: text("letter_id"),
  },
  (table) => [
    index("owner_news_untold")
      .on(table.alertId, table.id)
      .where(sql`letter_id is null`),
    index("owner_news_by_message").on(table.messageId),
    index("owner_news_by_sighting").on(table.sightingId),
    index("owner_news_by_letter").on(table.emailId),
  ],
);

/** Emailed links that erase all data of a mailbox. A used one keeps only the numbers of what was erased. */
export const erasure = pgTable(
  "erasure",
  {
    tokenHash: text("token_hash").primaryKey(),
    email: text(),
    erased: jsonb().$type<DataInventory>(),
    expiresAt: number("expires_at").notNull(),
    /** Mailbox that had confirmed nothing, for which the email counts as unanswered; null for any other. */
    unconfirmedHash: text("unconfirmed_mark"),
  },
  (table) => [
    index("erasure_unconfirmed")
      .on(table.unconfirmedHash)
      .where(sql`unconfirmed_mark is not null`),
  ],
);

/** Requests for links by email, until a job finds out who gets one. Addresses are sealed. */
export const linkRequest = pgTable("link_ask", {
  id: text().primaryKey(),
  kind: text().$type<MagicLink>().notNull(),
  sealedEmail: text("sealed_email").notNull(),
  language: text().$type<Language>().notNull(),
  /** Part of a list too long for one email, from 1. */
  part: number().notNull().default(1),
  askedAt: number("asked_at").notNull(),
});

/** Tombstones that were applied to this database; one restored from a backup lacks the later ones. */
export const tombstone = pgTable("tombstone", { line: text().primaryKey() });

/** Outcomes: how animals came home, without a reference to an alert or a person. */
export const outcome = pgTable("outcome", {
  id: number().primaryKey().generatedByDefaultAsIdentity(),
  /** Monday of the week, YYYY-MM-DD. */
  week: text().notNull(),
  type: text().$type<AlertType>().notNull(),
  species: text().$type<Species>().notNull(),
  /** Days from the event to the end, rounded. */
  days: number().notNull(),
  how: text().$type<ReturnWay>(),
  distance: text().$type<ReturnDistance>(),
});
