import { asc, eq } from "drizzle-orm";
import { isTaken } from "../table-source.ts";
import type { Queries, StoreTools } from "./context.ts";
import { insertEmails } from "./outbox.ts";
import { countHits } from "./rate-limits.ts";
import { tableSource } from "./source-schema.ts";

/** Tables that are read again and again. */
export function sourceQueries(tools: StoreTools) {
  const { db, write } = tools;
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

    takeTableSource: (fresh, now, releaseAt) =>
      write(() => {
        const row = rowOf(fresh.name);
        if (row !== undefined && isTaken(row, now, releaseAt)) return null;
        const state = row?.state ?? fresh;
        db.insert(tableSource)
          .values({ name: fresh.name, state, takenUntil: releaseAt })
          .onConflictDoUpdate({ target: tableSource.name, set: { takenUntil: releaseAt } })
          .run();
        return state;
      }),

    saveTableSource: (state, releaseAt, notices, now) =>
      write(() => {
        if (releaseAt !== null && rowOf(state.name)?.takenUntil !== releaseAt) return false;
        db.insert(tableSource)
          .values({ name: state.name, state })
          .onConflictDoUpdate({
            target: tableSource.name,
            set: { state, ...(releaseAt === null ? {} : { takenUntil: 0 }) },
          })
          .run();
        for (const { emails, hits } of notices)
          if (countHits(tools, hits, now) === null) insertEmails(tools, emails, null);
        return true;
      }),
  } satisfies Queries;
}
