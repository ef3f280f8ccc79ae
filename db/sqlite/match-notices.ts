import { and, asc, desc, eq, gt, inArray, isNull, min, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Hit } from "../../src/core/limits.ts";
import { FINDABLE, type MatchNotice, type NoticeKey } from "../../src/core/matching/pair-store.ts";
import { toAlert } from "./alert-row.ts";
import type { Queries, StoreTools } from "./context.ts";
import { isDue } from "../expressions.ts";
import { pushToOwner } from "./device-topics.ts";
import { hasRow, inList } from "./expressions.ts";
import { insertLinks } from "./links.ts";
import { claimEdit, matchNotice, pair } from "./match-schema.ts";
import { insertEmails, withdrawWhere } from "./outbox.ts";
import { countHits } from "./rate-limits.ts";
import { alert, outbox } from "./schema.ts";

const other = alias(alert, "other");

/** Notices about likely pairs that owners are to be emailed. */
export function matchNoticeQueries(tools: StoreTools) {
  const { db, write } = tools;
  const owner = sql<string>`lower(${alert.ownerEmail})`;
  const unsent = isNull(matchNotice.notifiedAt);
  const bothFindable = and(
    inArray(alert.status, [...FINDABLE]),
    inArray(other.status, [...FINDABLE]),
  );

  const claimedSince = db
    .select({ id: claimEdit.id })
    .from(claimEdit)
    .where(
      and(
        or(eq(claimEdit.alertId, matchNotice.alertId), eq(claimEdit.alertId, matchNotice.otherId)),
        gt(claimEdit.at, matchNotice.createdAt),
      ),
    );
  const isNewClaim = sql<boolean>`exists ${claimedSince}`.mapWith(Boolean);

  /** Unsent notices for which the condition holds, and their number without the limit. */
  function noticesWhere(which: SQL | undefined, limit: number) {
    const rows = db
      .select({
        mine: alert,
        other,
        notice: matchNotice,
        isNewClaim,
        total: sql<number>`count(*) over ()`,
      })
      .from(matchNotice)
      .innerJoin(alert, eq(alert.id, matchNotice.alertId))
      .innerJoin(other, eq(other.id, matchNotice.otherId))
      .where(and(unsent, which, bothFindable))
      .orderBy(desc(matchNotice.score), asc(other.publishedAt), asc(alert.publishedAt))
      .limit(limit)
      .all();
    const notices: MatchNotice[] = rows.map((row) => ({
      mine: toAlert(row.mine),
      other: toAlert(row.other),
      score: row.notice.score,
      isOwn: row.notice.causeId === row.notice.alertId,
      isNewClaim: row.isNewClaim,
    }));
    return { notices, total: rows[0]?.total ?? 0 };
  }

  /** True if the notice can still be sent, and this is the mailbox of its reader. */
  function isDeliverable(key: NoticeKey, to: string): boolean {
    const [notice] = noticesWhere(keyIs(key), 1).notices;
    return notice?.mine.ownerEmail?.toLowerCase() === to.toLowerCase();
  }

  /** Condition for the notices that wait for the digest to a mailbox. */
  const ofDigest = (mailbox: string) => and(eq(matchNotice.inDigest, true), eq(owner, mailbox));

  function postponeDigest(mailbox: string, dueAt: number): void {
    const alerts = db.select({ id: alert.id }).from(alert).where(eq(owner, mailbox));
    db.update(matchNotice)
      .set({ dueAt })
      .where(and(unsent, eq(matchNotice.inDigest, true), inArray(matchNotice.alertId, alerts)))
      .run();
  }

  return {
    matchNotices(now, limit) {
      const due = and(eq(matchNotice.inDigest, false), isDue(matchNotice.dueAt, now));
      return noticesWhere(due, limit).notices;
    },

    queueMatchEmail(key, { email, links }, { perAlert, perMailbox, digestAt }, now) {
      write(() => {
        if (!isDeliverable(key, email.to)) return;
        const set = (changes: Partial<typeof matchNotice.$inferInsert>) =>
          db.update(matchNotice).set(changes).where(keyIs(key)).run();
        const ofAlert: Hit[] = perAlert === null ? [] : [perAlert];
        const retryAt = countHits(tools, ofAlert, now);
        if (retryAt !== null) {
          set({ dueAt: retryAt });
          return;
        }
        if (countHits(tools, [perMailbox], now) !== null) {
          set({ inDigest: true, dueAt: digestAt });
          return;
        }
        set({ notifiedAt: now });
        insertLinks(tools, links);
        insertEmails(tools, [email], `alert:${key.alertId}`);
        pushToOwner(tools, key.alertId, email);
      });
    },

    dropMatch({ alertId, otherId }) {
      write(() => {
        dropUnsent(tools, keyIs({ alertId, otherId }));
        if (hasRow(db, matchNotice, noticesOfPair(alertId, otherId))) return;
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
      const rows = db
        .select({ owner })
        .from(matchNotice)
        .innerJoin(alert, eq(alert.id, matchNotice.alertId))
        .innerJoin(other, eq(other.id, matchNotice.otherId))
        .where(and(unsent, due, bothFindable))
        .groupBy(owner)
        .orderBy(asc(min(matchNotice.dueAt)))
        .limit(limit)
        .all();
      return rows.map((row) => row.owner);
    },

    matchDigest: (mailbox, limit) => noticesWhere(ofDigest(mailbox), limit),

    queueMatchDigest(mailbox, { email, links, notices: keys, nextAt }, hit, now) {
      write(() => {
        if (!keys.every((key) => isDeliverable(key, email.to))) return;
        const retryAt = countHits(tools, [hit], now);
        if (retryAt !== null) {
          postponeDigest(mailbox, retryAt);
          return;
        }
        const sent = { notifiedAt: now, emailId: email.id };
        for (const key of keys) db.update(matchNotice).set(sent).where(keyIs(key)).run();
        postponeDigest(mailbox, nextAt);
        insertLinks(tools, links);
        insertEmails(tools, [email], null);
      });
    },
  } satisfies Queries;
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
  const showing = db.select({ id: matchNotice.emailId }).from(matchNotice).where(shown);
  const emails = withdrawWhere(tools, inArray(outbox.id, showing), now);
  db.update(matchNotice)
    .set({ notifiedAt: null, emailId: null, dueAt: now })
    .where(inList(matchNotice.emailId, emails))
    .run();
}
