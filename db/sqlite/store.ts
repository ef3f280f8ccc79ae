import { sql } from "drizzle-orm";
import { Fault } from "../../src/core/fault.ts";
import type { Store } from "../../src/core/store.ts";
import { codeOf } from "../../src/ops/fs.ts";
import { alertQueries } from "./alerts.ts";
import { confirmQueries } from "./confirm.ts";
import { confirmationEmailQueries } from "./confirmation-emails.ts";
import { createStoreTools, type SyncStore } from "./context.ts";
import { conversationQueries } from "./conversations.ts";
import { deviceQueries } from "./devices.ts";
import { erasureQueries } from "./erasure.ts";
import { importQueries } from "./imports.ts";
import { inboxQueries } from "./inbox.ts";
import { indexSyncQueries } from "./index-sync.ts";
import { jobQueries } from "./jobs.ts";
import { linkQueries } from "./links.ts";
import { matchNoticeQueries } from "./match-notices.ts";
import { moderationQueries } from "./moderation.ts";
import { isDamage, type OpenDatabase } from "./open.ts";
import { organisationQueries } from "./organisations.ts";
import { outboxQueries } from "./outbox.ts";
import { outcomeQueries } from "./outcomes.ts";
import { ownerNewsQueries } from "./owner-news.ts";
import { pairQueries } from "./pairs.ts";
import { pendingQueries } from "./pendings.ts";
import { photoQueries } from "./photos.ts";
import { planQueries } from "./plan.ts";
import { rateLimitQueries } from "./rate-limits.ts";
import { reportQueries } from "./reports.ts";
import { requestQueries } from "./requests.ts";
import { sightingQueries } from "./sightings.ts";
import { sourceQueries } from "./sources.ts";
import { stopListQueries } from "./stop-list.ts";
import { suppressionQueries } from "./suppressions.ts";
import { NO_TOMBSTONES, type Tombstones } from "../tombstone.ts";
import { createWriteAheadLog } from "./write-ahead-log.ts";
import { zoneNewsQueries } from "./zone-news.ts";
import { zoneQueries } from "./zones.ts";

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
  const tools = createStoreTools(database.db, log.wipe, tombstones);
  const queries: SyncStore = {
    ...alertQueries(tools),
    ...importQueries(tools),
    ...indexSyncQueries(tools),
    ...pendingQueries(tools),
    ...requestQueries(tools),
    ...confirmQueries(tools),
    ...confirmationEmailQueries(tools),
    ...sourceQueries(tools),
    ...stopListQueries(tools),
    ...suppressionQueries(tools),
    ...rateLimitQueries(tools),
    ...linkQueries(tools),
    ...zoneQueries(tools),
    ...zoneNewsQueries(tools),
    ...deviceQueries(tools),
    ...conversationQueries(tools),
    ...sightingQueries(tools),
    ...ownerNewsQueries(tools),
    ...pairQueries(tools),
    ...matchNoticeQueries(tools),
    ...outcomeQueries(tools),
    ...planQueries(tools),
    ...photoQueries(tools),
    ...outboxQueries(tools),
    ...jobQueries(tools),
    ...reportQueries(tools),
    ...moderationQueries(tools),
    ...organisationQueries(tools),
    ...inboxQueries(tools),
    ...erasureQueries(tools),
    wipeErasedPages: () => log.wipeOwed(),
    alive: () => database.db.get(sql`select 1`) !== undefined,
    close: database.close,
  };
  return asPromises(queries, onDamage);
}

/** Wraps queries in promises: what they throw becomes a rejection, with a `Fault` for an error of the disk. */
function asPromises(queries: SyncStore, onDamage: (error: unknown) => void): Store {
  const promises = Object.entries(queries).map(
    ([name, query]: [string, (...args: never[]) => unknown]) => [
      name,
      async (...args: never[]) => {
        try {
          return query(...args);
        } catch (error) {
          if (isDamage(error)) onDamage(error);
          throw toFault(error);
        }
      },
    ],
  );
  return Object.fromEntries(promises) as Store;
}

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
