import { sql } from "drizzle-orm";
import type { Language } from "../../src/messages/languages.ts";
import type { AlertNames } from "../../src/core/alerts/alert.ts";
import type { PendingKind } from "../../src/core/caps.ts";
import type { ModerationAct, ReportReason } from "../../src/core/moderation/report.ts";
import type { Pending, PendingPayload, PendingResult } from "../../src/core/pending/pending.ts";
import type { LinkPurpose, MagicLink, SessionPurpose } from "../../src/core/people/link-store.ts";
import type { PushContent } from "../../src/core/push/push.ts";
import type { ZoneFrequency } from "../../src/core/zones/zone.ts";
import type { AlertTables } from "./alerts.ts";
import type { Columns } from "./columns.ts";
import type { AlertType, Species } from "../../src/values/animal.ts";
import type { DataInventory } from "../../src/core/erasure/erasure-store.ts";

/**
 * Zones, and devices that get notifications; requests that wait for their human, private links, and mailboxes, which are
 * stored as keyed hashes; reports and what moderators do.
 */
export function peopleTables(c: Columns, { alert, conversation }: AlertTables) {
  const zone = c.table(
    "zone",
    {
      id: c.text().primaryKey(),
      lat: c.real().notNull(),
      lng: c.real().notNull(),
      radiusKm: c.real("radius_km").notNull(),
      species: c.text().$type<Species>(),
      type: c.text().$type<AlertType>(),
      label: c.text(),
      frequency: c.text().$type<ZoneFrequency>().notNull().default("at_once"),
      email: c.text(),
      language: c.text().$type<Language>().notNull(),
      createdAt: c.number("created_at").notNull(),
      endedAt: c.number("ended_at"),
      revision: c.number().notNull(),
    },
    (table) => [
      c.index("zone_by_revision").on(table.revision),
      c.partial("zone_ended", "ended_at is not null", table.endedAt),
      c.partial("zone_by_email", "email is not null", sql`lower(email)`),
    ],
  );

  /** Alerts that zones are emailed about; a row remains after the email, so that none is sent twice. */
  const zoneNews = c.table(
    "zone_news",
    {
      zoneId: c.parent("zone_id", () => zone.id),
      alertId: c.parent("alert_id", () => alert.id),
      createdAt: c.number("created_at").notNull(),
      /** Time from which its mailbox may be emailed about it; null if it is for a device. */
      dueAt: c.number("due_at"),
      /** True if it waited for the limit of emails. */
      isHeld: c.bool("is_held").notNull().default(false),
      notifiedAt: c.number("notified_at"),
      /** Email that contained it; null if none was needed. */
      emailId: c.text("email_id"),
      /** Order of creation. */
      number: c.row(),
    },
    (table) => [
      c.uniqueIndex("zone_news_of_zone").on(table.zoneId, table.alertId),
      c.partial("zone_news_due", "notified_at is null", table.dueAt, table.number),
      c.index("zone_news_notified").on(table.zoneId, table.notifiedAt),
      c.index("zone_news_by_alert").on(table.alertId),
      c.partial("zone_news_by_age", "notified_at is not null", table.notifiedAt),
    ],
  );

  /** Browsers that get notifications by Web Push. */
  const device = c.table(
    "device",
    {
      id: c.text().primaryKey(),
      /** Keyed hash of its address at the push service. */
      endpointHash: c.text("endpoint_hash").notNull().unique(),
      /** Sealed address and keys. */
      sealed: c.text().notNull(),
      language: c.text().$type<Language>().notNull(),
      createdAt: c.number("created_at").notNull(),
      /** Time at which a push reached it last; null before the first. */
      okAt: c.number("ok_at"),
    },
    (table) => [c.index("device_by_age").on(table.okAt, table.createdAt)],
  );

  /** Topics of devices, each with the push that waits. */
  const deviceTopic = c.table(
    "device_topic",
    {
      deviceId: c.parent("device_id", () => device.id),
      /** `owner:` and the id of an alert, or `zone:` and that of a zone. */
      subject: c.text().notNull(),
      createdAt: c.number("created_at").notNull(),
      /** Time from which news of the zone may be pushed; null without news. */
      newsDueAt: c.number("news_due_at"),
      /** Id of the push that waits; null if there is none. */
      pushId: c.text("push_id"),
      content: c.json().$type<PushContent>(),
      pushedAt: c.number("pushed_at"),
      giveUpAt: c.number("give_up_at"),
      dueAt: c.number("due_at"),
    },
    (table) => [
      c.primaryKey({ columns: [table.deviceId, table.subject] }),
      c.index("device_topic_by_subject").on(table.subject),
      c.partial("device_topic_news", "news_due_at is not null", table.newsDueAt),
      c.partial("device_topic_due", "push_id is not null", table.dueAt),
      c.partial("device_topic_by_push", "push_id is not null", table.pushId),
    ],
  );

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

  /** Reports to the moderators. */
  const report = c.table(
    "report",
    {
      id: c.text().primaryKey(),
      alertId: c.parent("alert_id", () => alert.id),
      /** Set when a conversation was reported. */
      conversationId: c.text("conversation_id").references(() => conversation.id, {
        onDelete: "cascade",
      }),
      reason: c.text().$type<ReportReason>().notNull(),
      text: c.text(),
      createdAt: c.number("created_at").notNull(),
      handledAt: c.number("handled_at"),
      /** Time at which the moderators were emailed about it; null before, and if it was handled first. */
      emailedAt: c.number("emailed_at"),
    },
    (table) => [
      c.partial("report_open", "handled_at is null", table.createdAt),
      c.partial("report_news", "handled_at is null and emailed_at is null", table.createdAt),
      c.index("report_of_alert").on(table.alertId),
    ],
  );

  /** Mailboxes that moderators blocked, as keyed hashes. */
  const blocked = c.table("blocked", {
    addressHash: c.text("address_hash").primaryKey(),
    blockedAt: c.number("blocked_at").notNull(),
  });

  /** Log of the moderators' actions. */
  const moderation = c.table(
    "moderation",
    {
      id: c.text().primaryKey(),
      at: c.number().notNull(),
      /** Mailbox of the moderator, or a name in its place: see `ModerationAction`. */
      who: c.text().notNull(),
      act: c.text().$type<ModerationAct>().notNull(),
      alertId: c.text("alert_id"),
      shortCode: c.text("short_code"),
    },
    (table) => [c.index("moderation_by_time").on(table.at)],
  );

  /** Sign-in links of moderators and members, which work once, and the sessions they open. */
  const sessionKey = c.table("session_key", {
    tokenHash: c.text("token_hash").primaryKey(),
    purpose: c.text().$type<SessionPurpose>().notNull(),
    kind: c.text().$type<"link" | "session">().notNull(),
    email: c.text().notNull(),
    createdAt: c.number("created_at").notNull(),
    expiresAt: c.number("expires_at").notNull(),
  });

  return {
    report,
    blocked,
    moderation,
    sessionKey,
    zone,
    zoneNews,
    device,
    deviceTopic,
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
