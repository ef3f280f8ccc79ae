import { getTableColumns, getTableName, gt, type SQL, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import { MINUTE_MS } from "../../src/core/duration.ts";
import { Fault } from "../../src/core/fault.ts";
import type { Reader } from "../context.ts";
import type { Tables } from "../schema/tables.ts";
import { causeOf, isLost, type Pool, readerOn } from "./connection.ts";
import { operatorFault } from "./open.ts";

/** Rows copied into each table. */
export type MovedRows = ReadonlyMap<string, number>;

/** Throws `conflict` with a sentence for the operator if a table has rows. */
export async function requireEmpty({ use }: Pool): Promise<void> {
  await use((connection) => refuseRows(readerOn(connection)));
}

/**
 * Copies all rows of another database into an empty one, in one transaction. Before it is committed all rows are read
 * again, and their numbers and the sums of their hashes are compared. Throws `conflict` with a sentence for the operator if
 * the database is not empty, and whatever `onRows` throws; then nothing was copied. Throws `unavailable` with a sentence
 * when the connection is lost.
 */
export async function copyTables(
  { use }: Pool,
  source: Reader,
  onRows: (table: string, rows: number) => void,
): Promise<MovedRows> {
  const copying = use(async (connection) => {
    // The server ends what was given up.
    const target = readerOn(connection, 2 * STATEMENT_MS_MAX);
    const command = (text: string) => target.run(sql.raw(text));
    await command(
      `begin; set local statement_timeout = ${STATEMENT_MS_MAX}; set local idle_in_transaction_session_timeout = ${STATEMENT_MS_MAX}`,
    );
    try {
      const moved = await copyInto(target, source, onRows);
      await command("commit");
      return moved;
    } catch (error) {
      if (!isLost(error)) await command("rollback").catch(() => {});
      throw error;
    }
  });
  return copying.catch((error: unknown) => {
    // The error of drizzle holds the rows.
    throw isLost(error) ? new Fault("unavailable", LOST) : operatorFault(causeOf(error));
  });
}

/** The commit may have been the last that arrived. */
const LOST =
  "The connection was lost while the rows were copied. Move again: if the database is then found not empty, all rows are there.";

/** Longest wait for one statement: it adds some rows, or waits for others to end their transactions. */
const STATEMENT_MS_MAX = MINUTE_MS;
const ROWS_AT_ONCE = 1_000;

async function copyInto(
  target: Reader,
  source: Reader,
  onRows: (table: string, rows: number) => void,
): Promise<MovedRows> {
  // Each table is declared after those that it refers to.
  const tables = Object.keys(target.tables) as (keyof Tables)[];
  const names = tables.map((key) => sql`${target.tables[key]}`);
  // Nodes that are running wait for the end, and find all rows or none.
  await target.run(sql`lock table ${sql.join(names, sql`, `)} in share row exclusive mode`);
  await refuseRows(target);
  // An empty database has these rows, too.
  await target.db.delete(target.tables.counter);
  await target.db.delete(target.tables.keyCheck);

  const moved = new Map<string, number>();
  for (const key of tables) {
    const table: PgTable = target.tables[key];
    const columns = Object.values(getTableColumns(table)).map(({ name }) => sql.identifier(name));
    const list = sql.join(columns, sql`, `);
    const written = createSum();
    for await (const rows of partsOf(source, source.tables[key])) {
      await target.run(
        sql`insert into ${table} (${list}) select ${list} from json_populate_recordset(null::${table}, ${`[${rows.join()}]`}::text::json)`,
      );
      rows.forEach(written.add);
      onRows(getTableName(table), written.count());
    }
    const read = await sumOf(target, sql`select ${list} from ${table}`);
    if (read.count() !== written.count() || read.sum() !== written.sum())
      throw new Fault(
        "conflict",
        `The table ${getTableName(table)} differs after it was copied: ${written.count()} rows were written and ${read.count()} are there. Nothing was moved.`,
      );
    moved.set(getTableName(table), written.count());
    await continueNumbers(target, table);
  }
  return moved;
}

async function refuseRows({ db, tables }: Reader): Promise<void> {
  const { keyCheck: _, counter, ...others } = tables;
  const isUsed = sql`${counter.revision} > 0 or ${counter.lastPublishedAt} > 0`;
  for (const table of [counter, ...Object.values<PgTable>(others)]) {
    const rows = db
      .select({ one: sql`1` })
      .from(table)
      .limit(1);
    if ((await (table === counter ? rows.where(isUsed) : rows)).length > 0)
      throw new Fault(
        "conflict",
        `The database of DATABASE_URL is not empty: its table ${getTableName(table)} has rows. A folder can be moved into an empty database only. To move once more, drop the database and create it again: what it holds is then gone.`,
      );
  }
}

/** Rows of a table as JSON, some at a time. */
async function* partsOf({ db }: Reader, table: PgTable): AsyncIterable<string[]> {
  const columns = Object.values(getTableColumns(table)).map((column) => [column.name, column]);
  const number = sql<number>`rowid`;
  for (let after = -1; ;) {
    const rows = await db
      .select({ number, values: Object.fromEntries(columns) as Record<string, PgColumn> })
      .from(table)
      .where(gt(number, after))
      .orderBy(number)
      .limit(ROWS_AT_ONCE);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.map(({ values }) => canonical(values));
    after = last.number;
  }
}

/** JSON with sorted keys. NUL, which PostgreSQL cannot store, becomes the replacement character. */
function canonical(row: unknown): string {
  return JSON.stringify(row, (_name, value: unknown) => {
    if (typeof value === "string") return value.replaceAll("\0", "\uFFFD");
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value;
  });
}

/** Number of rows, and sum of their hashes, which does not depend on their order. */
function createSum() {
  let count = 0;
  let sum = 0n;
  return {
    add(row: string): void {
      count += 1;
      sum = BigInt.asUintN(64, sum + BigInt(Bun.hash(row)));
    },
    count: () => count,
    sum: () => sum,
  };
}

async function sumOf(target: Reader, rows: SQL): Promise<ReturnType<typeof createSum>> {
  const sum = createSum();
  await target.run(
    sql`declare copied no scroll cursor for select row_to_json(copied)::text as row from (${rows}) as copied`,
  );
  for (;;) {
    const part = await target.rows<{ row: string }>(sql.raw(`fetch ${ROWS_AT_ONCE} from copied`));
    for (const { row } of part) sum.add(canonical(JSON.parse(row)));
    if (part.length < ROWS_AT_ONCE) break;
  }
  await target.run(sql`close copied`);
  return sum;
}

/** Lets numbers that the database assigns go on after those that were copied. */
async function continueNumbers(target: Reader, table: PgTable): Promise<void> {
  const numbered = Object.values(getTableColumns(table)).find((column) => column.generatedIdentity);
  if (numbered === undefined) return;
  await target.run(
    sql`select setval(pg_get_serial_sequence(${getTableName(table)}, ${numbered.name}), coalesce(max(${numbered}), 1), count(*) > 0) from ${table}`,
  );
}
