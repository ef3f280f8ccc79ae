import { closeReports, isUnremoved, lockAlert, selectAlerts, toAlert } from "./alerts.ts";
import {
  and,
  asc,
  count,
  countDistinct,
  desc,
  eq,
  inArray,
  isNotNull,
  isNull,
  lte,
  max,
  ne,
  or,
  sql,
  type SQL,
} from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { PUBLIC_STATUSES } from "../src/core/alerts/alert.ts";
import type { Hit } from "../src/core/limits.ts";
import {
  type BlockedMailbox,
  canModerate,
  type ModerationAction,
  type ReasonCount,
  type Report,
  REPORT_REASONS,
  restoredStatus,
} from "../src/core/moderation/report.ts";
import { normalizedMailbox, whereSpelled } from "../src/core/people/mailbox-spelling.ts";
import type { Queries, Reader, StoreTools, Tx } from "./context.ts";
import { noteApplied } from "./erasure.ts";
import { withdrawMatchDigests } from "./matches.ts";
import { insertEmails, withdrawMatches, withdrawPlanEmails, withdrawReminders } from "./outbox.ts";
import { mailboxSubject } from "./pending.ts";
import { eraseAlerts } from "./personal-data.ts";
import { countRows, first, hasRow, isRecent, lockRows, idsOf } from "./queries.ts";
import { countHits, limitedUntil, noteHits, subjectsOf } from "./rate-limits.ts";
import type { Row } from "./schema/tables.ts";
import { eraseSightings } from "./sightings.ts";
import { endRequestsOf } from "./suppression.ts";
import { withdrawNews } from "./zones.ts";

/** Acts of moderators, and the cases that wait for them: reports, and alerts that were edited suspiciously often. */
export function moderationQueries(tools: StoreTools) {
  const { alert, claimEdit, moderation, report } = tools.tables;
  const { db, dialect, read, tombstones, write } = tools;
  const isOpen = isNull(report.handledAt);
  /** Condition for reports that the moderators do not know of. */
  const isNew = and(isOpen, isNull(report.emailedAt));

  async function newest(which: SQL | undefined, limit: number): Promise<Report[]> {
    const rows = await db
      .select()
      .from(report)
      .where(which)
      .orderBy(desc(report.createdAt), desc(report.id))
      .limit(limit);
    return rows.map(({ handledAt: _handledAt, emailedAt: _emailedAt, ...columns }) => columns);
  }
  return {
    hiddenAlerts: (limit) =>
      selectAlerts(tools, sql`status = 'hidden'`, limit, desc(alert.publishedAt)),

    countShown: async (counted) => (await alertIdsOf(tools, counted)).length,

    async auditLog(limit) {
      const { id, at, who, act, shortCode } = moderation;
      return db
        .select({ at, who, act, shortCode })
        .from(moderation)
        .orderBy(desc(at), desc(id))
        .limit(limit);
    },

    async moderate(action) {
      const { id, at, who, act, alertId, mailbox } = action;
      const named = () => eq(alert.id, alertId);
      const seen = await first(db.select().from(alert).where(named()));
      if (seen === undefined || !canModerate(seen, act)) return false;
      const line = act === "remove" ? await tombstones.add("alert", alertId, at) : null;
      const subjects = mailbox === null ? [] : [mailboxSubject(mailbox.addressHash)];
      return write(subjects, async (tx) => {
        const alerts = tx.db.select().from(alert).where(named());
        const row = await first(dialect.locking(alerts, "no key update"));
        if (row === undefined || !canModerate(row, act)) return false;
        if (!(await apply(tx, row, action))) return false;
        // One sighting may be all that a report is about, or not: that is for the moderator to say.
        if (act !== "remove_sighting") await closeReports(tx, [alertId], at);
        await tx.db
          .insert(moderation)
          .values({ id, at, who, act, alertId, shortCode: row.shortCode });
        await noteApplied(tx, line === null ? [] : [line]);
        return true;
      });
    },

    addReport(fresh, hits) {
      const subjects = [`reports:${fresh.alertId}`, ...subjectsOf(hits)];
      return write(subjects, async (tx) => {
        if (!(await isSubjectThere(tx, fresh))) return null;
        const same = and(
          eq(report.alertId, fresh.alertId),
          sql`${report.conversationId} is not distinct from ${fresh.conversationId}`,
          eq(report.reason, fresh.reason),
          sql`${report.text} is not distinct from ${fresh.text}`,
          isNull(report.handledAt),
        );
        if (await hasRow(tx, report, same)) return null;
        const retryAt = await countHits(tx, hits, fresh.createdAt);
        if (retryAt === null) await tx.db.insert(report).values(fresh);
        return retryAt;
      });
    },

    reportNews: () =>
      read(async (reader) => {
        const { db } = reader;
        const oldest = await first(
          db
            .select({ createdAt: report.createdAt, lat: alert.lat, lng: alert.lng })
            .from(report)
            .innerJoin(alert, eq(alert.id, report.alertId))
            .where(isNew)
            .orderBy(asc(report.createdAt))
            .limit(1),
        );
        if (oldest === undefined) return null;
        const all = await first(
          db
            .select({
              upTo: max(report.createdAt),
              count: count(),
              alerts: countDistinct(report.alertId),
            })
            .from(report)
            .where(isNew),
        );
        const { createdAt, lat, lng } = oldest;
        return {
          reasons: await countsByReason(reader, isNew),
          alerts: all?.alerts ?? 0,
          open: await countRows(reader, report, isOpen),
          oldest: { createdAt, point: { lat, lng } },
          read: { upTo: all?.upTo ?? 0, count: all?.count ?? 0 },
        };
      }),

    async addReportEmails({ upTo, count }, { emails, hits, alternativeHits }, now) {
      const all = [...hits, ...alternativeHits];
      await write(["report emails", ...subjectsOf(all)], async (tx) => {
        const news = and(isNew, lte(report.createdAt, upTo));
        if ((await countRows(tx, report, news)) !== count) return;
        const isFull = async (which: readonly Hit[]) =>
          (await limitedUntil(tx, which, now)) !== null;
        if ((await isFull(hits)) && (await isFull(alternativeHits))) return;
        await noteHits(tx, all, now);
        await tx.db.update(report).set({ emailedAt: now }).where(news);
        await insertEmails(tx, emails, null);
      });
    },

    openReports: (limit, { reason, alertId } = {}) =>
      newest(
        and(
          isOpen,
          reason === undefined ? undefined : eq(report.reason, reason),
          alertId === undefined ? undefined : eq(report.alertId, alertId),
        ),
        limit,
      ),
    openReportCounts: () => countsByReason(tools, isOpen),
    reportsAbout: (alertIds, limit) => newest(dialect.inList(report.alertId, alertIds), limit),

    async oftenEdited(rates, now, limit) {
      const counts = rates.map(
        ({ windowMs }) => sql`count(*) filter (where ${isRecent(claimEdit.at, now, windowMs)})`,
      );
      const isOften = rates.map(({ max: least }, nth) => sql`${counts[nth]} >= ${least}`);
      const rows = await db
        .select({ alert, counts: dialect.jsonNumbers(counts) })
        .from(claimEdit)
        .innerJoin(alert, eq(alert.id, claimEdit.alertId))
        .where(and(isNull(claimEdit.handledAt), ne(alert.status, "removed")))
        .groupBy(alert.publishedAt)
        .having(sql.join(isOften, sql` or `))
        .orderBy(desc(max(claimEdit.at)))
        .limit(limit);
      return rows.map((row) => ({ alert: toAlert(row.alert), counts: row.counts }));
    },
  } satisfies Queries;
}

/** Applies an action; false if there was nothing to do. */
async function apply(
  tx: Tx,
  row: Row<"alert">,
  { act, mailbox, sightingId, at }: ModerationAction,
): Promise<boolean> {
  const { blocked, sighting } = tx.tables;
  switch (act) {
    case "hide":
      await hide(tx, row, at);
      return true;
    case "restore":
      await restore(tx, row, at);
      if (mailbox !== null)
        await tx.db.delete(blocked).where(eq(blocked.addressHash, mailbox.addressHash));
      return true;
    case "remove":
      await eraseAlerts(tx, [row.id], at);
      return true;
    case "block":
    case "block_writer":
      return mailbox !== null && block(tx, mailbox, at);
    case "remove_sighting": {
      const which = and(eq(sighting.id, sightingId ?? ""), eq(sighting.alertId, row.id));
      return (await eraseSightings(tx, which)) > 0;
    }
    case "dismiss":
      return (await closeReports(tx, [row.id], at)) > 0;
  }
}

async function hide(tx: Tx, row: Row<"alert">, now: number): Promise<void> {
  const { alert } = tx.tables;
  await tx.db
    .update(alert)
    .set({
      status: "hidden",
      hiddenFrom: row.status,
      endedAt: row.endedAt ?? now,
      updatedAt: Math.max(now, row.updatedAt + 1),
    })
    .where(eq(alert.id, row.id));
  tx.changes.alerts.add(row.id);
  await withdrawNews(tx, [row.id], now);
  await withdrawMatches(tx, [row.shortCode], now);
  await withdrawMatchDigests(tx, [row.id], now);
  await withdrawPlanEmails(tx, [row.id], now);
  await withdrawReminders(tx, [row.id], now);
}

/** Shows an alert again. */
async function restore(tx: Tx, row: Row<"alert">, now: number): Promise<void> {
  const { alert } = tx.tables;
  const status = restoredStatus(row, now);
  await tx.db
    .update(alert)
    .set({
      status,
      hiddenFrom: null,
      endedAt: status === "active" ? null : row.endedAt,
      updatedAt: Math.max(now, row.updatedAt + 1),
      ...(status === "active" ? { comparedAt: null } : {}),
    })
    .where(eq(alert.id, row.id));
  tx.changes.alerts.add(row.id);
}

/** Blocks a mailbox; false if it was blocked before. */
async function block(
  tx: Tx,
  { counted, addressHash }: BlockedMailbox,
  now: number,
): Promise<boolean> {
  const { alert, blocked, conversation } = tx.tables;
  const { db, dialect } = tx;
  const added = await db
    .insert(blocked)
    .values({ addressHash, blockedAt: now })
    .onConflictDoNothing()
    .returning({ addressHash: blocked.addressHash });
  if (added.length === 0) return false;
  const owned = dialect.inList(alert.id, await alertIdsOf(tx, counted));
  const alerts = db.select().from(alert).where(owned).orderBy(alert.publishedAt);
  const shown = await dialect.locking(alerts, "no key update");
  for (const row of shown) {
    await hide(tx, row, now);
    await closeReports(tx, [row.id], now);
  }
  const { id, strangerEmail, closedAt } = conversation;
  const open = await idsSpelled(tx, id, strangerEmail, counted, isNull(closedAt));
  await db.update(conversation).set({ closedAt: now }).where(dialect.inList(conversation.id, open));
  await endRequestsOf(tx, addressHash, now);
  return true;
}

/** Visible alerts of a mailbox. */
function alertIdsOf(reader: Reader, counted: string): Promise<string[]> {
  const { id, ownerEmail, status } = reader.tables.alert;
  const isShown = and(isNotNull(ownerEmail), inArray(status, [...PUBLIC_STATUSES]));
  return idsSpelled(reader, id, ownerEmail, counted, isShown);
}

/** Rows of a mailbox, in any spelling, for which the condition holds: the core decides which addresses are one mailbox. */
async function idsSpelled(
  { db }: Reader,
  id: PgColumn,
  mailbox: PgColumn,
  counted: string,
  which: SQL | undefined,
): Promise<string[]> {
  const rows = await db
    .select({ id: sql<string>`${id}`, email: sql<string>`${mailbox}` })
    .from(id.table)
    .where(and(which, maySpell(mailbox, counted)));
  return idsOf(rows.filter(({ email }) => normalizedMailbox(email) === counted));
}

/** Condition for a column with addresses that contains a spelling of the mailbox, and few others. */
function maySpell(column: PgColumn, counted: string): SQL | undefined {
  const lower = sql`lower(${column})`;
  const { ranges, ending } = whereSpelled(counted);
  return or(
    ...ranges.map(({ from, below }) => sql`(${lower} >= ${from} and ${lower} < ${below})`),
    ending === null ? undefined : sql`${lower} like ${`%${ending}`}`,
  );
}

/** Numbers of reports for which the condition holds, in the order of `REPORT_REASONS`. */
async function countsByReason(
  { db, tables: { report } }: Reader,
  which: SQL | undefined,
): Promise<readonly ReasonCount[]> {
  const counts = await db
    .select({ reason: report.reason, count: count() })
    .from(report)
    .where(which)
    .groupBy(report.reason);
  return REPORT_REASONS.flatMap((reason) => counts.filter((one) => one.reason === reason));
}

/** Checks that the alert, and the conversation if one was reported, still exist, and keeps it so. */
async function isSubjectThere(
  tx: Tx,
  { alertId, conversationId }: Pick<Report, "alertId" | "conversationId">,
): Promise<boolean> {
  const { conversation } = tx.tables;
  if (!(await lockAlert(tx, isUnremoved(tx, alertId)))) return false;
  if (conversationId === null) return true;
  const reported = eq(conversation.id, conversationId);
  return (await lockRows(tx, conversation, reported, "share")).length > 0;
}
