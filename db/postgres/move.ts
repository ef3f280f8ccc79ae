import { Fault } from "../../src/core/fault.ts";
import { MINUTE_MS } from "../../src/core/duration.ts";
import type { StoredValue, TableRows } from "../table-rows.ts";
import { answerWithin, type Connection, type Pool } from "./connection.ts";
import { isLost } from "./errors.ts";
import { operatorFault } from "./open.ts";

/** Rows copied into each table. */
export type MovedRows = ReadonlyMap<string, number>;

/** Throws `conflict` with a sentence for the operator if one of these tables has rows. */
export async function requireEmpty(
  { use }: Pool,
  tables: readonly Pick<TableRows, "name">[],
): Promise<void> {
  await use((connection) => refuseRows(connection, tables));
}

/**
 * Copies all tables of another database into an empty one, in one transaction. Before it is committed all rows are read
 * again, and their numbers and the sums of their hashes are compared. Throws `conflict` with a sentence for the operator if
 * the database is not empty, and whatever `onRows` throws; then nothing was copied. Throws `unavailable` with a sentence
 * when the connection is lost.
 */
export async function copyTables(
  { use }: Pool,
  source: readonly TableRows[],
  onRows: (table: string, rows: number) => void,
): Promise<MovedRows> {
  const copying = use(async (connection) => {
    const run = runOn(connection);
    await run(
      `begin; set local statement_timeout = ${STATEMENT_MS_MAX}; set local idle_in_transaction_session_timeout = ${STATEMENT_MS_MAX}`,
    );
    try {
      const moved = await copyInto(connection, source, onRows);
      await run("commit");
      return moved;
    } catch (error) {
      if (!isLost(error)) await run("rollback").catch(() => {});
      throw error;
    }
  });
  return copying.catch((error: unknown) => {
    throw isLost(error) ? new Fault("unavailable", LOST) : operatorFault(error);
  });
}

/** The commit may have been the last that arrived. */
const LOST =
  "The connection was lost while the rows were copied. Move again: if the database is then found not empty, all rows are there.";

/** Longest wait for one statement: it adds some rows, or waits for others to end their transactions. */
const STATEMENT_MS_MAX = MINUTE_MS;
const ROWS_AT_ONCE = 1_000;
/** Tables whose row is replaced: an empty database has it, too. */
const REPLACED = ["counter", "key_check"];

async function copyInto(
  connection: Connection,
  source: readonly TableRows[],
  onRows: (table: string, rows: number) => void,
): Promise<MovedRows> {
  const run = runOn(connection);
  const tables = await tablesOf(connection);
  // Nodes that are running wait for the end, and find all rows or none.
  await run(`lock table ${tables.map(quoted).join(", ")} in share row exclusive mode`);
  await refuseRows(connection, source);
  for (const name of REPLACED) await run(`delete from ${quoted(name)}`);

  const moved = new Map<string, number>();
  for (const table of await parentsFirst(connection, source)) {
    const { name } = table;
    const types = await typesOf(connection, name);
    const written = createSum();
    for (const rows of inParts(table, types)) {
      const json = JSON.stringify(rows);
      const columns = table.columns.map(quoted).join(", ");
      await run(
        `insert into ${quoted(name)} (${columns}) select ${columns} from json_populate_recordset(null::${quoted(name)}, $1::text::json)`,
        [json],
      );
      for (const row of rows) written.add(row);
      onRows(name, written.count);
    }
    const read = await sumOf(connection, table);
    if (read.count !== written.count || read.sum !== written.sum)
      throw new Fault(
        "conflict",
        `The table ${name} differs after it was copied: ${written.count} rows were written and ${read.count} are there. Nothing was moved.`,
      );
    moved.set(name, written.count);
  }
  await continueNumbers(connection);
  return moved;
}

type Run = (text: string, values?: readonly string[]) => Promise<Record<string, unknown>[]>;

function runOn(connection: Connection): Run {
  return (text, values = []) =>
    answerWithin<Record<string, unknown>[]>(
      2 * STATEMENT_MS_MAX,
      connection.unsafe(text, [...values]),
    );
}

async function tablesOf(connection: Connection): Promise<string[]> {
  const rows = await runOn(connection)(
    "select tablename as name from pg_tables where schemaname = current_schema() order by 1",
  );
  return rows.map(({ name }) => `${name as string}`);
}

async function refuseRows(
  connection: Connection,
  tables: readonly Pick<TableRows, "name">[],
): Promise<void> {
  const run = runOn(connection);
  for (const { name } of tables) {
    if (name === "key_check") continue;
    const which = name === "counter" ? "where revision > 0 or last_published_at > 0" : "";
    const rows = await run(`select 1 from ${quoted(name)} ${which} limit 1`);
    if (rows.length > 0)
      throw new Fault(
        "conflict",
        `The database of DATABASE_URL is not empty: its table ${name} has rows. A folder can be moved into an empty database only. To move once more, drop the database and create it again: what it holds is then gone.`,
      );
  }
}

/** Tables in an order in which each comes after those that it refers to. */
async function parentsFirst(
  connection: Connection,
  tables: readonly TableRows[],
): Promise<TableRows[]> {
  const references = await runOn(connection)(
    "select c.relname as child, p.relname as parent from pg_constraint r join pg_class c on c.oid = r.conrelid join pg_class p on p.oid = r.confrelid where r.contype = 'f'",
  );
  const ordered = new Set<TableRows>();
  const add = (table: TableRows) => {
    if (ordered.has(table)) return;
    const parents = references.filter(({ child }) => child === table.name);
    for (const parent of tables)
      if (parent !== table && parents.some((one) => one["parent"] === parent.name)) add(parent);
    ordered.add(table);
  };
  for (const table of tables) add(table);
  return [...ordered];
}

async function typesOf(
  connection: Connection,
  table: string,
): Promise<ReadonlyMap<string, string>> {
  const rows = await runOn(connection)(
    "select column_name as name, data_type as type from information_schema.columns where table_schema = current_schema() and table_name = $1",
    [table],
  );
  return new Map(rows.map(({ name, type }) => [`${name as string}`, `${type as string}`]));
}

type Row = Readonly<Record<string, unknown>>;

/** Rows as PostgreSQL stores them, some at a time. */
function* inParts(table: TableRows, types: ReadonlyMap<string, string>): Iterable<Row[]> {
  let rows: Row[] = [];
  for (const values of table.rows()) {
    rows.push(
      Object.fromEntries(
        table.columns.map((name, at) => [name, valueOf(types.get(name), values[at] ?? null)]),
      ),
    );
    if (rows.length < ROWS_AT_ONCE) continue;
    yield rows;
    rows = [];
  }
  if (rows.length > 0) yield rows;
}

function valueOf(type: string | undefined, value: StoredValue): unknown {
  if (value === null) return null;
  if (value instanceof Uint8Array) throw new Error("no table has a column of bytes");
  switch (type) {
    case "boolean":
      return value !== 0;
    case "jsonb":
      return JSON.parse(`${value}`, (_name, part: unknown) => storable(part));
    default:
      return storable(value);
  }
}

/** A text cannot have NUL. */
function storable(value: unknown): unknown {
  return typeof value === "string" ? value.replaceAll("\0", "\uFFFD") : value;
}

/** Sum of the hashes of rows, which does not depend on their order. */
function createSum() {
  let count = 0;
  let sum = 0n;
  return {
    add(row: unknown): void {
      count += 1;
      sum = BigInt.asUintN(64, sum + BigInt(Bun.hash(canonical(row))));
    },
    get count() {
      return count;
    },
    get sum() {
      return sum;
    },
  };
}

/** JSON with sorted keys. */
function canonical(row: unknown): string {
  return JSON.stringify(row, (_name, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}

async function sumOf(
  connection: Connection,
  { name, columns }: TableRows,
): Promise<{ readonly count: number; readonly sum: bigint }> {
  const run = runOn(connection);
  const sum = createSum();
  const list = columns.map(quoted).join(", ");
  await run(
    `declare copied no scroll cursor for select row_to_json(copied)::text as row from (select ${list} from ${quoted(name)}) as copied`,
  );
  for (;;) {
    const rows = await run(`fetch ${ROWS_AT_ONCE} from copied`);
    for (const { row } of rows) sum.add(JSON.parse(`${row as string}`));
    if (rows.length < ROWS_AT_ONCE) break;
  }
  await run("close copied");
  return sum;
}

/** Lets numbers that the database assigns go on after those that were copied. */
async function continueNumbers(connection: Connection): Promise<void> {
  const run = runOn(connection);
  const numbered = await run(
    "select table_name as table, column_name as column from information_schema.columns where table_schema = current_schema() and is_identity = 'YES'",
  );
  for (const { table, column } of numbered) {
    const [from, of] = [quoted(`${table as string}`), quoted(`${column as string}`)];
    await run(
      `select setval(pg_get_serial_sequence($1, $2), greatest((select max(${of}) from ${from}), 1), exists (select 1 from ${from}))`,
      [`${table as string}`, `${column as string}`],
    );
  }
}

function quoted(name: string): string {
  return `"${name}"`;
}
