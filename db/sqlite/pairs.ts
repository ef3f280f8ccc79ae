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
import { alias } from "drizzle-orm/sqlite-core";
import { DAY_MS } from "../../src/core/duration.ts";
import { FINDABLE, type LikelyPair, NEW_PAIRS_MAX } from "../../src/core/matching/pair-store.ts";
import { toAlert } from "./alert-row.ts";
import { selectAlerts } from "./alerts.ts";
import type { Queries, StoreTools } from "./context.ts";
import { idsOf, isDue } from "../expressions.ts";
import { hasRow, inList } from "./expressions.ts";
import { deleteLinks } from "./links.ts";
import { dropUnsent, noticesOfPair } from "./match-notices.ts";
import { matchNotice, pair } from "./match-schema.ts";
import { countHits } from "./rate-limits.ts";
import { alert } from "./schema.ts";

export function pairQueries(tools: StoreTools) {
  const { db, write } = tools;
  const alertId = sql.placeholder("alertId");
  const ended = db
    .select({ lostId: pair.lostId, foundId: pair.foundId })
    .from(pair)
    .where(and(or(eq(pair.lostId, alertId), eq(pair.foundId, alertId)), isNotNull(pair.endedAt)))
    .limit(sql.placeholder("limit"))
    .prepare();

  return {
    alertsByChip(chipHash, type, limit) {
      const wearing = and(
        eq(alert.chipHash, chipHash),
        eq(alert.type, type),
        inArray(alert.status, [...FINDABLE]),
      );
      return selectAlerts(tools, wearing, limit, asc(alert.publishedAt));
    },

    chipPairs(alertId, limit) {
      const own = alias(alert, "own");
      const isPair = or(
        and(eq(pair.lostId, own.id), eq(pair.foundId, alert.id)),
        and(eq(pair.foundId, own.id), eq(pair.lostId, alert.id)),
      );
      return db
        .select({ alert })
        .from(own)
        .innerJoin(alert, eq(alert.chipHash, own.chipHash))
        .innerJoin(pair, and(isPair, isNull(pair.endedAt)))
        .where(and(eq(own.id, alertId), inArray(alert.status, [...FINDABLE])))
        .orderBy(desc(alert.publishedAt))
        .limit(limit)
        .all()
        .map((row) => toAlert(row.alert));
    },

    alertsToCompare(now, limit, upTo) {
      const waiting = and(
        isNull(alert.comparedAt),
        sql`status = 'active'`,
        lte(alert.revision, upTo),
        isDue(alert.compareAt, now),
      );
      return selectAlerts(tools, waiting, limit, asc(alert.compareAt), asc(alert.publishedAt));
    },

    endedPairs(alertId, limit) {
      const rows = ended.all({ alertId, limit });
      return rows.map(({ lostId, foundId }) => (lostId === alertId ? foundId : lostId));
    },

    addPairs({ id, updatedAt }, pairs, hit, now) {
      write(() => {
        const asRead = and(eq(alert.id, id), eq(alert.updatedAt, updatedAt));
        if (!hasRow(db, alert, asRead)) return;
        const retryAt = countHits(tools, [hit], now);
        if (retryAt !== null) {
          db.update(alert).set({ compareAt: retryAt }).where(asRead).run();
          return;
        }
        let room = NEW_PAIRS_MAX;
        let isComplete = true;
        for (const one of pairs) {
          const isKnown = hasRow(db, pair, pairIs(one));
          if (isKnown || room > 0) addPair(tools, one, id, now);
          else isComplete = false;
          if (!isKnown) room--;
        }
        const result = isComplete ? { comparedAt: now } : { compareAt: now + DAY_MS };
        db.update(alert).set(result).where(asRead).run();
      });
    },

    endPair(lostId, foundId, now) {
      write(() => {
        db.insert(pair)
          .values({ lostId, foundId, endedAt: now })
          .onConflictDoUpdate({ target: [pair.lostId, pair.foundId], set: { endedAt: now } })
          .run();
        dropUnsent(tools, noticesOfPair(lostId, foundId));
      });
    },

    muteMatches(alertId) {
      write(() => mute(tools, [alertId]));
    },

    muteMatchesOfOwner(alertId) {
      write(() => {
        const own = alias(alert, "own");
        const sameOwner = db
          .select({ id: alert.id })
          .from(own)
          .innerJoin(alert, eq(sql`lower(${alert.ownerEmail})`, sql`lower(${own.ownerEmail})`))
          .where(and(eq(own.id, alertId), isNotNull(alert.ownerEmail)))
          .all();
        mute(tools, idsOf(sameOwner));
      });
    },
  } satisfies Queries;
}

function pairIs({ lostId, foundId }: Pick<LikelyPair, "lostId" | "foundId">): SQL | undefined {
  return and(eq(pair.lostId, lostId), eq(pair.foundId, foundId));
}

/** Adds a pair, and a notice for each owner. Only inside `write`. */
function addPair(
  tools: StoreTools,
  { lostId, foundId, told }: LikelyPair,
  causeId: string,
  now: number,
) {
  const { db } = tools;
  const sides = db
    .select({ id: alert.id, ownerEmail: alert.ownerEmail, isMuted: alert.matchesMuted })
    .from(alert)
    .where(and(inArray(alert.id, [lostId, foundId]), inArray(alert.status, [...FINDABLE])))
    .all();
  // Either alert may have been removed since the pair was found.
  if (sides.length < 2) return;
  const isNew =
    db
      .insert(pair)
      .values({ lostId, foundId, notifiedAt: now })
      .onConflictDoNothing()
      .returning()
      .get() !== undefined;
  // A known pair without notices was ended, or an older version notified its owners.
  if (!isNew && !hasRow(db, matchNotice, noticesOfPair(lostId, foundId))) return;
  for (const { id, ownerEmail, isMuted } of sides) {
    const score = told.find((one) => one.id === id)?.score;
    if (score === undefined || ownerEmail === null || isMuted) continue;
    const otherId = id === lostId ? foundId : lostId;
    db.insert(matchNotice)
      .values({ alertId: id, otherId, causeId, score, createdAt: now, dueAt: now })
      .onConflictDoUpdate({
        target: [matchNotice.alertId, matchNotice.otherId],
        set: {
          score,
          createdAt: now,
          causeId,
          // A notice that waits for the cap of the other alert need not wait for the cap of this one.
          dueAt: sql`iif(${matchNotice.causeId} = ${causeId} or ${matchNotice.inDigest}, ${matchNotice.dueAt}, ${now})`,
        },
        setWhere: isNull(matchNotice.notifiedAt),
      })
      .run();
  }
}

/** Only inside `write`. */
function mute(tools: StoreTools, alertIds: readonly string[]): void {
  tools.db.update(alert).set({ matchesMuted: true }).where(inList(alert.id, alertIds)).run();
  dropUnsent(tools, inList(matchNotice.alertId, alertIds));
}

/** Erases the pairs of alerts and the private links to them. Only inside `write`. */
export function erasePairs(tools: StoreTools, alertIds: readonly string[]): void {
  const { db } = tools;
  db.delete(matchNotice)
    .where(or(inList(matchNotice.alertId, alertIds), inList(matchNotice.otherId, alertIds)))
    .run();
  const forgotten = db
    .delete(pair)
    .where(or(inList(pair.lostId, alertIds), inList(pair.foundId, alertIds)))
    .returning({ lostId: pair.lostId, foundId: pair.foundId })
    .all();
  const sides = forgotten.flatMap(({ lostId, foundId }) => [
    `${lostId}:${foundId}:lost`,
    `${lostId}:${foundId}:found`,
  ]);
  deleteLinks(tools, "pair", sides);
}
