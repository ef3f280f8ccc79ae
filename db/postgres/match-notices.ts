import { and, asc, desc, eq, gt, inArray, isNull, min, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Hit } from "../../src/core/limits.ts";
import { FINDABLE, type MatchNotice, type NoticeKey } from "../../src/core/matching/pair-store.ts";
import { isDue } from "../expressions.ts";
import { toAlert } from "./alert-row.ts";
import type { Queries, StoreTools } from "./context.ts";
import { pushToOwner } from "./device-topics.ts";
import { first, hasRow, inList } from "./expressions.ts";
import { insertLinks } from "./links.ts";
import { claimEdit, matchNotice, pair } from "./match-schema.ts";
import { insertEmails, withdrawWhere } from "./outbox.ts";
import { countHits, subjectsOf } from "./rate-limits.ts";
import { alert, outbox } from "./schema.ts";
import type { Tx } from "./transaction.ts";

const other = alias(alert, "other");
const owner = sql<string>`lower(${alert.ownerEmail})`;
const unsent = isNull(matchNotice.notifiedAt);
const bothFindable = and(
  inArray(alert.status, [...FINDABLE]),
  inArray(other.status, [...FINDABLE]),
);

/** Notices about likely pairs that owners are to be emailed. */
export function matchNoticeQueries({ db, write }: StoreTools) {
  const claimedSince = db
    .select({ id: claimEdit.id })
    .from(claimEdit)
    .where(
      and(
        or(eq(claimEdit.alertId, matchNotice.alertId), eq(claimEdit.alertId, matchNotice.otherId)),
        gt(claimEdit.at, matchNotice.createdAt),
      ),
    );
  const isNewClaim = sql<boolean>`exists ${claimedSince}`;

  /** Unsent notices for which the condition holds, and their number without the limit. */
  async function noticesWhere(which: SQL | undefined, limit: number) {
    const rows = await db
      .select({
        mine: alert,
        other,
        notice: matchNotice,
        isNewClaim,
        total: sql<number>`(count(*) over ())::int`,
      })
      .from(matchNotice)
      .innerJoin(alert, eq(alert.id, matchNotice.alertId))
      .innerJoin(other, eq(other.id, matchNotice.otherId))
      .where(and(unsent, which, bothFindable))
      .orderBy(desc(matchNotice.score), asc(other.publishedAt), asc(alert.publishedAt))
      .limit(limit);
    const notices: MatchNotice[] = rows.map((row) => ({
      mine: toAlert(row.mine),
      other: toAlert(row.other),
      score: row.notice.score,
      isOwn: row.notice.causeId === row.notice.alertId,
      isNewClaim: row.isNewClaim,
    }));
    return { notices, total: rows[0]?.total ?? 0 };
  }

  return {
    async matchNotices(now, limit) {
      const due = and(eq(matchNotice.inDigest, false), isDue(matchNotice.dueAt, now));
      return (await noticesWhere(due, limit)).notices;
    },

    async queueMatchEmail(key, { email, links }, { perAlert, perMailbox, digestAt }, now) {
      const ofAlert: Hit[] = perAlert === null ? [] : [perAlert];
      const subjects = [...subjectsOf([...ofAlert, perMailbox]), pairSubjectOf(key)];
      await write(subjects, async (tx) => {
        if (!(await isDeliverable(tx, key, email.to))) return;
        const set = (changes: Partial<typeof matchNotice.$inferInsert>) =>
          tx.db.update(matchNotice).set(changes).where(keyIs(key));
        const retryAt = await countHits(tx, ofAlert, now);
        if (retryAt !== null) {
          await set({ dueAt: retryAt });
          return;
        }
        if ((await countHits(tx, [perMailbox], now)) !== null) {
          await set({ inDigest: true, dueAt: digestAt });
          return;
        }
        await set({ notifiedAt: now });
        await insertLinks(tx, links);
        await insertEmails(tx, [email], `alert:${key.alertId}`);
        await pushToOwner(tx, key.alertId, email);
      });
    },

    async dropMatch({ alertId, otherId }) {
      await write([pairSubject(alertId, otherId)], async (tx) => {
        await dropUnsent(tx, keyIs({ alertId, otherId }));
        if (await hasRow(tx, matchNotice, noticesOfPair(alertId, otherId))) return;
        const isPair = or(
          and(eq(pair.lostId, alertId), eq(pair.foundId, otherId)),
          and(eq(pair.lostId, otherId), eq(pair.foundId, alertId)),
        );
        await tx.db.delete(pair).where(and(isPair, isNull(pair.endedAt)));
      });
    },

    async dueMatchDigests(now, limit) {
      const due = and(eq(matchNotice.inDigest, true), isDue(matchNotice.dueAt, now));
      const rows = await db
        .select({ owner })
        .from(matchNotice)
        .innerJoin(alert, eq(alert.id, matchNotice.alertId))
        .innerJoin(other, eq(other.id, matchNotice.otherId))
        .where(and(unsent, due, bothFindable))
        .groupBy(owner)
        .orderBy(asc(min(matchNotice.dueAt)))
        .limit(limit);
      return rows.map((row) => row.owner);
    },

    matchDigest: (mailbox, limit) => noticesWhere(ofDigest(mailbox), limit),

    async queueMatchDigest(mailbox, { email, links, notices: keys, nextAt }, hit, now) {
      const subjects = [...subjectsOf([hit]), ...keys.map(pairSubjectOf)];
      await write(subjects, async (tx) => {
        for (const key of keys) if (!(await isDeliverable(tx, key, email.to))) return;
        const retryAt = await countHits(tx, [hit], now);
        if (retryAt !== null) {
          await postponeDigest(tx, mailbox, retryAt);
          return;
        }
        const sent = { notifiedAt: now, emailId: email.id };
        for (const key of keys) await tx.db.update(matchNotice).set(sent).where(keyIs(key));
        await postponeDigest(tx, mailbox, nextAt);
        await insertLinks(tx, links);
        await insertEmails(tx, [email], null);
      });
    },
  } satisfies Queries;
}

/**
 * Checks that the notice can still be sent, and that this is the mailbox of its reader, and keeps it so. Whoever removes one
 * of the alerts later finds the email.
 */
async function isDeliverable({ db }: Tx, key: NoticeKey, to: string): Promise<boolean> {
  const notice = await first(
    db
      .select({ ownerEmail: alert.ownerEmail })
      .from(matchNotice)
      .innerJoin(alert, eq(alert.id, matchNotice.alertId))
      .innerJoin(other, eq(other.id, matchNotice.otherId))
      .where(and(unsent, keyIs(key), bothFindable))
      .for("share"),
  );
  return notice?.ownerEmail?.toLowerCase() === to.toLowerCase();
}

/** Condition for the notices that wait for the digest to a mailbox. */
function ofDigest(mailbox: string): SQL | undefined {
  return and(eq(matchNotice.inDigest, true), eq(owner, mailbox));
}

async function postponeDigest({ db }: Tx, mailbox: string, dueAt: number): Promise<void> {
  const alerts = db.select({ id: alert.id }).from(alert).where(eq(owner, mailbox));
  await db
    .update(matchNotice)
    .set({ dueAt })
    .where(and(unsent, eq(matchNotice.inDigest, true), inArray(matchNotice.alertId, alerts)));
}

function keyIs({ alertId, otherId }: NoticeKey): SQL | undefined {
  return and(eq(matchNotice.alertId, alertId), eq(matchNotice.otherId, otherId));
}

/** Condition for the notices to both sides of a pair. */
export function noticesOfPair(oneId: string, otherId: string): SQL | undefined {
  return or(keyIs({ alertId: oneId, otherId }), keyIs({ alertId: otherId, otherId: oneId }));
}

/** Subject of a pair and its notices, whichever side is named first. */
export function pairSubject(oneId: string, otherId: string): string {
  return `pair:${[oneId, otherId].toSorted().join(":")}`;
}

function pairSubjectOf({ alertId, otherId }: NoticeKey): string {
  return pairSubject(alertId, otherId);
}

/** Deletes notices whose readers were not emailed. */
export async function dropUnsent({ db }: Tx, which: SQL | undefined): Promise<void> {
  await db.delete(matchNotice).where(and(which, unsent));
}

/**
 * Withdraws unsent digests that show these alerts, to their owners or to others; the other pairs in them go into the next
 * digest.
 */
export async function withdrawMatchDigests(
  tx: Tx,
  alertIds: readonly string[],
  now: number,
): Promise<void> {
  const { db } = tx;
  const shown = or(inList(matchNotice.alertId, alertIds), inList(matchNotice.otherId, alertIds));
  const showing = db.select({ id: matchNotice.emailId }).from(matchNotice).where(shown);
  const emails = await withdrawWhere(tx, inArray(outbox.id, showing), now);
  await db
    .update(matchNotice)
    .set({ notifiedAt: null, emailId: null, dueAt: now })
    .where(inList(matchNotice.emailId, emails));
}
