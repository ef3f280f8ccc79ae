import { Database } from "bun:sqlite";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { is } from "drizzle-orm";
import { getTableConfig, type SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { Fault } from "../../../src/core/fault.ts";
import { KEY_FILE, keyCheckOf, readKey } from "../../../src/ops/secret-key.ts";
import { keyStateOf, wrongKey } from "../key-check.ts";
import { MIGRATIONS } from "../migrations/all.ts";
import { BUSY_MS, DATABASE_FILE } from "../open.ts";
import { requirePlainFiles, requirePlainFolder } from "../plain-files.ts";
import { openFileToRead } from "../read-only.ts";
import { SQLITE_TABLES } from "../reader.ts";
import { refuseForeignSchema } from "../migrate.ts";
import { TOMBSTONES_FILE } from "../tombstones.ts";

/** Subfolder with the photos. */
export const PHOTOS = "photos";
/** Beside a database that is in use, or that was copied while in use. */
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
  const full = photoFilesIn(join(folder, PHOTOS)).filter((name) => !name.endsWith("-480.webp"));
  return { ...contents, photos: full.length };
}

/**
 * Checks every page and row of the database in a folder, which a service may be using. Throws `bad_input` with a message
 * for the operator if it is damaged, from a newer version than this program, or has a foreign schema.
 */
export function checkDatabase(folder: string): Omit<Contents, "photos"> {
  const file = join(folder, DATABASE_FILE);
  let database: Database | undefined;
  try {
    database = openFileToRead(file);
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

/** Counts what people put into a backup, without checking it. */
export function rowsIn(folder: string): Pick<Contents, "alerts" | "zones"> {
  const database = openFileToRead(join(folder, DATABASE_FILE));
  try {
    return { alerts: count(database, "alert"), zones: count(database, "zone") };
  } finally {
    database.close();
  }
}

/** Refuses a backup with the wrong key. */
function requireItsKey(folder: string): void {
  const key = readKey(folder);
  const check = key === null ? null : keyCheckOf(key);
  const database = new Database(join(folder, DATABASE_FILE), { readonly: true, strict: true });
  try {
    if (keyStateOf(database, check) === "differs") throw wrongKey(folder);
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

/**
 * Checks that every row of a database with the newest schema can be read: values have the type of their column, JSON is
 * well-formed, photos have names that this program assigns. SQLite's integrity check covers none of it. Reads every row.
 * Throws `bad_input` with a message.
 */
function refuseUnreadableValues(sqlite: Database): void {
  for (const table of Object.values<unknown>(SQLITE_TABLES)) {
    if (!is(table, SQLiteTable)) throw new Error("not a table of SQLite");
    const { name, columns } = getTableConfig(table);
    const hasRow = (condition: string) =>
      sqlite.query(`SELECT 1 FROM "${name}" WHERE ${condition} LIMIT 1`).get() !== null;
    // All columns in one query: scanning a table takes longest.
    if (!hasRow(columns.map(isUnreadable).join(" OR "))) continue;
    const column = columns.find((one) => hasRow(isUnreadable(one)));
    throw new Fault(
      "bad_input",
      `The database has a row in table "${name}" whose "${column?.name}" cannot be read. It is damaged, or was changed by another program.`,
    );
  }
}

/** Columns with lists of photo names. */
const { alert, message, sighting } = SQLITE_TABLES;
const PHOTO_NAMES: readonly unknown[] = [alert.photos, sighting.photos, message.photos];

/** SQL that is true for an unreadable value. NULL is readable: SQLite checks it. */
function isUnreadable(column: SQLiteColumn): string {
  const name = `"${column.name}"`;
  const types = column.getSQLType() === "text" ? "'text'" : "'integer', 'real'";
  const conditions = [`typeof(${name}) NOT IN (${types})`];
  if (PHOTO_NAMES.includes(column)) conditions.push(areNotPhotoNames(name));
  else if (column.dataType === "json") conditions.push(`NOT json_valid(${name})`);
  return `(${name} IS NOT NULL AND (${conditions.join(" OR ")}))`;
}

/** SQL that is true unless a value is a list of photo names. CASE, because json_each fails on malformed JSON. */
function areNotPhotoNames(name: string): string {
  const isForeign = "type <> 'text' OR length(value) <> 32 OR value GLOB '*[^0-9a-f]*'";
  return `CASE WHEN json_valid(${name}) AND json_type(${name}) = 'array'
    THEN EXISTS (SELECT 1 FROM json_each(${name}) WHERE ${isForeign}) ELSE 1 END`;
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
