import { and, countDistinct, eq, isNotNull, lte, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { ERASE_MS, type DataInventory } from "../../src/core/erasure/erase.ts";
import { ownerSubject } from "../../src/core/push/push.ts";
import type { StoreTools } from "./context.ts";
import { conversationSubjects } from "../rows.ts";
import { idsOf, isAddress } from "../expressions.ts";
import { inList } from "./expressions.ts";
import { deviceTopic } from "./device-schema.ts";
import { adminKey, moderation } from "./moderation-schema.ts";
import { member, memberAction, memberKey, organisation } from "./organisation-schema.ts";
import type { Db } from "./open.ts";
import { photoUse } from "./photo-schema.ts";
import {
  alert,
  conversation,
  erasure,
  link,
  message,
  outbox,
  pending,
  sighting,
  zone,
} from "./schema.ts";

const ANY_TIME = Number.MAX_SAFE_INTEGER;

/**
 * Queries for the rows of exactly this mailbox, in any case, that were made up to a time. Each uses an index, except for
 * the few rows of moderators.
 */
export function rowsOf(db: Db, email: string, upTo: number) {
  const mine = (column: SQLiteColumn) => isAddress(column, email);
  return {
    alerts: db
      .select({ id: alert.id, at: alert.publishedAt })
      .from(alert)
      .where(
        and(isNotNull(alert.ownerEmail), mine(alert.ownerEmail), lte(alert.publishedAt, upTo)),
      ),
    started: db
      .select({ id: conversation.id, at: conversation.createdAt })
      .from(conversation)
      .where(and(mine(conversation.strangerEmail), lte(conversation.createdAt, upTo))),
    zones: db
      .select({ id: zone.id, at: zone.createdAt })
      .from(zone)
      .where(and(isNotNull(zone.email), mine(zone.email), lte(zone.createdAt, upTo))),
    requests: db
      .select({ id: pending.id, at: pending.createdAt })
      .from(pending)
      .where(and(sql`${pending.email} <> ''`, mine(pending.email), lte(pending.createdAt, upTo))),
    emails: db
      .select({ id: outbox.id, at: outbox.createdAt })
      .from(outbox)
      .where(and(sql`${outbox.state} = 'waiting'`, mine(outbox.to), lte(outbox.createdAt, upTo))),
    moderationActions: db
      .select({ id: moderation.id, at: moderation.at })
      .from(moderation)
      .where(and(mine(moderation.who), lte(moderation.at, upTo))),
    // Made at any time: they live for minutes, so one from a backup has expired.
    adminKeys: db.select({ id: adminKey.tokenHash }).from(adminKey).where(mine(adminKey.email)),
    memberKeys: db.select({ id: memberKey.tokenHash }).from(memberKey).where(mine(memberKey.email)),
    memberActions: db
      .select({ id: memberAction.id, at: memberAction.at })
      .from(memberAction)
      .where(and(mine(memberAction.who), lte(memberAction.at, upTo))),
    members: db
      .select({ id: member.organisation, at: member.addedAt })
      .from(member)
      .where(membershipsOf(email, upTo)),
    organisations: db
      .select({ id: organisation.slug, at: organisation.createdAt })
      .from(organisation)
      .where(and(mine(organisation.email), lte(organisation.createdAt, upTo))),
  };
}

type Rows = ReturnType<typeof rowsOf>;

/** Status of a mailbox: `confirmed` if its reader did anything. Reads at most one row of each kind. */
export function mailboxStatus(
  { db }: StoreTools,
  email: string,
): "confirmed" | "unconfirmed" | "none" {
  // Anyone can make requests in its name and so cause emails to it, and the operator names members and organisations.
  const { requests, emails, adminKeys, memberKeys, members, organisations, ...own } = rowsOf(
    db,
    email,
    ANY_TIME,
  );
  const isAny = (rows: Rows[keyof Rows]) => rows.limit(1).all().length > 0;
  if (Object.values(own).some(isAny)) return "confirmed";
  return [requests, emails, adminKeys, memberKeys, members, organisations].some(isAny)
    ? "unconfirmed"
    : "none";
}

/** Ids of the rows that are stored under a mailbox and were made up to a time. */
export function idsOfMailbox({ db }: StoreTools, email: string, upTo = ANY_TIME) {
  const { adminKeys, memberKeys, ...queries } = rowsOf(db, email, upTo);
  const rows = {
    alerts: queries.alerts.all(),
    started: queries.started.all(),
    zones: queries.zones.all(),
    requests: queries.requests.all(),
    emails: queries.emails.all(),
    moderationActions: queries.moderationActions.all(),
    memberActions: queries.memberActions.all(),
    members: queries.members.all(),
    organisations: queries.organisations.all(),
  };
  const links = db
    .select({ at: sql<number>`${erasure.expiresAt} - ${ERASE_MS}` })
    .from(erasure)
    .where(erasureLinksOf(email, upTo))
    .all();
  const about = db
    .select({ id: conversation.id })
    .from(conversation)
    .where(inList(conversation.alertId, idsOf(rows.alerts)))
    .all();
  const dated: readonly { readonly at: number }[] = [...Object.values(rows).flat(), ...links];
  return {
    alerts: idsOf(rows.alerts),
    /** About its alerts, and those it started. */
    conversations: [...new Set([...idsOf(about), ...idsOf(rows.started)])],
    zones: idsOf(rows.zones),
    requests: idsOf(rows.requests),
    emails: idsOf(rows.emails),
    adminKeys: idsOf(adminKeys.all()),
    moderationActions: idsOf(rows.moderationActions),
    memberKeys: idsOf(memberKeys.all()),
    memberActions: idsOf(rows.memberActions),
    members: idsOf(rows.members),
    organisations: idsOf(rows.organisations),
    /** Time of the newest row, erasure links included. */
    newestAt: dated.reduce((newest, { at }) => Math.max(newest, at), -Infinity),
  };
}

/** Numbers of rows of each kind. */
export function countOf({ db }: StoreTools, ids: ReturnType<typeof idsOfMailbox>): DataInventory {
  const idsIn = (table: typeof sighting | typeof message, which: SQL) =>
    idsOf(db.select({ id: table.id }).from(table).where(which).all());
  const sightings = idsIn(sighting, inList(sighting.alertId, ids.alerts));
  const messages = idsIn(message, inList(message.conversationId, ids.conversations));
  const users = [
    ...ids.alerts.map((id) => `alert:${id}`),
    ...ids.requests.map((id) => `pending:${id}`),
    ...sightings.map((id) => `sighting:${id}`),
    ...messages.map((id) => `message:${id}`),
  ];
  const photos = db
    .select({ names: countDistinct(photoUse.name) })
    .from(photoUse)
    .where(inList(photoUse.user, users))
    .get();
  const devices = db
    .select({ ids: countDistinct(deviceTopic.deviceId) })
    .from(deviceTopic)
    .where(inList(deviceTopic.subject, ids.alerts.map(ownerSubject)))
    .get();
  return {
    alerts: ids.alerts.length,
    photos: photos?.names ?? 0,
    sightings: sightings.length,
    conversations: ids.conversations.length,
    messages: messages.length,
    zones: ids.zones.length,
    devices: devices?.ids ?? 0,
    requests: ids.requests.length,
    emails: ids.emails.length,
    moderation: ids.adminKeys.length + ids.moderationActions.length,
    memberships:
      ids.memberKeys.length +
      ids.memberActions.length +
      ids.members.length +
      ids.organisations.length,
  };
}

/** Sealed tokens of both sides of conversations. */
export function sealedLinks({ db }: StoreTools, conversations: readonly string[]): string[] {
  const subjects = conversationSubjects(conversations);
  return db
    .select({ sealed: link.sealed })
    .from(link)
    .where(and(eq(link.purpose, "conversation"), inList(link.subject, subjects)))
    .all()
    .map(({ sealed }) => sealed);
}

/** Condition for the memberships of a mailbox that began up to a time. */
export function membershipsOf(email: string, upTo: number): SQL | undefined {
  return and(isAddress(member.email, email), lte(member.addedAt, upTo));
}

/** Condition for the erasure links of a mailbox that were requested up to a time. */
export function erasureLinksOf(email: string, upTo: number): SQL | undefined {
  return and(
    isAddress(erasure.email, email),
    lte(erasure.expiresAt, Math.min(upTo + ERASE_MS, Number.MAX_SAFE_INTEGER)),
  );
}

/** All mailboxes in the database, in lower case. */
export function allMailboxes({ db }: StoreTools): Set<string> {
  const columns = [
    alert.ownerEmail,
    conversation.strangerEmail,
    zone.email,
    pending.email,
    outbox.to,
    moderation.who,
    adminKey.email,
    member.email,
    memberKey.email,
    memberAction.who,
    organisation.email,
    erasure.email,
  ];
  const rows = columns.flatMap((column) =>
    db
      .selectDistinct({ mailbox: sql<string>`lower(${column})` })
      .from(column.table)
      .where(isNotNull(column))
      .all(),
  );
  return new Set(rows.map(({ mailbox }) => mailbox));
}
