import { and, count, eq, gt } from "drizzle-orm";
import type { EmailContent } from "../../src/core/email.ts";
import {
  BOUNCE_WINDOW_MS,
  type BounceOutcome,
  complaintCounts,
  stateAfterBounce,
} from "../../src/core/suppression.ts";
import type { Queries, StoreTools } from "./context.ts";
import { first } from "./expressions.ts";
import { suppression } from "./mailbox-schema.ts";
import { outbox } from "./schema.ts";
import type { Tx } from "./transaction.ts";

export function suppressionQueries(tools: StoreTools) {
  const { db, write } = tools;
  return {
    async suppression(mailboxHash) {
      const { deadSince, complainedAt } = suppression;
      const known = eq(suppression.mailboxHash, mailboxHash);
      const row = await first(
        db.select({ deadSince, complainedAt }).from(suppression).where(known),
      );
      return row ?? null;
    },

    recordBounce: (emailId, now) =>
      recordOnce(tools, emailId, now, async (tx, { mailboxHash, sentAt }) => {
        const known = await first(
          tx.db.select().from(suppression).where(eq(suppression.mailboxHash, mailboxHash)),
        );
        return stateAfterBounce(known ?? null, sentAt, now);
      }),

    recordComplaint: (emailId, now) =>
      recordOnce(tools, emailId, now, async (_tx, { kind }) =>
        kind !== null && complaintCounts(kind) ? { complainedAt: now } : null,
      ),

    liftSuppression: (mailboxHash) =>
      write([suppressionSubject(mailboxHash)], (tx) => liftSuppression(tx, mailboxHash)),

    async suppressionCounts() {
      const counts = {
        dead: count(suppression.deadSince),
        complained: count(suppression.complainedAt),
      };
      return (await first(db.select(counts).from(suppression))) ?? { dead: 0, complained: 0 };
    },
  } satisfies Queries;
}

/** Subject of the entry of a mailbox on the suppression list. */
export function suppressionSubject(mailboxHash: string): string {
  return `suppression:${mailboxHash}`;
}

/** Removes a mailbox from the list; returns whether it was on it. Bounces of earlier emails no longer count. */
export async function liftSuppression({ db }: Tx, mailboxHash: string): Promise<boolean> {
  const lifted = await db
    .delete(suppression)
    .where(eq(suppression.mailboxHash, mailboxHash))
    .returning({ mailboxHash: suppression.mailboxHash });
  await db.update(outbox).set({ mailboxHash: null }).where(eq(outbox.mailboxHash, mailboxHash));
  return lifted.length > 0;
}

type SentEmail = {
  readonly mailboxHash: string;
  readonly kind: EmailContent["kind"] | null;
  readonly sentAt: number;
};

/** Changes the entry of the mailbox of an email, once for each email. `changesOf` returns null if it does not count. */
async function recordOnce(
  { db, write }: StoreTools,
  emailId: string,
  now: number,
  changesOf: (tx: Tx, email: SentEmail) => Promise<Partial<typeof suppression.$inferSelect> | null>,
): Promise<BounceOutcome> {
  const recent = and(eq(outbox.id, emailId), gt(outbox.closedAt, now - BOUNCE_WINDOW_MS));
  const known = await first(db.select().from(outbox).where(recent));
  if (known === undefined || known.mailboxHash === null) return "ignored";
  return write<BounceOutcome>([suppressionSubject(known.mailboxHash)], async (tx) => {
    const row = await first(tx.db.select().from(outbox).where(recent).for("no key update"));
    if (row === undefined || row.mailboxHash === null || row.closedAt === null) return "ignored";
    const { mailboxHash, kind, closedAt: sentAt } = row;
    const changes = await changesOf(tx, { mailboxHash, kind, sentAt });
    if (changes === null) return "ignored";
    await tx.db
      .insert(suppression)
      .values({ mailboxHash, ...changes })
      .onConflictDoUpdate({ target: suppression.mailboxHash, set: changes });
    await tx.db.update(outbox).set({ mailboxHash: null }).where(eq(outbox.id, emailId));
    return "recorded";
  });
}
