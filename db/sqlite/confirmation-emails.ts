import {
  and,
  asc,
  count,
  desc,
  eq,
  gt,
  inArray,
  isNotNull,
  isNull,
  lte,
  max,
  min,
  ne,
  or,
  sql,
} from "drizzle-orm";
import { CAPS } from "../../src/core/caps.ts";
import { mayGoAtOnce, type Throttle } from "../../src/core/confirmation/email-throttle.ts";
import {
  BUDGET_MS,
  emailDueAt,
  gatheredDueAt,
  hasRoom,
  type UnansweredEmail,
} from "../../src/core/confirmation/mailbox-budget.ts";
import { CONFIRM_MS, type Pending } from "../../src/core/confirmation/pending.ts";
import type { Queries, StoreTools } from "./context.ts";
import { firstInTurn } from "./email-order.ts";
import { isDue, turnOf } from "../expressions.ts";
import { countRows, hasRow, inList, placeholdersOf } from "./expressions.ts";
import { confirmationEmail, confirmedMailbox, stopped } from "./mailbox-schema.ts";
import { blocked } from "./moderation-schema.ts";
import type { Db } from "./open.ts";
import { insertEmails } from "./outbox.ts";
import { toPending } from "../rows.ts";
import { limitedUntil, noteHits } from "./rate-limits.ts";
import { pending } from "./schema.ts";

/** Queue of confirmation emails that were not sent at once. */
export function confirmationEmailQueries(tools: StoreTools) {
  const { db, write } = tools;
  return {
    lastHeldEmailAt(now) {
      const held = and(eq(confirmationEmail.atOnce, false), lte(confirmationEmail.sentAt, now));
      const newest = { at: max(confirmationEmail.sentAt) };
      return db.select(newest).from(confirmationEmail).where(held).get()?.at ?? null;
    },

    nextQueued(now) {
      const row = firstInTurn(tools, now);
      if (row === undefined) return null;
      return { pending: toPending(row), emails: unanswered(tools, row.addressHash, now) };
    },

    postponeQueued(addressHash, now) {
      const queued = and(eq(pending.addressHash, addressHash), isNotNull(pending.emailDueAt));
      write(() => {
        const emails = unanswered(tools, addressHash, now);
        const full = db
          .selectDistinct({ networkHash: pending.networkHash })
          .from(pending)
          .where(queued)
          .all()
          .filter(({ networkHash }) => !hasRoom(emails, networkHash, now))
          .map(({ networkHash }) => networkHash);
        db.update(pending)
          .set({ emailDueAt: gatheredDueAt(emails, now) })
          .where(and(queued, inList(pending.networkHash, full)))
          .run();
      });
    },

    sendQueued({ addressHash, networkHash, kind, listed, email }, now) {
      return write(() => {
        const ids = listed.map(({ id }) => id);
        const queued = and(inArray(pending.id, ids), isNotNull(pending.emailDueAt));
        const emails = unanswered(tools, addressHash, now);
        if (countRows(db, pending, queued) !== ids.length) return false;
        if (emailDueAt(emails, networkHash, now) > now) return false;
        const sent = { emailedAt: now, emailDueAt: null, expiresAt: now + CONFIRM_MS };
        db.update(pending).set(sent).where(queued).run();
        const [only] = listed;
        const about =
          only !== undefined && listed.length === 1
            ? `pending:${only.repeats ?? only.id}`
            : gatheredAbout(addressHash);
        insertEmails(tools, [email], about);
        noteEmail(tools, { addressHash, networkHash }, email.id, { kind, atOnce: false }, now);
        return true;
      });
    },

    waitingRequests(addressHash, now, { queuedOnly, perNetwork, limit }) {
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
      return db
        .select({ row: pending })
        .from(ranked)
        .innerJoin(pending, eq(pending.id, ranked.id))
        .where(sql`${ranked.rank} <= ${perNetwork}`)
        .orderBy(asc(ranked.round), desc(ranked.since), desc(pending.createdAt), desc(pending.id))
        .limit(limit)
        .all()
        .map(({ row }) => toPending(row));
    },

    confirmationQueue(now) {
      const held = { many: count(), since: min(pending.emailDueAt) };
      const row = db.select(held).from(pending).where(isDue(pending.emailDueAt, now)).get();
      return { held: row?.many ?? 0, heldSince: row?.since ?? null };
    },
  } satisfies Queries;
}

/** Request for an email, and what decides when it is sent. */
type Request = {
  readonly addressHash: string;
  readonly networkHash: string;
  readonly throttle: Throttle;
};

/** Time at which a confirmation email may be sent; one for `later` is queued. */
export type EmailSchedule =
  { readonly kind: "now" | "never" } | { readonly kind: "later"; readonly dueAt: number };

/** Schedules a confirmation email. One that may go now counts against the limits of its throttle. Only inside `write`. */
export function scheduleEmail(tools: StoreTools, request: Request, now: number): EmailSchedule {
  const { addressHash, networkHash, throttle } = request;
  if (!takesEmails(tools, addressHash)) return { kind: "never" };
  const dueAt = emailDueAt(unanswered(tools, addressHash, now), networkHash, now);
  const isHeld = dueAt > now || (throttle !== null && !passes(tools, request, now));
  return isHeld ? { kind: "later", dueAt } : { kind: "now" };
}

function passes(
  tools: StoreTools,
  { addressHash, networkHash, throttle }: Request,
  now: number,
): boolean {
  const isKnown = isConfirmed(tools, addressHash);
  const pool = throttle?.pool ?? null;
  const hits = pool === null ? [] : [isKnown ? pool.known : pool.unknown];
  const inAll = countAtOnce(tools, now);
  const fromNetwork = pool === null ? countAtOnce(tools, now, networkHash) : 0;
  if (!mayGoAtOnce({ inAll, fromNetwork }, { isKnown })) return false;
  if (limitedUntil(tools, hits, now) !== null) return false;
  noteHits(tools, hits, now);
  return true;
}

/** Number of unanswered emails that were sent at once within the last hour, for one network or for all. */
function countAtOnce({ db }: StoreTools, now: number, networkHash?: string): number {
  const counted = and(
    sql`at_once = 1 and answered = 0`,
    gt(confirmationEmail.sentAt, now - CAPS.confirmationEmailsAtOnce.windowMs),
    lte(confirmationEmail.sentAt, now),
    networkHash === undefined ? undefined : eq(confirmationEmail.networkHash, networkHash),
  );
  return countRows(db, confirmationEmail, counted);
}

/** True if the instance may send one more email at once. For emails that do not count by network. */
export function instanceHasRoom(tools: StoreTools, now: number): boolean {
  return mayGoAtOnce({ inAll: countAtOnce(tools, now), fromNetwork: 0 }, { isKnown: false });
}

/** True unless the reader of the mailbox stopped such emails or a moderator blocked it. */
export function takesEmails({ prepared }: StoreTools, addressHash: string): boolean {
  return prepared(stoppedOrBlocked).get({ addressHash }) === undefined;
}

const stoppedOrBlocked = (db: Db) => {
  const addressHash = sql.placeholder("addressHash");
  const rowsIn = <Table extends typeof stopped | typeof blocked>(table: Table) =>
    db.select({ hash: table.addressHash }).from(table).where(eq(table.addressHash, addressHash));
  return rowsIn(stopped).unionAll(rowsIn(blocked));
};

/** True if the mailbox has confirmed anything. */
export function isConfirmed({ db }: StoreTools, addressHash: string): boolean {
  return hasRow(db, confirmedMailbox, eq(confirmedMailbox.addressHash, addressHash));
}

/** Emails that fill the budget of a mailbox. */
export function unanswered(
  { prepared }: StoreTools,
  addressHash: string,
  now: number,
): UnansweredEmail[] {
  return prepared(unansweredEmails).all({ addressHash, after: now - BUDGET_MS, now });
}

const unansweredEmails = (db: Db) => {
  const { sentAt, networkHash, kind } = confirmationEmail;
  return db
    .select({ sentAt, networkHash, kind })
    .from(confirmationEmail)
    .where(
      and(
        eq(confirmationEmail.addressHash, sql.placeholder("addressHash")),
        eq(confirmationEmail.answered, false),
        gt(sentAt, sql.placeholder("after")),
        lte(sentAt, sql.placeholder("now")),
      ),
    );
};

/** Only inside `write`. */
export function noteEmail(
  { prepared }: StoreTools,
  { addressHash, networkHash }: Pick<Pending, "addressHash" | "networkHash">,
  id: string,
  how: { readonly kind: UnansweredEmail["kind"]; readonly atOnce: boolean },
  now: number,
): void {
  const { kind, atOnce } = how;
  const row = { id, addressHash, networkHash, kind, atOnce, sentAt: now, answered: false };
  prepared(insertConfirmationEmail).run(row);
}

const insertConfirmationEmail = (db: Db) =>
  db.insert(confirmationEmail).values(placeholdersOf(confirmationEmail));

/** Frees the budget of a mailbox whose reader answered. Only inside `write`. */
export function markAnswered({ prepared }: StoreTools, addressHash: string, now: number): void {
  prepared(answerEmails).run({ addressHash });
  prepared(sendQueuedNow).run({ addressHash, now });
}

const answerEmails = (db: Db) =>
  db
    .update(confirmationEmail)
    .set({ answered: true })
    .where(
      and(
        eq(confirmationEmail.addressHash, sql.placeholder("addressHash")),
        eq(confirmationEmail.answered, false),
      ),
    );
const sendQueuedNow = (db: Db) =>
  db
    .update(pending)
    .set({ emailDueAt: sql`${sql.placeholder("now")}` })
    .where(
      and(eq(pending.addressHash, sql.placeholder("addressHash")), isNotNull(pending.emailDueAt)),
    );

/** Only inside `write`. */
export function markConfirmed(tools: StoreTools, addressHash: string, now: number): void {
  tools.prepared(confirmMailbox).run({ addressHash, confirmedAt: now });
  markAnswered(tools, addressHash, now);
}

const confirmMailbox = (db: Db) =>
  db
    .insert(confirmedMailbox)
    .values(placeholdersOf(confirmedMailbox))
    .onConflictDoUpdate({
      target: confirmedMailbox.addressHash,
      set: { confirmedAt: sql`excluded.confirmed_at` },
    });

/** Subject by which gathered emails to a mailbox are withdrawn. */
export function gatheredAbout(addressHash: string): string {
  return `mailbox:${addressHash}`;
}
