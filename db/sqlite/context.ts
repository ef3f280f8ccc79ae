import { sql } from "drizzle-orm";
import type { Store } from "../../src/core/store.ts";
import type { Db } from "./open.ts";
import { counter } from "./schema.ts";
import type { Tombstones } from "../tombstone.ts";

/**
 * Operations of the Store contract as SQLite runs them: synchronously. A transaction that awaits anything would commit
 * before its work is done.
 */
export type SyncStore = {
  readonly [Name in keyof Store]: Store[Name] extends (...args: infer Args) => Promise<infer Result>
    ? (...args: Args) => Result
    : never;
};

/** Operations of one subject: `return { ... } satisfies Queries`. Together the subjects make a `SyncStore`. */
export type Queries = Partial<SyncStore>;

/** Context of all queries. */
export type StoreTools = ReturnType<typeof createStoreTools>;

export function createStoreTools(db: Db, clearLog: () => void, tombstones: Tombstones) {
  const statements = new Map<unknown, unknown>();

  /**
   * Statement that `build` returns, prepared once per store: building one takes longer than running it. `build` is a
   * top-level function, not a closure, and takes its values from `sql.placeholder`.
   */
  function prepared<Statement>(build: (db: Db) => { prepare(): Statement }): Statement {
    const known = statements.get(build) as Statement | undefined;
    if (known !== undefined) return known;
    const statement = build(db).prepare();
    statements.set(build, statement);
    return statement;
  }

  return {
    db,
    prepared,
    /** Runs a transaction that takes the write lock first: one that takes it only after a read can fail halfway. */
    write: <Result>(work: () => Result): Result =>
      db.transaction(() => work(), { behavior: "immediate" }),
    /** Next revision. Only inside `write`. */
    nextRevision(): number {
      const row = prepared(raiseRevision).get();
      if (row === undefined) throw new Error("the counter row is missing");
      return row.revision;
    },
    /** Truncates the write-ahead log, so that erased data is no longer on the disk: see `wipeErasedPages`. Not inside `write`. */
    clearLog,
    tombstones,
  };
}

const raiseRevision = (db: Db) =>
  db
    .update(counter)
    .set({ revision: sql`${counter.revision} + 1` })
    .returning({ revision: counter.revision });
