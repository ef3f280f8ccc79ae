import { sql } from "drizzle-orm";
import { Fault } from "../../src/core/fault.ts";
import type { Store } from "../../src/core/store.ts";
import { codeOf } from "../../src/ops/fs.ts";
import { type Db, isDamage } from "./open.ts";
import { counter } from "./schema.ts";
import type { Tombstones } from "./tombstones.ts";

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
export type StoreTools = {
  readonly db: Db;
  /**
   * Statement that `build` returns, prepared once per store: building one takes longer than running it. `build` is a
   * function of a module, not a closure, and takes values by `sql.placeholder`.
   */
  prepared<Statement>(build: (db: Db) => { prepare(): Statement }): Statement;
  /** Runs a transaction that takes the write lock first: one that takes it after a read can fail halfway. */
  write<Result>(work: () => Result): Result;
  /** Runs queries; errors of the disk become a `Fault`, as in `write`. */
  read<Result>(work: () => Result): Result;
  /** Runs work on files beside the database; errors of the disk become a `Fault`. */
  withDiskFaults<Result>(work: () => Result): Result;
  /** The next revision. Only inside `write`. */
  nextRevision(): number;
  /** Truncates the write-ahead log, so that erased data is no longer on the disk: see `wipeErasedPages`. Not inside `write`. */
  clearLog(): void;
  readonly tombstones: Tombstones;
};

export function createStoreTools(
  db: Db,
  wipeLog: () => void,
  tombstones: Tombstones,
  onDamage: (error: unknown) => void,
): StoreTools {
  const statements = new Map<unknown, unknown>();
  const prepared: StoreTools["prepared"] = (build) => {
    const known = statements.get(build) as ReturnType<ReturnType<typeof build>["prepare"]>;
    if (known !== undefined) return known;
    const statement = build(db).prepare();
    statements.set(build, statement);
    return statement;
  };
  const withDiskFaults = <Result>(work: () => Result): Result => {
    try {
      return work();
    } catch (error) {
      if (isDamage(error)) {
        onDamage(error);
        throw new Fault("unavailable", DAMAGED);
      }
      throw isTransient(error)
        ? new Fault("unavailable", DISK_FAILED, { retryAfterSeconds: 60 })
        : error;
    }
  };
  return {
    db,
    prepared,
    write: (work) => withDiskFaults(() => db.transaction(() => work(), { behavior: "immediate" })),
    read: withDiskFaults,
    withDiskFaults,
    nextRevision() {
      const row = prepared(raiseRevision).get();
      if (row === undefined) throw new Error("the counter row is missing");
      return row.revision;
    },
    clearLog: () => withDiskFaults(wipeLog),
    tombstones,
  };
}

const raiseRevision = (db: Db) =>
  db
    .update(counter)
    .set({ revision: sql`${counter.revision} + 1` })
    .returning({ revision: counter.revision });

/**
 * Errors of the disk after which the caller may try again. It is unknown whether a commit that failed holds, so writes
 * are safe to repeat.
 */
const TRANSIENT = [
  "SQLITE_FULL",
  "SQLITE_IOERR",
  "SQLITE_BUSY",
  "SQLITE_READONLY",
  "SQLITE_CANTOPEN",
  // Of the list of tombstones.
  "ENOSPC",
  "EDQUOT",
  "EIO",
  "EROFS",
];

function isTransient(error: unknown): boolean {
  const code = codeOf(error) || codeOf(error instanceof Error ? error.cause : null);
  return TRANSIENT.some((transient) => code.startsWith(transient));
}

const DISK_FAILED = "The server cannot write to its disk just now. Please try again in a minute.";
const DAMAGED =
  "The database is damaged. Whoever runs this service has to restore a backup (pet-alert restore).";
