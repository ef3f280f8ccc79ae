import type { Database } from "bun:sqlite";
import { Fault } from "../../src/core/fault.ts";
import { createMutex } from "../../src/core/mutex.ts";
import { codeOf } from "../../src/ops/fs.ts";
import type { Read, Reader, Tx, Write } from "../context.ts";
import { noChanges, takeRevisions } from "../index-feed.ts";
import type { OpenDatabase } from "./open.ts";

/** Time for which a write waits while another program, such as a database browser, holds the lock of the file. */
const BUSY_MS_MAX = 2_000;
const BUSY_PAUSE_MS = 20;

/** Transactions on a database that no other process of the program uses. */
export type Transactions = {
  readonly read: Read;
  readonly write: Write;
  /** Runs work while no transaction is open. */
  readonly alone: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** Runs work after all transactions under way; none begins afterwards. */
  readonly close: (work: () => void) => Promise<void>;
};

/**
 * Transactions on `sqlite`, the one connection that writes, each after the one before. Reads of several queries take a turn,
 * too: no transaction commits between two of them. `onErasure` is called after each commit that owes the erasure of pages.
 */
export function createTransactions(
  sqlite: Database,
  writing: Reader,
  reading: Reader,
  onErasure: () => void,
): Transactions {
  const alone = createMutex();
  let isClosed = false;

  /** Runs the transaction, unless another program holds the lock. */
  async function attempt<Result>(
    work: (tx: Tx) => Promise<Result>,
  ): Promise<{ readonly result: Result } | null> {
    if (isClosed) throw new Fault("unavailable", STOPPING, { retryAfterSeconds: 60 });
    if (!begin(sqlite)) return null;
    let owesErasure = false;
    const tx: Tx = {
      ...writing,
      lock: async () => {},
      changes: noChanges(),
      oweErasure: async () => {
        owesErasure = true;
      },
    };
    let result: Result;
    try {
      result = await work(tx);
      await takeRevisions(tx);
      sqlite.run("COMMIT");
    } catch (error) {
      // Some errors end the transaction, such as a full disk.
      if (sqlite.inTransaction) sqlite.run("ROLLBACK");
      throw error;
    }
    if (owesErasure) onErasure();
    return { result };
  }

  return {
    alone,
    close: (work) =>
      alone(async () => {
        isClosed = true;
        work();
      }),
    read: (work) => alone(() => work(reading)),
    async write(_subjects, work) {
      const end = performance.now() + BUSY_MS_MAX;
      for (;;) {
        const isLast = performance.now() >= end;
        const done = await alone(() => attempt(work));
        if (done !== null) return done.result;
        if (isLast) throw new Locked();
        // Reads go on meanwhile.
        await Bun.sleep(BUSY_PAUSE_MS);
      }
    },
  };
}

const STOPPING = "The service is stopping. Please try again in a minute.";

/** Another program holds the lock of the file. */
class Locked extends Error {
  readonly code = "SQLITE_BUSY";
}

/** Begins a transaction that takes the write lock first; false if another program holds it. */
function begin(sqlite: Database): boolean {
  // One that could not be rolled back, as its disk failed.
  if (sqlite.inTransaction) sqlite.run("ROLLBACK");
  try {
    sqlite.run("BEGIN IMMEDIATE");
    return true;
  } catch (error) {
    if (codeOf(error).startsWith("SQLITE_BUSY")) return false;
    throw error;
  }
}

/** Write-ahead log of a database, which contains earlier versions of pages: erased data stays in it until it is wiped. */
export function createWriteAheadLog({ sqlite }: Pick<OpenDatabase, "sqlite">) {
  // It is unknown what the previous process left in it.
  let isOwed = true;

  function truncate(): void {
    isOwed = true;
    const answer = sqlite.query("PRAGMA wal_checkpoint(TRUNCATE)").get() as { busy: number };
    isOwed = answer.busy !== 0;
  }

  return {
    /**
     * Wipes it after a commit, or leaves that to `wipeOwed` if other processes are reading the database or the disk fails:
     * what was committed must not be told as failed.
     */
    wipe(): void {
      try {
        truncate();
      } catch {
        // It stays owed.
      }
    },
    /** Wipes it if `wipe` could not, or if it was not called yet. Does not wait for other processes. */
    wipeOwed(): void {
      if (isOwed) truncate();
    },
  };
}
