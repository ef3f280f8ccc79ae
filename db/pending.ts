import { and, desc, eq, isNotNull, isNull, ne, or, type SQL, sql } from "drizzle-orm";
import {
  IDEMPOTENCY_WINDOW_MS,
  namesInDraft,
  type Pending,
  photosIn,
  REPEAT_WINDOW_MS,
} from "../src/core/pending/pending.ts";
import type { NewRequest } from "../src/core/pending/request-store.ts";
import { isUnremoved } from "./alerts.ts";
import type { Queries, Reader, StoreTools, Tx } from "./context.ts";
import { withdrawWhere } from "./outbox.ts";
import { freePhotos, usePhotos } from "./photos.ts";
import { first, hasRow, idsOf, isRecent } from "./queries.ts";
import { ENDED, toPending } from "./rows.ts";
import type { Row } from "./schema/tables.ts";

/** Requests that wait for a confirmation by email, and those that repeat others. */
export function pendingQueries(tools: StoreTools) {
  const { pending } = tools.tables;
  const { prepared } = tools;
  return {
    async pending(id) {
      const row = await pendingRow(tools, id);
      return row === undefined ? null : toPending(row);
    },

    async pendingByToken(tokenHash) {
      const row = await first(prepared(pendingOfToken).execute({ tokenHash }));
      const found =
        row === undefined || row.repeats === null ? row : await pendingRow(tools, row.repeats);
      return found === undefined ? null : toPending(found);
    },

    async publicationNamed(name) {
      const named =
        "id" in name
          ? sql`${pending.names} ->> 'id' = ${name.id}`
          : sql`${pending.names} ->> 'shortCode' = ${name.shortCode}`;
      const which = and(isNotNull(pending.names), named, isNull(pending.repeats));
      // The newest: an earlier one moved to another address, and others only repeat it.
      const row = await newest(tools, which);
      return row === undefined ? null : toPending(row);
    },
  } satisfies Queries;
}

const pendingOfToken = ({ db, tables: { pending } }: Reader) =>
  db
    .select()
    .from(pending)
    .where(eq(pending.tokenHash, sql.placeholder("tokenHash")));

export function pendingRow({ prepared }: Reader, id: string): Promise<Row<"pending"> | undefined> {
  return first(prepared(pendingById).execute({ id }));
}

const pendingById = ({ db, tables: { pending } }: Reader) =>
  db
    .select()
    .from(pending)
    .where(eq(pending.id, sql.placeholder("id")));

/** Ends requests as if they had expired, which is what their links will show, and withdraws their emails. */
export async function endRequests(tx: Tx, which: SQL | undefined, now: number): Promise<void> {
  const about = (await expireRequests(tx, which, now)).map((id) => `pending:${id}`);
  await withdrawWhere(tx, tx.dialect.inList(tx.tables.outbox.about, about), now);
}

/** Ends requests as if they had expired. Their emails still go. Returns their ids. */
export async function expireRequests(
  tx: Tx,
  which: SQL | undefined,
  now: number,
): Promise<string[]> {
  const { pending } = tx.tables;
  const rows = await tx.db
    .update(pending)
    .set({ ...ENDED, expiresAt: now })
    .where(which)
    .returning({ id: pending.id });
  const ids = idsOf(rows);
  await freePhotos(tx, "pending", ids);
  return ids;
}

/** Adds a request, with the photos of its draft. */
export async function insertPending(tx: Tx, fresh: Pending): Promise<void> {
  await tx.insertAll(tx.tables.pending, [{ ...fresh, emailedAt: null }]);
  const photos = photosIn(fresh.payload);
  if (photos.length > 0) await usePhotos(tx, `pending:${fresh.id}`, photos);
}

export type FirstRequest = Pick<Pending, "id" | "names" | "expiresAt">;

/**
 * First request that a new one repeats: with its content within the last ten minutes, or with its idempotency hash within
 * 48 hours. Null if the result of that no longer exists.
 */
export async function firstRequest(
  tx: Tx,
  { contentHash, idempotencyHash }: Pick<Pending, "contentHash" | "idempotencyHash">,
  now: number,
): Promise<FirstRequest | null> {
  const { pending } = tx.tables;
  let row = await firstWith(tx, eq(pending.contentHash, contentHash), REPEAT_WINDOW_MS, now);
  if (row === undefined && idempotencyHash !== null) {
    const same = eq(pending.idempotencyHash, idempotencyHash);
    row = await firstWith(tx, same, IDEMPOTENCY_WINDOW_MS, now);
  }
  return row === undefined || (await hasEnded(tx, row.result)) ? null : row;
}

function firstWith(tx: Tx, same: SQL, windowMs: number, now: number) {
  const { pending } = tx.tables;
  const which = and(
    same,
    isNull(pending.repeats),
    isRecent(pending.createdAt, now, windowMs),
    ne(pending.state, "disowned"),
    // Without requests that moved to another address, or whose alert was removed.
    or(ne(pending.state, "waiting"), ne(pending.email, "")),
  );
  return newest(tx, which);
}

function newest({ db, tables: { pending } }: Reader, which: SQL | undefined) {
  return first(db.select().from(pending).where(which).orderBy(desc(pending.createdAt)).limit(1));
}

async function hasEnded(tx: Tx, result: Row<"pending">["result"]): Promise<boolean> {
  const { alert, zone } = tx.tables;
  switch (result?.kind) {
    case "publish": {
      const known = await hasRow(tx, alert, eq(alert.id, result.alertId));
      return known && !(await hasRow(tx, alert, isUnremoved(tx, result.alertId)));
    }
    case "zone":
      return !(await hasRow(tx, zone, and(eq(zone.id, result.zoneId), isNull(zone.endedAt))));
    case "message":
    case "sighting":
    case undefined:
      return false;
  }
}

/**
 * Adds a request that repeats another. It has its own waiting page, so that its requester neither sees
 * nor changes the first one. It shows the names of the first, under which the alert will be found, and keeps its own names
 * in its draft for a corrected address.
 */
export async function insertRepeat(
  tx: Tx,
  request: NewRequest,
  repeated: FirstRequest,
): Promise<Pending> {
  const repeat: Pending = { ...request.pending, names: repeated.names, repeats: repeated.id };
  await insertPending(tx, repeat);
  return repeat;
}

/**
 * Turns the repeats of a request that moves to another address into requests of their own, so that their requesters can
 * have an email sent. New requests do not repeat them, so the same request made again gets its email at once.
 */
export async function releaseRepeats(tx: Tx, firstId: string): Promise<void> {
  const { pending } = tx.tables;
  const { db } = tx;
  const repeats = await db.select().from(pending).where(eq(pending.repeats, firstId));
  for (const { id, payload } of repeats)
    await db
      .update(pending)
      .set({ repeats: null, contentHash: id, idempotencyHash: null, names: namesInDraft(payload) })
      .where(eq(pending.id, id));
}

/** Wipes the repeats of requests that became these alerts or zones, when those are erased. */
export async function wipeRepeats(
  tx: Tx,
  became: "alertId" | "zoneId",
  ids: readonly string[],
): Promise<void> {
  const { pending } = tx.tables;
  const result = sql`(original.result ->> ${sql.raw(`'${became}'`)})`;
  const originals = sql`select original.id from ${pending} as original
    where ${result} is not null and ${tx.dialect.inList(result, ids)}`;
  const wiped = await tx.db
    .update(pending)
    .set(ENDED)
    .where(and(isNotNull(pending.repeats), sql`${pending.repeats} in (${originals})`))
    .returning({ id: pending.id });
  await freePhotos(tx, "pending", idsOf(wiped));
}
