import { sql } from "drizzle-orm";
import { Fault } from "../../src/core/fault.ts";
import type { Store } from "../../src/core/store.ts";
import { codeOf } from "../../src/disk.ts";
import { alertVerbs } from "./alerts.ts";
import { conversationVerbs } from "./conversations.ts";
import { erasingVerbs } from "./erasing.ts";
import { exportVerbs } from "./exports.ts";
import { indexVerbs } from "./index-rows.ts";
import { linkAskVerbs } from "./link-asks.ts";
import { linkVerbs } from "./links.ts";
import type { Db, OpenDatabase } from "./open.ts";
import { moderationVerbs } from "./moderation.ts";
import { outboxVerbs } from "./outbox.ts";
import { pairVerbs } from "./pairs.ts";
import { pendingVerbs } from "./pendings.ts";
import { photoVerbs } from "./photos.ts";
import { counter } from "./schema.ts";
import { sightingVerbs } from "./sightings.ts";
import { timeVerbs } from "./time.ts";
import { NO_TOMBSTONES, type Tombstones } from "./tombstones.ts";
import { waitingVerbs } from "./waiting.ts";
import { writeAheadLogOf } from "./write-ahead-log.ts";
import { zoneVerbs } from "./zones.ts";

/**
 * A verb of the contract as SQLite carries it out: at once, in one go. A transaction that waits for anything would be
 * committed before its work is done.
 */
export type SyncStore = {
  readonly [Verb in keyof Store]: Store[Verb] extends (...args: infer Args) => Promise<infer Result>
    ? (...args: Args) => Result
    : never;
};

/** The Store contract on SQLite. Without a list of tombstones a backup brings back what was erased since. */
export function createSqliteStore(
  database: OpenDatabase,
  tombstones: Tombstones = NO_TOMBSTONES,
): Store {
  const log = writeAheadLogOf(database);
  const tools = storeTools(database.db, log.wipe, tombstones);
  return promised({
    ...alertVerbs(tools),
    ...indexVerbs(tools),
    ...pendingVerbs(tools),
    ...linkVerbs(tools),
    ...linkAskVerbs(tools),
    ...zoneVerbs(tools),
    ...conversationVerbs(tools),
    ...pairVerbs(tools),
    ...timeVerbs(tools),
    ...outboxVerbs(tools),
    ...photoVerbs(tools),
    ...sightingVerbs(tools),
    ...waitingVerbs(tools),
    ...moderationVerbs(tools),
    ...exportVerbs(tools),
    ...erasingVerbs(tools),
    wipeTraces: () => inWords(log.wipeOwed),
    alive: () => tools.read(() => database.db.get(sql`select 1`) !== undefined),
    close: database.close,
  });
}

/** What a verb throws becomes its promise's rejection. */
function promised(verbs: SyncStore): Store {
  const promises = Object.entries(verbs).map(
    ([name, verb]: [string, (...args: never[]) => unknown]) => [
      name,
      async (...args: never[]) => verb(...args),
    ],
  );
  return Object.fromEntries(promises) as Store;
}

/** What every verb is made with. */
export type StoreTools = {
  readonly db: Db;
  /** Runs a transaction that takes the write lock first: one that reads first and then writes may fail halfway. */
  write<Result>(work: () => Result): Result;
  read<Result>(work: () => Result): Result;
  /** Does what touches the disk beside the database: what passes is told in words, as `read` and `write` do. */
  inWords<Result>(work: () => Result): Result;
  /** The next revision. Only inside `write`. */
  nextRevision(): number;
  /** Wipes the write-ahead log, so that what was erased lies on the disk no more: see `wipeTraces`. Not inside `write`. */
  clearLog(): void;
  readonly tombstones: Tombstones;
};

function storeTools(db: Db, wipeLog: () => void, tombstones: Tombstones): StoreTools {
  const raise = db
    .update(counter)
    .set({ revision: sql`${counter.revision} + 1` })
    .returning({ revision: counter.revision })
    .prepare();
  return {
    db,
    write: (work) => inWords(() => db.transaction(() => work(), { behavior: "immediate" })),
    read: inWords,
    inWords,
    nextRevision() {
      const row = raise.get();
      if (row === undefined) throw new Error("the counter row is missing");
      return row.revision;
    },
    clearLog: () => inWords(wipeLog),
    tombstones,
  };
}

/** Errors of the disk that pass: the caller may ask again. Whether a failed commit holds is unknown, so writes are safe to repeat. */
const PASSING = [
  "SQLITE_FULL",
  "SQLITE_IOERR",
  "SQLITE_BUSY",
  "SQLITE_READONLY",
  "SQLITE_CANTOPEN",
  // Of the list of tombstones.
  "ENOSPC",
  "EDQUOT",
  "EIO",
  "EROFS",
];

function inWords<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    const code = codeOf(error) || codeOf(error instanceof Error ? error.cause : null);
    if (PASSING.some((passing) => code.startsWith(passing))) {
      throw new Fault(
        "unavailable",
        "The server cannot write to its disk just now. Please try again in a minute.",
        {
          retryAfterSeconds: 60,
        },
      );
    }
    throw error;
  }
}
