import {
  and,
  asc,
  count,
  countDistinct,
  desc,
  eq,
  isNull,
  lte,
  max,
  ne,
  type SQL,
  sql,
} from "drizzle-orm";
import type { Hit } from "../src/core/limits.ts";
import { type ReasonCount, type Report, REPORT_REASONS } from "../src/core/moderation/report.ts";
import { isUnremoved, lockAlert, toAlert } from "./alerts.ts";
import type { Queries, Reader, StoreTools, Tx } from "./context.ts";
import { insertEmails } from "./outbox.ts";
import { countRows, first, hasRow, isRecent, lockRows } from "./queries.ts";
import { countHits, limitedUntil, noteHits, subjectsOf } from "./rate-limits.ts";

/** Reports, and alerts that were edited suspiciously often: the cases that wait for a moderator. */
export function reportQueries(tools: StoreTools) {
  const { alert, claimEdit, report } = tools.tables;
  const { db, dialect, read, write } = tools;
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

/** Closes the reports about alerts and the edits of them; returns how many were open. */
export async function closeReports(
  { db, dialect, tables: { claimEdit, report } }: Tx,
  alertIds: readonly string[],
  now: number,
): Promise<number> {
  let closed = 0;
  for (const table of [report, claimEdit]) {
    const open = and(dialect.inList(table.alertId, alertIds), isNull(table.handledAt));
    closed += (await db.update(table).set({ handledAt: now }).where(open).returning()).length;
  }
  return closed;
}
