import { and, countDistinct, eq, isNotNull, lte, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { ERASE_MS, type DataInventory } from "../src/core/erasure/erase.ts";
import { ownerSubject } from "../src/core/push/push.ts";
import type { Reader } from "./context.ts";
import { first, idsOf, isAddress } from "./queries.ts";
import { conversationSubjects } from "./rows.ts";

const ANY_TIME = Number.MAX_SAFE_INTEGER;

/**
 * Queries for the rows of exactly this mailbox, in any case, that were made up to a time. Each uses an index, except for
 * the few rows of moderators.
 */
export function rowsOfMailbox(reader: Reader, email: string, upTo: number) {
  const { adminKey, alert, conversation, member, memberAction, memberKey, moderation } =
    reader.tables;
  const { organisation, outbox, pending, zone } = reader.tables;
  const { db } = reader;
  const mine = (column: PgColumn) => isAddress(column, email);
  return {
    alerts: db
      .select({ id: alert.id, at: alert.publishedAt })
      .from(alert)
      .where(and(mine(alert.ownerEmail), lte(alert.publishedAt, upTo))),
    started: db
      .select({ id: conversation.id, at: conversation.createdAt })
      .from(conversation)
      .where(and(mine(conversation.strangerEmail), lte(conversation.createdAt, upTo))),
    zones: db
      .select({ id: zone.id, at: zone.createdAt })
      .from(zone)
      .where(and(mine(zone.email), lte(zone.createdAt, upTo))),
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
      .where(membershipsOf(reader, email, upTo)),
    organisations: db
      .select({ id: organisation.slug, at: organisation.createdAt })
      .from(organisation)
      .where(and(mine(organisation.email), lte(organisation.createdAt, upTo))),
  };
}

type Rows = ReturnType<typeof rowsOfMailbox>;

/** Status of a mailbox: `confirmed` if its reader did anything. Reads at most one row of each kind. */
export async function mailboxStatus(
  reader: Reader,
  email: string,
): Promise<"confirmed" | "unconfirmed" | "none"> {
  // Anyone can make requests in its name and so cause emails to it, and the operator names members and organisations.
  const { requests, emails, adminKeys, memberKeys, members, organisations, ...own } = rowsOfMailbox(
    reader,
    email,
    ANY_TIME,
  );
  const isAny = async (queries: readonly Rows[keyof Rows][]) => {
    for (const rows of queries) if ((await rows.limit(1)).length > 0) return true;
    return false;
  };
  if (await isAny(Object.values(own))) return "confirmed";
  return (await isAny([requests, emails, adminKeys, memberKeys, members, organisations]))
    ? "unconfirmed"
    : "none";
}

/** Ids of the rows that are stored under a mailbox and were made up to a time. */
export async function idsOfMailbox(reader: Reader, email: string, upTo = ANY_TIME) {
  const { conversation, erasure } = reader.tables;
  const { db, dialect } = reader;
  const { adminKeys, memberKeys, ...queries } = rowsOfMailbox(reader, email, upTo);
  const rows = {
    alerts: await queries.alerts,
    started: await queries.started,
    zones: await queries.zones,
    requests: await queries.requests,
    emails: await queries.emails,
    moderationActions: await queries.moderationActions,
    memberActions: await queries.memberActions,
    members: await queries.members,
    organisations: await queries.organisations,
  };
  const links = await db
    .select({ at: sql<number>`${erasure.expiresAt} - ${ERASE_MS}`.mapWith(Number) })
    .from(erasure)
    .where(erasureLinksOf(reader, email, upTo));
  const about = await db
    .select({ id: conversation.id })
    .from(conversation)
    .where(dialect.inList(conversation.alertId, idsOf(rows.alerts)));
  const dated: readonly { readonly at: number }[] = [...Object.values(rows).flat(), ...links];
  return {
    alerts: idsOf(rows.alerts),
    /** About its alerts, and those it started. */
    conversations: [...new Set([...idsOf(about), ...idsOf(rows.started)])],
    zones: idsOf(rows.zones),
    requests: idsOf(rows.requests),
    emails: idsOf(rows.emails),
    adminKeys: idsOf(await adminKeys),
    moderationActions: idsOf(rows.moderationActions),
    memberKeys: idsOf(await memberKeys),
    memberActions: idsOf(rows.memberActions),
    members: idsOf(rows.members),
    organisations: idsOf(rows.organisations),
    /** Time of the newest row, erasure links included. */
    newestAt: dated.reduce((newest, { at }) => Math.max(newest, at), -Infinity),
  };
}

/** Numbers of rows of each kind. */
export async function countOf(
  { db, dialect, tables: { deviceTopic, message, photoUse, sighting } }: Reader,
  ids: Awaited<ReturnType<typeof idsOfMailbox>>,
): Promise<DataInventory> {
  const idsIn = async (table: typeof sighting | typeof message, which: SQL) =>
    idsOf(await db.select({ id: table.id }).from(table).where(which));
  const sightings = await idsIn(sighting, dialect.inList(sighting.alertId, ids.alerts));
  const messages = await idsIn(message, dialect.inList(message.conversationId, ids.conversations));
  const users = [
    ...ids.alerts.map((id) => `alert:${id}`),
    ...ids.requests.map((id) => `pending:${id}`),
    ...sightings.map((id) => `sighting:${id}`),
    ...messages.map((id) => `message:${id}`),
  ];
  const photos = await first(
    db
      .select({ names: countDistinct(photoUse.name) })
      .from(photoUse)
      .where(dialect.inList(photoUse.user, users)),
  );
  const devices = await first(
    db
      .select({ ids: countDistinct(deviceTopic.deviceId) })
      .from(deviceTopic)
      .where(dialect.inList(deviceTopic.subject, ids.alerts.map(ownerSubject))),
  );
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
export async function sealedLinks(
  { db, dialect, tables: { link } }: Reader,
  conversations: readonly string[],
): Promise<string[]> {
  const subjects = conversationSubjects(conversations);
  const rows = await db
    .select({ sealed: link.sealed })
    .from(link)
    .where(and(eq(link.purpose, "conversation"), dialect.inList(link.subject, subjects)));
  return rows.map(({ sealed }) => sealed);
}

/** Condition for the memberships of a mailbox that began up to a time. */
export function membershipsOf(
  { tables: { member } }: Reader,
  email: string,
  upTo: number,
): SQL | undefined {
  return and(isAddress(member.email, email), lte(member.addedAt, upTo));
}

/** Condition for the erasure links of a mailbox that were requested up to a time. */
export function erasureLinksOf(
  { tables: { erasure } }: Reader,
  email: string,
  upTo: number,
): SQL | undefined {
  return and(
    isAddress(erasure.email, email),
    lte(erasure.expiresAt, Math.min(upTo + ERASE_MS, Number.MAX_SAFE_INTEGER)),
  );
}

/** All mailboxes in the database, in lower case. */
export async function allMailboxes({ db, tables }: Reader): Promise<Set<string>> {
  const columns = [
    tables.alert.ownerEmail,
    tables.conversation.strangerEmail,
    tables.zone.email,
    tables.pending.email,
    tables.outbox.to,
    tables.moderation.who,
    tables.adminKey.email,
    tables.member.email,
    tables.memberKey.email,
    tables.memberAction.who,
    tables.organisation.email,
    tables.erasure.email,
  ];
  const mailboxes = new Set<string>();
  for (const column of columns) {
    const rows = await db
      .selectDistinct({ mailbox: sql<string>`lower(${column})` })
      .from(column.table)
      .where(isNotNull(column));
    for (const { mailbox } of rows) mailboxes.add(mailbox);
  }
  return mailboxes;
}
