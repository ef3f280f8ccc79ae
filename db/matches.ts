import {
  aliasedTable,
  and,
  asc,
  desc,
  eq,
  exists,
  gt,
  inArray,
  isNotNull,
  isNull,
  lte,
  min,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import { DAY_MS } from "../src/core/duration.ts";
import type { Hit } from "../src/core/limits.ts";
import {
  FINDABLE,
  type LikelyPair,
  type MatchNotice,
  NEW_PAIRS_MAX,
  type NoticeKey,
} from "../src/core/matches/pair-store.ts";
import { selectAlerts, takeAlerts, toAlert } from "./alerts.ts";
import type { Queries, Reader, StoreTools, Tx } from "./context.ts";
import { pushToOwner } from "./device-topics.ts";
import { deleteLinks, insertLinks, unlessLinkTaken } from "./links.ts";
import { insertEmails, withdrawWhere } from "./outbox.ts";
import { changeIds, first, hasRow, isExactly, lockRows, totalRows } from "./queries.ts";
import { countHits, subjectsOf } from "./rate-limits.ts";

/** Pairs of alerts that may be one animal, and notices about them that owners are to be emailed. */
export function matchQueries(tools: StoreTools) {
  const { alert, matchNotice, pair } = tools.tables;
  const { db, write, claims } = tools;
  const { other, owner, isSendable } = noticeTerms(tools);

  /** Notices that can be sent and for which the condition holds, and their number without the limit. */
  async function noticesWhere(which: SQL | undefined, limit: number) {
    const rows = await db
      .select({
        mine: alert,
        other,
        notice: matchNotice,
        isNewClaim: isNewClaim(tools),
        total: totalRows(),
      })
      .from(matchNotice)
      .innerJoin(alert, eq(alert.id, matchNotice.alertId))
      .innerJoin(other, eq(other.id, matchNotice.otherId))
      .where(and(isSendable, which))
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
    alertsByChip(chipHash, type, limit) {
      const withChip = and(
        eq(alert.chipHash, chipHash),
        eq(alert.type, type),
        inArray(alert.status, [...FINDABLE]),
      );
      return selectAlerts(tools, withChip, limit, asc(alert.publishedAt));
    },

    async chipPairs(alertId, limit) {
      const own = aliasedTable(alert, "own");
      const rows = await db
        .select({ alert })
        .from(own)
        .innerJoin(alert, eq(alert.chipHash, own.chipHash))
        .innerJoin(pair, and(isOfBoth(tools, own.id, alert.id), isNull(pair.endedAt)))
        .where(and(eq(own.id, alertId), inArray(alert.status, [...FINDABLE])))
        .orderBy(desc(alert.publishedAt))
        .limit(limit);
      return rows.map((row) => toAlert(row.alert));
    },

    alertsToCompare(now, limit, upTo) {
      const waiting = and(
        isNull(alert.comparedAt),
        sql`status = 'active'`,
        lte(alert.revision, upTo),
        lte(alert.compareAt, now),
      );
      const order = [asc(alert.compareAt), asc(alert.publishedAt)];
      return takeAlerts(tools, "compare", waiting, limit, ...order);
    },

    async endedPairs(alertId, limit) {
      const ofAlert = or(eq(pair.lostId, alertId), eq(pair.foundId, alertId));
      const rows = await db
        .select({ lostId: pair.lostId, foundId: pair.foundId })
        .from(pair)
        .where(and(ofAlert, isNotNull(pair.endedAt)))
        .limit(limit);
      return rows.map(({ lostId, foundId }) => (lostId === alertId ? foundId : lostId));
    },

    async addPairs({ id, updatedAt }, pairs, hit, now) {
      const asRead = and(eq(alert.id, id), eq(alert.updatedAt, updatedAt));
      const subjects = pairs.map(({ lostId, foundId }) => pairSubject(lostId, foundId));
      await write([...subjectsOf([hit]), ...subjects], async (tx) => {
        const read = await lockRows(tx, alert, asRead, "no key update");
        await claims.end(tx, "compare", [id]);
        if (read.length === 0) return;
        const retryAt = await countHits(tx, [hit], now);
        if (retryAt !== null) {
          await tx.db.update(alert).set({ compareAt: retryAt }).where(asRead);
          return;
        }
        let room = NEW_PAIRS_MAX;
        let isComplete = true;
        for (const one of pairs) {
          const isKnown = await hasRow(tx, pair, pairIs(tx, one));
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
        await dropUnsent(tx, noticesOfPair(tx, lostId, foundId));
      });
    },

    async muteMatches(alertId) {
      await write([], (tx) => mute(tx, eq(alert.id, alertId)));
    },

    async muteMatchesOfOwner(owner) {
      await write([], (tx) => mute(tx, isExactly(alert.ownerEmail, owner)));
    },

    async matchNotices(now, limit) {
      const due = and(eq(matchNotice.inDigest, false), lte(matchNotice.dueAt, now));
      return (await noticesWhere(due, limit)).notices;
    },

    async queueMatchEmail(key, { email, links }, { perAlert, perMailbox, digestAt }, now) {
      const ofAlert: Hit[] = perAlert === null ? [] : [perAlert];
      const subjects = [...subjectsOf([...ofAlert, perMailbox]), subjectOf(key)];
      const queueing = write(subjects, async (tx) => {
        if (!(await isDeliverable(tx, key, email.to))) return;
        const set = (changes: Partial<typeof matchNotice.$inferInsert>) =>
          tx.db.update(matchNotice).set(changes).where(keyIs(tx, key));
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
      await unlessLinkTaken(queueing);
    },

    async dropMatch(key) {
      const { alertId, otherId } = key;
      await write([subjectOf(key)], async (tx) => {
        await dropUnsent(tx, keyIs(tx, key));
        if (await hasRow(tx, matchNotice, noticesOfPair(tx, alertId, otherId))) return;
        const isOpen = isNull(pair.endedAt);
        await tx.db.delete(pair).where(and(isOfBoth(tx, alertId, otherId), isOpen));
      });
    },

    async dueMatchDigests(now, limit) {
      const due = and(eq(matchNotice.inDigest, true), lte(matchNotice.dueAt, now));
      const rows = await db
        .select({ owner })
        .from(matchNotice)
        .innerJoin(alert, eq(alert.id, matchNotice.alertId))
        .innerJoin(other, eq(other.id, matchNotice.otherId))
        .where(and(isSendable, due))
        .groupBy(owner)
        .orderBy(asc(min(matchNotice.dueAt)))
        .limit(limit);
      return rows.map((row) => row.owner);
    },

    matchDigest: (mailbox, limit) =>
      noticesWhere(and(eq(matchNotice.inDigest, true), eq(owner, mailbox)), limit),

    async queueMatchDigest(mailbox, { email, links, notices: keys, nextAt }, hit, now) {
      const subjects = [...subjectsOf([hit]), ...keys.map(subjectOf)];
      const queueing = write(subjects, async (tx) => {
        for (const key of keys) if (!(await isDeliverable(tx, key, email.to))) return;
        const retryAt = await countHits(tx, [hit], now);
        if (retryAt !== null) {
          await postponeDigest(tx, mailbox, retryAt);
          return;
        }
        const sent = { notifiedAt: now, emailId: email.id };
        for (const key of keys) await tx.db.update(matchNotice).set(sent).where(keyIs(tx, key));
        await postponeDigest(tx, mailbox, nextAt);
        await insertLinks(tx, links);
        await insertEmails(tx, [email], null);
      });
      await unlessLinkTaken(queueing);
    },
  } satisfies Queries;
}

function pairIs(
  { tables: { pair } }: Reader,
  { lostId, foundId }: Pick<LikelyPair, "lostId" | "foundId">,
): SQL | undefined {
  return and(eq(pair.lostId, lostId), eq(pair.foundId, foundId));
}

type AlertId = string | Tx["tables"]["alert"]["id"];

/** Condition for the pair of two alerts, whichever of them is the lost one. */
function isOfBoth({ tables: { pair } }: Reader, one: AlertId, other: AlertId): SQL | undefined {
  return or(
    and(eq(pair.lostId, one), eq(pair.foundId, other)),
    and(eq(pair.lostId, other), eq(pair.foundId, one)),
  );
}

/** Subject of a pair and its notices, whichever side is named first. */
function pairSubject(oneId: string, otherId: string): string {
  return `pair:${[oneId, otherId].toSorted().join(":")}`;
}

/** Adds a pair, and a notice for each owner. */
async function addPair(tx: Tx, likely: LikelyPair, causeId: string, now: number): Promise<void> {
  const { alert, matchNotice, pair } = tx.tables;
  const { db, dialect } = tx;
  const { lostId, foundId, score } = likely;
  const both = db
    .select({ id: alert.id, ownerEmail: alert.ownerEmail, isMuted: alert.matchesMuted })
    .from(alert)
    .where(and(inArray(alert.id, [lostId, foundId]), inArray(alert.status, [...FINDABLE])))
    .orderBy(asc(alert.publishedAt));
  const sides = await dialect.locking(both, "share");
  // Either alert may have been removed since the pair was found.
  if (sides.length < 2) return;
  await db.insert(pair).values({ lostId, foundId, notifiedAt: now }).onConflictDoNothing();
  if (await hasRow(tx, pair, and(pairIs(tx, likely), isNotNull(pair.endedAt)))) return;
  for (const { id, ownerEmail, isMuted } of sides) {
    if (ownerEmail === null || isMuted) continue;
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
          dueAt: sql`case when ${matchNotice.causeId} = ${causeId} or ${matchNotice.inDigest} then ${matchNotice.dueAt} else ${now} end`,
        },
        setWhere: isNull(matchNotice.notifiedAt),
      });
  }
}

async function mute(tx: Tx, which: SQL): Promise<void> {
  const { alert, matchNotice } = tx.tables;
  const muted = await changeIds(tx, alert, { matchesMuted: true }, which);
  await dropUnsent(tx, tx.dialect.inList(matchNotice.alertId, muted));
}

/** Erases the pairs of alerts and the private links to them. */
export async function erasePairs(tx: Tx, alertIds: readonly string[]): Promise<void> {
  const { pair, matchNotice } = tx.tables;
  const { db, dialect } = tx;
  await db.delete(matchNotice).where(isAbout(tx, alertIds));
  const forgotten = await db
    .delete(pair)
    .where(or(dialect.inList(pair.lostId, alertIds), dialect.inList(pair.foundId, alertIds)))
    .returning({ lostId: pair.lostId, foundId: pair.foundId });
  const sides = forgotten.flatMap(({ lostId, foundId }) => [
    `${lostId}:${foundId}:lost`,
    `${lostId}:${foundId}:found`,
  ]);
  await deleteLinks(tx, "pair", sides);
}

/** Terms of queries that join a notice with both alerts. */
function noticeTerms({ tables: { alert, matchNotice } }: Reader) {
  const other = aliasedTable(alert, "other");
  const isFindable = [alert, other].map(({ status }) => inArray(status, [...FINDABLE]));
  return {
    other,
    owner: sql<string>`${alert.ownerEmail}`,
    /** Not sent yet, and both alerts can still be part of a pair. */
    isSendable: and(isNull(matchNotice.notifiedAt), ...isFindable),
  };
}

/** True if a matched field of either alert was edited since the notice was made. */
function isNewClaim({ db, tables: { claimEdit, matchNotice } }: Reader): SQL<boolean> {
  const ofEither = or(
    eq(claimEdit.alertId, matchNotice.alertId),
    eq(claimEdit.alertId, matchNotice.otherId),
  );
  const isLater = and(ofEither, gt(claimEdit.at, matchNotice.createdAt));
  const since = db.select({ id: claimEdit.id }).from(claimEdit).where(isLater);
  return exists(since).mapWith(Boolean);
}

/**
 * Checks that the notice can still be sent, and that this is the mailbox of its reader, and keeps it so. Whoever removes one
 * of the alerts later finds the email.
 */
async function isDeliverable(tx: Tx, key: NoticeKey, to: string): Promise<boolean> {
  const { alert, matchNotice } = tx.tables;
  const { other, isSendable } = noticeTerms(tx);
  const notices = tx.db
    .select({ ownerEmail: alert.ownerEmail })
    .from(matchNotice)
    .innerJoin(alert, eq(alert.id, matchNotice.alertId))
    .innerJoin(other, eq(other.id, matchNotice.otherId))
    .where(and(keyIs(tx, key), isSendable));
  const notice = await first(tx.dialect.locking(notices, "share"));
  return notice?.ownerEmail === to;
}

async function postponeDigest(tx: Tx, mailbox: string, dueAt: number): Promise<void> {
  const { alert, matchNotice } = tx.tables;
  const isOwn = isExactly(alert.ownerEmail, mailbox);
  const alerts = tx.db.select({ id: alert.id }).from(alert).where(isOwn);
  const waiting = and(
    isNull(matchNotice.notifiedAt),
    eq(matchNotice.inDigest, true),
    inArray(matchNotice.alertId, alerts),
  );
  await tx.db.update(matchNotice).set({ dueAt }).where(waiting);
}

function keyIs(
  { tables: { matchNotice } }: Reader,
  { alertId, otherId }: NoticeKey,
): SQL | undefined {
  return and(eq(matchNotice.alertId, alertId), eq(matchNotice.otherId, otherId));
}

/** Condition for the notices to both sides of a pair. */
function noticesOfPair(reader: Reader, oneId: string, otherId: string): SQL | undefined {
  return or(
    keyIs(reader, { alertId: oneId, otherId }),
    keyIs(reader, { alertId: otherId, otherId: oneId }),
  );
}

/** Condition for the notices to the owners of alerts, and for those that show them to others. */
function isAbout(reader: Reader, alertIds: readonly string[]): SQL | undefined {
  const { matchNotice } = reader.tables;
  const { dialect } = reader;
  return or(
    dialect.inList(matchNotice.alertId, alertIds),
    dialect.inList(matchNotice.otherId, alertIds),
  );
}

function subjectOf({ alertId, otherId }: NoticeKey): string {
  return pairSubject(alertId, otherId);
}

/** Deletes notices whose readers were not emailed. */
async function dropUnsent(tx: Tx, which: SQL | undefined): Promise<void> {
  const { matchNotice } = tx.tables;
  await tx.db.delete(matchNotice).where(and(which, isNull(matchNotice.notifiedAt)));
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
  const { matchNotice, outbox } = tx.tables;
  const { db, dialect } = tx;
  const about = isAbout(tx, alertIds);
  const showing = db.select({ id: matchNotice.emailId }).from(matchNotice).where(about);
  const emails = await withdrawWhere(tx, inArray(outbox.id, showing), now);
  const unsent = { notifiedAt: null, emailId: null, dueAt: now };
  await db.update(matchNotice).set(unsent).where(dialect.inList(matchNotice.emailId, emails));
}
