import { and, count, eq, gt, isNotNull, sql } from "drizzle-orm";
import {
  BOUNCE_WINDOW_MS,
  complaintCounts,
  DEAD_AFTER_MS,
  FAILURE_KEEP_MS,
} from "../../src/core/suppression.ts";
import type { Queries, StoreTools } from "./context.ts";
import { suppression } from "./mailbox-schema.ts";
import type { Db } from "./open.ts";
import { outbox } from "./schema.ts";

export function suppressionQueries(tools: StoreTools) {
  const { db, write } = tools;
  return {
    suppression: (mailboxHash) =>
      db
        .select({
          deadSince: suppression.deadSince,
          complainedAt: suppression.complainedAt,
        })
        .from(suppression)
        .where(eq(suppression.mailboxHash, mailboxHash))
        .get() ?? null,

    recordBounce: (emailId, now) =>
      write(() => {
        const email = sentEmail(tools, emailId, now);
        if (email === null) return "ignored";
        const key = eq(suppression.mailboxHash, email.mailboxHash);
        const known = db.select().from(suppression).where(key).get();
        const failure = nextFailure(known ?? NO_FAILURE, email.sentAt, now);
        db.insert(suppression)
          .values({ mailboxHash: email.mailboxHash, ...failure })
          .onConflictDoUpdate({ target: suppression.mailboxHash, set: failure })
          .run();
        forgetMailboxOfEmail(tools, emailId);
        return "recorded";
      }),

    recordComplaint: (emailId, now) =>
      write(() => {
        const email = sentEmail(tools, emailId, now);
        if (email === null || email.kind === null || !complaintCounts(email.kind)) return "ignored";
        db.insert(suppression)
          .values({ mailboxHash: email.mailboxHash, complainedAt: now })
          .onConflictDoUpdate({ target: suppression.mailboxHash, set: { complainedAt: now } })
          .run();
        forgetMailboxOfEmail(tools, emailId);
        return "recorded";
      }),

    liftSuppression: (mailboxHash) => write(() => liftSuppression(tools, mailboxHash)),

    suppressionCounts: () =>
      db
        .select({
          dead: count(suppression.deadSince),
          complained: count(suppression.complainedAt),
        })
        .from(suppression)
        .get() ?? { dead: 0, complained: 0 },
  } satisfies Queries;
}

/**
 * Sends emails to a mailbox again; returns whether none were sent before. Bounces of earlier emails no longer count: they
 * were about the mailbox as it was. Only inside `write`.
 */
export function liftSuppression({ prepared }: StoreTools, mailboxHash: string): boolean {
  const lifted = prepared(unsuppress).get({ mailboxHash });
  prepared(forgetMailbox).run({ mailboxHash });
  return lifted !== undefined;
}

const unsuppress = (db: Db) =>
  db
    .delete(suppression)
    .where(eq(suppression.mailboxHash, sql.placeholder("mailboxHash")))
    .returning();
const forgetMailbox = (db: Db) =>
  db
    .update(outbox)
    .set({ mailboxHash: null })
    .where(eq(outbox.mailboxHash, sql.placeholder("mailboxHash")));

type Failure = { readonly firstFailureAt: number | null; readonly deadSince: number | null };
const NO_FAILURE: Failure = { firstFailureAt: null, deadSince: null };

/** State after one more email bounced. Bounces may arrive in any order. */
function nextFailure({ firstFailureAt, deadSince }: Failure, sentAt: number, now: number): Failure {
  if (firstFailureAt === null || Math.abs(sentAt - firstFailureAt) > FAILURE_KEEP_MS)
    return { firstFailureAt: sentAt, deadSince };
  const isSecond = Math.abs(sentAt - firstFailureAt) >= DEAD_AFTER_MS;
  return {
    firstFailureAt: Math.min(firstFailureAt, sentAt),
    deadSince: deadSince ?? (isSecond ? now : null),
  };
}

function sentEmail({ db }: StoreTools, id: string, now: number) {
  const recent = and(
    eq(outbox.id, id),
    isNotNull(outbox.mailboxHash),
    gt(outbox.closedAt, now - BOUNCE_WINDOW_MS),
  );
  const row = db
    .select({ mailboxHash: outbox.mailboxHash, kind: outbox.kind, sentAt: outbox.closedAt })
    .from(outbox)
    .where(recent)
    .get();
  if (row === undefined || row.mailboxHash === null || row.sentAt === null) return null;
  return { mailboxHash: row.mailboxHash, kind: row.kind, sentAt: row.sentAt };
}

/** Makes sure that an email counts once. Only inside `write`. */
function forgetMailboxOfEmail({ db }: StoreTools, emailId: string): void {
  db.update(outbox).set({ mailboxHash: null }).where(eq(outbox.id, emailId)).run();
}
