import type { Read, Tx, Write } from "../context.ts";
import { noChanges, takeRevisions } from "../index-feed.ts";
import { enter, lockSubjects, wasCommitted } from "./nodes.ts";
import {
  answerWithin,
  type Connection,
  isLost,
  type Pool,
  readerOn,
  retrying,
  STATEMENT_MS_MAX,
} from "./connection.ts";
import { oweVacuum } from "./upkeep.ts";

/** `onChanges` is called after each commit that the in-memory indexes follow. */
export function createWrite(pool: Pool, onChanges: () => void): Write {
  return async (subjects, work, statementMs = STATEMENT_MS_MAX) => {
    const { result, hasChanges } = await retrying(() => attempt(pool, subjects, work, statementMs));
    if (hasChanges) onChanges();
    return result;
  };
}

export function createRead(pool: Pool): Read {
  return (work) =>
    retrying(() =>
      pool.use((connection) =>
        undoingFailed(connection, async () => {
          await command(
            connection,
            `begin isolation level repeatable read read only; ${limits(STATEMENT_MS_MAX)}`,
          );
          const result = await work(readerOn(connection));
          await command(connection, "commit");
          return result;
        }),
      ),
    );
}

type Done<Result> = { readonly result: Result; readonly hasChanges: boolean };

async function attempt<Result>(
  pool: Pool,
  subjects: readonly string[],
  work: (tx: Tx) => Promise<Result>,
  statementMs: number,
): Promise<Done<Result>> {
  /** Result of the work once only the commit is left, and its row in the ledger. */
  const reached: (Done<Result> & { id: string })[] = [];
  try {
    return await pool.use(async (connection) => {
      const done = await undoingFailed(connection, async () => {
        await command(
          connection,
          `begin isolation level read committed read write; ${limits(statementMs)}`,
        );
        const reader = readerOn(connection, statementMs);
        const id = await enter(reader.db);
        const lock = async (names: readonly string[]) => {
          if (names.length > 0) await lockSubjects(reader, names);
        };
        await lock(subjects);
        const tx: Tx = {
          ...reader,
          lock,
          changes: noChanges(),
          oweErasure: () => oweVacuum(reader),
        };
        const result = await work(tx);
        return { id, result, hasChanges: await takeRevisions(tx) };
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
