import { and, asc, eq, inArray, isNotNull, isNull, or, sql } from "drizzle-orm";
import { FINDABLE } from "../../src/core/store.ts";
import { toAlert } from "./alerts.ts";
import { among } from "./among.ts";
import { insertLinks } from "./links.ts";
import { insertLetters } from "./outbox.ts";
import { alert, link, pair } from "./schema.ts";
import type { StoreTools, SyncStore } from "./store.ts";

type Verbs = Pick<
  SyncStore,
  "alertsByChip" | "uncompared" | "endedPairs" | "tellPairs" | "endPair" | "muteMatches"
>;

export function pairVerbs(tools: StoreTools): Verbs {
  const { db, read, write } = tools;
  const alertId = sql.placeholder("alertId");
  const ended = db
    .select({ lostId: pair.lostId, foundId: pair.foundId })
    .from(pair)
    .where(and(or(eq(pair.lostId, alertId), eq(pair.foundId, alertId)), isNotNull(pair.endedAt)))
    .limit(sql.placeholder("limit"))
    .prepare();

  /** Since the pair was found, either alert may have been removed: what letters say of it must go nowhere then. */
  function bothFindable(lostId: string, foundId: string): boolean {
    const findable = and(
      inArray(alert.id, [lostId, foundId]),
      inArray(alert.status, [...FINDABLE]),
    );
    return db.select({ id: alert.id }).from(alert).where(findable).all().length === 2;
  }

  function isMuted(alertId: string): boolean {
    const row = db
      .select({ muted: alert.matchesMuted })
      .from(alert)
      .where(eq(alert.id, alertId))
      .get();
    return row?.muted ?? true;
  }

  return {
    alertsByChip(chipHash, limit) {
      const wearing = and(eq(alert.chipHash, chipHash), inArray(alert.status, [...FINDABLE]));
      return read(() => db.select().from(alert).where(wearing).limit(limit).all().map(toAlert));
    },

    uncompared(limit) {
      const waiting = and(isNull(alert.comparedAt), sql`status = 'active'`);
      return read(() =>
        db
          .select()
          .from(alert)
          .where(waiting)
          .orderBy(asc(alert.publishedAt))
          .limit(limit)
          .all()
          .map(toAlert),
      );
    },

    endedPairs(alertId, limit) {
      const rows = read(() => ended.all({ alertId, limit }));
      return rows.map(({ lostId, foundId }) => (lostId === alertId ? foundId : lostId));
    },

    tellPairs({ id, updatedAt }, pairs, now) {
      write(() => {
        for (const { lostId, foundId, letters, links } of pairs) {
          if (!bothFindable(lostId, foundId)) continue;
          const first = db
            .insert(pair)
            .values({ lostId, foundId, toldAt: now })
            .onConflictDoNothing()
            .returning()
            .get();
          if (first === undefined) continue;
          insertLinks(tools, links);
          for (const { letter, about } of letters) {
            if (!isMuted(about)) insertLetters(tools, [letter], `alert:${about}`);
          }
        }
        const asRead = and(eq(alert.id, id), eq(alert.updatedAt, updatedAt));
        db.update(alert).set({ comparedAt: now }).where(asRead).run();
      });
    },

    endPair(lostId, foundId, now) {
      write(() => {
        db.insert(pair)
          .values({ lostId, foundId, endedAt: now })
          .onConflictDoUpdate({ target: [pair.lostId, pair.foundId], set: { endedAt: now } })
          .run();
      });
    },

    muteMatches(alertId) {
      write(() => db.update(alert).set({ matchesMuted: true }).where(eq(alert.id, alertId)).run());
    },
  };
}

/** Forgets the pairs of alerts and the private links to them. Only inside `write`. */
export function erasePairs({ db }: StoreTools, alertIds: readonly string[]): void {
  const forgotten = db
    .delete(pair)
    .where(or(among(pair.lostId, alertIds), among(pair.foundId, alertIds)))
    .returning({ lostId: pair.lostId, foundId: pair.foundId })
    .all();
  const sides = forgotten.flatMap(({ lostId, foundId }) => [
    `${lostId}:${foundId}:lost`,
    `${lostId}:${foundId}:found`,
  ]);
  db.delete(link)
    .where(and(eq(link.purpose, "pair"), among(link.subject, sides)))
    .run();
}
