import { type ReservedSQL, SQL } from "bun";
import { getTableColumns } from "drizzle-orm";
import { drizzle } from "drizzle-orm/bun-sql";
import { Fault } from "../../src/core/fault.ts";
import { codeOf } from "../../src/ops/fs.ts";
import { createReader, type Reader } from "../context.ts";
import { withTimeout } from "../../src/core/timeout.ts";
import { POSTGRES_DIALECT } from "../dialect.ts";
import { POSTGRES_COLUMNS } from "../schema/columns.ts";
import { createTables } from "../schema/tables.ts";

/** Options of the driver for a URL as `openPostgres` takes it. */
export function optionsOf(url: string): SQL.PostgresOrMySQLOptions {
  const parsed = URL.parse(url);
  if (parsed === null || !/^postgres(ql)?:$/.test(parsed.protocol))
    throw new Fault(
      "unavailable",
      "DATABASE_URL must be an address such as postgres://user:password@host/name.",
    );
  const verifies = parsed.searchParams.get("sslmode")?.startsWith("verify-") === true;
  return {
    adapter: "postgres",
    url,
    // Otherwise NODE_TLS_REJECT_UNAUTHORIZED=0, set for some other connection, would switch verification off.
    ...(verifies ? { tls: { rejectUnauthorized: true } } : {}),
  };
}

/** No answer in time. */
export class Unanswered extends Error {
  override readonly name = "Unanswered";
}

/** True if work that failed with this error may succeed when it is repeated. */
export function isRetryable(error: unknown): boolean {
  return isLost(error) || CONFLICTS.includes(stateOf(error));
}

/** Serialization failure and deadlock (<https://www.postgresql.org/docs/15/errcodes-appendix.html>). */
const CONFLICTS = ["40001", "40P01"];

/** True if the connection is of no more use, or its server takes no writes just now: it stops, starts or is a standby. */
export function isLost(error: unknown): boolean {
  const cause = causeOf(error);
  return (
    cause instanceof Unanswered ||
    tlsCodeOf(error) !== "" ||
    /^ERR_POSTGRES_(CONNECTION|IDLE_TIMEOUT|LIFETIME_TIMEOUT)/.test(codeOf(cause)) ||
    LOST.test(stateOf(error))
  );
}

/** Connection errors, too many connections, shutdown, standby, and the server's own time limits. */
const LOST = /^(08...|53300|57P0[1-5]|57014|25006|25P03)$/;

/** Code of an error of TLS, such as `CERT_HAS_EXPIRED`; empty for others. */
export function tlsCodeOf(error: unknown): string {
  const code = codeOf(causeOf(error));
  return TLS.test(code) ? code : "";
}

/** Errors of the driver, and those of verifying a certificate (<https://nodejs.org/api/tls.html#x509-certificate-error-codes>). */
const TLS =
  /^(ERR_POSTGRES_(TLS|CHANNEL_BINDING)|ERR_(TLS|SSL)_|ERR_BORINGSSL$|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|INVALID_(CA|PURPOSE)$|HOSTNAME_MISMATCH$|PATH_LENGTH_EXCEEDED$|EPROTO$)/;

/** SQLSTATE of an error that the server reported; empty for others. */
export function stateOf(error: unknown): string {
  const cause = causeOf(error);
  const state = cause instanceof Error && "errno" in cause ? cause.errno : "";
  return typeof state === "string" ? state : "";
}

/** Turns an error after which the caller may try again into a `Fault`. */
export function toFault(error: unknown): unknown {
  const isTransient = isRetryable(error) || SHORT_OF_RESOURCES.test(stateOf(error));
  return isTransient ? new Fault("unavailable", UNAVAILABLE, { retryAfterSeconds: 60 }) : error;
}

/** Disk or memory full, a lock that could not be had, and errors of the disk. */
const SHORT_OF_RESOURCES = /^(53...|55P03|58...)$/;
const UNAVAILABLE = "The database does not answer just now. Please try again in a minute.";

/** Error of the driver, which drizzle wraps. */
export function causeOf(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? error.cause : error;
}

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
export function answerWithin<Answer>(ms: number, answer: Promise<Answer>): Promise<Answer> {
  return withTimeout(answer, ms, () => {
    throw new Unanswered();
  });
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
