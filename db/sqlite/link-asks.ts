import { asc, eq } from "drizzle-orm";
import type { LinkAnswer } from "../../src/core/store.ts";
import { countHits } from "./hits.ts";
import { insertLetters } from "./outbox.ts";
import { linkAsk } from "./schema.ts";
import type { StoreTools, SyncStore } from "./store.ts";

type Verbs = Pick<SyncStore, "askForLink" | "linkAsks" | "dropLinkAsk">;

/** Links that were asked for, until somebody looked at who gets one. */
export function linkAskVerbs(tools: StoreTools): Verbs {
  const { db, read, write } = tools;
  return {
    askForLink(ask, hits, now) {
      return write(() => {
        const retryAt = countHits(tools, hits, now);
        if (retryAt === null) db.insert(linkAsk).values(ask).run();
        return retryAt;
      });
    },

    linkAsks: (limit) =>
      read(() => db.select().from(linkAsk).orderBy(asc(linkAsk.id)).limit(limit).all()),

    dropLinkAsk(id) {
      write(() => db.delete(linkAsk).where(eq(linkAsk.id, id)).run());
    },
  };
}

/** Takes an ask off the list, and sends its letter where the limits have room; says whether it goes. Only inside `write`. */
export function answerAsk(
  tools: StoreTools,
  { askId, hits, letter }: LinkAnswer,
  now: number,
  mayGo: () => boolean = () => true,
): boolean {
  const taken = tools.db.delete(linkAsk).where(eq(linkAsk.id, askId)).returning().get();
  // Where it is gone, somebody was first.
  if (taken === undefined || !mayGo() || countHits(tools, hits, now) !== null) return false;
  insertLetters(tools, [letter], null);
  return true;
}
