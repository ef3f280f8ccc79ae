import {
  and,
  asc,
  desc,
  eq,
  inArray,
  isNotNull,
  isNull,
  lte,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { DAY_MS } from "../../src/core/duration.ts";
import { FINDABLE, type LikelyPair, NEW_PAIRS_MAX } from "../../src/core/matching/pair-store.ts";
import { idsOf, isDue } from "../expressions.ts";
import { toAlert } from "./alert-row.ts";
import { selectAlerts } from "./alerts.ts";
import { endClaims } from "./claims.ts";
import type { Queries, StoreTools } from "./context.ts";
import { first, hasRow, inList } from "./expressions.ts";
import { deleteLinks } from "./links.ts";
import { dropUnsent, noticesOfPair, pairSubject } from "./match-notices.ts";
import { matchNotice, pair } from "./match-schema.ts";
import { countHits, subjectsOf } from "./rate-limits.ts";
import { alert } from "./schema.ts";
import type { Tx } from "./transaction.ts";

export function pairQueries(tools: StoreTools) {
  const { db, write, claims } = tools;
  return {
    alertsByChip(chipHash, type, limit) {
      const wearing = and(
        eq(alert.chipHash, chipHash),
        eq(alert.type, type),
        inArray(alert.status, [...FINDABLE]),
      );
      return selectAlerts(tools, wearing, limit, asc(alert.publishedAt));
    },

    async chipPairs(alertId, limit) {
      const own = alias(alert, "own");
      const isPair = or(
        and(eq(pair.lostId, own.id), eq(pair.foundId, alert.id)),
        and(eq(pair.foundId, own.id), eq(pair.lostId, alert.id)),
      );
      const rows = await db
        .select({ alert })
        .from(own)
        .innerJoin(alert, eq(alert.chipHash, own.chipHash))
        .innerJoin(pair, and(isPair, isNull(pair.endedAt)))
        .where(and(eq(own.id, alertId), inArray(alert.status, [...FINDABLE])))
        .orderBy(desc(alert.publishedAt))
        .limit(limit);
      return rows.map((row) => toAlert(row.alert));
    },

    async alertsToCompare(now, limit, upTo) {
      const waiting = and(
        isNull(alert.comparedAt),
        sql`status = 'active'`,
        lte(alert.revision, upTo),
        isDue(alert.compareAt, now),
        claims.isOpen("compare", alert.id),
      );
      const order = [asc(alert.compareAt), asc(alert.publishedAt)];
      const found = await selectAlerts(tools, waiting, limit, ...order);
      const mine = new Set(await claims.take("compare", idsOf(found)));
      return found.filter(({ id }) => mine.has(id));
    },

    async endedPairs(alertId, limit) {
      const rows = await db
        .select({ lostId: pair.lostId, foundId: pair.foundId })
        .from(pair)
        .where(
          and(or(eq(pair.lostId, alertId), eq(pair.foundId, alertId)), isNotNull(pair.endedAt)),
        )
        .limit(limit);
      return rows.map(({ lostId, foundId }) => (lostId === alertId ? foundId : lostId));
    },

    async addPairs({ id, updatedAt }, pairs, hit, now) {
      const asRead = and(eq(alert.id, id), eq(alert.updatedAt, updatedAt));
      const subjects = pairs.map(({ lostId, foundId }) => pairSubject(lostId, foundId));
      await write([...subjectsOf([hit]), ...subjects], async (tx) => {
        const read = await first(
          tx.db.select({ id: alert.id }).from(alert).where(asRead).for("no key update"),
        );
        await endClaims(tx, "compare", [id]);
        if (read === undefined) return;
        const retryAt = await countHits(tx, [hit], now);
        if (retryAt !== null) {
          await tx.db.update(alert).set({ compareAt: retryAt }).where(asRead);
          return;
        }
        let room = NEW_PAIRS_MAX;
        let isComplete = true;
        for (const one of pairs) {
          const isKnown = await hasRow(tx, pair, pairIs(one));
          if (isKnown || room > 0) await addPair(tx, one, id, now);
          else isComplete = false;
          if (!isKnown) room--;
        }
        const result = isComplete ? { comparedAt: now } : { compareAt: now + DAY_MS };
        await tx.db.update(alert).set(result).where(asRead);
      });
    },

    async endPair(lostId, foundId, now) {
      await write([pairSubject(lostId, foundId)], async (tx) => {
        await tx.db
          .insert(pair)
          .values({ lostId, foundId, endedAt: now })
          .onConflictDoUpdate({ target: [pair.lostId, pair.foundId], set: { endedAt: now } });
        await dropUnsent(tx, noticesOfPair(lostId, foundId));
      });
    },

    async muteMatches(alertId) {
      await write([], (tx) => mute(tx, [alertId]));
    },

    async muteMatchesOfOwner(alertId) {
      await write([], async (tx) => {
        const own = alias(alert, "own");
        const sameOwner = await tx.db
          .select({ id: alert.id })
          .from(own)
          .innerJoin(alert, eq(sql`lower(${alert.ownerEmail})`, sql`lower(${own.ownerEmail})`))
          .where(and(eq(own.id, alertId), isNotNull(alert.ownerEmail)));
        await mute(tx, idsOf(sameOwner));
      });
    },
  } satisfies Queries;
}

function pairIs({ lostId, foundId }: Pick<LikelyPair, "lostId" | "foundId">): SQL | undefined {
  return and(eq(pair.lostId, lostId), eq(pair.foundId, foundId));
}

/** Adds a pair, and a notice for each owner. */
async function addPair(
  tx: Tx,
  { lostId, foundId, told }: LikelyPair,
  causeId: string,
  now: number,
): Promise<void> {
  const { db } = tx;
  const sides = await db
    .select({ id: alert.id, ownerEmail: alert.ownerEmail, isMuted: alert.matchesMuted })
    .from(alert)
    .where(and(inArray(alert.id, [lostId, foundId]), inArray(alert.status, [...FINDABLE])))
    .orderBy(asc(alert.publishedAt))
    .for("share");
  // Either alert may have been removed since the pair was found.
  if (sides.length < 2) return;
  const added = await db
    .insert(pair)
    .values({ lostId, foundId, notifiedAt: now })
    .onConflictDoNothing()
    .returning({ lostId: pair.lostId });
  // A known pair without notices was ended, or an older version notified its owners.
  if (added.length === 0 && !(await hasRow(tx, matchNotice, noticesOfPair(lostId, foundId))))
    return;
  for (const { id, ownerEmail, isMuted } of sides) {
    const score = told.find((one) => one.id === id)?.score;
    if (score === undefined || ownerEmail === null || isMuted) continue;
    const otherId = id === lostId ? foundId : lostId;
    await db
      .insert(matchNotice)
      .values({ alertId: id, otherId, causeId, score, createdAt: now, dueAt: now })
      .onConflictDoUpdate({
        target: [matchNotice.alertId, matchNotice.otherId],
        set: {
          score,
          createdAt: now,
          causeId,
          // A notice that waits for the cap of the other alert need not wait for the cap of this one.
          dueAt: sql`case when ${matchNotice.causeId} = ${causeId} or ${matchNotice.inDigest} then ${matchNotice.dueAt} else ${now}::bigint end`,
        },
        setWhere: isNull(matchNotice.notifiedAt),
      });
  }
}

async function mute(tx: Tx, alertIds: readonly string[]): Promise<void> {
  await tx.db.update(alert).set({ matchesMuted: true }).where(inList(alert.id, alertIds));
  await dropUnsent(tx, inList(matchNotice.alertId, alertIds));
}

/** Erases the pairs of alerts and the private links to them. */
export async function erasePairs(tx: Tx, alertIds: readonly string[]): Promise<void> {
  const { db } = tx;
  await db
    .delete(matchNotice)
    .where(or(inList(matchNotice.alertId, alertIds), inList(matchNotice.otherId, alertIds)));
  const forgotten = await db
    .delete(pair)
    .where(or(inList(pair.lostId, alertIds), inList(pair.foundId, alertIds)))
    .returning({ lostId: pair.lostId, foundId: pair.foundId });
  const sides = forgotten.flatMap(({ lostId, foundId }) => [
    `${lostId}:${foundId}:lost`,
    `${lostId}:${foundId}:found`,
  ]);
  await deleteLinks(tx, "pair", sides);
}
