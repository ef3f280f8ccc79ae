import {
  and,
  asc,
  count,
  desc,
  eq,
  gt,
  isNotNull,
  isNull,
  lte,
  max,
  min,
  ne,
  or,
  sql,
} from "drizzle-orm";
import { CAPS } from "../src/core/caps.ts";
import { mayGoAtOnce, type Throttle } from "../src/core/confirmation/email-throttle.ts";
import {
  BUDGET_MS,
  emailDueAt,
  gatheredDueAt,
  hasRoom,
  type UnansweredEmail,
} from "../src/core/confirmation/mailbox-budget.ts";
import { CONFIRM_MS, type Pending } from "../src/core/confirmation/pending.ts";
import type { Reader, Queries, StoreTools, Tx } from "./context.ts";
import { firstInTurn } from "./email-order.ts";
import { insertEmails } from "./outbox.ts";
import { countRows, first, hasRow, isDue, isRecent, lockRows, turnOf } from "./queries.ts";
import { limitedUntil, noteHits, subjectsOf } from "./rate-limits.ts";
import { toPending } from "./rows.ts";

/** Queue of confirmation emails that were not sent at once. */
export function confirmationEmailQueries(tools: StoreTools) {
  const { db, dialect, read, write } = tools;
  const { confirmationEmail, pending } = tools.tables;
  return {
    async lastHeldEmailAt(now) {
      const held = and(eq(confirmationEmail.atOnce, false), lte(confirmationEmail.sentAt, now));
      const newest = { at: max(confirmationEmail.sentAt) };
      const row = await first(db.select(newest).from(confirmationEmail).where(held));
      return row?.at ?? null;
    },

    nextQueued: (now) =>
      read(async (reader) => {
        const row = await firstInTurn(reader, now);
        if (row === undefined) return null;
        return { pending: toPending(row), emails: await unanswered(reader, row.addressHash, now) };
      }),

    async postponeQueued(addressHash, now) {
      const queued = and(eq(pending.addressHash, addressHash), isNotNull(pending.emailDueAt));
      await write([mailboxSubject(addressHash)], async (tx) => {
        const emails = await unanswered(tx, addressHash, now);
        const networks = await tx.db
          .selectDistinct({ networkHash: pending.networkHash })
          .from(pending)
          .where(queued);
        const full = networks
          .filter(({ networkHash }) => !hasRoom(emails, networkHash, now))
          .map(({ networkHash }) => networkHash);
        await tx.db
          .update(pending)
          .set({ emailDueAt: gatheredDueAt(emails, now) })
          .where(and(queued, dialect.inList(pending.networkHash, full)));
      });
    },

    sendQueued({ addressHash, networkHash, kind, listed, email }, now) {
      return write([mailboxSubject(addressHash)], async (tx) => {
        const ids = listed.map(({ id }) => id);
        const queued = and(dialect.inList(pending.id, ids), isNotNull(pending.emailDueAt));
        const emails = await unanswered(tx, addressHash, now);
        // Whoever ends one of them waits, and finds the email.
        const waiting = await lockRows(tx, pending, queued, "no key update");
        if (waiting.length !== ids.length) return false;
        if (emailDueAt(emails, networkHash, now) > now) return false;
        const sent = { emailedAt: now, emailDueAt: null, expiresAt: now + CONFIRM_MS };
        await tx.db.update(pending).set(sent).where(queued);
        const [only] = listed;
        const about =
          only !== undefined && listed.length === 1
            ? `pending:${only.repeats ?? only.id}`
            : gatheredAbout(addressHash);
        await insertEmails(tx, [email], about);
        const how = { kind, atOnce: false };
        await noteEmail(tx, { addressHash, networkHash }, email.id, how, now);
        return true;
      });
    },

    async waitingRequests(addressHash, now, { queuedOnly, perNetwork, limit }) {
      const rank = turnOf(pending.networkHash, sql`${pending.createdAt} desc, ${pending.id}`);
      const since = sql<number>`min(${pending.createdAt}) over (partition by ${pending.networkHash})`;
      const emailed = db
        .select({ networkHash: pending.networkHash, many: count().as("many") })
        .from(pending)
        .where(
          and(
            eq(pending.addressHash, addressHash),
            isNotNull(pending.emailedAt),
            ne(pending.state, "confirmed"),
          ),
        )
        .groupBy(pending.networkHash)
        .as("emailed");
      const ranked = db
        .select({
          id: pending.id,
          rank: rank.as("rank"),
          round: sql<number>`${rank} + coalesce(${emailed.many}, 0)`.as("round"),
          since: since.as("since"),
        })
        .from(pending)
        .leftJoin(emailed, eq(emailed.networkHash, pending.networkHash))
        .where(
          and(
            eq(pending.addressHash, addressHash),
            eq(pending.state, "waiting"),
            ne(pending.email, ""),
            gt(pending.expiresAt, now),
            isNotNull(pending.sealedToken),
            // A repeated request that is not queued is listed as the one it repeats.
            or(isNull(pending.repeats), isNotNull(pending.emailDueAt)),
            queuedOnly ? isNotNull(pending.emailDueAt) : undefined,
          ),
        )
        .as("ranked");
      const rows = await db
        .select({ row: pending })
        .from(ranked)
        .innerJoin(pending, eq(pending.id, ranked.id))
        .where(sql`${ranked.rank} <= ${perNetwork}`)
        .orderBy(asc(ranked.round), desc(ranked.since), desc(pending.createdAt), desc(pending.id))
        .limit(limit);
      return rows.map(({ row }) => toPending(row));
    },

    async confirmationQueue(now) {
      const held = { many: count(), since: min(pending.emailDueAt) };
      const row = await first(db.select(held).from(pending).where(isDue(pending.emailDueAt, now)));
      return { held: row?.many ?? 0, heldSince: row?.since ?? null };
    },
  } satisfies Queries;
}

/** Subject of a mailbox: its budget of confirmation emails, its queue, and what its reader allows. */
export function mailboxSubject(addressHash: string): string {
  return `mailbox:${addressHash}`;
}

/** Subjects of the limits that all mailboxes share. */
export function subjectsOfThrottle(throttle: Throttle): string[] {
  if (throttle === null) return [];
  const { pool } = throttle;
  return [AT_ONCE_SUBJECT, ...subjectsOf(pool === null ? [] : [pool.known, pool.unknown])];
}

/** Subject of the emails of the whole instance that are sent at once. */
export const AT_ONCE_SUBJECT = "emails at once";

/** Request for an email, and what decides when it is sent. */
type Request = {
  readonly addressHash: string;
  readonly networkHash: string;
  readonly throttle: Throttle;
};

/** Time at which a confirmation email may be sent; one for `later` is queued. */
type EmailSchedule =
  { readonly kind: "now" | "never" } | { readonly kind: "later"; readonly dueAt: number };

/** Schedules a confirmation email. One that may go now counts against the limits of its throttle. */
export async function scheduleEmail(tx: Tx, request: Request, now: number): Promise<EmailSchedule> {
  const { addressHash, networkHash, throttle } = request;
  if (!(await takesEmails(tx, addressHash))) return { kind: "never" };
  const dueAt = emailDueAt(await unanswered(tx, addressHash, now), networkHash, now);
  const isHeld = dueAt > now || (throttle !== null && !(await passes(tx, request, now)));
  return isHeld ? { kind: "later", dueAt } : { kind: "now" };
}

async function passes(
  tx: Tx,
  { addressHash, networkHash, throttle }: Request,
  now: number,
): Promise<boolean> {
  const isKnown = await isConfirmed(tx, addressHash);
  const pool = throttle?.pool ?? null;
  const hits = pool === null ? [] : [isKnown ? pool.known : pool.unknown];
  const inAll = await countAtOnce(tx, now);
  const fromNetwork = pool === null ? await countAtOnce(tx, now, networkHash) : 0;
  if (!mayGoAtOnce({ inAll, fromNetwork }, { isKnown })) return false;
  if ((await limitedUntil(tx, hits, now)) !== null) return false;
  await noteHits(tx, hits, now);
  return true;
}

/** Number of unanswered emails that were sent at once within the last hour, for one network or for all. */
function countAtOnce(tx: Tx, now: number, networkHash?: string): Promise<number> {
  const { confirmationEmail } = tx.tables;
  const counted = and(
    sql`at_once and not answered`,
    isRecent(confirmationEmail.sentAt, now, CAPS.confirmationEmailsAtOnce.windowMs),
    networkHash === undefined ? undefined : eq(confirmationEmail.networkHash, networkHash),
  );
  return countRows(tx, confirmationEmail, counted);
}

/** True if the instance may send one more email at once. For emails that do not count by network. */
export async function instanceHasRoom(tx: Tx, now: number): Promise<boolean> {
  return mayGoAtOnce({ inAll: await countAtOnce(tx, now), fromNetwork: 0 }, { isKnown: false });
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

/** Emails that fill the budget of a mailbox. */
export async function unanswered(
  { db, tables: { confirmationEmail } }: Reader,
  addressHash: string,
  now: number,
): Promise<UnansweredEmail[]> {
  const { sentAt, networkHash, kind } = confirmationEmail;
  const isCounted = and(
    eq(confirmationEmail.addressHash, addressHash),
    eq(confirmationEmail.answered, false),
    isRecent(sentAt, now, BUDGET_MS),
  );
  return db.select({ sentAt, networkHash, kind }).from(confirmationEmail).where(isCounted);
}

export async function noteEmail(
  { insertAll, tables: { confirmationEmail } }: Tx,
  { addressHash, networkHash }: Pick<Pending, "addressHash" | "networkHash">,
  id: string,
  how: { readonly kind: UnansweredEmail["kind"]; readonly atOnce: boolean },
  now: number,
): Promise<void> {
  const { kind, atOnce } = how;
  const row = { id, addressHash, networkHash, kind, atOnce, sentAt: now, answered: false };
  await insertAll(confirmationEmail, [row]);
}

/** Frees the budget of a mailbox whose reader answered. */
export async function markAnswered(tx: Tx, addressHash: string, now: number): Promise<void> {
  const { confirmationEmail, pending } = tx.tables;
  const { db } = tx;
  const { addressHash: mailbox, answered } = confirmationEmail;
  const isOpen = and(eq(mailbox, addressHash), eq(answered, false));
  await db.update(confirmationEmail).set({ answered: true }).where(isOpen);
  const isQueued = and(eq(pending.addressHash, addressHash), isNotNull(pending.emailDueAt));
  await db.update(pending).set({ emailDueAt: now }).where(isQueued);
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
  await markAnswered(tx, addressHash, now);
}

/** Subject by which gathered emails to a mailbox are withdrawn. */
export function gatheredAbout(addressHash: string): string {
  return `mailbox:${addressHash}`;
}
