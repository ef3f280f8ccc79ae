import { and, eq, gt, isNull, ne } from "drizzle-orm";
import { STOCKS } from "../../src/core/caps.ts";
import { CONFIRM_MS, QUEUE_MS } from "../../src/core/confirmation/pending.ts";
import { noteEmail, scheduleEmail } from "./confirmation-emails.ts";
import type { Queries, StoreTools } from "./context.ts";
import { hasRow, placeholdersOf } from "./expressions.ts";
import type { Db } from "./open.ts";
import { insertEmails } from "./outbox.ts";
import {
  endRequests,
  firstRequest,
  insertPending,
  insertRepeat,
  releaseRepeats,
} from "./pendings.ts";
import { countHits, limitedUntil, noteHits } from "./rate-limits.ts";
import { pending, shortCode } from "./schema.ts";
import type { NewRequest } from "../../src/core/store/requests.ts";

/** Requests that wait for a confirmation by email: making and changing them. */
export function requestQueries(tools: StoreTools) {
  const { db, prepared, write } = tools;

  return {
    addPending(request, now) {
      return write(() => {
        const retryAt = limitedUntil(tools, request.hits, now);
        if (retryAt !== null) return { kind: "limited", retryAt };
        const code = request.shortCode;
        if (code !== null && prepared(reserveCode).get({ code }) === undefined)
          return { kind: "code_taken" };
        noteHits(tools, request.hits, now);
        const first = firstRequest(tools, request.pending, now);
        if (first !== null) return { kind: "kept", pending: insertRepeat(tools, request, first) };
        insertRequest(tools, request, now);
        return { kind: "kept", pending: request.pending };
      });
    },

    resend(id, { tokenHash, sealedToken, email, throttle }, now) {
      return write(() => {
        const row = db
          .update(pending)
          .set({ secondTokenHash: tokenHash })
          .where(and(stillWaits(id, now), isNull(pending.secondTokenHash)))
          .returning()
          .get();
        if (row === undefined) return false;
        // The first email is still queued and keeps its place.
        if (row.emailDueAt !== null) return true;
        // The email of a repeated request opens the request that it repeats.
        if (row.repeats !== null && !hasRow(db, pending, stillWaits(row.repeats, now))) return true;
        const schedule = scheduleEmail(tools, { ...row, throttle }, now);
        const same = eq(pending.id, id);
        switch (schedule.kind) {
          case "now":
            db.update(pending).set({ sealedToken, emailedAt: now }).where(same).run();
            insertEmails(tools, [email], `pending:${row.repeats ?? id}`);
            noteEmail(tools, row, email.id, { kind: "single", atOnce: true }, now);
            return true;
          case "later":
            db.update(pending)
              .set({ sealedToken, emailDueAt: schedule.dueAt, expiresAt: now + QUEUE_MS })
              .where(same)
              .run();
            return true;
          case "never":
            return true;
        }
      });
    },

    correctAddress(id, request, now) {
      return write(() => {
        const waiting = db.select().from(pending).where(stillWaits(id, now)).get();
        if (waiting === undefined || waiting.readdressed >= STOCKS.addressCorrections)
          return { kind: "late" };
        const retryAt = countHits(tools, request.hits, now);
        if (retryAt !== null) return { kind: "limited", retryAt };
        // The reader at the mistyped address finds an expired link, and can still answer "not me".
        endRequests(tools, eq(pending.id, id), now);
        releaseRepeats(tools, id);
        const fresh = { ...request.pending, readdressed: waiting.readdressed + 1 };
        insertRequest(tools, { ...request, pending: fresh }, now);
        return { kind: "kept", pending: fresh };
      });
    },
  } satisfies Queries;
}

const reserveCode = (db: Db) =>
  db.insert(shortCode).values(placeholdersOf(shortCode)).onConflictDoNothing().returning();

/**
 * Condition for a request that its requester can still change. Its time counts from the request, so that it does not
 * reveal if and when the email was sent. The email is empty if the subject of the request no longer exists.
 */
function stillWaits(id: string, now: number) {
  return and(
    eq(pending.id, id),
    eq(pending.state, "waiting"),
    ne(pending.email, ""),
    gt(pending.expiresAt, now),
    gt(pending.createdAt, now - CONFIRM_MS),
  );
}

/** Adds a request, and sends its email or queues it if the mailbox takes any. Only inside `write`. */
function insertRequest(tools: StoreTools, request: NewRequest, now: number): void {
  const { pending: fresh, email, throttle } = request;
  const schedule = scheduleEmail(tools, { ...fresh, throttle }, now);
  insertPending(tools, {
    ...fresh,
    emailedAt: schedule.kind === "now" ? now : null,
    emailDueAt: schedule.kind === "later" ? schedule.dueAt : null,
    expiresAt: schedule.kind === "later" ? now + QUEUE_MS : fresh.expiresAt,
  });
  if (schedule.kind !== "now") return;
  insertEmails(tools, [email], `pending:${fresh.id}`);
  noteEmail(tools, fresh, email.id, { kind: "single", atOnce: true }, now);
}
