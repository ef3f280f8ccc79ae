import { and, eq, gt, isNull, ne } from "drizzle-orm";
import { READDRESSED_MAX } from "../../src/core/pending.ts";
import { countHits } from "./hits.ts";
import { insertLetters, withdrawLetters } from "./outbox.ts";
import { insertPending, mayWriteTo, toPending } from "./pendings.ts";
import { usePhotos } from "./photos.ts";
import { pending } from "./schema.ts";
import type { StoreTools, SyncStore } from "./store.ts";

type Verbs = Pick<SyncStore, "pending" | "askAgain" | "readdress" | "count">;

export function waitingVerbs(tools: StoreTools): Verbs {
  const { db, read, write } = tools;
  // What it was about may have gone meanwhile: then it holds nothing any more.
  const stillWaits = (id: string, now: number) =>
    and(
      eq(pending.id, id),
      eq(pending.state, "waiting"),
      ne(pending.email, ""),
      gt(pending.expiresAt, now),
    );

  return {
    pending(id) {
      const row = read(() => db.select().from(pending).where(eq(pending.id, id)).get());
      return row === undefined ? null : toPending(row);
    },

    askAgain(id, secondTokenHash, letter, now) {
      return write(() => {
        const marked = db
          .update(pending)
          .set({ secondTokenHash })
          .where(and(stillWaits(id, now), isNull(pending.secondTokenHash)))
          .returning({ addressMark: pending.addressMark, lettered: pending.lettered })
          .get();
        if (marked === undefined) return false;
        // Where the first letter was not sent, the second is not either; the answer is alike.
        if (marked.lettered && mayWriteTo(tools, marked.addressMark, now, "second"))
          insertLetters(tools, [letter], `pending:${id}`);
        return true;
      });
    },

    readdress(id, ask, now) {
      return write(() => {
        const waiting = db.select().from(pending).where(stillWaits(id, now)).get();
        if (waiting === undefined || waiting.readdressed >= READDRESSED_MAX)
          return { kind: "late" };
        const retryAt = countHits(tools, ask.hits, now);
        if (retryAt !== null) return { kind: "limited", retryAt };
        // Whoever has the mistyped address finds a link that has run out, and can say "not me" all the same.
        db.update(pending)
          .set({ payload: null, email: "", expiresAt: now })
          .where(eq(pending.id, id))
          .run();
        withdrawLetters(tools, `pending:${id}`, now);
        const fresh = { ...ask.pending, readdressed: waiting.readdressed + 1 };
        insertPending(tools, { ...ask, pending: fresh }, now);
        usePhotos(tools, `pending:${id}`, []);
        return { kind: "kept", pending: fresh };
      });
    },

    count: (hits, now) => write(() => countHits(tools, hits, now)),
  };
}
