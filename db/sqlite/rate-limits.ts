import { and, desc, eq, gt, lte, sql } from "drizzle-orm";
import type { Hit } from "../../src/core/limits.ts";
import type { Queries, StoreTools } from "./context.ts";
import { placeholdersOf } from "./expressions.ts";
import type { Db } from "./open.ts";
import { hit } from "./schema.ts";

export function rateLimitQueries(tools: StoreTools) {
  return {
    countHits: (hits, now) => tools.write(() => countHits(tools, hits, now)),
  } satisfies Queries;
}

/** Counts hits if all their limits have room, and returns null; otherwise returns what `limitedUntil` returns. Only inside `write`. */
export function countHits(tools: StoreTools, hits: readonly Hit[], now: number): number | null {
  const retryAt = limitedUntil(tools, hits, now);
  if (retryAt === null) noteHits(tools, hits, now);
  return retryAt;
}

/**
 * Time at which the fullest of the limits has room again; null when all have room. Hits in the future (the clock was set
 * back) do not count, so that nobody is locked out.
 */
export function limitedUntil(
  { prepared }: StoreTools,
  hits: readonly Hit[],
  now: number,
): number | null {
  const until = hits.flatMap(({ key, max, windowMs }, at) => {
    // Hits counted together take room from each other.
    const allowed = max - hits.slice(0, at).filter((other) => other.key === key).length;
    if (allowed <= 0) return [now + windowMs];
    const inWindow = prepared(newestHits).all({ key, after: now - windowMs, now, limit: allowed });
    const oldest = inWindow.at(-1);
    return inWindow.length < allowed || oldest === undefined ? [] : [oldest.at + windowMs];
  });
  return until.length === 0 ? null : Math.max(...until);
}

const newestHits = (db: Db) =>
  db
    .select({ at: hit.at })
    .from(hit)
    .where(
      and(
        eq(hit.key, sql.placeholder("key")),
        gt(hit.at, sql.placeholder("after")),
        lte(hit.at, sql.placeholder("now")),
      ),
    )
    .orderBy(desc(hit.at))
    .limit(sql.placeholder("limit"));

/** Counts hits, whether or not their limits have room. Only inside `write`. */
export function noteHits({ prepared }: StoreTools, hits: readonly Hit[], now: number): void {
  for (const { key } of hits) prepared(insertHit).run({ key, at: now });
}

const insertHit = (db: Db) => db.insert(hit).values(placeholdersOf(hit));
