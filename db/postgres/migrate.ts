import { Fault } from "../../src/core/fault.ts";
import {
  type AppliedMigration,
  hashOfMigration,
  newerDatabase,
  refuseOtherHistory,
  statementsOf,
} from "../migration.ts";
import type { Connection, Pool } from "./connection.ts";
import { MIGRATIONS, type PostgresMigration } from "./migrations/all.ts";

/**
 * Runs the missing migrations, each in its own transaction. Of several nodes one migrates, and the others wait for it.
 * Refuses a database that has tables of another program, or migrations that do not allow this one, each with a message for
 * the operator.
 */
export async function migrate(
  { use }: Pool,
  known: readonly PostgresMigration[] = MIGRATIONS,
): Promise<void> {
  await use(async (connection) => {
    while (await runNext(connection, known));
  });
}

/**
 * Refuses a database whose schema is not that of this program, or was not made by it, each with a message for the operator.
 * Changes nothing. Returns false if the database is empty.
 */
export async function requireSchema({ use }: Pool): Promise<boolean> {
  return use(async (connection) => {
    if (!(await hasMigrations(connection))) {
      await refuseOtherTables(connection);
      return false;
    }
    if ((await appliedTo(connection, MIGRATIONS)).length < MIGRATIONS.length)
      throw new Fault(
        "unavailable",
        "The database is of an older version. Start a node once to bring it up to date.",
      );
    return true;
  });
}

/** Runs the next migration; false if there is none. */
async function runNext(
  connection: Connection,
  known: readonly PostgresMigration[],
): Promise<boolean> {
  await connection.unsafe("begin");
  try {
    // One node at a time; the others see afterwards what it did.
    await connection.unsafe(`select pg_advisory_xact_lock(${MIGRATION_LOCK})`);
    // A change that waited longer for a table would make all queries of the other nodes wait behind it.
    await connection.unsafe("set local lock_timeout = '2s'");
    const isMore = await apply(connection, known);
    await connection.unsafe("commit");
    return isMore;
  } catch (error) {
    await connection.unsafe("rollback");
    throw error;
  }
}

/** Key of an advisory lock: any number that no release changes. */
const MIGRATION_LOCK = 7_387_638_253;

async function apply(
  connection: Connection,
  known: readonly PostgresMigration[],
): Promise<boolean> {
  if (!(await hasMigrations(connection))) {
    await refuseOtherTables(connection);
    await connection.unsafe(
      "create table migration (number bigint primary key, name text not null, hash text not null, programs bigint not null)",
    );
  }
  const applied = await appliedTo(connection, known);
  const next = known[applied.length];
  if (next === undefined) return false;
  for (const statement of statementsOf(next)) await connection.unsafe(statement);
  await connection.unsafe(
    "insert into migration (number, name, hash, programs) values ($1, $2, $3, $4)",
    [applied.length, next.name, hashOfMigration(next), next.programs],
  );
  return true;
}

/** Steps that a database has had. Throws if the program does not fit them. */
async function appliedTo(
  connection: Connection,
  known: readonly PostgresMigration[],
): Promise<readonly AppliedMigration[]> {
  const applied = await connection.unsafe<(AppliedMigration & { readonly programs: number })[]>(
    "select name, hash, programs::int as programs from migration order by number",
  );
  refuseOtherHistory(applied, known);
  if (applied.some(({ programs }) => programs > known.length)) throw newerDatabase();
  return applied;
}

async function hasMigrations(connection: Connection): Promise<boolean> {
  const [row] = await connection.unsafe<{ readonly has: boolean }[]>(
    "select to_regclass('migration') is not null as has",
  );
  return row?.has === true;
}

async function refuseOtherTables(connection: Connection): Promise<void> {
  const [other] = await connection.unsafe<{ readonly name: string }[]>(
    "select tablename as name from pg_tables where schemaname = current_schema() limit 1",
  );
  if (other !== undefined)
    throw new Fault(
      "unavailable",
      `The database has the table ${other.name.slice(0, NAME_LENGTH_SHOWN)}, which Pet Alert did not make. DATABASE_URL must name a database of its own.`,
    );
}

const NAME_LENGTH_SHOWN = 60;
