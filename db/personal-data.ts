import { and, countDistinct, eq, gt, isNotNull, isNull, lt, lte, type SQL, sql } from "drizzle-orm";
import { ERASE_MS } from "../src/core/erasure/erase.ts";
import type { DataInventory } from "../src/core/erasure/erasure-store.ts";
import type { PgColumn } from "drizzle-orm/pg-core";
import { NOBODY } from "../src/core/moderation/report.ts";

import type { SessionPurpose } from "../src/core/people/link-store.ts";
import { ALERT_GROUPS, groupSubject } from "../src/core/people/private-link.ts";
import { ownerSubject, zoneSubject } from "../src/core/push/push.ts";
import { zonesOfSubject } from "../src/core/zones/zone.ts";
import type { Reader, Tx } from "./context.ts";
import { conversationSubjects, eraseConversations, withdrawDigests } from "./conversations.ts";
import { dropTopics } from "./device-topics.ts";
import { deleteLinks } from "./links.ts";
import { erasePairs, withdrawMatchDigests } from "./matches.ts";
import {
  withdrawManageLinks,
  withdrawMatches,
  withdrawPlanEmails,
  withdrawWhere,
} from "./outbox.ts";
import { endRequests, wipeRepeats, wipeRequests } from "./pending.ts";
import { closeReports } from "./alerts.ts";
import { freePhotos } from "./photos.ts";
import { first, hasRow, idsOf, isExactly, lockRows } from "./queries.ts";
import { FIELDS, fieldsWhere, isFreeText } from "../src/core/alerts/fields.ts";
import type { Row, Tables } from "./schema/tables.ts";
import { eraseSightings } from "./sightings.ts";
import { withdrawNews, withdrawZoneEmails } from "./zones.ts";

const ANY_TIME = Number.MAX_SAFE_INTEGER;

/** Rows that are stored under a mailbox. */
type PersonalRows = {
  readonly id: PgColumn;
  readonly mailbox: PgColumn;
  /** Time at which they were made; null for keys, which live for minutes: one from a backup has expired. */
  readonly at: PgColumn | null;
  /** Further condition. */
  readonly also?: SQL;
  /** Values that an erasure sets in the rows, or `deleted`. Rows without it are erased by `eraseBatch`. */
  readonly erased?: Readonly<Record<string, string | null>> | "deleted";
};

/** All tables with the mailboxes of people. Each column has an index, but for the few rows of moderators, and keys. */
function personalRows(tables: Tables) {
  const { alert, conversation, member, memberAction, moderation } = tables;
  const { organisation, outbox, pending, sessionKey, zone } = tables;
  const keys = { id: sessionKey.tokenHash, mailbox: sessionKey.email, at: null } as const;
  const isFor = (purpose: SessionPurpose) => eq(sessionKey.purpose, purpose);
  return {
    alerts: { id: alert.id, mailbox: alert.ownerEmail, at: alert.publishedAt },
    started: {
      id: conversation.id,
      mailbox: conversation.strangerEmail,
      at: conversation.createdAt,
    },
    zones: { id: zone.id, mailbox: zone.email, at: zone.createdAt },
    requests: {
      id: pending.id,
      mailbox: pending.email,
      at: pending.createdAt,
      also: sql`${pending.email} <> ''`,
    },
    emails: {
      id: outbox.id,
      mailbox: outbox.to,
      at: outbox.createdAt,
      also: sql`${outbox.state} = 'waiting'`,
    },
    moderationActions: {
      id: moderation.id,
      mailbox: moderation.who,
      at: moderation.at,
      erased: { who: NOBODY },
    },
    moderatorKeys: { ...keys, also: isFor("moderation"), erased: "deleted" },
    memberKeys: { ...keys, also: isFor("inbox"), erased: "deleted" },
    memberActions: {
      id: memberAction.id,
      mailbox: memberAction.who,
      at: memberAction.at,
      erased: { who: NOBODY },
    },
    members: {
      id: member.organisation,
      mailbox: member.email,
      at: member.addedAt,
      erased: "deleted",
    },
    organisations: {
      id: organisation.slug,
      mailbox: organisation.email,
      at: organisation.createdAt,
      erased: { email: null },
    },
  } as const satisfies Record<string, PersonalRows>;
}

type Kind = keyof ReturnType<typeof personalRows>;

/** Condition for the rows of exactly this spelling of a mailbox that were made up to a time. */
function isOf({ mailbox, at, also }: PersonalRows, email: string, upTo: number): SQL | undefined {
  return and(also, isExactly(mailbox, email), at === null ? undefined : lte(at, upTo));
}

/** Queries for the rows of exactly this spelling of a mailbox that were made up to a time. */
export function rowsOfMailbox({ db, tables }: Reader, email: string, upTo: number) {
  const queryOf = (rows: PersonalRows) =>
    db
      .select({ id: sql<string>`${rows.id}`, at: sql<number>`${rows.at ?? 0}`.mapWith(Number) })
      .from(rows.id.table)
      .where(isOf(rows, email, upTo));
  const queries = Object.entries<PersonalRows>(personalRows(tables)).map(
    ([kind, rows]) => [kind, queryOf(rows)] as const,
  );
  return Object.fromEntries(queries) as Record<Kind, ReturnType<typeof queryOf>>;
}

/** Acts of a mailbox's reader alone, unlike requests that anyone can make, or members and organisations that the operator names. */
const OWN_ACTS = ["alerts", "started", "zones", "moderationActions", "memberActions"];

/** Status of a mailbox: `confirmed` if its reader did anything. Reads at most one row of each kind. */
export async function mailboxStatus(
  reader: Reader,
  email: string,
): Promise<"confirmed" | "unconfirmed" | "none"> {
  let status: "unconfirmed" | "none" = "none";
  for (const [kind, rows] of Object.entries(rowsOfMailbox(reader, email, ANY_TIME))) {
    if ((await rows.limit(1)).length === 0) continue;
    if (OWN_ACTS.includes(kind)) return "confirmed";
    status = "unconfirmed";
  }
  return status;
}

/** Ids of the rows that are stored under a mailbox and were made up to a time. */
export async function idsOfMailbox(reader: Reader, email: string, upTo = ANY_TIME) {
  const { conversation, erasure } = reader.tables;
  const { db, dialect } = reader;
  const found = {} as Record<Kind, string[]>;
  const links = await db
    .select({ at: sql<number>`${erasure.expiresAt} - ${ERASE_MS}`.mapWith(Number) })
    .from(erasure)
    .where(erasureLinksOf(reader, email, upTo));
  const later = (time: number, { at }: { readonly at: number }) => Math.max(time, at);
  let newestAt = links.reduce(later, -Infinity);
  const queries = rowsOfMailbox(reader, email, upTo);
  for (const kind of Object.keys(queries) as Kind[]) {
    const rows = await queries[kind];
    found[kind] = idsOf(rows);
    newestAt = rows.reduce(later, newestAt);
  }
  const ofAlerts = dialect.inList(conversation.alertId, found.alerts);
  const about = await db.select({ id: conversation.id }).from(conversation).where(ofAlerts);
  return {
    ...found,
    /** About its alerts, and those it started. */
    conversations: [...new Set([...idsOf(about), ...found.started])],
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
    moderation: ids.moderatorKeys.length + ids.moderationActions.length,
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
  const rows = Object.values<PersonalRows>(personalRows(tables));
  const columns = [...rows.map(({ mailbox }) => mailbox), tables.erasure.email];
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

/**
 * Erases a batch of the rows of a mailbox that were made up to a time, at most `limit` alerts; returns whether those were
 * the last. The first call erases all that can become an alert or write to one: a confirmation under way holds the row of
 * its request, so that what it adds is found afterwards.
 */
export async function eraseBatch(
  tx: Tx,
  email: string,
  { upTo, limit, now }: { upTo: number; limit: number; now: number },
): Promise<boolean> {
  const { outbox, pending } = tx.tables;
  const { db, dialect } = tx;
  const rows = rowsOfMailbox(tx, email, upTo);
  await endRequests(tx, dialect.inList(pending.id, idsOf(await rows.requests)), now);
  for (const { id } of await rows.zones) await eraseZone(tx, id, now);
  // The conversations are locked first: a reply under way then counts as written before.
  const started = idsOf(await dialect.locking(rows.started, "update"));
  // Emails with messages of these conversations are found by the private links in them.
  const sealedToken = sql`(${outbox.content} ->> 'sealedToken')`;
  const holdsOne = dialect.inList(sealedToken, await sealedLinks(tx, started));
  await withdrawWhere(tx, sql`${sealedToken} is not null and ${holdsOne}`, now);
  await withdrawDigests(tx, started, now);
  await eraseConversations(tx, started);
  await withdrawWhere(tx, dialect.inList(outbox.id, idsOf(await rows.emails)), now);
  for (const one of Object.values<PersonalRows>(personalRows(tx.tables))) {
    const { erased, id } = one;
    const its = isOf(one, email, upTo);
    if (erased === "deleted") await db.delete(id.table).where(its);
    else if (erased !== undefined) await db.update(id.table).set(erased).where(its);
  }
  const alerts = idsOf(await rows.alerts.limit(limit));
  await eraseAlerts(tx, alerts, now);
  return alerts.length < limit;
}

/** Removes alerts and everything that belongs to them; the remaining rows keep their names reserved. */
export async function eraseAlerts(tx: Tx, ids: readonly string[], now: number): Promise<void> {
  if (ids.length === 0) return;
  const removed = { ...WIPED_ALERT, status: "removed", endedAt: now, updatedAt: now } as const;
  const wiped = await wipeAlerts(tx, ids, now, removed);
  for (const { id } of wiped) tx.changes.alerts.add(id);
  await withdrawNews(tx, ids, now);
  const codes = wiped.map(({ shortCode }) => shortCode);
  await withdrawMatches(tx, codes, now);
  await closeReports(tx, ids, now);
  await freePhotos(tx, "alert", ids);
}

/**
 * Erases the owners of alerts, what people wrote about them, their pairs, private links and waiting emails. The rows of the
 * alerts are changed first: whoever adds something to them holds those rows, and what was added is found afterwards.
 */
export async function wipeAlerts(
  tx: Tx,
  ids: readonly string[],
  now: number,
  columns: Partial<Row<"alert">> = {},
): Promise<{ readonly id: string; readonly shortCode: string }[]> {
  const { alert } = tx.tables;
  const isNamed = tx.dialect.inList(alert.id, ids);
  const owners = await tx.db
    .selectDistinct({ email: alert.ownerEmail })
    .from(alert)
    .where(and(isNamed, isNotNull(alert.ownerEmail)));
  const wiped = await tx.db
    .update(alert)
    .set({ ...WIPED_OWNER, erasedAt: now, ...columns })
    .where(isNamed)
    .returning({ id: alert.id, shortCode: alert.shortCode });
  await erasePrivateParts(tx, ids, now);
  for (const { email } of owners) await dropOwnerLinks(tx, email ?? "");
  return wiped;
}

/** Erases all that belongs to alerts and is not public. */
async function erasePrivateParts(tx: Tx, ids: readonly string[], now: number): Promise<void> {
  const { conversation, outbox, pending, planEmail, planStep, sighting } = tx.tables;
  const { db, dialect } = tx;
  const about = dialect.inList(conversation.alertId, ids);
  await eraseConversations(tx, await lockRows(tx, conversation, about, "update"));
  const muting = ids.flatMap((id) => [`reminders:${id}`, `matches:${id}`, `plan:${id}`]);
  await deleteLinks(tx, "manage", ids);
  await deleteLinks(tx, "unsubscribe", muting);
  await dropTopics(tx, ids.map(ownerSubject));
  await withdrawMatchDigests(tx, ids, now);
  await erasePairs(tx, ids);
  await eraseSightings(tx, dialect.inList(sighting.alertId, ids));
  await withdrawPlanEmails(tx, ids, now);
  await db.delete(planStep).where(dialect.inList(planStep.alertId, ids));
  await db.delete(planEmail).where(dialect.inList(planEmail.alertId, ids));
  const alerts = ids.map((id) => `alert:${id}`);
  await withdrawWhere(tx, dialect.inList(outbox.about, alerts), now);
  await withdrawManageLinks(tx, ids, now);
  await wipeRepeats(tx, "alertId", ids);
  // Messages and sightings that were not confirmed.
  const alertId = sql`(${pending.payload} ->> 'alertId')`;
  const isAbout = dialect.inList(alertId, ids);
  await wipeRequests(tx, sql`state = 'waiting' and ${alertId} is not null and ${isAbout}`);
}

/** Deletes the links of emails about several alerts of an owner who has no alert left. */
async function dropOwnerLinks(tx: Tx, owner: string): Promise<void> {
  // The last two alerts may be erased at once.
  await tx.lock([`links of owner:${owner}`]);
  if (await hasRow(tx, tx.tables.alert, isExactly(tx.tables.alert.ownerEmail, owner))) return;
  const subjects = ALERT_GROUPS.map((kind) => groupSubject(kind, owner));
  await deleteLinks(tx, "unsubscribe", subjects);
}

/** Ends a zone for good; all that remains is a row without personal data. */
export async function eraseZone(tx: Tx, id: string, now: number): Promise<void> {
  const { zone, zoneNews } = tx.tables;
  const { db } = tx;
  // An email about the zone may be under way.
  await lockRows(tx, zone, eq(zone.id, id), "no key update");
  await withdrawZoneEmails(tx, id, now);
  await db
    .update(zone)
    .set({ email: null, label: null, lat: 0, lng: 0, endedAt: now })
    .where(eq(zone.id, id));
  tx.changes.zones.add(id);
  await db.delete(zoneNews).where(eq(zoneNews.zoneId, id));
  await dropTopics(tx, [zoneSubject(id)]);
  await deleteLinks(tx, "unsubscribe", [`zone:${id}`]);
  await dropGroupLinks(tx, id);
  await wipeRepeats(tx, "zoneId", [id]);
}

/** Deletes links that end several zones once all of these have ended. */
async function dropGroupLinks(tx: Tx, id: string): Promise<void> {
  const { link, zone } = tx.tables;
  const isGroup = and(
    eq(link.purpose, "unsubscribe"),
    gt(link.subject, "zones:"),
    lt(link.subject, "zones;"),
    tx.dialect.contains(link.subject, id),
  );
  for (const { tokenHash, subject } of await tx.db.select().from(link).where(isGroup)) {
    const live = and(tx.dialect.inList(zone.id, zonesOfSubject(subject)), isNull(zone.endedAt));
    if (!(await hasRow(tx, zone, live)))
      await tx.db.delete(link).where(eq(link.tokenHash, tokenHash));
  }
}

/** Columns of a removed alert. */
export const WIPED_ALERT = {
  ...Object.fromEntries(
    fieldsWhere((field) => isFreeText(field) || field.kind === "clock").map((name) => [
      name,
      FIELDS[name].unknown,
    ]),
  ),
  photos: [] as readonly string[],
  city: "",
  district: null,
  organisation: null,
  organisationName: null,
} as const;

/** Columns of an alert whose owner was erased. */
export const WIPED_OWNER = {
  ownerEmail: null,
  chipHash: null,
  rowHash: null,
  animalPage: null,
} as const;
