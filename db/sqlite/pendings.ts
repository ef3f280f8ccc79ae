import { and, desc, eq, gt, isNotNull, isNull, lte, ne, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import {
  namesInDraft,
  type Pending,
  photosIn,
  type PendingResult,
  IDEMPOTENCY_WINDOW_MS,
  REPEAT_WINDOW_MS,
} from "../../src/core/confirmation/pending.ts";
import type { Queries, StoreTools } from "./context.ts";
import { ENDED, toPending } from "../rows.ts";
import { hasRow, inList, placeholdersOf } from "./expressions.ts";
import type { Db } from "./open.ts";
import { withdrawWhere } from "./outbox.ts";
import { freePhotos, usePhotos } from "./photos.ts";
import { alert, outbox, pending, zone } from "./schema.ts";
import type { NewRequest } from "../../src/core/store/requests.ts";

type PendingRow = typeof pending.$inferSelect;

export function pendingQueries({ prepared }: StoreTools) {
  const rowOf = (id: string) => prepared(pendingById).get({ id });
  return {
    pending(id) {
      const row = rowOf(id);
      return row === undefined ? null : toPending(row);
    },

    pendingByToken(tokenHash) {
      const row = prepared(pendingOfToken).get({ tokenHash });
      const first = row === undefined || row.repeats === null ? row : rowOf(row.repeats);
      return first === undefined ? null : toPending(first);
    },

    publicationNamed(name) {
      const row =
        "id" in name
          ? prepared(publicationById).get({ name: name.id })
          : prepared(publicationByCode).get({ name: name.shortCode });
      return row === undefined ? null : toPending(row);
    },
  } satisfies Queries;
}

const pendingById = (db: Db) =>
  db
    .select()
    .from(pending)
    .where(eq(pending.id, sql.placeholder("id")));
const pendingOfToken = (db: Db) =>
  db
    .select()
    .from(pending)
    .where(
      or(
        eq(pending.tokenHash, sql.placeholder("tokenHash")),
        eq(pending.secondTokenHash, sql.placeholder("tokenHash")),
      ),
    );

/** Newest request for an alert of this name: an earlier one moved to another address, and others only repeat it. */
const publicationNamed = (db: Db, name: SQL) =>
  db
    .select()
    .from(pending)
    .where(
      and(
        isNotNull(pending.names),
        sql`${name} = ${sql.placeholder("name")}`,
        isNull(pending.repeats),
      ),
    )
    .orderBy(desc(pending.createdAt))
    .limit(1);
const publicationById = (db: Db) => publicationNamed(db, sql`names ->> '$.id'`);
const publicationByCode = (db: Db) => publicationNamed(db, sql`names ->> '$.shortCode'`);

/** Ends requests as if they had expired, which is what their links will show. Only inside `write`. */
export function endRequests(tools: StoreTools, which: SQL | undefined, now: number): void {
  const ended = tools.db
    .update(pending)
    .set({ ...ENDED, expiresAt: now })
    .where(which)
    .returning({ id: pending.id })
    .all()
    .map(({ id }) => `pending:${id}` as const);
  withdrawWhere(tools, inList(outbox.about, ended), now);
  freePhotos(tools, ended);
}

/** Adds a request, with the photos of its draft. Only inside `write`. */
export function insertPending(
  tools: StoreTools,
  fresh: Pending & Pick<PendingRow, "emailedAt" | "emailDueAt">,
): void {
  const { id, payload } = fresh;
  tools.prepared(insertRow).run({ ...fresh, secondTokenHash: null });
  usePhotos(tools, `pending:${id}`, photosIn(payload));
}

const insertRow = (db: Db) => db.insert(pending).values(placeholdersOf(pending));

type FirstRequest = Pick<Pending, "id" | "names">;

/**
 * First request that a new one repeats: with its content within the last ten minutes, or with its idempotency hash within
 * 48 hours. Null if the result of that no longer exists.
 */
export function firstRequest(
  { db, prepared }: StoreTools,
  { contentHash, idempotencyHash }: Pick<Pending, "contentHash" | "idempotencyHash">,
  now: number,
): FirstRequest | null {
  const row =
    prepared(firstWithContent).get({ hash: contentHash, after: now - REPEAT_WINDOW_MS, now }) ??
    prepared(firstWithKey).get({
      hash: idempotencyHash,
      after: now - IDEMPOTENCY_WINDOW_MS,
      now,
    });
  return row === undefined || hasEnded(row.result) ? null : row;

  function hasEnded(result: PendingResult | null): boolean {
    switch (result?.kind) {
      case "publish": {
        const removed = and(eq(alert.id, result.alertId), eq(alert.status, "removed"));
        return hasRow(db, alert, removed);
      }
      case "zone": {
        const live = and(eq(zone.id, result.zoneId), isNull(zone.endedAt));
        return !hasRow(db, zone, live);
      }
      case "message":
      case "sighting":
      case undefined:
        return false;
    }
  }
}

const firstWithContent = (db: Db) => firstWith(db, pending.contentHash);
const firstWithKey = (db: Db) => firstWith(db, pending.idempotencyHash);
const firstWith = (db: Db, hash: typeof pending.contentHash | typeof pending.idempotencyHash) =>
  db
    .select()
    .from(pending)
    .where(
      and(
        eq(hash, sql.placeholder("hash")),
        isNull(pending.repeats),
        gt(pending.createdAt, sql.placeholder("after")),
        lte(pending.createdAt, sql.placeholder("now")),
        ne(pending.state, "disowned"),
        // Without requests that moved to another address, or whose alert was removed.
        or(ne(pending.state, "waiting"), ne(pending.email, "")),
      ),
    )
    .orderBy(desc(pending.createdAt))
    .limit(1);

/**
 * Adds a request that repeats another. It sends no email and has its own waiting page, so that its requester neither sees
 * nor changes the first one. It shows the names of the first, under which the alert will be found, and keeps its own names
 * in its draft for a corrected address. Only inside `write`.
 */
export function insertRepeat(tools: StoreTools, request: NewRequest, first: FirstRequest): Pending {
  const repeat: Pending = { ...request.pending, names: first.names, repeats: first.id };
  insertPending(tools, { ...repeat, emailedAt: null, emailDueAt: null });
  return repeat;
}

/**
 * Turns the repeats of a request that moves to another address into requests of their own, so that their requesters can
 * have an email sent. New requests do not repeat them, so the same request made again gets its email at once. Only inside
 * `write`.
 */
export function releaseRepeats({ db }: StoreTools, firstId: string): void {
  for (const { id, payload } of db.select().from(pending).where(eq(pending.repeats, firstId)).all())
    db.update(pending)
      .set({ repeats: null, contentHash: id, idempotencyHash: null, names: namesInDraft(payload) })
      .where(eq(pending.id, id))
      .run();
}

/** Removes emails about repeats of a confirmed request from the queue. Only inside `write`. */
export function unqueueRepeats({ prepared }: StoreTools, firstId: string): void {
  prepared(unqueue).run({ firstId });
}

const unqueue = (db: Db) =>
  db
    .update(pending)
    .set({ emailDueAt: null })
    .where(eq(pending.repeats, sql.placeholder("firstId")));

/** Wipes the repeats of requests that became these alerts or zones, when those are erased. Only inside `write`. */
export function wipeRepeats(
  tools: StoreTools,
  became: "alertId" | "zoneId",
  ids: readonly string[],
): void {
  const first = alias(pending, "first");
  const result = tools.db
    .select({ id: sql`json_extract(${first.result}, ${`$.${became}`})` })
    .from(first)
    .where(eq(first.id, pending.repeats));
  const wiped = tools.db
    .update(pending)
    .set(ENDED)
    .where(and(isNotNull(pending.repeats), inList(sql`(${result})`, ids)))
    .returning({ id: pending.id })
    .all();
  freePhotos(
    tools,
    wiped.map(({ id }) => `pending:${id}` as const),
  );
}
