import { type ReservedSQL, SQL } from "bun";
import { getTableColumns } from "drizzle-orm";
import { drizzle } from "drizzle-orm/bun-sql";
import type { Reader } from "../context.ts";
import { createReader } from "../reader.ts";
import { createTables } from "../schema/tables.ts";
import { POSTGRES_COLUMNS } from "./columns.ts";
import { POSTGRES_DIALECT } from "./dialect.ts";
import { isLost, isRetryable, Unanswered } from "./errors.ts";

export type Connection = ReservedSQL;

/**
 * Connections to one database. Its own queries are outside of a transaction, each on a connection of its own; they are
 * repeated when the connection is lost.
 */
export type Pool = Reader & {
  /**
   * Runs work on a connection that nothing else uses meanwhile. A connection that was lost, or that did not answer in
   * time, is closed: a frozen server answers nothing, and its own time limits do not end the wait.
   */
  use<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
};

/** Longest wait for the answer to one statement. */
export const STATEMENT_MS_MAX = 3_000;
/** Longest wait for a free connection, or for a new one. */
const CONNECT_MS_MAX = 5_000;
/** Time for which work is repeated that conflicts or finds no server. A fail-over takes longer; callers then try again. */
const RETRY_MS_MAX = 10_000;
const RETRY_PAUSE_MS = 50;
const RETRY_PAUSE_MS_MAX = 500;

export function createPool(options: SQL.PostgresOrMySQLOptions): Pool {
  const sql = new SQL({
    ...options,
    connectionTimeout: CONNECT_MS_MAX / 1_000,
    onclose: () => {},
  });

  let isClosed = false;

  async function reserve(): Promise<Connection> {
    // No lost connection: work under way is not to be repeated.
    if (isClosed) throw new Error("the connections were closed");
    const reserving = sql.reserve();
    try {
      return await answerWithin(CONNECT_MS_MAX, reserving);
    } catch (error) {
      reserving.then(
        (late) => late.release(),
        () => {},
      );
      throw error;
    }
  }

  async function use<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> {
    const connection = await reserve();
    let isSound = true;
    try {
      return await work(connection);
    } catch (error) {
      isSound = !isLost(error);
      throw error;
    } finally {
      if (isSound) await connection.release();
      else void connection.close().catch(() => {});
    }
  }

  return {
    ...createPostgresReader((text, values, asArrays) =>
      retrying(() => use((connection) => run(connection, text, values, asArrays))),
    ),
    use,
    close() {
      isClosed = true;
      return sql.close({ timeout: 0 });
    },
  };
}

/** Queries on a connection that is in use, with a longest wait for each answer. */
export function readerOn(connection: Connection, statementMs = STATEMENT_MS_MAX): Reader {
  return createPostgresReader((text, values, asArrays) =>
    run(connection, text, values, asArrays, statementMs),
  );
}

/** Repeats work that conflicted with other work or lost its connection, for some seconds. */
export async function retrying<Result>(work: () => Promise<Result>): Promise<Result> {
  const end = performance.now() + RETRY_MS_MAX;
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!isRetryable(error) || performance.now() >= end) throw error;
      // Those that met in a conflict would meet again: the fraction of a millisecond tells them apart.
      const share = isLost(error) ? 1 : performance.now() % 1;
      await Bun.sleep(share * Math.min(tries * RETRY_PAUSE_MS, RETRY_PAUSE_MS_MAX));
    }
  }
}

/** Waits for an answer; throws `Unanswered` when it takes longer. */
export async function answerWithin<Answer>(ms: number, answer: Promise<Answer>): Promise<Answer> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Unanswered()), ms);
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

type Values = readonly unknown[];
/** Runs a statement. Returns its rows, as arrays of values or as objects. */
type Run = (text: string, values: Values, asArrays: boolean) => Promise<unknown[]>;

function run(
  connection: Connection,
  text: string,
  values: Values,
  asArrays: boolean,
  statementMs = STATEMENT_MS_MAX,
): Promise<unknown[]> {
  const query = connection.unsafe<unknown[]>(text, values.map(storable));
  return answerWithin<unknown[]>(statementMs, asArrays ? query.values() : query);
}

/** A text with NUL cannot be stored, so none is found. The replacement character stands for it. */
function storable(value: unknown): unknown {
  return typeof value === "string" ? value.replaceAll("\0", "\uFFFD") : value;
}

export const POSTGRES_TABLES = createTables(POSTGRES_COLUMNS);
/** Maximum of values in a statement: the protocol counts them in 16 bits. */
const VALUES_MAX = 65_535;

function createPostgresReader(run: Run): Reader {
  // The part of a client that drizzle uses.
  const client = {
    unsafe: (text: string, values: Values = []) => ({
      // oxlint-disable-next-line unicorn/no-thenable -- drizzle awaits a query for objects, and calls `values` for arrays.
      then: <Ok, Failed>(ok: (rows: unknown[]) => Ok, failed: (error: unknown) => Failed) =>
        run(text, values, false).then(ok, failed),
      values: () => run(text, values, true),
    }),
  };
  const db = drizzle({ client: client as unknown as SQL });
  return createReader({
    db,
    tables: POSTGRES_TABLES,
    dialect: POSTGRES_DIALECT,
    rows: (statement) => db.execute(statement),
    run: (statement) => db.execute(statement),
    arrays: (text, values) => run(text, values, true),
    async insertAll(table, rows) {
      const atOnce = Math.floor(VALUES_MAX / Object.keys(getTableColumns(table)).length);
      for (let from = 0; from < rows.length; from += atOnce)
        await db.insert(table).values(rows.slice(from, from + atOnce));
    },
  });
}
