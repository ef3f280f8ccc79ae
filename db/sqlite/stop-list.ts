import { and, eq, isNotNull } from "drizzle-orm";
import { gatheredAbout, markAnswered } from "./confirmation-emails.ts";
import type { Queries, StoreTools } from "./context.ts";
import { hasRow } from "./expressions.ts";
import { keepStopLinks } from "./links.ts";
import { stopLink, stopped } from "./mailbox-schema.ts";
import { blocked } from "./moderation-schema.ts";
import { withdrawEmails } from "./outbox.ts";
import { ENDED } from "../rows.ts";
import { endRequests } from "./pendings.ts";
import { usePhotos } from "./photos.ts";
import { pending } from "./schema.ts";

/** Mailboxes that get no confirmation emails because their reader stopped them. */
export function stopListQueries(tools: StoreTools) {
  const { db, write } = tools;
  return {
    disownPending(pendingId, tokenHash, now) {
      write(() => {
        const byId = eq(pending.id, pendingId);
        const row = db.select().from(pending).where(byId).get();
        if (row === undefined) return;
        db.update(pending)
          .set({ ...ENDED, state: "disowned" })
          .where(and(byId, eq(pending.state, "waiting")))
          .run();
        stop(tools, row.addressHash, tokenHash, now);
        withdrawEmails(tools, `pending:${pendingId}`, now);
        usePhotos(tools, `pending:${pendingId}`, []);
      });
      tools.clearLog();
    },

    stopEmails(addressHash, tokenHash, now) {
      write(() => {
        stop(tools, addressHash, tokenHash, now);
        endRequestsOf(tools, addressHash, now);
      });
      tools.clearLog();
    },

    allowEmails(addressHash, now) {
      return write(() => {
        const isBlocked = hasRow(db, blocked, eq(blocked.addressHash, addressHash));
        const lifted = db
          .delete(stopped)
          .where(eq(stopped.addressHash, addressHash))
          .returning()
          .all();
        if (lifted.length > 0) markAnswered(tools, addressHash, now);
        return { wasStopped: lifted.length > 0, isBlocked };
      });
    },

    mailboxStoppedBy(tokenHash) {
      const byToken = eq(stopLink.tokenHash, tokenHash);
      return db.select().from(stopLink).where(byToken).get()?.addressHash ?? null;
    },
  } satisfies Queries;
}

/** Stops emails to a mailbox until one of its links allows them again. Only inside `write`. */
function stop(tools: StoreTools, addressHash: string, tokenHash: string | null, now: number): void {
  const { db } = tools;
  db.insert(stopped).values({ addressHash, stoppedAt: now }).onConflictDoNothing().run();
  keepStopLinks(tools, addressHash, tokenHash);
  const queued = and(eq(pending.addressHash, addressHash), isNotNull(pending.emailDueAt));
  db.update(pending).set({ emailDueAt: null }).where(queued).run();
  withdrawEmails(tools, gatheredAbout(addressHash), now);
}

/** Ends the requests that wait for this mailbox, as if they had expired. Only inside `write`. */
export function endRequestsOf(tools: StoreTools, addressHash: string, now: number): void {
  const waiting = and(eq(pending.addressHash, addressHash), eq(pending.state, "waiting"));
  endRequests(tools, waiting, now);
  withdrawEmails(tools, gatheredAbout(addressHash), now);
}
