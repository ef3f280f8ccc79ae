import { asc, eq } from "drizzle-orm";
import type { Queries, Reader, StoreTools } from "./context.ts";
import { insertEmails } from "./outbox.ts";
import { first } from "./queries.ts";
import { countHits, subjectsOf } from "./rate-limits.ts";

/** Tables that are read again and again. */
export function sourceQueries({ db, write, tables: { tableSource } }: StoreTools) {
  const rowOf = (reader: Reader, name: string) =>
    first(reader.db.select().from(tableSource).where(eq(tableSource.name, name)));
  return {
    async tableSources(limit) {
      const rows = await db.select().from(tableSource).orderBy(asc(tableSource.name)).limit(limit);
      return rows.map(({ state }) => state);
    },

    takeTableSource: (fresh, now, releaseAt) =>
      write([subjectOf(fresh.name)], async (tx) => {
        const row = await rowOf(tx, fresh.name);
        if (row !== undefined && isTaken(row.takenUntil, now, releaseAt)) return null;
        const state = row?.state ?? fresh;
        await tx.db
          .insert(tableSource)
          .values({ name: fresh.name, state, takenUntil: releaseAt })
          .onConflictDoUpdate({ target: tableSource.name, set: { takenUntil: releaseAt } });
        return state;
      }),

    async saveTableSource(state, releaseAt, notices, now) {
      const subjects = notices.flatMap(({ hits }) => subjectsOf(hits));
      return write([subjectOf(state.name), ...subjects], async (tx) => {
        if (releaseAt !== null && (await rowOf(tx, state.name))?.takenUntil !== releaseAt)
          return false;
        await tx.db
          .insert(tableSource)
          .values({ name: state.name, state })
          .onConflictDoUpdate({
            target: tableSource.name,
            set: { state, ...(releaseAt === null ? {} : { takenUntil: 0 }) },
          });
        for (const { emails, hits } of notices)
          if ((await countHits(tx, hits, now)) === null) await insertEmails(tx, emails, null);
        return true;
      });
    },
  } satisfies Queries;
}

function subjectOf(name: string): string {
  return `table:${name}`;
}

/**
 * True if a table is taken for a read. A time later than `releaseAt`, at which a read that begins now would end, was
 * written before the clock was set back.
 */
function isTaken(takenUntil: number, now: number, releaseAt: number): boolean {
  return takenUntil > now && takenUntil <= releaseAt;
}
