import { and, countDistinct, eq, isNotNull, lte, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { ERASE_MS } from "../src/core/erasure/erase.ts";
import { ownerSubject } from "../src/core/push/push.ts";
import type { Reader } from "./context.ts";
import { first, idsOf, isExactly } from "./queries.ts";
import { conversationSubjects } from "./rows.ts";
import type { SessionKeyTable } from "./schema/alerts.ts";
import type { DataInventory } from "../src/core/erasure/erasure-store.ts";

const ANY_TIME = Number.MAX_SAFE_INTEGER;

/**
 * Queries for the rows of exactly this spelling of a mailbox that were made up to a time. Each uses an index, except for
 * the few rows of moderators.
 */
export function rowsOfMailbox({ db, tables }: Reader, email: string, upTo: number) {
  const { adminKey, alert, conversation, member, memberAction, memberKey, moderation } = tables;
  const { organisation, outbox, pending, zone } = tables;
  const rows = (id: PgColumn, mailbox: PgColumn, at: PgColumn, also?: SQL) =>
    db
      .select({ id: sql<string>`${id}`, at: sql<number>`${at}`.mapWith(Number) })
      .from(id.table)
      .where(and(also, isExactly(mailbox, email), lte(at, upTo)));
  // Made at any time: they live for minutes, so one from a backup has expired.
  const keys = ({ tokenHash, email: mailbox }: SessionKeyTable) =>
    db.select({ id: tokenHash }).from(tokenHash.table).where(isExactly(mailbox, email));
  return {
    alerts: rows(alert.id, alert.ownerEmail, alert.publishedAt),
    started: rows(conversation.id, conversation.strangerEmail, conversation.createdAt),
    zones: rows(zone.id, zone.email, zone.createdAt),
    requests: rows(pending.id, pending.email, pending.createdAt, sql`${pending.email} <> ''`),
    emails: rows(outbox.id, outbox.to, outbox.createdAt, sql`${outbox.state} = 'waiting'`),
    moderationActions: rows(moderation.id, moderation.who, moderation.at),
    adminKeys: keys(adminKey),
    memberKeys: keys(memberKey),
    memberActions: rows(memberAction.id, memberAction.who, memberAction.at),
    members: rows(member.organisation, member.email, member.addedAt),
    organisations: rows(organisation.slug, organisation.email, organisation.createdAt),
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
  const { adminKeys, memberKeys, ...dated } = rowsOfMailbox(reader, email, upTo);
  const found = {} as Record<keyof typeof dated, string[]>;
  const links = await db
    .select({ at: sql<number>`${erasure.expiresAt} - ${ERASE_MS}`.mapWith(Number) })
    .from(erasure)
    .where(erasureLinksOf(reader, email, upTo));
  const later = (time: number, { at }: { readonly at: number }) => Math.max(time, at);
  let newestAt = links.reduce(later, -Infinity);
  for (const kind of Object.keys(dated) as (keyof typeof dated)[]) {
    const rows = await dated[kind];
    found[kind] = idsOf(rows);
    newestAt = rows.reduce(later, newestAt);
  }
  const { started, ...ids } = found;
  const ofAlerts = dialect.inList(conversation.alertId, ids.alerts);
  const about = await db.select({ id: conversation.id }).from(conversation).where(ofAlerts);
  return {
    ...ids,
    adminKeys: idsOf(await adminKeys),
    memberKeys: idsOf(await memberKeys),
    /** About its alerts, and those it started. */
    conversations: [...new Set([...idsOf(about), ...started])],
    /** Time of the newest row, erasure links included. */
    newestAt,
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
  const distinct = async (column: PgColumn, which: SQL) => {
    const values = { many: countDistinct(column) };
    return (await first(db.select(values).from(column.table).where(which)))?.many ?? 0;
  };
  const topics = ids.alerts.map(ownerSubject);
  return {
    alerts: ids.alerts.length,
    photos: await distinct(photoUse.name, dialect.inList(photoUse.user, users)),
    sightings: sightings.length,
    conversations: ids.conversations.length,
    messages: messages.length,
    zones: ids.zones.length,
    devices: await distinct(deviceTopic.deviceId, dialect.inList(deviceTopic.subject, topics)),
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
  const ofSides = and(eq(link.purpose, "conversation"), dialect.inList(link.subject, subjects));
  const rows = await db.select({ sealed: link.sealed }).from(link).where(ofSides);
  return rows.map(({ sealed }) => sealed);
}

/** Condition for the memberships of a mailbox that began up to a time. */
export function membershipsOf(reader: Reader, email: string, upTo: number): SQL | undefined {
  const { member } = reader.tables;
  return and(isExactly(member.email, email), lte(member.addedAt, upTo));
}

/** Condition for the erasure links of a mailbox that were requested up to a time. */
export function erasureLinksOf(reader: Reader, email: string, upTo: number): SQL | undefined {
  const { erasure } = reader.tables;
  return and(
    isExactly(erasure.email, email),
    lte(erasure.expiresAt, Math.min(upTo + ERASE_MS, Number.MAX_SAFE_INTEGER)),
  );
}

/** All mailboxes in the database, as they are spelled. */
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
      .selectDistinct({ mailbox: sql<string>`${column}` })
      .from(column.table)
      .where(isNotNull(column));
    for (const { mailbox } of rows) mailboxes.add(mailbox);
  }
  return mailboxes;
}
