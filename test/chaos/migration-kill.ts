import { Database } from "bun:sqlite";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { migrate } from "../../db/sqlite/migrate.ts";
import { MIGRATIONS } from "../../db/sqlite/migrations/all.ts";
import { DATABASE_FILE, openDatabase } from "../../db/sqlite/open.ts";
import { KEY_FILE } from "../../src/ops/secret-key.ts";
import { FROM_SOURCES, type Program, scratchFolder } from "../support/process.ts";
import { biteOf, type Fault } from "./fault.ts";
import { type Weakening, without } from "./weakened.ts";

/** Moments at which the upgrade from a later schema is killed, spread over its statements. */
const MOMENTS = 30;
const FIXTURES = join(import.meta.dir, "../db/fixtures");

const UNBOUND: Weakening = {
  module: "db/sqlite/migrate.ts",
  name: "migrate",
  instead: `(sqlite, ...rest) => {
    sqlite.transaction = (work) => Object.assign(work, { immediate: work });
    original.migrate(sqlite, ...rest);
    delete sqlite.transaction;
  }`,
};

/**
 * The process is killed before each statement of the upgrade from the first schema, and before some from every later one,
 * which are the same statements on other data.
 */
export const migrationKill: Fault = {
  name: "kill inside a migration",
  promise: "a database whose upgrade was interrupted anywhere opens afterwards and is complete",
  async run(say) {
    const real = await killEverywhere(FROM_SOURCES, openDatabase, MIGRATIONS.length - 1);
    say(`${real.kills} kills: ${real.failures.length} went wrong`);
    const weak = await without([UNBOUND], async ({ program, load }) => {
      const open = await load<typeof import("../../db/sqlite/open.ts")>("db/sqlite/open.ts");
      return killEverywhere(program, open.openDatabase, 1);
    });
    return {
      tried: `${real.kills} kills, before every statement of the upgrade from schema 1, and at ${MOMENTS} moments of those from schemas 2 to ${MIGRATIONS.length - 1}`,
      lost: String(real.failures.length),
      failures: real.failures,
      bites: [
        biteOf(
          "the transaction around a migration",
          weak.failures,
          `${weak.failures.length} of ${weak.kills} did not open again (${weak.failures[0]})`,
        ),
      ],
    };
  },
};

/** From every schema up to the one named. */
async function killEverywhere(program: Program, reopen: typeof openDatabase, last: number) {
  const failures: string[] = [];
  let kills = 0;
  const newest = schemaOf(freshDatabase());
  for (let schema = 1; schema <= last; schema++) {
    const statements = await countStatements(program, schema);
    const step = schema === 1 ? 1 : Math.ceil(statements / MOMENTS);
    for (let nth = 1; nth <= statements; nth += step) {
      const folder = scratchFolder();
      await unpack(schema, folder.path);
      const before = rowsOf(join(folder.path, DATABASE_FILE));
      await dieAt(program, folder.path, nth);
      kills += 1;
      const wrong = opens(reopen, folder.path) ?? notWhole(folder.path, before, newest);
      if (wrong !== null) failures.push(`from schema ${schema}, statement ${nth}: ${wrong}`);
      folder.forget();
    }
  }
  return { kills, failures };
}

/** Number of statements that opening a database of a schema takes. */
async function countStatements(program: Program, schema: number): Promise<number> {
  const folder = scratchFolder();
  await unpack(schema, folder.path);
  const child = openInProcess(program, folder.path, 0);
  const [output, code] = await Promise.all([new Response(child.stdout).text(), child.exited]);
  folder.forget();
  if (code !== 0) throw new Error(`the upgrade ended with ${code}`);
  return Number(output);
}

/** Opens the database in a process that kills itself before its statement number `nth`. */
async function dieAt(program: Program, folder: string, nth: number): Promise<void> {
  const child = openInProcess(program, folder, nth);
  const code = await child.exited;
  if (child.signalCode !== "SIGKILL") throw new Error(`not killed: it ended with ${code}`);
}

function openInProcess({ command: [bun = ""], cwd }: Program, folder: string, nth: number) {
  const opener = join(cwd, "test/chaos/migration-kill-opener.ts");
  return Bun.spawn([bun, opener, folder, String(nth)], { cwd, stdout: "pipe", stderr: "inherit" });
}

/** Why not, or null. */
function opens(reopen: typeof openDatabase, folder: string): string | null {
  try {
    reopen(folder).close();
    return null;
  } catch (error) {
    return /SQLITE_\w+/.exec(String(error))?.[0] ?? String(error);
  }
}

/** Error in the database after the upgrade, or null. */
function notWhole(folder: string, before: Rows, newest: string): string | null {
  const database = new Database(join(folder, DATABASE_FILE), { readonly: true });
  try {
    const integrity = database
      .query<{ integrity_check: string }, []>("PRAGMA integrity_check")
      .get()!;
    if (integrity.integrity_check !== "ok") return integrity.integrity_check;
    if (database.query("PRAGMA foreign_key_check").all().length > 0) return "broken references";
    if (schemaOf(database) !== newest) return "the schema is not the newest";
    const after = countsIn(database);
    for (const [table, count] of Object.entries(before))
      if (table !== "migration" && after[table] !== count)
        return `${table} had ${count} rows and has ${after[table]}`;
  } finally {
    database.close();
  }
  const left = readdirSync(folder).filter((name) => name.endsWith(".part"));
  return left.length === 0 ? null : `${left.join(", ")} was left`;
}

type Rows = Readonly<Record<string, number>>;

function rowsOf(file: string): Rows {
  const database = new Database(file, { readonly: true });
  const counts = countsIn(database);
  database.close();
  return counts;
}

function countsIn(database: Database): Rows {
  const tables = database
    .query<{ name: string }, []>("SELECT name FROM sqlite_master WHERE type = 'table'")
    .all();
  return Object.fromEntries(
    tables.map(({ name }) => [
      name,
      database.query<{ it: number }, []>(`SELECT count(*) AS it FROM "${name}"`).get()!.it,
    ]),
  );
}

function freshDatabase(): Database {
  const database = new Database(":memory:", { strict: true });
  migrate(database, "");
  return database;
}

function schemaOf(database: Database): string {
  return JSON.stringify(
    database.query("SELECT type, name, sql FROM sqlite_master ORDER BY name").all(),
  );
}

/** A data folder as an earlier version left it. */
async function unpack(schema: number, folder: string): Promise<void> {
  const sql = await Bun.file(join(FIXTURES, `schema-${schema}.sql`)).text();
  const key = /^-- key (\S+)$/m.exec(sql)?.[1] ?? "";
  writeFileSync(join(folder, KEY_FILE), Uint8Array.fromHex(key));
  const database = new Database(join(folder, DATABASE_FILE), { create: true });
  database.run("PRAGMA foreign_keys = OFF");
  database.transaction(() => database.run(sql))();
  database.close();
}
