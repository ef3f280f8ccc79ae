import type { Database } from "bun:sqlite";
import { chmodSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
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
