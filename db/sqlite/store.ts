import { sql } from "drizzle-orm";
import type { Store } from "../../src/core/store.ts";
import { alertQueries } from "./alerts.ts";
import { confirmQueries } from "./confirm.ts";
import { confirmationEmailQueries } from "./confirmation-emails.ts";
import { createStoreTools, type SyncStore } from "./context.ts";
import { conversationQueries } from "./conversations.ts";
import { erasureQueries } from "./erasure.ts";
import { indexSyncQueries } from "./index-sync.ts";
import { jobQueries } from "./jobs.ts";
import { linkQueries } from "./links.ts";
import { matchNoticeQueries } from "./match-notices.ts";
import { moderationQueries } from "./moderation.ts";
import type { OpenDatabase } from "./open.ts";
import { outboxQueries } from "./outbox.ts";
import { ownerNewsQueries } from "./owner-news.ts";
import { pairQueries } from "./pairs.ts";
import { pendingQueries } from "./pendings.ts";
import { photoQueries } from "./photos.ts";
import { rateLimitQueries } from "./rate-limits.ts";
import { reportQueries } from "./reports.ts";
import { requestQueries } from "./requests.ts";
import { sightingQueries } from "./sightings.ts";
import { stopListQueries } from "./stop-list.ts";
import { suppressionQueries } from "./suppressions.ts";
import { NO_TOMBSTONES, type Tombstones } from "./tombstones.ts";
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
  const tools = createStoreTools(database.db, log.wipe, tombstones, onDamage);
  return asPromises({
    ...alertQueries(tools),
    ...indexSyncQueries(tools),
    ...pendingQueries(tools),
    ...requestQueries(tools),
    ...confirmQueries(tools),
    ...confirmationEmailQueries(tools),
    ...stopListQueries(tools),
    ...suppressionQueries(tools),
    ...rateLimitQueries(tools),
    ...linkQueries(tools),
    ...zoneQueries(tools),
    ...zoneNewsQueries(tools),
    ...conversationQueries(tools),
    ...sightingQueries(tools),
    ...ownerNewsQueries(tools),
    ...pairQueries(tools),
    ...matchNoticeQueries(tools),
    ...photoQueries(tools),
    ...outboxQueries(tools),
    ...jobQueries(tools),
    ...reportQueries(tools),
    ...moderationQueries(tools),
    ...erasureQueries(tools),
    wipeErasedPages: () => tools.withDiskFaults(log.wipeOwed),
    alive: () => tools.read(() => database.db.get(sql`select 1`) !== undefined),
    close: database.close,
  });
}

/** Wraps queries in promises: what a query throws becomes a rejection. */
function asPromises(queries: SyncStore): Store {
  const promises = Object.entries(queries).map(
    ([name, query]: [string, (...args: never[]) => unknown]) => [
      name,
      async (...args: never[]) => query(...args),
    ],
  );
  return Object.fromEntries(promises) as Store;
}
