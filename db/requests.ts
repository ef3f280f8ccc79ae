import { and, eq, gt, isNull, ne } from "drizzle-orm";
import { STOCKS } from "../src/core/caps.ts";
import { CONFIRM_MS, QUEUE_MS } from "../src/core/confirmation/pending.ts";
import type { NewRequest } from "../src/core/store/requests.ts";
import {
  mailboxSubject,
  noteEmail,
  scheduleEmail,
  subjectsOfThrottle,
} from "./confirmation-emails.ts";
import type { Queries, Reader, StoreTools, Tx } from "./context.ts";
import { insertEmails } from "./outbox.ts";
import {
  endRequests,
  firstRequest,
  insertPending,
  insertRepeat,
  pendingRow,
  releaseRepeats,
} from "./pending.ts";
import { first, hasRow } from "./queries.ts";
import { countHits, limitedUntil, noteHits, subjectsOf } from "./rate-limits.ts";

/** Requests that wait for a confirmation by email: making and changing them. */
export function requestQueries(tools: StoreTools) {
  const { pending } = tools.tables;
  const { write } = tools;
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
