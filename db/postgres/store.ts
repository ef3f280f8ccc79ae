import { sql } from "drizzle-orm";
import type { Store } from "../../src/core/store.ts";
import { NO_TOMBSTONES, type RemoteTombstones } from "../tombstone.ts";
import { alertQueries } from "./alerts.ts";
import { confirmQueries } from "./confirm.ts";
import { confirmationEmailQueries } from "./confirmation-emails.ts";
import type { Pool } from "./connection.ts";
import { createStoreTools } from "./context.ts";
import { conversationQueries } from "./conversations.ts";
import { deviceQueries } from "./devices.ts";
import { erasureQueries } from "./erasure.ts";
import { toFault } from "./errors.ts";
import { importQueries } from "./imports.ts";
import { inboxQueries } from "./inbox.ts";
import { indexSyncQueries } from "./index-sync.ts";
import { jobQueries } from "./jobs.ts";
import { linkQueries } from "./links.ts";
import { matchNoticeQueries } from "./match-notices.ts";
import { moderationQueries } from "./moderation.ts";
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
import type { Guard } from "./transaction.ts";
import { createVacuum } from "./upkeep.ts";
import { zoneNewsQueries } from "./zone-news.ts";
import { zoneQueries } from "./zones.ts";

/**
 * The Store contract on PostgreSQL. Without tombstones, restoring a backup brings back what was erased since. `onChanges`
 * is called after each commit that the in-memory indexes follow.
 */
export function createPostgresStore(
  pool: Pool,
  tombstones: RemoteTombstones = NO_TOMBSTONES,
  guard: Guard = "locks",
  onChanges: () => void = () => {},
): Store {
  const tools = createStoreTools(pool, guard, tombstones, onChanges);
  return withFaults({
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
    wipeErasedPages: createVacuum(pool),
    alive: async () => (await pool.db.execute(sql`select 1`)).length === 1,
    close: pool.close,
  });
}

/** Queries whose errors of the connection and the server are a `Fault`. */
function withFaults(queries: Store): Store {
  const guarded = Object.entries(queries).map(
    ([name, query]: [string, (...args: never[]) => Promise<unknown>]) => [
      name,
      async (...args: never[]) => {
        try {
          return await query(...args);
        } catch (error) {
          throw toFault(error);
        }
      },
    ],
  );
  return Object.fromEntries(guarded) as Store;
}
