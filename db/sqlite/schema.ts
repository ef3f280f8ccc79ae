import { sql } from "drizzle-orm";
import {
  check,
  index,
  integer,
  primaryKey,
  real,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import type {
  Age,
  AlertNames,
  AlertStatus,
  AlertType,
  Custody,
  Language,
  Sex,
  Size,
  Species,
} from "../../src/core/alert.ts";
import type { Side } from "../../src/core/conversation.ts";
import type { DiscreetLink } from "../../src/core/discreet-link.ts";
import type { Holdings } from "../../src/core/erasing.ts";
import type { LetterContent, PendingKind } from "../../src/core/letter.ts";
import type { ModerationAct, ReportReason } from "../../src/core/report.ts";
import type { ReturnDistance, ReturnWay } from "../../src/core/outcome.ts";
import type { Pending, PendingPayload, PendingResult } from "../../src/core/pending.ts";
import type { LinkPurpose } from "../../src/core/store.ts";

// Times are milliseconds since 1970 UTC. Columns that can be wiped are nullable.

/** One row: what the instance counts. */
export const counter = sqliteTable(
  "counter",
  {
    id: integer().primaryKey(),
    /** Raised with each change of what an alert shows, and with each zone that begins or ends. */
    revision: integer().notNull(),
    /** The newest `published_at` ever given. */
    lastPublishedAt: integer("last_published_at").notNull(),
    beatAt: integer("beat_at"),
    steadySince: integer("steady_since"),
  },
  (table) => [check("counter_is_one_row", sql`${table.id} = 1`)],
);

/** Every short code ever given out. */
export const shortCode = sqliteTable("short_code", { code: text().primaryKey() });

export const alert = sqliteTable(
  "alert",
  {
    publishedAt: integer("published_at").primaryKey(),
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
    custody: text().$type<Custody>(),
    city: text().notNull(),
    countryCode: text("country_code").notNull(),
    /** Snapped: the exact point is never stored. */
    lat: real().notNull(),
    lng: real().notNull(),
    photos: text({ mode: "json" }).$type<readonly string[]>().notNull(),
    chipHash: text("chip_hash"),
    updatedAt: integer("updated_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
    endedAt: integer("ended_at"),
    ownerEmail: text("owner_email"),
    language: text().$type<Language>().notNull(),
    source: text().unique(),
    /** Null until zones were told. */
    announcedAt: integer("announced_at"),
    remindersMuted: integer("reminders_muted", { mode: "boolean" }).notNull().default(false),
    /** Null until it was compared with the alerts of the other kind; again once it was changed, or is live again. */
    comparedAt: integer("compared_at"),
    matchesMuted: integer("matches_muted", { mode: "boolean" }).notNull().default(false),
    /** Whether its owner told how the animal came home; told once, kept apart from the alert. */
    outcomeTold: integer("outcome_told", { mode: "boolean" }).notNull().default(false),
    /** What a hidden alert was before. */
    hiddenFrom: text("hidden_from").$type<AlertStatus>(),
    /** When personal data was erased. */
    erasedAt: integer("erased_at"),
    revision: integer().notNull(),
  },
  (table) => [
    index("alert_by_revision").on(table.revision),
    index("alert_ending")
      .on(table.expiresAt)
      .where(sql`status = 'active'`),
    index("alert_ended")
      .on(table.endedAt)
      .where(sql`ended_at is not null and erased_at is null`),
    index("alert_unannounced")
      .on(table.publishedAt)
      .where(sql`announced_at is null`),
    index("alert_uncompared")
      .on(table.publishedAt)
      .where(sql`compared_at is null and status = 'active'`),
    index("alert_by_owner")
      .on(sql`lower(owner_email)`)
      .where(sql`owner_email is not null`),
    index("alert_by_chip")
      .on(table.chipHash)
      .where(sql`chip_hash is not null`),
  ],
);

export const pending = sqliteTable(
  "pending",
  {
    id: text().primaryKey(),
    kind: text().$type<PendingKind>().notNull(),
    tokenHash: text("token_hash").notNull().unique(),
    email: text().notNull(),
    addressMark: text("address_mark").notNull(),
    contentMark: text("content_mark").notNull(),
    language: text().$type<Language>().notNull(),
    names: text({ mode: "json" }).$type<AlertNames>(),
    payload: text({ mode: "json" }).$type<PendingPayload>(),
    result: text({ mode: "json" }).$type<PendingResult>(),
    state: text().$type<Pending["state"]>().notNull(),
    /** False where the address was over its budget or has asked us to stop. */
    lettered: integer({ mode: "boolean" }).notNull(),
    /** Hash of the token of a second letter, sent when the asker asked for it. */
    secondTokenHash: text("second_token_hash").unique(),
    /** How often the asker corrected the address, this action's forerunners included. */
    readdressed: integer().notNull().default(0),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [
    index("pending_by_address").on(table.addressMark, table.createdAt),
    index("pending_by_content").on(table.contentMark, table.createdAt),
    index("pending_by_age").on(table.createdAt),
    index("pending_by_email")
      .on(sql`lower(email)`)
      .where(sql`email <> ''`),
  ],
);

/** Addresses that asked us to stop, as keyed hashes. */
export const stopped = sqliteTable("stopped", {
  addressMark: text("address_mark").primaryKey(),
  stoppedAt: integer("stopped_at").notNull(),
});

export const link = sqliteTable(
  "link",
  {
    tokenHash: text("token_hash").primaryKey(),
    purpose: text().$type<LinkPurpose>().notNull(),
    subject: text().notNull(),
    sealed: text().notNull(),
  },
  (table) => [uniqueIndex("link_by_subject").on(table.purpose, table.subject)],
);

export const zone = sqliteTable(
  "zone",
  {
    id: text().primaryKey(),
    lat: real().notNull(),
    lng: real().notNull(),
    radiusKm: real("radius_km").notNull(),
    species: text().$type<Species>(),
    type: text().$type<AlertType>(),
    label: text(),
    email: text(),
    language: text().$type<Language>().notNull(),
    createdAt: integer("created_at").notNull(),
    endedAt: integer("ended_at"),
    revision: integer().notNull(),
  },
  (table) => [
    index("zone_by_revision").on(table.revision),
    index("zone_by_email")
      .on(sql`lower(email)`)
      .where(sql`email is not null`),
  ],
);

/** The ledger that makes telling a zone twice the same as telling it once. */
export const zoneNews = sqliteTable(
  "zone_news",
  {
    zoneId: text("zone_id")
      .notNull()
      .references(() => zone.id, { onDelete: "cascade" }),
    alertId: text("alert_id")
      .notNull()
      .references(() => alert.id, { onDelete: "cascade" }),
    createdAt: integer("created_at").notNull(),
    toldAt: integer("told_at"),
    /** The letter that told it; null where there was nothing left to tell. */
    letterId: text("letter_id"),
  },
  (table) => [
    primaryKey({ columns: [table.zoneId, table.alertId] }),
    index("zone_news_untold")
      .on(table.createdAt)
      .where(sql`told_at is null`),
    index("zone_news_told").on(table.zoneId, table.toldAt),
    index("zone_news_by_alert").on(table.alertId),
  ],
);

export const conversation = sqliteTable(
  "conversation",
  {
    id: text().primaryKey(),
    alertId: text("alert_id")
      .notNull()
      .references(() => alert.id, { onDelete: "cascade" }),
    strangerEmail: text("stranger_email").notNull(),
    strangerMark: text("stranger_mark").notNull(),
    strangerName: text("stranger_name"),
    language: text().$type<Language>().notNull(),
    createdAt: integer("created_at").notNull(),
    /** When one side closed it; nobody can write any more. */
    closedAt: integer("closed_at"),
  },
  (table) => [
    uniqueIndex("conversation_of_two").on(table.alertId, table.strangerMark),
    index("conversation_by_stranger").on(sql`lower(stranger_email)`),
  ],
);

export const message = sqliteTable(
  "message",
  {
    id: text().primaryKey(),
    conversationId: text("conversation_id")
      .notNull()
      .references(() => conversation.id, { onDelete: "cascade" }),
    from: text().$type<Side>().notNull(),
    text: text().notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [index("message_of_conversation").on(table.conversationId, table.createdAt)],
);

/** Letters to send. A closed one keeps its id and fate only. */
export const outbox = sqliteTable(
  "outbox",
  {
    id: text().primaryKey(),
    to: text(),
    language: text().$type<Language>().notNull(),
    content: text({ mode: "json" }).$type<LetterContent>(),
    state: text().$type<"waiting" | "sent" | "refused" | "given_up">().notNull(),
    /** What the letter is about (`pending:`, `alert:`, `zone:` and an id), so that it can be taken back. */
    about: text(),
    createdAt: integer("created_at").notNull(),
    giveUpAt: integer("give_up_at").notNull(),
    dueAt: integer("due_at").notNull(),
    closedAt: integer("closed_at"),
  },
  (table) => [
    index("outbox_due")
      .on(table.dueAt)
      .where(sql`state = 'waiting'`),
    index("outbox_about")
      .on(table.about)
      .where(sql`state = 'waiting'`),
    index("outbox_by_reader")
      .on(sql`lower("to")`)
      .where(sql`state = 'waiting'`),
    index("outbox_closed")
      .on(table.closedAt)
      .where(sql`state <> 'waiting'`),
  ],
);

/** The ledger of reminders: once per alert, end and distance. */
export const reminder = sqliteTable(
  "reminder",
  {
    alertId: text("alert_id")
      .notNull()
      .references(() => alert.id, { onDelete: "cascade" }),
    expiresAt: integer("expires_at").notNull(),
    withinMs: integer("within_ms").notNull(),
  },
  (table) => [primaryKey({ columns: [table.alertId, table.expiresAt, table.withinMs] })],
);

/** The ledger of likely pairs: told once, and ended for good when either owner says "not my pet". */
export const pair = sqliteTable(
  "pair",
  {
    lostId: text("lost_id")
      .notNull()
      .references(() => alert.id, { onDelete: "cascade" }),
    foundId: text("found_id")
      .notNull()
      .references(() => alert.id, { onDelete: "cascade" }),
    toldAt: integer("told_at"),
    endedAt: integer("ended_at"),
  },
  (table) => [
    primaryKey({ columns: [table.lostId, table.foundId] }),
    index("pair_by_found").on(table.foundId),
  ],
);

/** What counts against limits. */
export const hit = sqliteTable(
  "hit",
  {
    key: text().notNull(),
    at: integer().notNull(),
  },
  (table) => [index("hit_by_key").on(table.key, table.at), index("hit_by_age").on(table.at)],
);

/** Which alert or waiting action uses which picture. */
export const photoUse = sqliteTable(
  "photo_use",
  {
    name: text().notNull(),
    /** `alert:` or `pending:` and an id. */
    user: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.name, table.user] }),
    index("photo_use_by_user").on(table.user),
  ],
);

/** Pictures nobody uses any more, until their files are deleted. */
export const photoGone = sqliteTable("photo_gone", { name: text().primaryKey() });

/** Where and when someone saw the animal of an alert. */
export const sighting = sqliteTable(
  "sighting",
  {
    id: text().primaryKey(),
    alertId: text("alert_id")
      .notNull()
      .references(() => alert.id, { onDelete: "cascade" }),
    /** Snapped, as an alert's. */
    lat: real().notNull(),
    lng: real().notNull(),
    city: text().notNull(),
    countryCode: text("country_code").notNull(),
    seenAt: integer("seen_at").notNull(),
    note: text(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [index("sighting_of_alert").on(table.alertId, table.seenAt)],
);

/** What people told the moderators. */
export const report = sqliteTable(
  "report",
  {
    id: text().primaryKey(),
    alertId: text("alert_id")
      .notNull()
      .references(() => alert.id, { onDelete: "cascade" }),
    /** Set when a conversation was reported. */
    conversationId: text("conversation_id").references(() => conversation.id, {
      onDelete: "cascade",
    }),
    reason: text().$type<ReportReason>().notNull(),
    text: text(),
    createdAt: integer("created_at").notNull(),
    handledAt: integer("handled_at"),
  },
  (table) => [
    index("report_open")
      .on(table.createdAt)
      .where(sql`handled_at is null`),
    index("report_of_alert").on(table.alertId),
  ],
);

/** Mailboxes that moderators blocked, as keyed hashes. */
export const blocked = sqliteTable("blocked", {
  addressMark: text("address_mark").primaryKey(),
  blockedAt: integer("blocked_at").notNull(),
});

/** What moderators did. */
export const moderation = sqliteTable(
  "moderation",
  {
    id: text().primaryKey(),
    at: integer().notNull(),
    /** The moderator's mailbox, or who stands in its place: see `Deed`. */
    who: text().notNull(),
    act: text().$type<ModerationAct>().notNull(),
    alertId: text("alert_id"),
    shortCode: text("short_code"),
  },
  (table) => [index("moderation_by_time").on(table.at)],
);

/** How moderators come in: a link by e-mail, good once, and the session it opens. */
export const adminKey = sqliteTable("admin_key", {
  tokenHash: text("token_hash").primaryKey(),
  kind: text().$type<"link" | "session">().notNull(),
  email: text().notNull(),
  expiresAt: integer("expires_at").notNull(),
});

/** Links by e-mail that erase all that is kept under a mailbox. A used one keeps numbers only. */
export const erasure = sqliteTable(
  "erasure",
  {
    tokenHash: text("token_hash").primaryKey(),
    email: text(),
    erased: text({ mode: "json" }).$type<Holdings>(),
    expiresAt: integer("expires_at").notNull(),
    /** Of a mailbox that had confirmed nothing: its letter is one of those that got no answer. */
    unconfirmedMark: text("unconfirmed_mark"),
  },
  (table) => [
    index("erasure_unconfirmed")
      .on(table.unconfirmedMark)
      .where(sql`unconfirmed_mark is not null`),
  ],
);

/** Links that were asked for by letter, until the next tick finds out who gets one. No address lies here in clear. */
export const linkAsk = sqliteTable("link_ask", {
  id: text().primaryKey(),
  kind: text().$type<DiscreetLink>().notNull(),
  sealedEmail: text("sealed_email").notNull(),
  language: text().$type<Language>().notNull(),
  askedAt: integer("asked_at").notNull(),
});

/** Lines of the list of tombstones that were carried out here; a database put back from a backup lacks the later ones. */
export const tombstone = sqliteTable("tombstone", { line: text().primaryKey() });

/** How animals came home, without anything that leads to an alert or a person. */
export const outcome = sqliteTable("outcome", {
  id: integer().primaryKey({ autoIncrement: true }),
  /** Monday of the week, YYYY-MM-DD. */
  week: text().notNull(),
  type: text().$type<AlertType>().notNull(),
  species: text().$type<Species>().notNull(),
  /** Days from the event to the end, rounded. */
  days: integer().notNull(),
  how: text().$type<ReturnWay>(),
  distance: text().$type<ReturnDistance>(),
});
