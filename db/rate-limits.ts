import { and, desc, eq, gt, lte, sql } from "drizzle-orm";
import type { Hit } from "../src/core/limits.ts";
import type { Queries, Reader, StoreTools, Tx } from "./context.ts";
import { APART_MS } from "./queries.ts";

export function rateLimitQueries(tools: StoreTools) {
  return {
    limitedUntil: (hits, now) => limitedUntil(tools, hits, now),
    countHits: (hits, now) => tools.write(subjectsOf(hits), (tx) => countHits(tx, hits, now)),
  } satisfies Queries;
}

/** Subjects of a transaction that counts hits. */
export function subjectsOf(hits: readonly Hit[]): string[] {
  return hits.map(({ key }) => `hit:${key}`);
}

/** Counts hits if all their limits have room, and returns null; otherwise returns what `limitedUntil` returns. */
export async function countHits(tx: Tx, hits: readonly Hit[], now: number): Promise<number | null> {
  const retryAt = await limitedUntil(tx, hits, now);
  if (retryAt === null) await noteHits(tx, hits, now);
  return retryAt;
}

/**
 * Time at which the fullest of the limits has room again; null when all have room. Hits more than a minute in the
 * future (the clock was set back) do not count, so that nobody is locked out. In a transaction that counts them, their
 * subjects are locked.
 */
export async function limitedUntil(
  { prepared }: Pick<Reader, "prepared">,
  hits: readonly Hit[],
  now: number,
): Promise<number | null> {
  const until: number[] = [];
  for (const [at, { key, max, windowMs }] of hits.entries()) {
    // Hits counted together take room from each other.
    const allowed = max - hits.slice(0, at).filter((other) => other.key === key).length;
    if (allowed <= 0) {
      until.push(now + windowMs);
      continue;
    }
    const inWindow = await prepared(newestHits).execute({
      key,
      after: now - windowMs,
      upTo: now + APART_MS,
      limit: allowed,
    });
    const oldest = inWindow.at(-1);
    if (inWindow.length === allowed && oldest !== undefined) until.push(oldest.at + windowMs);
  }
  return until.length === 0 ? null : Math.max(...until);
}

// As `isRecent`, with placeholders.
const newestHits = ({ db, tables: { hit } }: Reader) =>
  db
    .select({ at: hit.at })
    .from(hit)
    .where(
      and(
        eq(hit.key, sql.placeholder("key")),
        gt(hit.at, sql.placeholder("after")),
        lte(hit.at, sql.placeholder("upTo")),
      ),
    )
    .orderBy(desc(hit.at))
    .limit(sql.placeholder("limit"));

/** Counts hits, whether or not their limits have room. */
export async function noteHits(tx: Tx, hits: readonly Hit[], now: number): Promise<void> {
  const { hit } = tx.tables;
  const rows = hits.map(({ key }) => ({ key, at: now }));
  await tx.insertAll(hit, rows);
}
