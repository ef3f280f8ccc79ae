import type { Store } from "../src/core/service/store.ts";
import { alertQueries } from "./alerts.ts";
import { confirmQueries, requestQueries } from "./requests.ts";
import { pendingQueries } from "./pending.ts";
import type { StoreTools } from "./context.ts";
import { conversationQueries } from "./conversations.ts";
import { deviceQueries } from "./devices.ts";
import { erasureQueries } from "./erasure.ts";
import { importQueries } from "./imported-tables.ts";
import { organisationQueries } from "./organisations.ts";
import { indexSyncQueries } from "./index-feed.ts";
import { jobQueries } from "./jobs.ts";
import { linkQueries } from "./links.ts";
import { matchQueries } from "./matches.ts";
import { moderationQueries } from "./moderation.ts";
import { outboxQueries } from "./outbox.ts";
import { photoQueries } from "./photos.ts";
import { planQueries } from "./plan.ts";
import { rateLimitQueries } from "./rate-limits.ts";
import { sightingQueries } from "./sightings.ts";
import { suppressionQueries } from "./suppression.ts";
import { zoneQueries } from "./zones.ts";

/** Operations of a store that are its engine's own. */
type EngineQueries = Pick<
  Store,
  "takeLead" | "endLead" | "databaseTime" | "wipeErasedPages" | "alive" | "close"
>;

/** The Store contract but for what is the engine's own. */
export function createQueries(tools: StoreTools): Omit<Store, keyof EngineQueries> {
  return {
    ...alertQueries(tools),
    ...importQueries(tools),
    ...indexSyncQueries(tools),
    ...pendingQueries(tools),
    ...requestQueries(tools),
    ...confirmQueries(tools),
    ...suppressionQueries(tools),
    ...rateLimitQueries(tools),
    ...linkQueries(tools),
    ...zoneQueries(tools),
    ...deviceQueries(tools),
    ...conversationQueries(tools),
    ...sightingQueries(tools),
    ...matchQueries(tools),
    ...planQueries(tools),
    ...photoQueries(tools),
    ...outboxQueries(tools),
    ...jobQueries(tools),
    ...moderationQueries(tools),
    ...organisationQueries(tools),
    ...erasureQueries(tools),
  };
}

/** Store whose rejections are those of the queries, turned by `toFault` into errors for its callers. */
export function withFaults(queries: Store, toFault: (error: unknown) => unknown): Store {
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
