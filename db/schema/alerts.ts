import { sql } from "drizzle-orm";
import type { Language } from "../../src/messages/languages.ts";
import type { AlertStatus } from "../../src/core/alerts/alert.ts";
import type { Custody } from "../../src/core/alerts/fields.ts";
import type { Age, AlertType, Sex, Size, Species } from "../../src/values/animal.ts";
import type { ReturnDistance, ReturnWay } from "../../src/core/outcomes/outcome.ts";
import type { Side } from "../../src/core/conversations/conversation.ts";
import type { MemberRole, OrganisationAct } from "../../src/core/organisations/organisation.ts";
import type { PlanStepId } from "../../src/core/plan/steps.ts";
import type { DayPart } from "../../src/core/written-time.ts";
import type { Columns } from "./columns.ts";

export type AlertTables = ReturnType<typeof alertTables>;

const NO_PHOTOS = sql`'[]'`;

// Times are milliseconds since 1970 UTC. Columns that can be wiped are nullable.

/** Organisations, alerts and what belongs to one, and conversations about alerts. */
export function alertTables(c: Columns) {
  /** Shelters and other organisations that the operator named. */
  const organisation = c.table(
    "organisation",
    {
      slug: c.text().primaryKey(),
      name: c.text().notNull(),
      /** Address of its alerts' owner; null once it was erased. */
      email: c.text(),
      address: c.text(),
      hours: c.text(),
      phone: c.text(),
      page: c.text(),
      /** Name of a photo. */
      logo: c.text(),
      createdAt: c.number("created_at").notNull(),
    },
    () => [c.uniqueIndex("organisation_by_email").on(sql`lower(email)`)],
  );

  /** Column with the slug of an organisation, with which the row is deleted. */
  const ofOrganisation = () => c.parent("organisation", () => organisation.slug);

  /** Members of organisations: people who may sign in for them. */
  const member = c.table(
    "member",
    {
      email: c.text().notNull(),
      organisation: ofOrganisation(),
      role: c.text().$type<MemberRole>().notNull(),
      /** Time since which the mailbox is a member; another role does not change it. */
      addedAt: c.number("added_at").notNull(),
    },
    (table) => [
      c.primaryKey({ columns: [table.organisation, table.email] }),
      c.uniqueIndex("member_by_mailbox").on(sql`lower(email)`, table.organisation),
    ],
  );

  /** Log of what members did. */
  const memberAction = c.table(
    "member_action",
    {
      id: c.text().primaryKey(),
      at: c.number().notNull(),
      organisation: ofOrganisation(),
      /** Mailbox of the member, or a name in its place: see `MemberAction`. */
      who: c.text().notNull(),
      act: c.text().$type<OrganisationAct>().notNull(),
      /** Short code of the alert, or the masked mailbox of another member. */
      subject: c.text().notNull(),
    },
    (table) => [
      c.index("member_action_of_organisation").on(table.organisation, table.at),
      c.index("member_action_by_time").on(table.at),
      c.index("member_action_by_who").on(sql`lower(who)`),
    ],
  );

  /** Every short code ever assigned. */
  const shortCode = c.table("short_code", { code: c.text().primaryKey() });

  const alert = c.table(
    "alert",
    {
      publishedAt: c.number("published_at").primaryKey(),
      id: c.text().notNull().unique(),
      slug: c.text().notNull().unique(),
      shortCode: c
        .text("short_code")
        .notNull()
        .unique()
        .references(() => shortCode.code),
      status: c.text().$type<AlertStatus>().notNull(),
      type: c.text().$type<AlertType>().notNull(),
      species: c.text().$type<Species>().notNull(),
      name: c.text(),
      breed: c.text().notNull(),
      color: c.text().notNull(),
      collar: c.text(),
      size: c.text().$type<Size>().notNull(),
      sex: c.text().$type<Sex>().notNull(),
      age: c.text().$type<Age>().notNull(),
      description: c.text(),
      eventDate: c.text("event_date").notNull(),
      eventTime: c.text("event_time"),
      landmark: c.text(),
      custody: c.text().$type<Custody>(),
      city: c.text().notNull(),
      district: c.text(),
      countryCode: c.text("country_code").notNull(),
      /** Snapped: the exact point is never stored. */
      lat: c.real().notNull(),
      lng: c.real().notNull(),
      photos: c.json().$type<readonly string[]>().notNull(),
      chipHash: c.text("chip_hash"),
      updatedAt: c.number("updated_at").notNull(),
      expiresAt: c.number("expires_at").notNull(),
      endedAt: c.number("ended_at"),
      ownerEmail: c.text("owner_email"),
      language: c.text().$type<Language>().notNull(),
      source: c.text().unique(),
      organisation: c.text().references(() => organisation.slug),
      organisationName: c.text("organisation_name"),
      /** Null until its zones were notified of it. */
      announcedAt: c.number("announced_at"),
      remindersMuted: c.bool("reminders_muted").notNull().default(false),
      /** Null until it was compared with the alerts of the other type; null again after an edit, or once it is active again. */
      comparedAt: c.number("compared_at"),
      /** Not compared before this time. */
      compareAt: c.number("compare_at").notNull().default(0),
      matchesMuted: c.bool("matches_muted").notNull().default(false),
      /** Time at which its owner stopped the emails about the plan. */
      planMutedAt: c.number("plan_muted_at"),
      /** True once its owner reported how the animal came home, which is stored apart from the alert. */
      outcomeTold: c.bool("outcome_told").notNull().default(false),
      /** Keyed hash of its row in the table it was imported from, as it was read last. */
      rowHash: c.text("row_hash"),
      /** Number of reads in a row in which that table lacked it. */
      missedReads: c.number("missed_reads").notNull().default(0),
      /** URL of the animal at its organisation's site, from that table. */
      animalPage: c.text("animal_page"),
      /** Status of a hidden alert before it was hidden. */
      hiddenFrom: c.text("hidden_from").$type<AlertStatus>(),
      /** Time at which personal data was erased. */
      erasedAt: c.number("erased_at"),
      revision: c.number().notNull(),
    },
    (table) => [
      c.index("alert_by_revision").on(table.revision),
      c.partial("alert_ending", "status = 'active'", table.expiresAt),
      c.partial("alert_ended", "ended_at is not null and erased_at is null", table.endedAt),
      c.partial("alert_resolved", "status = 'resolved'", table.endedAt),
      c.partial("alert_hidden", "status = 'hidden'", table.publishedAt),
      c.partial("alert_unannounced", "announced_at is null", table.publishedAt),
      c.partial(
        "alert_uncompared",
        "compared_at is null and status = 'active'",
        table.compareAt,
        table.publishedAt,
      ),
      c.partial("alert_by_owner", "owner_email is not null", sql`lower(owner_email)`),
      c.partial("alert_by_organisation", "organisation is not null", table.organisation),
      c.partial("alert_by_chip", "chip_hash is not null", table.chipHash),
    ],
  );

  /** Reminders sent: one per alert, time of expiry and distance to it. */
  const reminder = c.table(
    "reminder",
    {
      alertId: c.parent("alert_id", () => alert.id),
      expiresAt: c.number("expires_at").notNull(),
      withinMs: c.number("within_ms").notNull(),
    },
    (table) => [c.primaryKey({ columns: [table.alertId, table.expiresAt, table.withinMs] })],
  );

  /** Sightings of the animal of an alert. */
  const sighting = c.table(
    "sighting",
    {
      id: c.text().primaryKey(),
      alertId: c.parent("alert_id", () => alert.id),
      /** Snapped, like the point of an alert. */
      lat: c.real().notNull(),
      lng: c.real().notNull(),
      city: c.text().notNull(),
      district: c.text(),
      countryCode: c.text("country_code").notNull(),
      seenAt: c.number("seen_at").notNull(),
      /** Null for a time to the minute. */
      seenPart: c.text("seen_part").$type<DayPart>(),
      note: c.text(),
      photos: c.json().$type<readonly string[]>().notNull().default(NO_PHOTOS),
      networkHash: c.text("network_hash").notNull().default(""),
      createdAt: c.number("created_at").notNull(),
    },
    (table) => [c.index("sighting_of_alert").on(table.alertId, table.seenAt)],
  );

  /** Outcomes: how animals came home, without a reference to an alert or a person. */
  const outcome = c.table("outcome", {
    id: c.row(),
    /** Monday of the week, YYYY-MM-DD. */
    week: c.text().notNull(),
    type: c.text().$type<AlertType>().notNull(),
    species: c.text().$type<Species>().notNull(),
    /** Days from the event to the end, rounded. */
    days: c.number().notNull(),
    how: c.text().$type<ReturnWay>(),
    distance: c.text().$type<ReturnDistance>(),
  });

  /** Steps of the plan of an alert that its owner has done. */
  const planStep = c.table(
    "plan_step",
    {
      alertId: c.parent("alert_id", () => alert.id),
      step: c.text().$type<PlanStepId>().notNull(),
      doneAt: c.number("done_at").notNull(),
    },
    (table) => [c.primaryKey({ columns: [table.alertId, table.step] })],
  );

  /** Emails about the plan: one for each alert and day, counted from its publication. A row also stands for one not needed. */
  const planEmail = c.table(
    "plan_email",
    { alertId: c.parent("alert_id", () => alert.id), day: c.number().notNull() },
    (table) => [c.primaryKey({ columns: [table.alertId, table.day] })],
  );

  /** Numbers of animals that came home after a step was done, without a reference to an alert or an outcome. */
  const outcomeStep = c.table(
    "outcome_step",
    {
      /** Monday of the week, YYYY-MM-DD. */
      week: c.text().notNull(),
      species: c.text().$type<Species>().notNull(),
      step: c.text().$type<PlanStepId>().notNull(),
      animals: c.number().notNull(),
    },
    (table) => [c.primaryKey({ columns: [table.week, table.species, table.step] })],
  );

  /** Likely pairs: each owner is notified once. A pair ends for good when either owner says "not my pet". */
  const pair = c.table(
    "pair",
    {
      lostId: c.parent("lost_id", () => alert.id),
      foundId: c.parent("found_id", () => alert.id),
      notifiedAt: c.number("notified_at"),
      endedAt: c.number("ended_at"),
    },
    (table) => [
      c.primaryKey({ columns: [table.lostId, table.foundId] }),
      c.index("pair_by_found").on(table.foundId),
    ],
  );

  /**
   * Notices to owners about likely pairs: one row for each pair and owner. Rows remain after the email, so that none is
   * sent twice.
   */
  const matchNotice = c.table(
    "match_notice",
    {
      /** The reader's alert. */
      alertId: c.parent("alert_id", () => alert.id),
      otherId: c.parent("other_id", () => alert.id),
      /** The alert whose comparison found the pair: one of the two. */
      causeId: c.text("cause_id").notNull(),
      /** Percent. */
      score: c.number().notNull(),
      createdAt: c.number("created_at").notNull(),
      /** Not sent before this time. */
      dueAt: c.number("due_at").notNull(),
      /** True if it waits for the reader's next digest. */
      inDigest: c.bool("in_digest").notNull().default(false),
      notifiedAt: c.number("notified_at"),
      /** Digest that contained it. */
      emailId: c.text("email_id"),
    },
    (table) => [
      c.primaryKey({ columns: [table.alertId, table.otherId] }),
      c.index("match_notice_by_other").on(table.otherId),
      c.partial("match_notice_due", "notified_at is null", table.inDigest, table.dueAt),
      c.partial("match_notice_by_email", "email_id is not null", table.emailId),
    ],
  );

  /** Edits of fields that matching uses. */
  const claimEdit = c.table(
    "claim_edit",
    {
      id: c.row(),
      alertId: c.parent("alert_id", () => alert.id),
      at: c.number().notNull(),
      /** Time at which a moderator handled it. */
      handledAt: c.number("handled_at"),
    },
    (table) => [
      c.index("claim_edit_of_alert").on(table.alertId, table.at),
      c.index("claim_edit_by_age").on(table.at),
    ],
  );

  /** Use of photos by alerts, sightings, messages and waiting requests. */
  const photoUse = c.table(
    "photo_use",
    {
      name: c.text().notNull(),
      /** `alert:`, `sighting:`, `message:` or `pending:` and an id. */
      user: c.text().notNull(),
    },
    (table) => [
      c.primaryKey({ columns: [table.name, table.user] }),
      c.index("photo_use_by_user").on(table.user),
    ],
  );

  /** Photos that nobody uses yet or any more, until their files are deleted. One that is used may have a row for a while. */
  const photoGone = c.table("photo_gone", {
    name: c.text().primaryKey(),
    /** Time until which an uploaded one is kept; 0 once it has been used. */
    keptUntil: c.number("kept_until").notNull().default(0),
    /** Number of requests under way that may use it, and the time after which they no longer count. */
    holders: c.number().notNull().default(0),
    heldUntil: c.number("held_until").notNull().default(0),
    /** Time at which its files began to be deleted; nobody may use it from then on. */
    leavingAt: c.number("leaving_at"),
  });

  const conversation = c.table(
    "conversation",
    {
      id: c.text().primaryKey(),
      alertId: c.parent("alert_id", () => alert.id),
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
      alertId: c.parent("alert_id", () => alert.id),
      /** One of these two is set. */
      messageId: c.text("message_id").references(() => message.id, { onDelete: "cascade" }),
      sightingId: c.text("sighting_id").references(() => sighting.id, { onDelete: "cascade" }),
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

  return {
    organisation,
    member,
    memberAction,
    shortCode,
    alert,
    reminder,
    sighting,
    outcome,
    planStep,
    planEmail,
    outcomeStep,
    pair,
    matchNotice,
    claimEdit,
    photoUse,
    photoGone,
    conversation,
    message,
    ownerNews,
  };
}
