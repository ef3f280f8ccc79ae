import { and, count, countDistinct, eq, isNotNull, lte, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { ERASE_MS, type DataInventory } from "../../src/core/erasure/erase.ts";
import { NOBODY } from "../../src/core/moderation/report.ts";
import { markAnswered } from "./confirmation-emails.ts";
import type { StoreTools } from "./context.ts";
import { eraseConversations } from "./conversations.ts";
import { eraseAlerts, eraseZone } from "./erased-rows.ts";
import { inList } from "./expressions.ts";
import { adminKey, moderation } from "./moderation-schema.ts";
import type { Db } from "./open.ts";
import { withdrawEmails, withdrawWhere } from "./outbox.ts";
import { withdrawDigests } from "./owner-news.ts";
import { ENDED } from "./pendings.ts";
import { freePhotos } from "./photos.ts";
import {
  alert,
  conversation,
  erasure,
  link,
  message,
  outbox,
  pending,
  photoUse,
  sighting,
  zone,
} from "./schema.ts";

/** Ids of all rows stored under a mailbox. */
export type MailboxIds = {
  readonly alerts: readonly string[];
  /** About its alerts, and those it started. */
  readonly conversations: readonly string[];
  /** Those it started. */
  readonly started: readonly string[];
  readonly zones: readonly string[];
  readonly requests: readonly string[];
  readonly letters: readonly string[];
  readonly adminKeys: readonly string[];
  readonly moderationActions: readonly string[];
  /** Time of the newest row, erasure links included. */
  readonly newestAt: number;
};

const ANY_TIME = Number.MAX_SAFE_INTEGER;

/**
 * Queries for the rows of exactly this mailbox, in any case, that were made up to a time. Each uses an index, except for
 * the few rows of moderators.
 */
export function rowsOf(db: Db, email: string, upTo: number) {
  const mine = (column: SQLiteColumn) => eq(sql`lower(${column})`, email.toLowerCase());
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
    letters: db
      .select({ id: outbox.id, at: outbox.createdAt })
      .from(outbox)
      .where(and(sql`${outbox.state} = 'waiting'`, mine(outbox.to), lte(outbox.createdAt, upTo))),
    moderationActions: db
      .select({ id: moderation.id, at: moderation.at })
      .from(moderation)
      .where(and(mine(moderation.who), lte(moderation.at, upTo))),
    // At any time: they live for minutes, so one from a backup has expired.
    adminKeys: db.select({ id: adminKey.tokenHash }).from(adminKey).where(mine(adminKey.email)),
  };
}

type Rows = ReturnType<typeof rowsOf>;

/** Status of a mailbox: `confirmed` if its reader did anything. Reads at most one row of each kind. */
export function mailboxStatus(
  { db }: StoreTools,
  email: string,
): "confirmed" | "unconfirmed" | "none" {
  // Anyone can make requests in its name, and so have emails sent to it.
  const { requests, letters, adminKeys, ...own } = rowsOf(db, email, ANY_TIME);
  const isAny = (rows: Rows[keyof Rows]) => rows.limit(1).all().length > 0;
  if (Object.values(own).some(isAny)) return "confirmed";
  return [requests, letters, adminKeys].some(isAny) ? "unconfirmed" : "none";
}

/** Rows that are stored under a mailbox and were made up to a time. */
export function idsOfMailbox({ db }: StoreTools, email: string, upTo = ANY_TIME): MailboxIds {
  const rows = rowsOf(db, email, upTo);
  const [alerts, started, zones] = [rows.alerts.all(), rows.started.all(), rows.zones.all()];
  const [requests, letters, moderationActions] = [
    rows.requests.all(),
    rows.letters.all(),
    rows.moderationActions.all(),
  ];
  const links = db
    .select({ at: sql<number>`${erasure.expiresAt} - ${ERASE_MS}` })
    .from(erasure)
    .where(linksOf(email, upTo))
    .all();
  const about = db
    .select({ id: conversation.id })
    .from(conversation)
    .where(inList(conversation.alertId, idsOf(alerts)))
    .all();
  const dated = [alerts, started, zones, requests, letters, moderationActions, links];
  return {
    alerts: idsOf(alerts),
    conversations: [...new Set([...idsOf(about), ...idsOf(started)])],
    started: idsOf(started),
    zones: idsOf(zones),
    requests: idsOf(requests),
    letters: idsOf(letters),
    adminKeys: idsOf(rows.adminKeys.all()),
    moderationActions: idsOf(moderationActions),
    newestAt: dated.flat().reduce((newest, { at }) => Math.max(newest, at), -Infinity),
  };
}

function idsOf(rows: readonly { readonly id: string }[]): string[] {
  return rows.map(({ id }) => id);
}

/** Numbers of rows of each kind. */
export function countOf({ db }: StoreTools, parts: MailboxIds): DataInventory {
  const users = [
    ...parts.alerts.map((id) => `alert:${id}`),
    ...parts.requests.map((id) => `pending:${id}`),
  ];
  const photos = db
    .select({ many: countDistinct(photoUse.name) })
    .from(photoUse)
    .where(inList(photoUse.user, users))
    .get();
  const sightings = db
    .select({ many: count() })
    .from(sighting)
    .where(inList(sighting.alertId, parts.alerts))
    .get();
  const messages = db
    .select({ many: count() })
    .from(message)
    .where(inList(message.conversationId, parts.conversations))
    .get();
  return {
    alerts: parts.alerts.length,
    photos: photos?.many ?? 0,
    sightings: sightings?.many ?? 0,
    conversations: parts.conversations.length,
    messages: messages?.many ?? 0,
    zones: parts.zones.length,
    requests: parts.requests.length,
    letters: parts.letters.length,
    moderation: parts.adminKeys.length + parts.moderationActions.length,
  };
}

/** Sealed tokens of both sides of conversations. */
export function sealedLinks({ db }: StoreTools, conversations: readonly string[]): string[] {
  const subjects = conversations.flatMap((id) => [`${id}:owner`, `${id}:stranger`]);
  return db
    .select({ sealed: link.sealed })
    .from(link)
    .where(and(eq(link.purpose, "conversation"), inList(link.subject, subjects)))
    .all()
    .map(({ sealed }) => sealed);
}

/**
 * Erases rows made up to a time, at most `limit` alerts; returns whether those were the last. The first call erases all
 * that can become an alert or write to one. Only inside `write`.
 */
export function eraseSome(
  tools: StoreTools,
  email: string,
  { upTo, limit, now }: { upTo: number; limit: number; now: number },
): boolean {
  const { db } = tools;
  const rows = rowsOf(db, email, upTo);
  for (const { id } of rows.requests.all()) endRequest(tools, id, now);
  for (const { id } of rows.zones.all()) eraseZone(tools, id, now);
  const started = idsOf(rows.started.all());
  withdrawMessages(tools, sealedLinks(tools, started), now);
  withdrawDigests(tools, started, now);
  eraseConversations(tools, started);
  withdrawWhere(tools, inList(outbox.id, idsOf(rows.letters.all())), now);
  db.delete(adminKey)
    .where(inList(adminKey.tokenHash, idsOf(rows.adminKeys.all())))
    .run();
  db.update(moderation)
    .set({ who: NOBODY })
    .where(inList(moderation.id, idsOf(rows.moderationActions.all())))
    .run();
  const alerts = idsOf(rows.alerts.limit(limit).all());
  eraseAlerts(tools, alerts, now);
  return alerts.length < limit;
}

/** Uses up the erasure links of a mailbox, and stores in them what was erased. Only inside `write`. */
export function useUpLinks(
  tools: StoreTools,
  email: string,
  { upTo, now }: { readonly upTo: number; readonly now: number },
  erased: DataInventory,
): void {
  const used = tools.db
    .update(erasure)
    .set({ email: null, erased })
    .where(linksOf(email, upTo))
    .returning({ mark: erasure.unconfirmedHash })
    .all();
  for (const { mark } of used) if (mark !== null) markAnswered(tools, mark, now);
}

/** Condition for the erasure links of a mailbox that were requested up to a time. */
function linksOf(email: string, upTo: number): SQL | undefined {
  return and(
    eq(sql`lower(${erasure.email})`, email.toLowerCase()),
    lte(erasure.expiresAt, Math.min(upTo + ERASE_MS, Number.MAX_SAFE_INTEGER)),
  );
}

/** Withdraws emails with messages of conversations, found by the private links in them. Only inside `write`. */
function withdrawMessages(tools: StoreTools, sealed: readonly string[], now: number): void {
  const sealedToken = sql`json_extract(${outbox.content}, '$.sealedToken')`;
  withdrawWhere(tools, inList(sealedToken, sealed), now);
}

/** Ends a request as if it had expired, which is what its link will show. Only inside `write`. */
function endRequest(tools: StoreTools, id: string, now: number): void {
  tools.db
    .update(pending)
    .set({ ...ENDED, expiresAt: now })
    .where(eq(pending.id, id))
    .run();
  withdrawEmails(tools, `pending:${id}`, now);
  freePhotos(tools, [`pending:${id}`]);
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
