import { and, asc, desc, eq, gt, isNotNull, isNull, ne, type SQL, sql } from "drizzle-orm";
import { CAPS } from "../src/core/caps.ts";
import { CONFIRM_MS, hasRoom, type Pending } from "../src/core/pending/pending.ts";
import type { ListedMailbox, NewRequest } from "../src/core/pending/request-store.ts";
import type { Queries, Reader, StoreTools, Tx } from "./context.ts";
import { insertEmails } from "./outbox.ts";
import { countRows, first, hasRow, isRecent, turnOf } from "./queries.ts";
import { limitedUntil, noteHits } from "./rate-limits.ts";
import { toPending } from "./rows.ts";

/** Confirmation emails, and the list of what waits for a mailbox. */
export function confirmationEmailQueries(tools: StoreTools) {
  const { db, write } = tools;
  const { pending } = tools.tables;
  /** Waiting requests in the order of `waitingRequests`. */
  async function waiting(which: SQL | undefined, limit: number) {
    const rank = turnOf(
      sql`${pending.networkHash}, ${pending.kind}`,
      sql`${pending.createdAt} desc, ${pending.id}`,
    );
    const since = sql<number>`min(${pending.createdAt}) over (partition by ${pending.networkHash})`;
    const isNewest = sql<number>`case when ${rank} = 1 then 1 else 0 end`;
    const ranked = db
      .select({ id: pending.id, isNewest: isNewest.as("newest"), since: since.as("since") })
      .from(pending)
      .where(which)
      .as("ranked");
    const isPublication = sql`case when ${pending.kind} = 'publish' then 1 else 0 end`;
    const rows = await db
      .select({ row: pending, isNewest: ranked.isNewest })
      .from(ranked)
      .innerJoin(pending, eq(pending.id, ranked.id))
      .orderBy(
        desc(ranked.isNewest),
        desc(isPublication),
        desc(ranked.since),
        desc(pending.createdAt),
        asc(pending.id),
      )
      .limit(limit);
    return rows.map(({ row, isNewest }) => ({
      pending: toPending(row),
      isNewest: Number(isNewest) === 1,
    }));
  }

  return {
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
