import { sql } from "drizzle-orm";
import type { Store } from "../../src/core/service/store.ts";
import { createQueries, withFaults } from "../store.ts";
import { NO_TOMBSTONES, type Tombstones } from "../tombstone.ts";
import { createClaims, leadQueries, sweepClaims, sweepLedger } from "./nodes.ts";
import { type Pool, toFault } from "./connection.ts";
import { createRead, createWrite } from "./transaction.ts";
import { createVacuum } from "./upkeep.ts";

/**
 * The Store contract on PostgreSQL. Without tombstones, restoring a backup brings back what was erased since. `onChanges`
 * is called after each commit that the in-memory indexes follow.
 */
export function createPostgresStore(
  pool: Pool,
  tombstones: Tombstones = NO_TOMBSTONES,
  onChanges: () => void = () => {},
): Store {
  const write = createWrite(pool, onChanges);
  const claims = createClaims(write, Bun.randomUUIDv7());
  const read = createRead(pool);
  const queries = createQueries({ ...pool, read, write, tombstones, claims });
  return withFaults(
    {
      ...queries,
      ...leadQueries(pool),
      async recordHeartbeat(beat) {
        await queries.recordHeartbeat(beat);
        // Unlike what `sweep` deletes, these rows need no trust in the clock of this process.
        await sweepLedger(pool);
        await sweepClaims(pool);
      },
      wipeErasedPages: createVacuum(pool),
      alive: async () => (await pool.rows(sql`select 1`)).length === 1,
      close: pool.close,
    },
    toFault,
  );
}
