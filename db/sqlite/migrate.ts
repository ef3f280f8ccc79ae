import { Database } from "bun:sqlite";
import { chmodSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Fault } from "../../src/core/fault.ts";
import {
  type AppliedMigration,
  hashOfMigration,
  type Migration,
  newerDatabase,
  refuseOtherHistory,
  statementsOf,
} from "../migration.ts";
import { MIGRATIONS } from "./migrations/all.ts";

export const MIGRATION_TABLE =
  "migration (number INTEGER PRIMARY KEY, name TEXT NOT NULL, hash TEXT NOT NULL) STRICT";

/**
 * Runs the missing migrations, each in its own transaction, after copying the database beside itself. Refuses a database
 * with migrations that this program does not have, or has in another form.
 */
export function migrate(
  sqlite: Database,
  dataDir: string,
  known: readonly Migration[] = MIGRATIONS,
): void {
  sqlite.run(`CREATE TABLE IF NOT EXISTS ${MIGRATION_TABLE}`);
  const applied = countApplied(sqlite, known);
  const missing = known.slice(applied);
  if (missing.length === 0) return;
  if (applied > 0) copyBefore(sqlite, dataDir, applied);

  // A table that is rebuilt with foreign keys on silently deletes every child row.
  sqlite.run("PRAGMA foreign_keys = OFF");
  for (const [offset, migration] of missing.entries())
    runMigration(sqlite, migration, applied + offset);
  sqlite.run("PRAGMA foreign_keys = ON");
}

/**
 * Number of migrations a database has had. Throws `unavailable` with a message for the operator if one of them is not
 * known.
 */
export function countApplied(sqlite: Database, known: readonly Migration[] = MIGRATIONS): number {
  const applied = sqlite
    .query<AppliedMigration, []>("SELECT name, hash FROM migration ORDER BY number")
    .all();
  refuseOtherHistory(applied, known);
  if (applied.length > known.length) throw newerDatabase();
  return applied.length;
}

function runMigration(sqlite: Database, migration: Migration, number: number): void {
  const run = sqlite.transaction(() => {
    for (const statement of statementsOf(migration)) sqlite.run(statement);
    const broken = sqlite.query("PRAGMA foreign_key_check").all();
    if (broken.length > 0)
      throw new Error(`migration ${migration.name} leaves ${broken.length} broken references`);
    sqlite
      .query("INSERT INTO migration (number, name, hash) VALUES (?, ?, ?)")
      .run(number, migration.name, hashOfMigration(migration));
  });
  run.immediate();
}

/** Number of copies from before migrations that are kept. */
const COPIES_KEPT = 2;
const COPY = /^before-migration-(\d+)\.sqlite$/;

/** Copies the database, whole or not at all. Deletes older copies, which contain data that was erased since. */
function copyBefore(sqlite: Database, dataDir: string, count: number): void {
  const copy = join(dataDir, `before-migration-${count}.sqlite`);
  const unfinished = `${copy}.part`;
  rmSync(unfinished, { force: true });
  // Reads every page of tables and indexes: a damaged database is refused here, not migrated.
  sqlite.query("VACUUM INTO ?").run(unfinished);
  chmodSync(unfinished, 0o600);
  renameSync(unfinished, copy);
  const copies = readdirSync(dataDir).filter((name) => COPY.test(name));
  const counts = copies.map((name) => Number(COPY.exec(name)?.[1])).sort((a, b) => b - a);
  for (const old of counts.slice(COPIES_KEPT))
    rmSync(join(dataDir, `before-migration-${old}.sqlite`), { force: true });
}

/** Row of `sqlite_schema`: a table, index, view or trigger. */
type SchemaObject = {
  readonly type: string;
  readonly name: string;
  readonly table: string;
  readonly sql: string | null;
};

/** Far more objects than the program's own schema has. */
const OBJECTS_MAX = 1_000;
const NAME_LENGTH_SHOWN = 60;

/** Tables that Litestream adds to a database it replicates; see deploy/litestream.yml. */
const LITESTREAM: readonly SchemaObject[] = [
  ["_litestream_seq", "id INTEGER PRIMARY KEY, seq INTEGER"],
  ["_litestream_lock", "id INTEGER"],
].map(([name = "", columns]) => ({
  type: "table",
  name,
  table: name,
  sql: `CREATE TABLE ${name} (${columns})`,
}));

/** Table of the migrations, which is looked at before it is read: a view of that name could run forever. */
const MIGRATIONS_TABLE: SchemaObject = {
  type: "table",
  name: "migration",
  table: "migration",
  sql: `CREATE TABLE ${MIGRATION_TABLE}`,
};

/**
 * Compares the schema of a database with the one that its migrations make: no other trigger, view, table or index, none
 * missing, none with other SQL. A foreign trigger would run in every transaction of the service. Returns the number of
 * migrations the database has had, 0 for an empty one. Throws `unavailable` with a message for the operator.
 */
export function refuseForeignSchema(
  sqlite: Database,
  known: readonly Migration[] = MIGRATIONS,
): number {
  sqlite.run("PRAGMA trusted_schema = OFF");
  const found = objectsOf(sqlite);
  if (found.length === 0) return 0;
  if (!found.some((object) => Bun.deepEquals(object, MIGRATIONS_TABLE)))
    throw foreign("has no table of migrations");
  const applied = countApplied(sqlite, known);
  const own = new Map(
    [...schemaOf(known.slice(0, applied)), ...LITESTREAM].map((object) => [keyOf(object), object]),
  );
  for (const object of found) {
    const same = own.get(keyOf(object));
    if (same === undefined)
      throw foreign(`has the ${described(object)}, which Pet Alert did not make`);
    if (!Bun.deepEquals(object, same))
      throw foreign(`has another ${described(object)} than Pet Alert makes`);
    own.delete(keyOf(object));
  }
  const missing = [...own.values()].find((object) => !LITESTREAM.includes(object));
  if (missing !== undefined) throw foreign(`lacks the ${described(missing)}`);
  return applied;
}

function objectsOf(sqlite: Database): SchemaObject[] {
  return sqlite
    .query<SchemaObject, [number]>(
      "SELECT type, name, tbl_name AS 'table', sql FROM sqlite_schema LIMIT ?",
    )
    .all(OBJECTS_MAX);
}

/** Schema that these migrations make in a new database. */
export function schemaOf(migrations: readonly Migration[]): SchemaObject[] {
  const fresh = new Database(":memory:", { strict: true });
  try {
    // A new database is never copied: no folder is needed.
    migrate(fresh, "", migrations);
    return objectsOf(fresh);
  } finally {
    fresh.close();
  }
}

function keyOf({ type, name }: SchemaObject): string {
  return `${type} ${name}`;
}

/** For example `trigger "spy"`. */
function described({ type, name }: SchemaObject): string {
  return `${type} "${name.slice(0, NAME_LENGTH_SHOWN)}"`;
}

function foreign(problem: string): Fault {
  return new Fault(
    "unavailable",
    `The database ${problem}. It was changed by another program and is not opened: restore a backup that you trust.`,
  );
}
