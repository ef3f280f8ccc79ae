import { and, desc, eq, inArray, isNotNull, isNull, ne, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import {
  IDEMPOTENCY_WINDOW_MS,
  namesInDraft,
  type Pending,
  photosIn,
  REPEAT_WINDOW_MS,
} from "../../src/core/confirmation/pending.ts";
import type { NewRequest } from "../../src/core/store/requests.ts";
import { ENDED, toPending } from "../rows.ts";
import { isUnremoved } from "./alerts.ts";
import type { Reader } from "./connection.ts";
import type { Queries, StoreTools } from "./context.ts";
import { first, hasRow, inList, isRecent } from "./expressions.ts";
import { withdrawWhere } from "./outbox.ts";
import { freePhotos, usePhotos } from "./photos.ts";
import { alert, outbox, pending, zone } from "./schema.ts";
import type { Tx } from "./transaction.ts";

type PendingRow = typeof pending.$inferSelect;

export function pendingQueries(tools: StoreTools) {
  const { db } = tools;
  return {
    async pending(id) {
      const row = await pendingRow(tools, id);
      return row === undefined ? null : toPending(row);
    },

    async pendingByToken(tokenHash) {
      const row = await first(
        db
          .select()
          .from(pending)
          .where(or(eq(pending.tokenHash, tokenHash), eq(pending.secondTokenHash, tokenHash))),
      );
      const found =
        row === undefined || row.repeats === null ? row : await pendingRow(tools, row.repeats);
      return found === undefined ? null : toPending(found);
    },

    async publicationNamed(name) {
      const named =
        "id" in name
          ? sql`${pending.names} ->> 'id' = ${name.id}`
          : sql`${pending.names} ->> 'shortCode' = ${name.shortCode}`;
      // The newest: an earlier one moved to another address, and others only repeat it.
      const row = await first(
        db
          .select()
          .from(pending)
          .where(and(isNotNull(pending.names), named, isNull(pending.repeats)))
          .orderBy(desc(pending.createdAt))
          .limit(1),
      );
      return row === undefined ? null : toPending(row);
    },
  } satisfies Queries;
}

export function pendingRow({ db }: Reader, id: string): Promise<PendingRow | undefined> {
  return first(db.select().from(pending).where(eq(pending.id, id)));
}

/** Ends requests as if they had expired, which is what their links will show. */
export async function endRequests(tx: Tx, which: SQL | undefined, now: number): Promise<void> {
  const rows = await tx.db
    .update(pending)
    .set({ ...ENDED, expiresAt: now })
    .where(which)
    .returning({ id: pending.id });
  const ended = rows.map(({ id }) => `pending:${id}` as const);
  await withdrawWhere(tx, inList(outbox.about, ended), now);
  await freePhotos(tx, ended);
}

/** Adds a request, with the photos of its draft. */
export async function insertPending(
  tx: Tx,
  { resent: _resent, ...fresh }: Pending & Pick<PendingRow, "emailedAt" | "emailDueAt">,
): Promise<void> {
  const { id, payload } = fresh;
  await tx.db.insert(pending).values({ ...fresh, secondTokenHash: null });
  const photos = photosIn(payload);
  if (photos.length > 0) await usePhotos(tx, `pending:${id}`, photos);
}

type FirstRequest = Pick<Pending, "id" | "names">;

/**
 * First request that a new one repeats: with its content within the last ten minutes, or with its idempotency hash within
 * 48 hours. Null if the result of that no longer exists.
 */
export async function firstRequest(
  tx: Tx,
  { contentHash, idempotencyHash }: Pick<Pending, "contentHash" | "idempotencyHash">,
  now: number,
): Promise<FirstRequest | null> {
  const row =
    (await firstWith(tx, eq(pending.contentHash, contentHash), REPEAT_WINDOW_MS, now)) ??
    (idempotencyHash === null
      ? undefined
      : await firstWith(
          tx,
          eq(pending.idempotencyHash, idempotencyHash),
          IDEMPOTENCY_WINDOW_MS,
          now,
        ));
  return row === undefined || (await hasEnded(tx, row.result)) ? null : row;
}

function firstWith(
  { db }: Tx,
  same: SQL,
  windowMs: number,
  now: number,
): Promise<PendingRow | undefined> {
  return first(
    db
      .select()
      .from(pending)
      .where(
        and(
          same,
          isNull(pending.repeats),
          isRecent(pending.createdAt, now, windowMs),
          ne(pending.state, "disowned"),
          // Without requests that moved to another address, or whose alert was removed.
          or(ne(pending.state, "waiting"), ne(pending.email, "")),
        ),
      )
      .orderBy(desc(pending.createdAt))
      .limit(1),
  );
}

async function hasEnded(tx: Tx, result: PendingRow["result"]): Promise<boolean> {
  switch (result?.kind) {
    case "publish": {
      const known = await hasRow(tx, alert, eq(alert.id, result.alertId));
      return known && !(await hasRow(tx, alert, isUnremoved(result.alertId)));
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
 * Adds a request that repeats another. It sends no email and has its own waiting page, so that its requester neither sees
 * nor changes the first one. It shows the names of the first, under which the alert will be found, and keeps its own names
 * in its draft for a corrected address.
 */
export async function insertRepeat(
  tx: Tx,
  request: NewRequest,
  repeated: FirstRequest,
): Promise<Pending> {
  const repeat: Pending = { ...request.pending, names: repeated.names, repeats: repeated.id };
  await insertPending(tx, { ...repeat, emailedAt: null, emailDueAt: null });
  return repeat;
}

/**
 * Turns the repeats of a request that moves to another address into requests of their own, so that their requesters can
 * have an email sent. New requests do not repeat them, so the same request made again gets its email at once.
 */
export async function releaseRepeats({ db }: Tx, firstId: string): Promise<void> {
  const repeats = await db.select().from(pending).where(eq(pending.repeats, firstId));
  for (const { id, payload } of repeats)
    await db
      .update(pending)
      .set({ repeats: null, contentHash: id, idempotencyHash: null, names: namesInDraft(payload) })
      .where(eq(pending.id, id));
}

/** Removes emails about repeats of a confirmed request from the queue. */
export async function unqueueRepeats({ db }: Tx, firstId: string): Promise<void> {
  await db.update(pending).set({ emailDueAt: null }).where(eq(pending.repeats, firstId));
}

/** Wipes the repeats of requests that became these alerts or zones, when those are erased. */
export async function wipeRepeats(
  tx: Tx,
  became: "alertId" | "zoneId",
  ids: readonly string[],
): Promise<void> {
  const original = alias(pending, "original");
  const result = sql`(${original.result} ->> ${sql.raw(`'${became}'`)})`;
  const originals = tx.db
    .select({ id: original.id })
    .from(original)
    .where(sql`${result} is not null and ${inList(result, ids)}`);
  const wiped = await tx.db
    .update(pending)
    .set(ENDED)
    .where(and(isNotNull(pending.repeats), inArray(pending.repeats, originals)))
    .returning({ id: pending.id });
  await freePhotos(
    tx,
    wiped.map(({ id }) => `pending:${id}` as const),
  );
}
