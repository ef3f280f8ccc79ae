import { and, count, eq, gt } from "drizzle-orm";
import type { EmailKind } from "../src/core/email.ts";
import {
  BOUNCE_WINDOW_MS,
  type BounceOutcome,
  complaintCounts,
  stateAfterBounce,
} from "../src/core/people/suppression.ts";
import { ENDED, endRequests, mailboxSubject, markAnswered, pendingRow } from "./pending.ts";
import type { Queries, StoreTools, Tx } from "./context.ts";
import { keepStopLinks } from "./links.ts";
import { withdrawEmails } from "./outbox.ts";
import { usePhotos } from "./photos.ts";
import { first, hasRow } from "./queries.ts";
import type { Row } from "./schema/tables.ts";

/** Mailboxes whose reader stopped confirmation emails, and those whose emails bounce or were reported as spam. */
export function suppressionQueries(tools: StoreTools) {
  const { blocked, pending, stopLink, stopped, suppression } = tools.tables;
  const { db, write } = tools;
  return {
    async disownPending(pendingId, tokenHash, now) {
      const row = await pendingRow(tools, pendingId);
      if (row === undefined) return;
      const { addressHash } = row;
      await write([mailboxSubject(addressHash)], async (tx) => {
        const waiting = and(eq(pending.id, pendingId), eq(pending.state, "waiting"));
        const disowned = { ...ENDED, state: "disowned" } as const;
        await tx.db.update(pending).set(disowned).where(waiting);
        await stop(tx, addressHash, tokenHash, now);
        await withdrawEmails(tx, `pending:${pendingId}`, now);
        await usePhotos(tx, `pending:${pendingId}`, []);
        await tx.oweErasure();
      });
    },

    async stopEmails(addressHash, tokenHash, now) {
      await write([mailboxSubject(addressHash)], async (tx) => {
        await stop(tx, addressHash, tokenHash, now);
        await endRequestsOf(tx, addressHash, now);
        await tx.oweErasure();
      });
    },

    allowEmails(addressHash) {
      return write([mailboxSubject(addressHash)], async (tx) => {
        const isBlocked = await hasRow(tx, blocked, eq(blocked.addressHash, addressHash));
        const same = eq(stopped.addressHash, addressHash);
        const lifted = await tx.db.delete(stopped).where(same).returning();
        if (lifted.length > 0) await markAnswered(tx, addressHash);
        return { wasStopped: lifted.length > 0, isBlocked };
      });
    },

    async mailboxStoppedBy(tokenHash) {
      const row = await first(db.select().from(stopLink).where(eq(stopLink.tokenHash, tokenHash)));
      return row?.addressHash ?? null;
    },

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

/** Stops emails to a mailbox until one of its links allows them again. */
async function stop(
  tx: Tx,
  addressHash: string,
  tokenHash: string | null,
  now: number,
): Promise<void> {
  const { stopped } = tx.tables;
  await tx.db.insert(stopped).values({ addressHash, stoppedAt: now }).onConflictDoNothing();
  await keepStopLinks(tx, addressHash, tokenHash);
}

/** Ends the requests that wait for this mailbox, as if they had expired. */
export async function endRequestsOf(tx: Tx, addressHash: string, now: number): Promise<void> {
  const { pending } = tx.tables;
  const waiting = and(eq(pending.addressHash, addressHash), eq(pending.state, "waiting"));
  await endRequests(tx, waiting, now);
}

/** Subject of the entry of a mailbox on the suppression list. */
export function suppressionSubject(mailboxHash: string): string {
  return `suppression:${mailboxHash}`;
}

/** Removes a mailbox from the list; returns whether it was on it. Bounces of earlier emails no longer count. */
export async function liftSuppression(tx: Tx, mailboxHash: string): Promise<boolean> {
  const { outbox, suppression } = tx.tables;
  const { db } = tx;
  const listed = eq(suppression.mailboxHash, mailboxHash);
  const lifted = await db.delete(suppression).where(listed).returning();
  await db.update(outbox).set({ mailboxHash: null }).where(eq(outbox.mailboxHash, mailboxHash));
  return lifted.length > 0;
}

type SentEmail = {
  readonly mailboxHash: string;
  readonly kind: EmailKind | null;
  readonly sentAt: number;
};

/** Changes the entry of the mailbox of an email, once for each email. `changesOf` returns null if it does not count. */
async function recordOnce(
  { db, write, tables: { outbox, suppression } }: StoreTools,
  emailId: string,
  now: number,
  changesOf: (tx: Tx, email: SentEmail) => Promise<Partial<Row<"suppression">> | null>,
): Promise<BounceOutcome> {
  const recent = and(eq(outbox.id, emailId), gt(outbox.closedAt, now - BOUNCE_WINDOW_MS));
  const known = await first(db.select().from(outbox).where(recent));
  if (known === undefined || known.mailboxHash === null) return "ignored";
  return write<BounceOutcome>([suppressionSubject(known.mailboxHash)], async (tx) => {
    const emails = tx.db.select().from(outbox).where(recent);
    const row = await first(tx.dialect.locking(emails, "no key update"));
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
