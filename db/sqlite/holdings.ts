import { and, count, countDistinct, eq, isNotNull, lte, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { ERASE_MS, type Holdings } from "../../src/core/erasing.ts";
import { NOBODY } from "../../src/core/report.ts";
import { among } from "./among.ts";
import { eraseConversations } from "./conversations.ts";
import { eraseAlerts } from "./erased-alerts.ts";
import type { Db } from "./open.ts";
import { withdrawLetters, withdrawWhere } from "./outbox.ts";
import { freePhotos } from "./photos.ts";
import {
  adminKey,
  alert,
  conversation,
  erasure,
  link,
  message,
  moderation,
  outbox,
  pending,
  photoUse,
  sighting,
  zone,
} from "./schema.ts";
import type { StoreTools } from "./store.ts";
import { wipeZone } from "./zones.ts";

/** What is kept under a mailbox, by ids. */
export type Parts = {
  readonly alerts: readonly string[];
  /** About these alerts, and those it began. */
  readonly conversations: readonly string[];
  /** Those it began. */
  readonly begun: readonly string[];
  readonly zones: readonly string[];
  readonly requests: readonly string[];
  readonly letters: readonly string[];
  readonly adminKeys: readonly string[];
  readonly deeds: readonly string[];
  /** When the newest of it came to be, links that erase included. */
  readonly newestAt: number;
};

/** Whenever it came to be. */
const EVER = Number.MAX_SAFE_INTEGER;

/**
 * The rows of exactly this mailbox, whatever its case, that came to be up to a time, as queries. Each uses an index, but
 * for the few rows of moderators.
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
    begun: db
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
    deeds: db
      .select({ id: moderation.id, at: moderation.at })
      .from(moderation)
      .where(and(mine(moderation.who), lte(moderation.at, upTo))),
    // They live for minutes: one that a backup brings back is over.
    adminKeys: db.select({ id: adminKey.tokenHash }).from(adminKey).where(mine(adminKey.email)),
  };
}

type Rows = ReturnType<typeof rowsOf>;

/** Whether anything is kept under a mailbox, and by its own doing: looks no further than the first there is of each. */
export function acquaintance(
  { db }: StoreTools,
  email: string,
): "confirmed" | "unconfirmed" | "none" {
  // Others can ask in its name, and have it written to.
  const { requests, letters, adminKeys, ...own } = rowsOf(db, email, EVER);
  const isAny = (rows: Rows[keyof Rows]) => rows.limit(1).all().length > 0;
  if (Object.values(own).some(isAny)) return "confirmed";
  return [requests, letters, adminKeys].some(isAny) ? "unconfirmed" : "none";
}

/** What is kept under a mailbox and came to be up to a time. */
export function partsOf({ db }: StoreTools, email: string, upTo = EVER): Parts {
  const rows = rowsOf(db, email, upTo);
  const [alerts, begun, zones] = [rows.alerts.all(), rows.begun.all(), rows.zones.all()];
  const [requests, letters, deeds] = [rows.requests.all(), rows.letters.all(), rows.deeds.all()];
  const links = db
    .select({ at: sql<number>`${erasure.expiresAt} - ${ERASE_MS}` })
    .from(erasure)
    .where(linksOf(email, upTo))
    .all();
  const about = db
    .select({ id: conversation.id })
    .from(conversation)
    .where(among(conversation.alertId, idsOf(alerts)))
    .all();
  const dated = [alerts, begun, zones, requests, letters, deeds, links];
  return {
    alerts: idsOf(alerts),
    conversations: [...new Set([...idsOf(about), ...idsOf(begun)])],
    begun: idsOf(begun),
    zones: idsOf(zones),
    requests: idsOf(requests),
    letters: idsOf(letters),
    adminKeys: idsOf(rows.adminKeys.all()),
    deeds: idsOf(deeds),
    newestAt: dated.flat().reduce((newest, { at }) => Math.max(newest, at), -Infinity),
  };
}

function idsOf(rows: readonly { readonly id: string }[]): string[] {
  return rows.map(({ id }) => id);
}

/** What there is, in numbers. */
export function countOf({ db }: StoreTools, parts: Parts): Holdings {
  const users = [
    ...parts.alerts.map((id) => `alert:${id}`),
    ...parts.requests.map((id) => `pending:${id}`),
  ];
  const photos = db
    .select({ many: countDistinct(photoUse.name) })
    .from(photoUse)
    .where(among(photoUse.user, users))
    .get();
  const sightings = db
    .select({ many: count() })
    .from(sighting)
    .where(among(sighting.alertId, parts.alerts))
    .get();
  const messages = db
    .select({ many: count() })
    .from(message)
    .where(among(message.conversationId, parts.conversations))
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
    moderation: parts.adminKeys.length + parts.deeds.length,
  };
}

/** Sealed tokens of both sides of conversations. */
export function sealedLinks({ db }: StoreTools, conversations: readonly string[]): string[] {
  const subjects = conversations.flatMap((id) => [`${id}:owner`, `${id}:stranger`]);
  return db
    .select({ sealed: link.sealed })
    .from(link)
    .where(and(eq(link.purpose, "conversation"), among(link.subject, subjects)))
    .all()
    .map(({ sealed }) => sealed);
}

/**
 * Erases what came to be up to a time, `limit` alerts at most; says whether that was the last of it. What can become an
 * alert, or write to one, goes with the first. Only inside `write`.
 */
export function erasePart(
  tools: StoreTools,
  email: string,
  { upTo, limit, now }: { upTo: number; limit: number; now: number },
): boolean {
  const { db } = tools;
  const rows = rowsOf(db, email, upTo);
  for (const { id } of rows.requests.all()) endRequest(tools, id, now);
  for (const { id } of rows.zones.all()) wipeZone(tools, id, now);
  const begun = idsOf(rows.begun.all());
  withdrawCarrying(tools, sealedLinks(tools, begun), now);
  eraseConversations(tools, begun);
  withdrawWhere(tools, among(outbox.id, idsOf(rows.letters.all())), now);
  db.delete(adminKey)
    .where(among(adminKey.tokenHash, idsOf(rows.adminKeys.all())))
    .run();
  db.update(moderation)
    .set({ who: NOBODY })
    .where(among(moderation.id, idsOf(rows.deeds.all())))
    .run();
  const alerts = idsOf(rows.alerts.limit(limit).all());
  eraseAlerts(tools, alerts, now);
  return alerts.length < limit;
}

/** Uses up the links that erase, and keeps what there was. Only inside `write`. */
export function useUpLinks(
  { db }: StoreTools,
  email: string,
  upTo: number,
  erased: Holdings,
): void {
  db.update(erasure).set({ email: null, erased }).where(linksOf(email, upTo)).run();
}

/** Links that erase what is kept under a mailbox, asked for up to a time. */
function linksOf(email: string, upTo: number): SQL | undefined {
  return and(
    eq(sql`lower(${erasure.email})`, email.toLowerCase()),
    lte(erasure.expiresAt, Math.min(upTo + ERASE_MS, Number.MAX_SAFE_INTEGER)),
  );
}

/** Takes back letters with messages of conversations, known by the private links in them. Only inside `write`. */
function withdrawCarrying(tools: StoreTools, sealed: readonly string[], now: number): void {
  const carrying = sql`json_extract(${outbox.content}, '$.sealedToken') in (
    select value from json_each(${JSON.stringify(sealed)}))`;
  withdrawWhere(tools, carrying, now);
}

/** As if its time had run out; whoever finds its letter is told so. Only inside `write`. */
function endRequest(tools: StoreTools, id: string, now: number): void {
  tools.db
    .update(pending)
    .set({ payload: null, email: "", expiresAt: now })
    .where(eq(pending.id, id))
    .run();
  withdrawLetters(tools, `pending:${id}`, now);
  freePhotos(tools, [`pending:${id}`]);
}

/** Every mailbox that stands anywhere, in lower case. */
export function everyMailbox({ db }: StoreTools): Set<string> {
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
