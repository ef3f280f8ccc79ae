import { constants, Database, type Statement } from "bun:sqlite";
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
import { Fault } from "../../src/core/fault.ts";
import { codeOf } from "../../src/ops/fs.ts";
import { migrate, refuseForeignSchema } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/all.ts";
import { isThere } from "./plain-files.ts";
import { openFileToRead } from "./read-only.ts";

/** Open database that no other process uses. */
export type OpenDatabase = {
  /** The connection that writes. */
  readonly sqlite: Database;
  /** Connection for reads outside of transactions, which see what is committed. */
  readonly reading: Database;
  /** True if other users of the machine could enter its folder until it was opened. */
  readonly wasOpenToOthers: boolean;
  /** Releases memory that SQLite caches. */
  shrink(): void;
  close(): void;
};

export const DATABASE_FILE = "pet-alert.sqlite";
/** Subfolder of a data folder while a backup replaces its contents. */
export const RESTORING = "restoring";
const LOCK_FILE = "lock.sqlite";
/** Maximum wait for a lock while the database is opened. */
export const BUSY_MS = 2_000;

/**
 * Opens the database of a data folder, creates it if there is none, and migrates its schema. Throws `unavailable` with a
 * message for the operator if another process uses the folder, if the database is damaged, newer than this program or
 * has a foreign schema, or if a restore was interrupted.
 */
export function openDatabase(dataDir: string): OpenDatabase {
  createFolder(dataDir);
  const wasOpenToOthers = restrictFolder(dataDir);
  const lock = lockFolder(dataDir);
  let opened: Database | undefined;
  let openedToRead: Database | undefined;
  try {
    refuseHalfRestored(dataDir);
    const file = join(dataDir, DATABASE_FILE);
    const isNew = !existsSync(file);
    const sqlite = (opened = new Database(file, { create: true, readwrite: true, strict: true }));
    if (isNew) chmodSync(file, 0o600);
    configure(sqlite);
    // Before anything is written: a foreign trigger would also run in the migrations.
    refuseForeignSchema(sqlite);
    migrate(sqlite, dataDir);
    // A process that was killed reads no table any more.
    sqlite.run("UPDATE table_source SET taken_until = 0 WHERE taken_until > 0");
    const reading = (openedToRead = new Database(file, { readonly: true, strict: true }));
    // Whoever waits for a lock waits by a timer: see `createTransactions`.
    for (const connection of [sqlite, reading]) connection.run("PRAGMA busy_timeout = 0");
    reading.run("PRAGMA trusted_schema = OFF");
    const caches = [sqlite, reading].map(cacheStatements);
    return {
      sqlite,
      reading,
      wasOpenToOthers,
      shrink() {
        for (const connection of [sqlite, reading]) shrink(connection);
      },
      close() {
        for (const finalizeStatements of caches) finalizeStatements();
        // The one that keeps the write-ahead log last.
        reading.close();
        sqlite.close();
        lock.close();
      },
    };
  } catch (error) {
    openedToRead?.close();
    opened?.close();
    lock.close();
    throw toFault(error, dataDir);
  }
}

/**
 * Opens the database of a data folder read-only, while another process may serve it. Throws `not_found` if there is none,
 * `unavailable` if it is damaged, has the schema of another version or a foreign one, each with a message for the
 * operator.
 */
export function openToRead(dataDir: string): OpenDatabase {
  const file = join(dataDir, DATABASE_FILE);
  if (!isThere(file)) throw noDatabase(dataDir);
  let opened: Database | undefined;
  try {
    const sqlite = (opened = openFileToRead(file));
    sqlite.run(`PRAGMA busy_timeout = ${BUSY_MS}`);
    if (refuseForeignSchema(sqlite) < MIGRATIONS.length)
      throw new Fault(
        "unavailable",
        `The database in ${dataDir} is of an older version. Start the service once to bring it up to date.`,
      );
    return {
      sqlite,
      reading: sqlite,
      wasOpenToOthers: false,
      shrink: () => shrink(sqlite),
      close: () => sqlite.close(),
    };
  } catch (error) {
    opened?.close();
    throw toFault(error, dataDir);
  }
}

/**
 * Opens the database of a data folder read-only, as `openToRead` does, and keeps other processes out of the folder. Throws
 * `unavailable` also if one is using it, or if a restore was interrupted.
 */
export function openAlone(dataDir: string): OpenDatabase {
  if (!isThere(join(dataDir, DATABASE_FILE))) throw noDatabase(dataDir);
  const lock = lockFolder(dataDir);
  try {
    refuseHalfRestored(dataDir);
    const opened = openToRead(dataDir);
    return {
      ...opened,
      close() {
        opened.close();
        lock.close();
      },
    };
  } catch (error) {
    lock.close();
    throw error;
  }
}

function noDatabase(dataDir: string): Fault {
  return new Fault("not_found", `There is no database in ${dataDir}.`);
}

function shrink(sqlite: Database): void {
  sqlite.run("PRAGMA shrink_memory");
}

/** Turns an error that the operator can fix into a `Fault`. */
function toFault(error: unknown, dataDir: string): unknown {
  if (isDamage(error))
    return new Fault(
      "unavailable",
      `The database in ${dataDir} is damaged, or is not a database. Restore a backup: pet-alert restore.`,
    );
  const code = codeOf(error);
  if (!code.startsWith("SQLITE_")) return error;
  return new Fault(
    "unavailable",
    `The database in ${dataDir} cannot be opened (${code}): is the disk full, the folder read-only or the file damaged?`,
  );
}

/**
 * True for an error that means a damaged database file: pages that SQLite cannot read
 * (<https://sqlite.org/rescode.html#corrupt>, `#notadb`), or a column whose JSON is malformed.
 */
export function isDamage(error: unknown): boolean {
  return [error, error instanceof Error ? error.cause : null].some(
    (one) =>
      /^SQLITE_(CORRUPT|NOTADB)/.test(codeOf(one)) ||
      // JSON.parse throws it: nothing else parses inside a query.
      one instanceof SyntaxError,
  );
}

/** Refuses a half-restored folder: it would look empty, and be given a new key. */
function refuseHalfRestored(dataDir: string): void {
  if (existsSync(join(dataDir, RESTORING)))
    throw new Fault(
      "unavailable",
      `A restore into ${dataDir} was interrupted. Restore the backup again.`,
    );
}

/** Creates a data folder if there is none. Throws `unavailable` if it cannot be used. */
export function createFolder(dataDir: string): void {
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

/** True if other users of the machine can enter the folder. Permissions of a group were set on purpose. */
export function isOpenToOthers(dataDir: string): boolean {
  return (statSync(dataDir).mode & OTHERS) !== 0;
}

const OTHERS = 0o007;

/**
 * Takes other users' permissions from a folder that holds only our data; returns whether that changed anything. They
 * could read the names in it and hold the lock.
 */
function restrictFolder(dataDir: string): boolean {
  const isOurs = existsSync(join(dataDir, DATABASE_FILE)) || readdirSync(dataDir).length === 0;
  if (!isOurs || !isOpenToOthers(dataDir)) return false;
  try {
    chmodSync(dataDir, 0o700);
  } catch {
    // The folder belongs to another user, and is as it was.
    return false;
  }
  return !isOpenToOthers(dataDir);
}

/** Locks a folder for one process. The system releases the lock however the process ends. */
export function lockFolder(dataDir: string): Database {
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
    throw toFault(error, dataDir);
  }
}

/**
 * Path of the lock file, which only its owner may open: any reader could hold the lock. An existing file is not opened
 * here, because closing it would release a lock of this process.
 */
function lockOf(dataDir: string): string {
  const file = join(dataDir, LOCK_FILE);
  try {
    if (existsSync(file)) chmodSync(file, 0o600);
    else closeSync(openSync(file, "ax", 0o600));
  } catch (error) {
    // Another process created it just now, or it is another user's file: locking it will tell.
    if (!["EEXIST", "EPERM"].includes(codeOf(error))) throw unusable(dataDir, error);
  }
  return file;
}

/**
 * Sets the options of the connection; most of them are not stored in the file. FULL: in WAL mode with NORMAL, a power cut
 * loses acknowledged commits. PERSIST_WAL: without the WAL file, a clean stop followed by a full disk leaves a database
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

/** Maximum of compiled statements kept; the oldest is dropped first. The store has about 400. */
const STATEMENTS_MAX = 500;

/**
 * Caches compiled statements by their text. Drizzle prepares a statement for every call, and compiling it costs more
 * than running it. Bun's own cache behind `query` holds 20 texts and never drops one. Returns a function that finalizes
 * all of them, to be called before the database is closed.
 */
function cacheStatements(sqlite: Database): () => void {
  const statements = new Map<string, Statement>();
  const compile: (text: string) => Statement = sqlite.prepare.bind(sqlite);
  const prepare = (text: string): Statement => {
    const known = statements.get(text);
    if (known !== undefined) return known;
    if (statements.size >= STATEMENTS_MAX) {
      const [oldest] = statements.keys();
      if (oldest !== undefined) statements.delete(oldest);
    }
    const statement = compile(text);
    statements.set(text, statement);
    return statement;
  };
  Object.assign(sqlite, { prepare });
  return () => {
    for (const statement of statements.values()) statement.finalize();
    statements.clear();
  };
}
