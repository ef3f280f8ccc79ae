import { getTableName, inArray, sql } from "drizzle-orm";
import { MINUTE_MS } from "../../src/core/duration.ts";
import type { Reader } from "../context.ts";
import { answerWithin, type Pool, POSTGRES_TABLES, readerOn } from "./connection.ts";
import { vacuumOwed } from "./nodes.ts";

/** Notes that the old versions of what a transaction erased are to be removed from the tables. */
export async function oweVacuum({ db }: Reader): Promise<void> {
  await db.insert(vacuumOwed).values({});
}

/** Tables without a word about people, and those that are emptied often. */
const IMPERSONAL = ["counter", "hit", "key_check", "outcome", "outcome_step", "short_code"];
const PERSONAL_TABLES = Object.values(POSTGRES_TABLES)
  .map((table) => getTableName(table))
  .filter((name) => !IMPERSONAL.includes(name));

/** Least time between two runs, which also take at most a twentieth of the time. */
const PAUSE_MIN_MS = MINUTE_MS;
const PAUSE_SHARE = 20;
/** Longest time for one table, and for which a caller waits. */
const VACUUM_MS_MAX = 30 * MINUTE_MS;
const WAIT_MS_MAX = 1_000;
/** Maximum of notes that one run settles. */
const NOTES_MAX = 10_000;

/**
 * Removes old versions of rows that were erased or changed, and their entries in indexes. The bytes stay in free parts of
 * the files until something else is written there, and in archived write-ahead logs as long as those are kept. To be called
 * by one node at a time.
 */
export function createVacuum({ db, use }: Pool) {
  let notBefore = 0;
  let running: Promise<void> | null = null;

  async function run(): Promise<void> {
    const startedAt = performance.now();
    // What is noted later may have been erased after a table was cleaned.
    const owed = await db.select({ id: vacuumOwed.id }).from(vacuumOwed).limit(NOTES_MAX);
    if (owed.length === 0) return;
    await use(async (connection) => {
      const own = readerOn(connection, VACUUM_MS_MAX);
      await own.run(sql`set vacuum_cost_delay = '2ms'`);
      // An index keeps addresses too. Shortening the file would make queries wait.
      for (const table of PERSONAL_TABLES)
        await own.run(sql.raw(`vacuum (index_cleanup on, truncate off) "${table}"`));
    });
    const ids = owed.map(({ id }) => id);
    await db.delete(vacuumOwed).where(inArray(vacuumOwed.id, ids));
    const tookMs = performance.now() - startedAt;
    notBefore = performance.now() + Math.max(PAUSE_MIN_MS, PAUSE_SHARE * tookMs);
  }

  /** Cleans the tables if something is owed, at most once a minute. Large tables are cleaned in the background. */
  return async function vacuum(): Promise<void> {
    if (running === null && performance.now() < notBefore) return;
    running ??= run().finally(() => {
      running = null;
    });
    await answerWithin(WAIT_MS_MAX, running).catch((error: unknown) => {
      if (running === null) throw error;
      running.catch(() => {});
    });
  };
}
