import { and, eq, isNotNull } from "drizzle-orm";
import { ENDED } from "../rows.ts";
import { gatheredAbout, mailboxSubject, markAnswered } from "./confirmation-emails.ts";
import type { Queries, StoreTools } from "./context.ts";
import { first, hasRow } from "./expressions.ts";
import { keepStopLinks } from "./links.ts";
import { stopLink, stopped } from "./mailbox-schema.ts";
import { blocked } from "./moderation-schema.ts";
import { withdrawEmails } from "./outbox.ts";
import { endRequests, pendingRow } from "./pendings.ts";
import { usePhotos } from "./photos.ts";
import { pending } from "./schema.ts";
import type { Tx } from "./transaction.ts";
import { oweVacuum } from "./upkeep.ts";

/** Mailboxes that get no confirmation emails because their reader stopped them. */
export function stopListQueries(tools: StoreTools) {
  const { db, write } = tools;
  return {
    async disownPending(pendingId, tokenHash, now) {
      const row = await pendingRow(tools, pendingId);
      if (row === undefined) return;
      const { addressHash } = row;
      await write([mailboxSubject(addressHash)], async (tx) => {
        await tx.db
          .update(pending)
          .set({ ...ENDED, state: "disowned" })
          .where(and(eq(pending.id, pendingId), eq(pending.state, "waiting")));
        await stop(tx, addressHash, tokenHash, now);
        await withdrawEmails(tx, `pending:${pendingId}`, now);
        await usePhotos(tx, `pending:${pendingId}`, []);
        await oweVacuum(tx);
      });
    },

    async stopEmails(addressHash, tokenHash, now) {
      await write([mailboxSubject(addressHash)], async (tx) => {
        await stop(tx, addressHash, tokenHash, now);
        await endRequestsOf(tx, addressHash, now);
        await oweVacuum(tx);
      });
    },

    allowEmails(addressHash, now) {
      return write([mailboxSubject(addressHash)], async (tx) => {
        const isBlocked = await hasRow(tx, blocked, eq(blocked.addressHash, addressHash));
        const lifted = await tx.db
          .delete(stopped)
          .where(eq(stopped.addressHash, addressHash))
          .returning({ addressHash: stopped.addressHash });
        if (lifted.length > 0) await markAnswered(tx, addressHash, now);
        return { wasStopped: lifted.length > 0, isBlocked };
      });
    },

    async mailboxStoppedBy(tokenHash) {
      const row = await first(db.select().from(stopLink).where(eq(stopLink.tokenHash, tokenHash)));
      return row?.addressHash ?? null;
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
  const { db } = tx;
  await db.insert(stopped).values({ addressHash, stoppedAt: now }).onConflictDoNothing();
  await keepStopLinks(tx, addressHash, tokenHash);
  const queued = and(eq(pending.addressHash, addressHash), isNotNull(pending.emailDueAt));
  await db.update(pending).set({ emailDueAt: null }).where(queued);
  await withdrawEmails(tx, gatheredAbout(addressHash), now);
}

/** Ends the requests that wait for this mailbox, as if they had expired. */
export async function endRequestsOf(tx: Tx, addressHash: string, now: number): Promise<void> {
  const waiting = and(eq(pending.addressHash, addressHash), eq(pending.state, "waiting"));
  await endRequests(tx, waiting, now);
  await withdrawEmails(tx, gatheredAbout(addressHash), now);
}
