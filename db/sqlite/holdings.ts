import { and, count, countDistinct, eq, isNotNull, lte, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { ERASE_MS, type Holdings } from "../../src/core/erasing.ts";
import { NOBODY } from "../../src/core/report.ts";
import { eraseAlert } from "./alerts.ts";
import { eraseConversations } from "./conversations.ts";
import { withdrawLetters, withdrawWhere } from "./outbox.ts";
import { usePhotos } from "./photos.ts";
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
  /** When the newest of it came to be. */
  readonly newestAt: number;
};

/** What is kept under exactly this mailbox, whatever its case, and came to be up to a time; erasure links apart. */
export function partsOf({ db }: StoreTools, email: string, upTo = Infinity): Parts {
  const mine = (column: SQLiteColumn) => eq(sql`lower(${column})`, email.toLowerCase());
  const last = Math.min(upTo, Number.MAX_SAFE_INTEGER);
  const alerts = db
    .select({ id: alert.id, at: alert.publishedAt })
    .from(alert)
    .where(and(isNotNull(alert.ownerEmail), mine(alert.ownerEmail), lte(alert.publishedAt, last)))
    .all();
  const begun = db
    .select({ id: conversation.id, at: conversation.createdAt })
    .from(conversation)
    .where(and(mine(conversation.strangerEmail), lte(conversation.createdAt, last)))
    .all();
  const zones = db
    .select({ id: zone.id, at: zone.createdAt })
    .from(zone)
    .where(and(mine(zone.email), lte(zone.createdAt, last)))
    .all();
  const requests = db
    .select({ id: pending.id, at: pending.createdAt })
    .from(pending)
    .where(and(mine(pending.email), lte(pending.createdAt, last)))
    .all();
  const letters = db
    .select({ id: outbox.id, at: outbox.createdAt })
    .from(outbox)
    .where(and(eq(outbox.state, "waiting"), mine(outbox.to), lte(outbox.createdAt, last)))
    .all();
  const deeds = db
    .select({ id: moderation.id, at: moderation.at })
    .from(moderation)
    .where(and(mine(moderation.who), lte(moderation.at, last)))
    .all();
  // They live for minutes: one that a backup brings back is over.
  const keys = db
    .select({ id: adminKey.tokenHash })
    .from(adminKey)
    .where(mine(adminKey.email))
    .all();
  const about = db
    .select({ id: conversation.id })
    .from(conversation)
    .where(among(conversation.alertId, idsOf(alerts)))
    .all();
  const dated = [alerts, begun, zones, requests, letters, deeds];
  return {
    alerts: idsOf(alerts),
    conversations: [...new Set(idsOf([...about, ...begun]))],
    begun: idsOf(begun),
    zones: idsOf(zones),
    requests: idsOf(requests),
    letters: idsOf(letters),
    adminKeys: idsOf(keys),
    deeds: idsOf(deeds),
    newestAt: dated.flat().reduce((newest, { at }) => Math.max(newest, at), -Infinity),
  };
}

function idsOf(rows: readonly { readonly id: string }[]): string[] {
  return rows.map(({ id }) => id);
}

/** However many: a statement takes only so many values one by one. */
function among(column: SQLiteColumn, ids: readonly string[]): SQL {
  return sql`${column} in (select value from json_each(${JSON.stringify(ids)}))`;
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

/** Erases what came to be up to a time, and gives what there was. Only inside `write`. */
export function eraseParts(
  tools: StoreTools,
  email: string,
  now: number,
  upTo = Infinity,
): Holdings {
  const { db } = tools;
  const parts = partsOf(tools, email, upTo);
  const holdings = countOf(tools, parts);
  for (const id of parts.alerts) eraseAlert(tools, id, now);
  for (const id of parts.zones) wipeZone(tools, id, now);
  withdrawCarrying(tools, sealedLinks(tools, parts.begun), now);
  eraseConversations(tools, parts.begun);
  for (const id of parts.requests) endRequest(tools, id, now);
  withdrawWhere(tools, among(outbox.id, parts.letters), now);
  db.delete(adminKey).where(among(adminKey.tokenHash, parts.adminKeys)).run();
  db.update(moderation).set({ who: NOBODY }).where(among(moderation.id, parts.deeds)).run();
  db.update(erasure)
    .set({ email: null, erased: holdings })
    .where(
      and(
        eq(sql`lower(${erasure.email})`, email.toLowerCase()),
        lte(erasure.expiresAt, Math.min(upTo + ERASE_MS, Number.MAX_SAFE_INTEGER)),
      ),
    )
    .run();
  return holdings;
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
  usePhotos(tools, `pending:${id}`, []);
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
