import { constants, Database } from "bun:sqlite";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { Fault } from "../../src/core/fault.ts";
import { KEY_FILE, keyCheckOf, readKey } from "../../src/ops/secret-key.ts";
import { keyStateOf, wrongKey } from "./key-check.ts";
import { MIGRATIONS } from "./migrations/all.ts";
import { BUSY_MS, DATABASE_FILE } from "./open.ts";
import { requirePlainFiles, requirePlainFolder } from "./plain-files.ts";
import { refuseForeignSchema } from "./schema-check.ts";
import { TOMBSTONES_FILE } from "./tombstones.ts";
import { refuseUnreadableValues } from "./value-check.ts";

/** Subfolder with the photos. */
export const PHOTOS = "photos";
/** Present beside a database that is in use, or was copied while it was. */
const LOG_FILE = `${DATABASE_FILE}-wal`;

/** Numbers of what a backup contains. */
export type Contents = {
  readonly alerts: number;
  readonly zones: number;
  readonly photos: number;
  /** Size of the database. */
  readonly bytes: number;
};

/**
 * Checks a whole backup without changing it. Throws `bad_input` with a message for the operator if it is not a backup, is
 * incomplete, damaged, from a newer version than this program, or contains anything that Pet Alert does not put there.
 */
export function requireSound(folder: string): Contents {
  requirePlainFiles(folder, [DATABASE_FILE, KEY_FILE], [LOG_FILE, TOMBSTONES_FILE]);
  requirePlainFolder(join(folder, PHOTOS), isPhotoFile);
  if (existsSync(join(folder, LOG_FILE)) && statSync(join(folder, LOG_FILE)).size > 0)
    throw new Fault(
      "bad_input",
      `${folder} is a data folder, not a backup. To use it, set DATA_DIR to it, or to a copy of it.`,
    );
  const contents = checkDatabase(folder);
  requireItsKey(folder);
  return { ...contents, photos: photoFilesIn(join(folder, PHOTOS)).filter(isFullPhoto).length };
}

/**
 * Checks every page and row of the database in a folder, which a service may be using. Throws `bad_input` with a message
 * for the operator if it is damaged, from a newer version than this program, or has a foreign schema.
 */
export function checkDatabase(folder: string): Omit<Contents, "photos"> {
  const file = join(folder, DATABASE_FILE);
  let database: Database | undefined;
  try {
    database = new Database(file, { readonly: true, strict: true });
    database.fileControl(constants.SQLITE_FCNTL_PERSIST_WAL, 1);
    database.run(`PRAGMA busy_timeout = ${BUSY_MS}`);
    database.run("PRAGMA cell_size_check = ON");
    const migrations = refuseForeignSchema(database);
    requireWhole(database);
    if (migrations === MIGRATIONS.length) refuseUnreadableValues(database);
    return {
      alerts: count(database, "alert"),
      zones: count(database, "zone"),
      bytes: statSync(file).size,
    };
  } catch (error) {
    if (error instanceof Fault) throw new Fault("bad_input", `${folder}: ${error.message}`);
    throw new Fault("bad_input", `The database in ${folder} is damaged, or is not a database.`);
  } finally {
    database?.close();
  }
}

/** Refuses a backup with the wrong key. One from before the check value existed passes. */
function requireItsKey(folder: string): void {
  const key = readKey(folder);
  const check = key === null ? null : keyCheckOf(key);
  const database = new Database(join(folder, DATABASE_FILE), { readonly: true, strict: true });
  try {
    if (keyStateOf(database, check, () => true) === "differs") throw wrongKey(folder);
  } finally {
    database.close();
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

/** Names of the photo files in a folder; none if there is no such folder. Only plain files count. */
export function photoFilesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && isPhotoFile(entry.name))
    .map(({ name }) => name);
}

/** Each photo is two files: full size and small. */
const PHOTO_FILE = /^[0-9a-f]{32}(-480)?\.webp$/;

function isPhotoFile(name: string): boolean {
  return PHOTO_FILE.test(name);
}

function isFullPhoto(name: string): boolean {
  return !name.endsWith("-480.webp");
}
