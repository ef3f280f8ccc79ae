import {
  answerWithin,
  type Connection,
  type Db,
  dbOn,
  type Pool,
  retrying,
  STATEMENT_MS_MAX,
} from "./connection.ts";
import { isLost } from "./errors.ts";
import { enter, wasCommitted } from "./ledger.ts";
import { lockSubjects } from "./locks.ts";
import { noChanges, takeRevisions, type IndexChanges } from "./revisions.ts";

/**
 * Way in which transactions keep out of each other's way. `locks`: each locks its subjects first, and reads what others
 * have committed since. `serializable`: the database finds conflicts, for engines without advisory locks.
 */
export type Guard = "locks" | "serializable";

/** Transaction that writes. */
export type Tx = {
  readonly db: Db;
  /**
   * Locks more subjects until the end, after which the transaction sees what their earlier holders did. To be called
   * before what depends on it is read.
   */
  lock(subjects: readonly string[]): Promise<void>;
  /** Changes that the in-memory indexes follow. They get their revisions at the end of the transaction. */
  readonly changes: IndexChanges;
};

/**
 * Runs a transaction. `subjects` name what must not change while it decides, in addition to rows that it locks itself, such
 * as `hit:` and the key of a rate limit. `work` may run several times. Once the promise has resolved the transaction is
 * committed; once it has rejected it never will be, or the server could not be asked.
 */
export type Write = <Result>(
  subjects: readonly string[],
  work: (tx: Tx) => Promise<Result>,
  /** Longest wait for the answer to one statement. */
  statementMs?: number,
) => Promise<Result>;

/** `onChanges` is called after each commit that the in-memory indexes follow. */
export function createWrite(pool: Pool, guard: Guard, onChanges: () => void): Write {
  return async (subjects, work, statementMs = STATEMENT_MS_MAX) => {
    const { result, hasChanges } = await retrying(() =>
      attempt(pool, guard, subjects, work, statementMs),
    );
    if (hasChanges) onChanges();
    return result;
  };
}

/** Runs several queries that see the database as of the first of them. `work` may run several times. */
export type Read = <Result>(work: (db: Db) => Promise<Result>) => Promise<Result>;

export function createRead(pool: Pool): Read {
  return (work) =>
    retrying(() =>
      pool.use((connection) =>
        undoingFailed(connection, async () => {
          await command(
            connection,
            `begin isolation level repeatable read read only; ${limits(STATEMENT_MS_MAX)}`,
          );
          const result = await work(dbOn(connection));
          await command(connection, "commit");
          return result;
        }),
      ),
    );
}

type Done<Result> = { readonly result: Result; readonly hasChanges: boolean };

async function attempt<Result>(
  pool: Pool,
  guard: Guard,
  subjects: readonly string[],
  work: (tx: Tx) => Promise<Result>,
  statementMs: number,
): Promise<Done<Result>> {
  /** Result of the work once only the commit is left, and its row in the ledger. */
  const reached: (Done<Result> & { id: string })[] = [];
  try {
    return await pool.use(async (connection) => {
      const done = await undoingFailed(connection, async () => {
        await command(connection, `begin ${ISOLATION[guard]} read write; ${limits(statementMs)}`);
        const db = dbOn(connection, statementMs);
        const id = await enter(db);
        const lock = async (names: readonly string[]) => {
          if (guard === "locks" && names.length > 0) await lockSubjects(db, names);
        };
        await lock(subjects);
        const tx: Tx = { db, lock, changes: noChanges() };
        const result = await work(tx);
        return { id, result, hasChanges: await takeRevisions(db, tx.changes) };
      });
      reached.push(done);
      await command(connection, "commit");
      return done;
    });
  } catch (error) {
    // The answer to a commit can be lost after the transaction was committed.
    const [unknown] = reached;
    if (unknown === undefined || !isLost(error) || !(await wasCommitted(pool, unknown.id)))
      throw error;
    return unknown;
  }
}

/**
 * Limits of the server for a client that vanished: its transaction must not hold locks for long. They end after those of
 * the client.
 */
function limits(statementMs: number): string {
  const ms = 2 * statementMs;
  return `set local idle_in_transaction_session_timeout = ${ms}; set local statement_timeout = ${ms}`;
}

const ISOLATION: Readonly<Record<Guard, string>> = {
  locks: "isolation level read committed",
  serializable: "isolation level serializable",
};
/** Longest wait for a commit, which also waits for a synchronous standby. */
const COMMIT_MS_MAX = 5_000;

async function command(connection: Connection, text: string): Promise<void> {
  await answerWithin(COMMIT_MS_MAX, connection.unsafe(text));
}

/** Rolls back what failed, unless its connection is lost and ends the transaction itself. */
async function undoingFailed<Result>(
  connection: Connection,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!isLost(error)) await command(connection, "rollback");
    throw error;
  }
}
