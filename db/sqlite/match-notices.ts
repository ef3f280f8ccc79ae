import { and, asc, count, desc, eq, inArray, isNull, min, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Hit } from "../../src/core/limits.ts";
import { FINDABLE, type MatchNotice, type NoticeKey } from "../../src/core/matching/pair-store.ts";
import { toAlert } from "./alerts.ts";
import type { Queries, StoreTools } from "./context.ts";
import { inList, isDue } from "./expressions.ts";
import { insertLinks } from "./links.ts";
import { matchNotice, pair } from "./match-schema.ts";
import { insertEmails, withdrawWhere } from "./outbox.ts";
import { limitedUntil, noteHits } from "./rate-limits.ts";
import { alert, outbox } from "./schema.ts";

const other = alias(alert, "other");

/** Notices about likely pairs that owners are to be emailed. */
export function matchNoticeQueries(tools: StoreTools) {
  const { db, read, write } = tools;
  const owner = sql<string>`lower(${alert.ownerEmail})`;
  const unsent = isNull(matchNotice.notifiedAt);
  const bothFindable = and(
    inArray(alert.status, [...FINDABLE]),
    inArray(other.status, [...FINDABLE]),
  );

  function notices(which: SQL | undefined, limit: number): MatchNotice[] {
    const rows = db
      .select({ mine: alert, other, notice: matchNotice })
      .from(matchNotice)
      .innerJoin(alert, eq(alert.id, matchNotice.alertId))
      .innerJoin(other, eq(other.id, matchNotice.otherId))
      .where(and(unsent, which, bothFindable))
      .orderBy(desc(matchNotice.score), asc(other.publishedAt), asc(alert.publishedAt))
      .limit(limit)
      .all();
    return rows.map((row) => ({
      mine: toAlert(row.mine),
      other: toAlert(row.other),
      score: row.notice.score,
      createdAt: row.notice.createdAt,
      isOwn: row.notice.causeId === row.notice.alertId,
    }));
  }

  /** The notice, if its reader can still be emailed. */
  const deliverable = (key: NoticeKey) => notices(keyIs(key), 1)[0];

  /** Condition for the notices that wait for the digest to a mailbox. */
  const ofDigest = (email: string) => and(eq(matchNotice.inDigest, true), eq(owner, email));

  function putOffDigest(email: string, dueAt: number): void {
    const alerts = db.select({ id: alert.id }).from(alert).where(eq(owner, email));
    db.update(matchNotice)
      .set({ dueAt })
      .where(and(unsent, eq(matchNotice.inDigest, true), inArray(matchNotice.alertId, alerts)))
      .run();
  }

  return {
    matchNotices: (now, limit) =>
      read(() =>
        notices(and(eq(matchNotice.inDigest, false), isDue(matchNotice.dueAt, now)), limit),
      ),

    tellMatch(key, { letter, links }, { perAlert, perMailbox, digestAt }, now) {
      write(() => {
        if (!isReader(deliverable(key), letter.to)) return;
        const set = (changes: Partial<typeof matchNotice.$inferInsert>) =>
          db.update(matchNotice).set(changes).where(keyIs(key)).run();
        const ofAlert: Hit[] = perAlert === null ? [] : [perAlert];
        const retryAt = limitedUntil(tools, ofAlert, now);
        if (retryAt !== null) {
          set({ dueAt: retryAt });
          return;
        }
        noteHits(tools, ofAlert, now);
        if (limitedUntil(tools, [perMailbox], now) !== null) {
          set({ inDigest: true, dueAt: digestAt });
          return;
        }
        noteHits(tools, [perMailbox], now);
        set({ notifiedAt: now });
        insertLinks(tools, links);
        insertEmails(tools, [letter], `alert:${key.alertId}`);
      });
    },

    dropMatch({ alertId, otherId }) {
      write(() => {
        dropUnsent(tools, keyIs({ alertId, otherId }));
        const isLeft = db
          .select({ id: matchNotice.alertId })
          .from(matchNotice)
          .where(noticesOfPair(alertId, otherId))
          .limit(1)
          .get();
        if (isLeft !== undefined) return;
        const isPair = or(
          and(eq(pair.lostId, alertId), eq(pair.foundId, otherId)),
          and(eq(pair.lostId, otherId), eq(pair.foundId, alertId)),
        );
        db.delete(pair)
          .where(and(isPair, isNull(pair.endedAt)))
          .run();
      });
    },

    dueMatchDigests(now, limit) {
      const due = and(eq(matchNotice.inDigest, true), isDue(matchNotice.dueAt, now));
      const rows = read(() =>
        db
          .select({ owner })
          .from(matchNotice)
          .innerJoin(alert, eq(alert.id, matchNotice.alertId))
          .innerJoin(other, eq(other.id, matchNotice.otherId))
          .where(and(unsent, due, bothFindable))
          .groupBy(owner)
          .orderBy(asc(min(matchNotice.dueAt)))
          .limit(limit)
          .all(),
      );
      return rows.map((row) => row.owner);
    },

    matchDigest: (email, limit) =>
      read(() => {
        const total = db
          .select({ many: count() })
          .from(matchNotice)
          .innerJoin(alert, eq(alert.id, matchNotice.alertId))
          .innerJoin(other, eq(other.id, matchNotice.otherId))
          .where(and(unsent, ofDigest(email), bothFindable))
          .get();
        return { notices: notices(ofDigest(email), limit), total: total?.many ?? 0 };
      }),

    tellMatchDigest(email, { letter, links, told, nextAt }, hit, now) {
      write(() => {
        const areThere = told.every((key) => isReader(deliverable(key), letter.to));
        if (!areThere) return;
        const retryAt = limitedUntil(tools, [hit], now);
        if (retryAt !== null) {
          putOffDigest(email, retryAt);
          return;
        }
        noteHits(tools, [hit], now);
        for (const key of told)
          db.update(matchNotice)
            .set({ notifiedAt: now, emailId: letter.id })
            .where(keyIs(key))
            .run();
        putOffDigest(email, nextAt);
        insertLinks(tools, links);
        insertEmails(tools, [letter], null);
      });
    },
  } satisfies Queries;
}

function isReader(notice: MatchNotice | undefined, to: string): boolean {
  return notice?.mine.ownerEmail?.toLowerCase() === to.toLowerCase();
}

function keyIs({ alertId, otherId }: NoticeKey): SQL | undefined {
  return and(eq(matchNotice.alertId, alertId), eq(matchNotice.otherId, otherId));
}

/** Condition for the notices to both sides of a pair. */
export function noticesOfPair(oneId: string, otherId: string): SQL | undefined {
  return or(keyIs({ alertId: oneId, otherId }), keyIs({ alertId: otherId, otherId: oneId }));
}

/** Deletes notices whose readers were not emailed. Only inside `write`. */
export function dropUnsent({ db }: StoreTools, which: SQL | undefined): void {
  db.delete(matchNotice)
    .where(and(which, isNull(matchNotice.notifiedAt)))
    .run();
}

/**
 * Withdraws unsent digests that show these alerts, to their owners or to others; the other pairs in them go into the next
 * digest. Only inside `write`.
 */
export function withdrawMatchDigests(
  tools: StoreTools,
  alertIds: readonly string[],
  now: number,
): void {
  const { db } = tools;
  const shown = or(inList(matchNotice.alertId, alertIds), inList(matchNotice.otherId, alertIds));
  const emails = db
    .selectDistinct({ id: outbox.id })
    .from(matchNotice)
    .innerJoin(outbox, eq(outbox.id, matchNotice.emailId))
    .where(and(shown, eq(outbox.state, "waiting")))
    .all()
    .map(({ id }) => id);
  if (emails.length === 0) return;
  withdrawWhere(tools, inList(outbox.id, emails), now);
  db.update(matchNotice)
    .set({ notifiedAt: null, emailId: null, dueAt: now })
    .where(inList(matchNotice.emailId, emails))
    .run();
}
