import { Database } from "bun:sqlite";
import { cpSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { MIGRATIONS } from "../../db/sqlite/migrations/all.ts";
import { DATABASE_FILE } from "../../db/sqlite/open.ts";
import { schemaOf } from "../../db/sqlite/migrate.ts";
import { fill, NEXT_RELEASE, NEXT_SQLITE, rowsOf } from "../support/next-release.ts";
import { scratchFolder } from "../support/process.ts";
import { createWorld } from "../support/world.ts";
import type { Fault } from "./fault.ts";
import { type Weakened, without } from "./weakened.ts";

/** The next release, which has one more migration, is killed before each statement with which it opens a folder of this one. */
export const migrationKill: Fault = {
  name: "kill inside a migration",
  promise: "a database whose upgrade was interrupted anywhere opens afterwards and is complete",
  async run(say) {
    const world = await createWorld();
    await fill(world);
    await world.app.stop();
    const real = await without(NEXT_RELEASE, (next) => killEverywhere(next, world.dataDir));
    say(`${real.kills} kills: ${real.failures.length} went wrong`);
    await world.end();
    return {
      tried: `${real.kills} kills, before every statement of an upgrade that builds a table again`,
      failures: real.failures,
    };
  },
};

async function killEverywhere({ root, load }: Weakened, dataDir: string) {
  const { openDatabase } =
    await load<typeof import("../../db/sqlite/open.ts")>("db/sqlite/open.ts");
  /** Result of opening a copy of the folder in a process that kills itself before one of its statements. */
  async function tryOne(nth: number) {
    const folder = scratchFolder();
    cpSync(dataDir, folder.path, { recursive: true });
    const child = Bun.spawn(
      [process.execPath, "test/chaos/migration-kill-opener.ts", folder.path, String(nth)],
      { cwd: root, stdout: "pipe", stderr: "inherit" },
    );
    const [output, code] = await Promise.all([new Response(child.stdout).text(), child.exited]);
    const wrong =
      opens(openDatabase, folder.path) ??
      notWhole(folder.path, rowsOf(join(dataDir, DATABASE_FILE)));
    folder.forget();
    return { output, code, isKilled: child.signalCode === "SIGKILL", wrong };
  }

  const whole = await tryOne(0);
  if (whole.code !== 0) throw new Error(`the upgrade ended with ${whole.code}`);
  const kills = Number(whole.output);
  const failures = whole.wrong === null ? [] : [`without a kill: ${whole.wrong}`];
  for (let nth = 1; nth <= kills; nth++) {
    const { code, isKilled, wrong } = await tryOne(nth);
    if (!isKilled) throw new Error(`not killed: it ended with ${code}`);
    if (wrong !== null) failures.push(`statement ${nth}: ${wrong}`);
  }
  return { kills, failures };
}

type Open = typeof import("../../db/sqlite/open.ts").openDatabase;

/** Why not, or null. */
function opens(open: Open, folder: string): string | null {
  try {
    open(folder).close();
    return null;
  } catch (error) {
    return /SQLITE_\w+/.exec(String(error))?.[0] ?? String(error);
  }
}

type Rows = ReturnType<typeof rowsOf>;

/** Error in the database after the upgrade, or null. */
function notWhole(folder: string, before: Rows): string | null {
  const file = join(folder, DATABASE_FILE);
  const database = new Database(file, { readonly: true });
  try {
    const integrity = database
      .query<{ integrity_check: string }, []>("PRAGMA integrity_check")
      .get()!;
    if (integrity.integrity_check !== "ok") return integrity.integrity_check;
    if (database.query("PRAGMA foreign_key_check").all().length > 0) return "broken references";
    const schema = database.query("SELECT type, name, tbl_name AS 'table', sql FROM sqlite_schema");
    if (!Bun.deepEquals(schema.all(), schemaOf([...MIGRATIONS, NEXT_SQLITE])))
      return "the schema is not the newest";
  } finally {
    database.close();
  }
  const after = rowsOf(file);
  for (const [table, rows] of Object.entries(before))
    if (table !== "migration" && after[table]?.length !== rows.length)
      return `${table} had ${rows.length} rows and has ${after[table]?.length}`;
  const left = readdirSync(folder).filter((name) => name.endsWith(".part"));
  return left.length === 0 ? null : `${left.join(", ")} was left`;
}
