import { and, count, eq, gt, sql } from "drizzle-orm";
import type { EmailContent } from "../../src/core/email.ts";
import {
  BOUNCE_WINDOW_MS,
  type BounceOutcome,
  complaintCounts,
  stateAfterBounce,
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
      recordOnce(tools, emailId, now, ({ mailboxHash, sentAt }) => {
        const known = db.select().from(suppression).where(eq(suppression.mailboxHash, mailboxHash));
        return stateAfterBounce(known.get() ?? null, sentAt, now);
      }),

    recordComplaint: (emailId, now) =>
      recordOnce(tools, emailId, now, ({ kind }) =>
        kind !== null && complaintCounts(kind) ? { complainedAt: now } : null,
      ),

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
 * Removes a mailbox from the list; returns whether it was on it. Bounces of earlier emails no longer count. Only inside
 * `write`.
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

type SentEmail = {
  readonly mailboxHash: string;
  readonly kind: EmailContent["kind"] | null;
  readonly sentAt: number;
};

/** Changes the entry of the mailbox of an email, once for each email. `changesOf` returns null if it does not count. */
function recordOnce(
  { db, write }: StoreTools,
  emailId: string,
  now: number,
  changesOf: (email: SentEmail) => Partial<typeof suppression.$inferSelect> | null,
): BounceOutcome {
  return write(() => {
    const recent = and(eq(outbox.id, emailId), gt(outbox.closedAt, now - BOUNCE_WINDOW_MS));
    const row = db.select().from(outbox).where(recent).get();
    if (row === undefined || row.mailboxHash === null || row.closedAt === null) return "ignored";
    const { mailboxHash, kind, closedAt: sentAt } = row;
    const changes = changesOf({ mailboxHash, kind, sentAt });
    if (changes === null) return "ignored";
    db.insert(suppression)
      .values({ mailboxHash, ...changes })
      .onConflictDoUpdate({ target: suppression.mailboxHash, set: changes })
      .run();
    db.update(outbox).set({ mailboxHash: null }).where(eq(outbox.id, emailId)).run();
    return "recorded";
  });
}
