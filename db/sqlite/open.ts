import { constants, Database } from "bun:sqlite";
import {
  accessSync,
  chmodSync,
  closeSync,
  existsSync,
  constants as fsConstants,
  mkdirSync,
  openSync,
  readdirSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { type BunSQLiteDatabase, drizzle } from "drizzle-orm/bun-sqlite";
import { Fault } from "../../src/core/fault.ts";
import { codeOf } from "../../src/disk.ts";
import { migrate, refuseStrangers } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/all.ts";

export type Db = BunSQLiteDatabase;

/** An open database that this process alone holds. */
export type OpenDatabase = {
  readonly db: Db;
  readonly sqlite: Database;
  /** Whether other users of the machine could enter its folder until it was opened. */
  readonly wasOpenToOthers: boolean;
  /** Gives back memory that is held for statements to come. */
  shrink(): void;
  close(): void;
};

export const DATABASE_FILE = "pet-alert.sqlite";
/** What a data folder holds while a backup takes its place. */
export const RESTORING = "restoring";
const LOCK_FILE = "lock.sqlite";
/** A statement waits this long for another that holds what it needs. */
export const BUSY_MS = 2_000;

/**
 * Opens the database of a data folder, makes it if there is none, and brings its schema up to date.
 * Throws `unavailable` with a sentence for the operator when another process holds the folder, when the database is
 * newer than this program, when a restore was cut short, or when a migration it carries out is not the one this program knows.
 */
export function openDatabase(dataDir: string): OpenDatabase {
  makeFolder(dataDir);
  const wasOpenToOthers = shutOthersOut(dataDir);
  const lock = holdFolder(dataDir);
  try {
    refuseHalfRestored(dataDir);
    const file = join(dataDir, DATABASE_FILE);
    const isNew = !existsSync(file);
    const sqlite = new Database(file, { create: true, readwrite: true, strict: true });
    if (isNew) chmodSync(file, 0o600);
    configure(sqlite);
    migrate(sqlite, dataDir);
    return {
      db: drizzle(sqlite),
      sqlite,
      wasOpenToOthers,
      shrink: () => shrink(sqlite),
      close() {
        sqlite.close();
        lock.close();
      },
    };
  } catch (error) {
    lock.close();
    throw inWords(error, dataDir);
  }
}

/**
 * Opens the database of a data folder for reading only, beside the process that serves it. Throws `not_found` where
 * there is none, `unavailable` when it is of another version than this program, each with a sentence for the operator.
 */
export function openToRead(dataDir: string): OpenDatabase {
  const file = join(dataDir, DATABASE_FILE);
  if (!existsSync(file)) throw new Fault("not_found", `There is no database in ${dataDir}.`);
  try {
    const sqlite = new Database(file, { readonly: true, strict: true });
    sqlite.fileControl(constants.SQLITE_FCNTL_PERSIST_WAL, 1);
    sqlite.run(`PRAGMA busy_timeout = ${BUSY_MS}`);
    if (refuseStrangers(sqlite) < MIGRATIONS.length)
      throw new Fault(
        "unavailable",
        `The database in ${dataDir} is of an older version. Start the service once to bring it up to date.`,
      );
    return {
      db: drizzle(sqlite),
      sqlite,
      wasOpenToOthers: false,
      shrink: () => shrink(sqlite),
      close: () => sqlite.close(),
    };
  } catch (error) {
    throw inWords(error, dataDir);
  }
}

function shrink(sqlite: Database): void {
  sqlite.run("PRAGMA shrink_memory");
}

/** What the operator can mend is told in a sentence. */
function inWords(error: unknown, dataDir: string): unknown {
  const code = codeOf(error);
  if (!code.startsWith("SQLITE_")) return error;
  return new Fault(
    "unavailable",
    `The database in ${dataDir} cannot be opened (${code}): is the disk full, the folder read-only or the file damaged?`,
  );
}

/** It would look empty, and be given a new key. */
function refuseHalfRestored(dataDir: string): void {
  if (existsSync(join(dataDir, RESTORING)))
    throw new Fault(
      "unavailable",
      `A restore into ${dataDir} was cut short. Restore the backup once more.`,
    );
}

/** Makes the folder where there is none. Throws `unavailable` when it cannot be used. */
export function makeFolder(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    accessSync(dataDir, fsConstants.W_OK | fsConstants.X_OK);
  } catch (error) {
    throw unusable(dataDir, error);
  }
}

function unusable(dataDir: string, error: unknown): Fault {
  return new Fault(
    "unavailable",
    `The data folder ${dataDir} cannot be used (${codeOf(error)}): DATA_DIR must be a folder this user may write to.`,
  );
}

/** Whether other users of the machine can enter the folder. What a group may do there was somebody's wish. */
export function isOpenToOthers(dataDir: string): boolean {
  return (statSync(dataDir).mode & OTHERS) !== 0;
}

const OTHERS = 0o007;

/**
 * Makes a folder its owner's alone that holds nothing but ours; says whether that changed anything. Others would read
 * the names in it, and whoever can open the lock can hold it.
 */
function shutOthersOut(dataDir: string): boolean {
  const isOurs = existsSync(join(dataDir, DATABASE_FILE)) || readdirSync(dataDir).length === 0;
  if (!isOurs || !isOpenToOthers(dataDir)) return false;
  try {
    chmodSync(dataDir, 0o700);
  } catch {
    // Another user's: no less good than it was.
    return false;
  }
  return !isOpenToOthers(dataDir);
}

/** One process per folder: an exclusive lock that the system lets go of however the process ends. */
export function holdFolder(dataDir: string): Database {
  const lock = new Database(lockOf(dataDir), { readwrite: true, strict: true });
  try {
    lock.run("PRAGMA journal_mode = MEMORY");
    lock.run("BEGIN EXCLUSIVE");
    return lock;
  } catch (error) {
    lock.close();
    if (codeOf(error).startsWith("SQLITE_BUSY")) {
      throw new Fault(
        "unavailable",
        `Another Pet Alert process is using the data folder ${dataDir}. Stop it first.`,
      );
    }
    throw inWords(error, dataDir);
  }
}

/**
 * The file that is locked, for its owner only: whoever can open it can hold it, for reading too. It is never opened
 * here where it may be locked: closing it would let go of the lock.
 */
function lockOf(dataDir: string): string {
  const file = join(dataDir, LOCK_FILE);
  try {
    // Earlier versions made it for all to read.
    if (existsSync(file)) chmodSync(file, 0o600);
    else closeSync(openSync(file, "ax", 0o600));
  } catch (error) {
    // Two at once, or another user's file: whether it can be locked is found out next.
    if (!["EEXIST", "EPERM"].includes(codeOf(error))) throw unusable(dataDir, error);
  }
  return file;
}

/**
 * Said on every open, because most of it is not kept in the file. FULL: in WAL mode with NORMAL, a power cut loses
 * commits that were acknowledged. A kept WAL file: without it, a clean stop followed by a full disk leaves a database
 * that cannot be opened.
 */
function configure(sqlite: Database): void {
  sqlite.run(`PRAGMA busy_timeout = ${BUSY_MS}`);
  sqlite.run("PRAGMA journal_mode = WAL");
  sqlite.run("PRAGMA synchronous = FULL");
  sqlite.run("PRAGMA foreign_keys = ON");
  sqlite.run("PRAGMA secure_delete = ON");
  sqlite.run("PRAGMA trusted_schema = OFF");
  sqlite.run("PRAGMA journal_size_limit = 67108864");
  sqlite.fileControl(constants.SQLITE_FCNTL_PERSIST_WAL, 1);
}
