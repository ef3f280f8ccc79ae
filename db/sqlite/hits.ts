import { and, desc, eq, gt, lte } from "drizzle-orm";
import type { Hit } from "../../src/core/limit.ts";
import { hit } from "./schema.ts";
import type { StoreTools } from "./store.ts";

/** Counts against limits when all have room; gives null then, else what `limitedUntil` gives. Only inside `write`. */
export function countHits(tools: StoreTools, hits: readonly Hit[], now: number): number | null {
  const retryAt = limitedUntil(tools, hits, now);
  if (retryAt === null) noteHits(tools, hits, now);
  return retryAt;
}

/**
 * When the fullest of the limits has room again, or null when all have. Hits that lie in the future (the clock was
 * set back) count for nothing, so that nobody is locked out by them.
 */
export function limitedUntil({ db }: StoreTools, hits: readonly Hit[], now: number): number | null {
  const until = hits.flatMap(({ key, max, windowMs }, at) => {
    // What is counted together with it takes room, too.
    const allowed = max - hits.slice(0, at).filter((other) => other.key === key).length;
    if (allowed <= 0) return [now + windowMs];
    const inWindow = db
      .select({ at: hit.at })
      .from(hit)
      .where(and(eq(hit.key, key), gt(hit.at, now - windowMs), lte(hit.at, now)))
      .orderBy(desc(hit.at))
      .limit(allowed)
      .all();
    const oldest = inWindow.at(-1);
    return inWindow.length < allowed || oldest === undefined ? [] : [oldest.at + windowMs];
  });
  return until.length === 0 ? null : Math.max(...until);
}

/** Counts, whatever room there is. Only inside `write`. */
export function noteHits({ db }: StoreTools, hits: readonly Hit[], now: number): void {
  for (const { key } of hits) db.insert(hit).values({ key, at: now }).run();
}
