import { asc, eq } from "drizzle-orm";
import { isTaken } from "../table-source.ts";
import type { Queries, StoreTools } from "./context.ts";
import { insertEmails } from "./outbox.ts";
import { countHits } from "./rate-limits.ts";
import { tableSource } from "./source-schema.ts";

/** Tables that are read again and again. */
export function sourceQueries(tools: StoreTools) {
  const { db, write } = tools;
  // One process has the database to itself: what it had taken when it was killed is free again.
  const taken = new Map<string, number>();
  const rowOf = (name: string) =>
    db.select().from(tableSource).where(eq(tableSource.name, name)).get();
  return {
    tableSources: (limit) =>
      db
        .select()
        .from(tableSource)
        .orderBy(asc(tableSource.name))
        .limit(limit)
        .all()
        .map(({ state }) => state),

    takeTableSource(fresh, now, releaseAt) {
      if (isTaken(taken.get(fresh.name) ?? 0, now, releaseAt)) return null;
      const state = write(() => {
        db.insert(tableSource)
          .values({ name: fresh.name, state: fresh })
          .onConflictDoNothing()
          .run();
        return rowOf(fresh.name)?.state ?? fresh;
      });
      taken.set(fresh.name, releaseAt);
      return state;
    },

    saveTableSource(state, releaseAt, notices, now) {
      if (releaseAt !== null && taken.get(state.name) !== releaseAt) return false;
      write(() => {
        db.insert(tableSource)
          .values({ name: state.name, state })
          .onConflictDoUpdate({ target: tableSource.name, set: { state } })
          .run();
        for (const { emails, hits } of notices)
          if (countHits(tools, hits, now) === null) insertEmails(tools, emails, null);
      });
      if (releaseAt !== null) taken.delete(state.name);
      return true;
    },
  } satisfies Queries;
}
