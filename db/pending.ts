import { and, desc, eq, gt, isNotNull, isNull, ne, or, type SQL, sql } from "drizzle-orm";
import { STOCKS } from "../src/core/caps.ts";
import {
  CONFIRM_MS,
  IDEMPOTENCY_WINDOW_MS,
  namesInDraft,
  type Pending,
  photosIn,
  QUEUE_MS,
  REPEAT_WINDOW_MS,
} from "../src/core/confirmation/pending.ts";
import type { NewRequest } from "../src/core/store/requests.ts";
import { isUnremoved } from "./alerts.ts";
import {
  mailboxSubject,
  noteEmail,
  scheduleEmail,
  subjectsOfThrottle,
} from "./confirmation-emails.ts";
import type { Queries, Reader, StoreTools, Tx } from "./context.ts";
import { insertEmails, withdrawWhere } from "./outbox.ts";
import { freePhotos, usePhotos } from "./photos.ts";
import { first, hasRow, idsOf, isRecent } from "./queries.ts";
import { countHits, limitedUntil, noteHits, subjectsOf } from "./rate-limits.ts";
import { ENDED, toPending } from "./rows.ts";
import type { Row } from "./schema/tables.ts";

/** Requests that wait for a confirmation by email. */
export function pendingQueries(tools: StoreTools) {
  const { pending } = tools.tables;
  const { prepared, write } = tools;
  return {
    addPending(request, now) {
      return write(subjectsOfRequest(request), async (tx) => {
        const retryAt = await limitedUntil(tx, request.hits, now);
        if (retryAt !== null) return { kind: "limited", retryAt };
        const code = request.shortCode;
        if (code !== null && !(await reserveCode(tx, code))) return { kind: "code_taken" };
        await noteHits(tx, request.hits, now);
        const repeated = await firstRequest(tx, request.pending, now);
        if (repeated !== null)
          return { kind: "kept", pending: await insertRepeat(tx, request, repeated) };
        await insertRequest(tx, request, now);
        return { kind: "kept", pending: request.pending };
      });
    },

    async resend(id, { tokenHash, sealedToken, email, throttle }, now) {
      const known = await pendingRow(tools, id);
      if (known === undefined) return false;
      const subjects = [mailboxSubject(known.addressHash), ...subjectsOfThrottle(throttle)];
      return write(subjects, async (tx) => {
        const { db } = tx;
        const isFirst = and(stillWaits(tx, id, now), isNull(pending.secondTokenHash));
        const [row] = await db
          .update(pending)
          .set({ secondTokenHash: tokenHash })
          .where(isFirst)
          .returning();
        if (row === undefined) return false;
        // The first email is still queued and keeps its place.
        if (row.emailDueAt !== null) return true;
        // The email of a repeated request opens the request that it repeats.
        if (row.repeats !== null && !(await hasRow(tx, pending, stillWaits(tx, row.repeats, now))))
          return true;
        const schedule = await scheduleEmail(tx, { ...row, throttle }, now);
        const same = eq(pending.id, id);
        switch (schedule.kind) {
          case "now":
            await db.update(pending).set({ sealedToken, emailedAt: now }).where(same);
            await insertEmails(tx, [email], `pending:${row.repeats ?? id}`);
            await noteEmail(tx, row, email.id, { kind: "single", atOnce: true }, now);
            return true;
          case "later":
            await db
              .update(pending)
              .set({ sealedToken, emailDueAt: schedule.dueAt, expiresAt: now + QUEUE_MS })
              .where(same);
            return true;
          case "never":
            return true;
        }
      });
    },

    async correctAddress(id, request, now) {
      return write(subjectsOfRequest(request), async (tx) => {
        const isOpen = stillWaits(tx, id, now);
        const requests = tx.db.select().from(pending).where(isOpen);
        const waiting = await first(tx.dialect.locking(requests, "no key update"));
        if (waiting === undefined || waiting.readdressed >= STOCKS.addressCorrections)
          return { kind: "late" };
        const retryAt = await countHits(tx, request.hits, now);
        if (retryAt !== null) return { kind: "limited", retryAt };
        // The reader at the mistyped address finds an expired link, and can still answer "not me".
        await endRequests(tx, eq(pending.id, id), now);
        await releaseRepeats(tx, id);
        const fresh = { ...request.pending, readdressed: waiting.readdressed + 1 };
        await insertRequest(tx, { ...request, pending: fresh }, now);
        return { kind: "kept", pending: fresh };
      });
    },

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

function subjectsOfRequest({ pending, hits, throttle }: NewRequest): string[] {
  return [
    `content:${pending.contentHash}`,
    ...(pending.idempotencyHash === null ? [] : [`idempotency:${pending.idempotencyHash}`]),
    mailboxSubject(pending.addressHash),
    ...subjectsOf(hits),
    ...subjectsOfThrottle(throttle),
  ];
}

/** Reserves a short code; false if it is taken. */
async function reserveCode({ db, tables: { shortCode } }: Tx, code: string): Promise<boolean> {
  const reserved = await db.insert(shortCode).values({ code }).onConflictDoNothing().returning();
  return reserved.length > 0;
}

/**
 * Condition for a request that its requester can still change. Its time counts from the request, so that it does not
 * reveal if and when the email was sent. The email is empty if the subject of the request no longer exists.
 */
function stillWaits({ tables: { pending } }: Reader, id: string, now: number) {
  return and(
    eq(pending.id, id),
    eq(pending.state, "waiting"),
    ne(pending.email, ""),
    gt(pending.expiresAt, now),
    gt(pending.createdAt, now - CONFIRM_MS),
  );
}

/** Adds a request, and sends its email or queues it if the mailbox takes any. */
async function insertRequest(tx: Tx, request: NewRequest, now: number): Promise<void> {
  const { pending: fresh, email, throttle } = request;
  const schedule = await scheduleEmail(tx, { ...fresh, throttle }, now);
  await insertPending(tx, {
    ...fresh,
    emailedAt: schedule.kind === "now" ? now : null,
    emailDueAt: schedule.kind === "later" ? schedule.dueAt : null,
    expiresAt: schedule.kind === "later" ? now + QUEUE_MS : fresh.expiresAt,
  });
  if (schedule.kind !== "now") return;
  await insertEmails(tx, [email], `pending:${fresh.id}`);
  await noteEmail(tx, fresh, email.id, { kind: "single", atOnce: true }, now);
}

const pendingOfToken = ({ db, tables: { pending } }: Reader) => {
  const tokenHash = sql.placeholder("tokenHash");
  const either = or(eq(pending.tokenHash, tokenHash), eq(pending.secondTokenHash, tokenHash));
  return db.select().from(pending).where(either);
};

export function pendingRow({ prepared }: Reader, id: string): Promise<Row<"pending"> | undefined> {
  return first(prepared(pendingById).execute({ id }));
}

const pendingById = ({ db, tables: { pending } }: Reader) =>
  db
    .select()
    .from(pending)
    .where(eq(pending.id, sql.placeholder("id")));

/** Ends requests as if they had expired, which is what their links will show. */
export async function endRequests(tx: Tx, which: SQL | undefined, now: number): Promise<void> {
  const { outbox, pending } = tx.tables;
  const rows = await tx.db
    .update(pending)
    .set({ ...ENDED, expiresAt: now })
    .where(which)
    .returning({ id: pending.id });
  const about = rows.map(({ id }) => `pending:${id}`);
  await withdrawWhere(tx, tx.dialect.inList(outbox.about, about), now);
  await freePhotos(tx, "pending", idsOf(rows));
}

/** Adds a request, with the photos of its draft. */
async function insertPending(
  tx: Tx,
  { resent: _resent, ...fresh }: Pending & Pick<Row<"pending">, "emailedAt" | "emailDueAt">,
): Promise<void> {
  const { pending } = tx.tables;
  const { id, payload } = fresh;
  await tx.insertAll(pending, [{ ...fresh, secondTokenHash: null }]);
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
async function releaseRepeats(tx: Tx, firstId: string): Promise<void> {
  const { pending } = tx.tables;
  const { db } = tx;
  const repeats = await db.select().from(pending).where(eq(pending.repeats, firstId));
  for (const { id, payload } of repeats)
    await db
      .update(pending)
      .set({ repeats: null, contentHash: id, idempotencyHash: null, names: namesInDraft(payload) })
      .where(eq(pending.id, id));
}

/** Removes emails about repeats of a confirmed request from the queue. */
export async function unqueueRepeats(tx: Tx, firstId: string): Promise<void> {
  const { pending } = tx.tables;
  await tx.db.update(pending).set({ emailDueAt: null }).where(eq(pending.repeats, firstId));
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
