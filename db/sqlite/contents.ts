import { Database } from "bun:sqlite";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { Fault } from "../../src/core/fault.ts";
import { refuseStrangers } from "./migrate.ts";
import { DATABASE_FILE } from "./open.ts";

/** Opens the private links that lie sealed in the database. */
export const KEY_FILE = "secret.key";
const KEY_BYTES = 32;
/** Where the pictures lie. */
export const PHOTOS = "photos";
/** Beside a database that is in use, or was copied while it was. */
const LOG_FILE = `${DATABASE_FILE}-wal`;

/** What lies in a backup. */
export type Contents = {
  readonly alerts: number;
  readonly zones: number;
  readonly photos: number;
  /** Of the database. */
  readonly bytes: number;
};

/**
 * Checks a backup from end to end, without changing it. Throws `bad_input` in words for the operator when it is none,
 * incomplete, damaged, or from a newer version than this program.
 */
export function requireSound(folder: string): Contents {
  for (const file of [DATABASE_FILE, KEY_FILE]) {
    if (!existsSync(join(folder, file)))
      throw new Fault("bad_input", `${folder} is no backup: ${file} is missing.`);
  }
  if (existsSync(join(folder, LOG_FILE)) && statSync(join(folder, LOG_FILE)).size > 0)
    throw new Fault(
      "bad_input",
      `${folder} is a data folder, not a backup. To use it, set DATA_DIR to it, or to a copy of it.`,
    );
  if (statSync(join(folder, KEY_FILE)).size !== KEY_BYTES)
    throw new Fault("bad_input", `The key in ${folder} is damaged.`);
  return contentsOf(folder);
}

function contentsOf(folder: string): Contents {
  const file = join(folder, DATABASE_FILE);
  let database: Database | undefined;
  try {
    database = new Database(file, { readonly: true, strict: true });
    requireWhole(database);
    refuseStrangers(database);
    return {
      alerts: count(database, "alert"),
      zones: count(database, "zone"),
      photos: picturesIn(join(folder, PHOTOS)).filter(isFullPicture).length,
      bytes: statSync(file).size,
    };
  } catch (error) {
    if (error instanceof Fault) throw new Fault("bad_input", `${folder}: ${error.message}`);
    throw new Fault("bad_input", `The database in ${folder} is damaged, or is no database.`);
  } finally {
    database?.close();
  }
}

function requireWhole(database: Database): void {
  const { integrity_check: found } = database
    .query<{ integrity_check: string }, []>("PRAGMA integrity_check(1)")
    .get() ?? { integrity_check: "no answer" };
  if (found !== "ok") throw new Error(found);
  if (database.query("PRAGMA foreign_key_check").get() !== null)
    throw new Error("a row refers to one that is missing");
}

function count(database: Database, table: "alert" | "zone"): number {
  return database.query<{ rows: number }, []>(`SELECT count(*) AS rows FROM ${table}`).get()!.rows;
}

/** Names of the picture files in a folder; none where there is no such folder. */
export function picturesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".webp")) : [];
}

/** Each picture is two files: itself and a small one. */
function isFullPicture(name: string): boolean {
  return !name.endsWith("-480.webp");
}
