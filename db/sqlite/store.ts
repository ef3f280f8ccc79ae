import { sql } from "drizzle-orm";
import { Fault } from "../../src/core/fault.ts";
import type { Store } from "../../src/core/service/store.ts";
import { codeOf } from "../../src/ops/fs.ts";
import type { Claims } from "../context.ts";
import { createQueries, withFaults } from "../store.ts";
import { NO_TOMBSTONES, type Tombstones } from "../tombstone.ts";
import { isDamage, type OpenDatabase } from "./open.ts";
import { createSqliteReader } from "./reader.ts";
import { createTransactions, createWriteAheadLog } from "./transaction.ts";

/**
 * The Store contract on SQLite. Without tombstones, restoring a backup brings back what was erased since. `onDamage` gets
 * each error that means a damaged database; callers get a `Fault`.
 */
export function createSqliteStore(
  database: OpenDatabase,
  tombstones: Tombstones = NO_TOMBSTONES,
  onDamage: (error: unknown) => void = () => {},
): Store {
  const log = createWriteAheadLog(database);
  const reading = createSqliteReader(database.reading);
  const writing = createSqliteReader(database.sqlite);
  const { alone, close, read, write } = createTransactions(
    database.sqlite,
    writing,
    reading,
    log.wipe,
  );
  return withFaults(
    {
      ...createQueries({ ...reading, read, write, tombstones, claims: NO_OTHERS }),
      // One process has the database to itself.
      takeLead: async () => true,
      async endLead() {},
      databaseTime: async () => null,
      wipeErasedPages: () => alone(async () => log.wipeOwed()),
      alive: async () => (await reading.rows(sql`select 1`)).length === 1,
      close: () => close(database.close),
    },
    (error) => {
      if (isDamage(error)) onDamage(error);
      return toFault(error);
    },
  );
}

/** Claims where there are no other processes. */
const NO_OTHERS: Claims = {
  processesMax: 1,
  take: async (_duty, subjects, limit) => subjects.slice(0, limit),
  async end() {},
};

function toFault(error: unknown): unknown {
  if (isDamage(error)) return new Fault("unavailable", DAMAGED);
  if (isTransient(error)) return new Fault("unavailable", DISK_FAILED, { retryAfterSeconds: 60 });
  return error;
}

/**
 * Errors of the disk after which the caller may try again. A commit that failed may hold all the same, so writes are safe
 * to repeat.
 */
const TRANSIENT = [
  "SQLITE_FULL",
  "SQLITE_IOERR",
  "SQLITE_BUSY",
  "SQLITE_READONLY",
  "SQLITE_CANTOPEN",
  // From the list of tombstones.
  "ENOSPC",
  "EDQUOT",
  "EIO",
  "EROFS",
];

function isTransient(error: unknown): boolean {
  const code = codeOf(error) || codeOf(error instanceof Error ? error.cause : null);
  return TRANSIENT.some((transient) => code.startsWith(transient));
}

const DISK_FAILED = "The server cannot write to its disk just now. Please try again in a minute.";
const DAMAGED =
  "The database is damaged. Whoever runs this service has to restore a backup (pet-alert restore).";
