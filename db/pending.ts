import { and, asc, desc, eq, gt, isNotNull, isNull, ne, or, sql, type SQL } from "drizzle-orm";
import { CAPS } from "../src/core/caps.ts";
import {
  CONFIRM_MS,
  hasRoom,
  IDEMPOTENCY_WINDOW_MS,
  namesInDraft,
  type Pending,
  photosIn,
  REPEAT_WINDOW_MS,
} from "../src/core/pending/pending.ts";
import type { ListedMailbox, NewRequest } from "../src/core/pending/request-store.ts";
import { isUnremoved } from "./alerts.ts";
import type { Queries, Reader, StoreTools, Tx } from "./context.ts";
import { insertEmails, withdrawWhere } from "./outbox.ts";
import { freePhotos, usePhotos } from "./photos.ts";
import { changeIds, countRows, first, hasRow, isRecent, turnOf } from "./queries.ts";
import { limitedUntil, noteHits } from "./rate-limits.ts";
import type { Row } from "./schema/tables.ts";

/** Requests that wait for a confirmation by email, those that repeat others, and the list of what waits for a mailbox. */
export function pendingQueries(tools: StoreTools) {
  const { pending } = tools.tables;
  const { db, prepared, write } = tools;
  /** Waiting requests in the order of `waitingRequests`. */
  async function waiting(which: SQL | undefined, limit: number) {
    const rank = turnOf(
      sql`${pending.networkHash}, ${pending.kind}`,
      sql`${pending.createdAt} desc, ${pending.id}`,
    );
    const since = sql<number>`min(${pending.createdAt}) over (partition by ${pending.networkHash})`;
    const isNewest = sql<boolean>`${rank} = 1`;
    const isPublication = sql`${pending.kind} = 'publish'`;
    const order = [isNewest, isPublication, since, pending.createdAt].map((one) => desc(one));
    const rows = await db
      .select({ row: pending, isNewest: isNewest.mapWith(Boolean) })
      .from(pending)
      .where(which)
      .orderBy(...order, asc(pending.id))
      .limit(limit);
    return rows.map(({ row, isNewest }) => ({ pending: toPending(row), isNewest }));
  }

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

    async listedMailbox(tokenHash, now) {
      const emailed = and(
        eq(pending.tokenHash, tokenHash),
        isNotNull(pending.emailedAt),
        gt(pending.emailedAt, now - CONFIRM_MS),
      );
      const { mailboxHash, addressHash } = pending;
      return (
        (await first(db.select({ mailboxHash, addressHash }).from(pending).where(emailed))) ?? null
      );
    },

    waitingRequests: (mailboxHash, now, limit) =>
      waiting(and(eq(pending.mailboxHash, mailboxHash), isListed(tools, now)), limit),

    otherSpellings: (mailbox, now, limit) => waiting(isOtherSpelling(tools, mailbox, now), limit),

    sendToOtherSpelling(mailbox, pendingId, email, now) {
      const { addressHash } = mailbox;
      return write([mailboxSubject(addressHash)], async (tx) => {
        const which = and(eq(pending.id, pendingId), isOtherSpelling(tx, mailbox, now));
        if (!(await hasRow(tx, pending, which))) return "not_listed";
        const sent = (await unanswered(tx, addressHash, now)).length;
        const isFull = sent >= 2 * CAPS.confirmationEmailsPerMailbox.max;
        if (isFull || !(await takesEmails(tx, addressHash))) return "full";
        await sendConfirmation(tx, which, email, now);
        return "sent";
      });
    },

    unconfirmedRequests: (now) => countUnconfirmed(tools, now),
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
  return wipeRequests(tx, which, { expiresAt: now });
}

/** Wipes requests that no longer wait, and drops their photos; returns their ids. */
export async function wipeRequests(
  tx: Tx,
  which: SQL | undefined,
  columns: { readonly expiresAt?: number } = {},
): Promise<string[]> {
  const ids = await changeIds(tx, tx.tables.pending, { ...ENDED, ...columns }, which);
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
  await wipeRequests(
    tx,
    and(isNotNull(pending.repeats), sql`${pending.repeats} in (${originals})`),
  );
}

/** Condition for a request that waits for its reader. A repeated one is listed as the one that it repeats. */
function isListed({ tables: { pending } }: Reader, now: number): SQL | undefined {
  return and(
    eq(pending.state, "waiting"),
    ne(pending.email, ""),
    gt(pending.expiresAt, now),
    isNull(pending.repeats),
  );
}

/** Condition for a request that waits for another spelling of a mailbox, and of which no email was sent. */
function isOtherSpelling(reader: Reader, mailbox: ListedMailbox, now: number): SQL | undefined {
  const { pending } = reader.tables;
  return and(
    eq(pending.addressHash, mailbox.addressHash),
    ne(pending.mailboxHash, mailbox.mailboxHash),
    isNull(pending.emailedAt),
    isListed(reader, now),
  );
}

/** Subject of a mailbox: its budget of confirmation emails, and what its reader allows. */
export function mailboxSubject(addressHash: string): string {
  return `mailbox:${addressHash}`;
}

/** Sends the email about a request if its mailbox may get it; otherwise the request waits without one. */
export async function sendIfRoom(
  tx: Tx,
  request: Pick<Pending, "id" | "kind" | "addressHash" | "networkHash">,
  { email, isShared, domain }: Pick<NewRequest, "email" | "isShared" | "domain">,
  now: number,
): Promise<void> {
  const { addressHash, networkHash, kind } = request;
  if (!(await takesEmails(tx, addressHash))) return;
  const networks = await unanswered(tx, addressHash, now);
  if (!hasRoom(networks, request)) return;
  const isKnown = await isConfirmed(tx, addressHash);
  if (isShared && !(await hasRoomForAssistants(tx, { networkHash, kind, isKnown }, now))) return;
  if (!isKnown && domain !== null) {
    const isFull = (await limitedUntil(tx, [domain], now)) !== null;
    if (isFull && networks.length > 0) return;
    await noteHits(tx, [domain], now);
  }
  await sendConfirmation(tx, eq(tx.tables.pending.id, request.id), email, now);
}

async function sendConfirmation(
  tx: Tx,
  which: SQL | undefined,
  email: NewRequest["email"],
  now: number,
) {
  const { pending } = tx.tables;
  const [row] = await tx.db.update(pending).set({ emailedAt: now }).where(which).returning();
  if (row === undefined) return;
  const about = row.repeats ?? row.id;
  // The link opens the request that this one repeats, so no other email about that is due.
  if (about !== row.id)
    await tx.db.update(pending).set({ emailedAt: now }).where(eq(pending.id, about));
  await insertEmails(tx, [email], `pending:${about}`);
  await noteEmail(tx, row, email.id, now);
}

/** True if a network of hosted assistants may cause one more email: half of its emails are kept for known mailboxes. */
function hasRoomForAssistants(
  tx: Tx,
  {
    networkHash,
    kind,
    isKnown,
  }: Pick<Pending, "networkHash" | "kind"> & { readonly isKnown: boolean },
  now: number,
): Promise<boolean> {
  const { confirmationEmail } = tx.tables;
  const { max, windowMs } = CAPS.sharedNetworkEmails;
  const counted = and(
    eq(confirmationEmail.networkHash, networkHash),
    eq(confirmationEmail.kind, kind),
    eq(confirmationEmail.answered, false),
    isRecent(confirmationEmail.sentAt, now, windowMs),
  );
  return countRows(tx, confirmationEmail, counted).then((sent) => sent < (isKnown ? max : max / 2));
}

/** Number of requests of the last hour that nobody confirmed, up to the cap on them. */
export async function countUnconfirmed(
  { db, tables: { pending } }: Reader,
  now: number,
): Promise<number> {
  const { max, windowMs } = CAPS.unconfirmedRequests;
  const isOpen = and(eq(pending.state, "waiting"), isRecent(pending.createdAt, now, windowMs));
  const rows = await db.select({ id: pending.id }).from(pending).where(isOpen).limit(max);
  return rows.length;
}

/** True unless the reader of the mailbox stopped such emails or a moderator blocked it. */
export async function takesEmails(tx: Tx, addressHash: string): Promise<boolean> {
  const { blocked, stopped } = tx.tables;
  if (await hasRow(tx, stopped, eq(stopped.addressHash, addressHash))) return false;
  return !(await hasRow(tx, blocked, eq(blocked.addressHash, addressHash)));
}

/** True if the mailbox has confirmed anything. */
export function isConfirmed(reader: Reader, addressHash: string): Promise<boolean> {
  const { confirmedMailbox } = reader.tables;
  return hasRow(reader, confirmedMailbox, eq(confirmedMailbox.addressHash, addressHash));
}

/** Networks of the emails that fill the budget of a mailbox. */
export async function unanswered(
  { db, tables: { confirmationEmail } }: Reader,
  addressHash: string,
  now: number,
): Promise<string[]> {
  const { windowMs } = CAPS.confirmationEmailsPerMailbox;
  const isCounted = and(
    eq(confirmationEmail.addressHash, addressHash),
    eq(confirmationEmail.answered, false),
    isRecent(confirmationEmail.sentAt, now, windowMs),
  );
  const { networkHash } = confirmationEmail;
  const rows = await db.select({ networkHash }).from(confirmationEmail).where(isCounted);
  return rows.map((row) => row.networkHash);
}

export async function noteEmail(
  { insertAll, tables: { confirmationEmail } }: Tx,
  {
    addressHash,
    networkHash,
    kind,
  }: Pick<Pending, "addressHash" | "networkHash"> & { readonly kind: Pending["kind"] | "erase" },
  id: string,
  now: number,
): Promise<void> {
  const row = { id, addressHash, networkHash, kind, sentAt: now, answered: false };
  await insertAll(confirmationEmail, [row]);
}

/** Frees the budget of a mailbox whose reader answered. */
export async function markAnswered(tx: Tx, addressHash: string): Promise<void> {
  const { confirmationEmail } = tx.tables;
  const { addressHash: mailbox, answered } = confirmationEmail;
  const isOpen = and(eq(mailbox, addressHash), eq(answered, false));
  await tx.db.update(confirmationEmail).set({ answered: true }).where(isOpen);
}

export async function markConfirmed(tx: Tx, addressHash: string, now: number): Promise<void> {
  const { confirmedMailbox } = tx.tables;
  await tx.db
    .insert(confirmedMailbox)
    .values({ addressHash, confirmedAt: now })
    .onConflictDoUpdate({
      target: confirmedMailbox.addressHash,
      set: { confirmedAt: sql`excluded.confirmed_at` },
    });
  await markAnswered(tx, addressHash);
}

export function toPending(row: Row<"pending">): Pending {
  const { emailedAt: _emailedAt, ...columns } = row;
  return columns;
}

/** Columns of a request that no longer waits, without personal data. */
export const ENDED = {
  payload: null,
  email: "",
  networkHash: "",
  sealedToken: null,
} as const;
