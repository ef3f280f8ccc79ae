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
import type { Hit } from "../../src/core/limits.ts";
import { type ReasonCount, type Report, REPORT_REASONS } from "../../src/core/moderation/report.ts";
import { toAlert } from "./alert-row.ts";
import { alertExists } from "./alerts.ts";
import type { Queries, StoreTools } from "./context.ts";
import { countRows, hasRow, inList } from "./expressions.ts";
import { claimEdit } from "./match-schema.ts";
import { report } from "./moderation-schema.ts";
import { insertEmails } from "./outbox.ts";
import { countHits, limitedUntil, noteHits } from "./rate-limits.ts";
import { alert, conversation } from "./schema.ts";

/** Reports, and alerts that were edited suspiciously often: the cases that wait for a moderator. */
export function reportQueries(tools: StoreTools) {
  const { db, write } = tools;

  const countsByReason = (which: SQL | undefined): ReasonCount[] => {
    const counts = db
      .select({ reason: report.reason, count: count() })
      .from(report)
      .where(which)
      .groupBy(report.reason)
      .all();
    return REPORT_REASONS.flatMap((reason) => counts.filter((one) => one.reason === reason));
  };

  const newest = (which: SQL | undefined, limit: number): Report[] =>
    db
      .select()
      .from(report)
      .where(which)
      .orderBy(desc(report.createdAt), desc(report.id))
      .limit(limit)
      .all()
      .map(({ handledAt: _handledAt, emailedAt: _emailedAt, ...columns }) => columns);

  return {
    addReport(fresh, hits) {
      return write(() => {
        if (!isSubjectThere(tools, fresh)) return null;
        const same = and(
          eq(report.alertId, fresh.alertId),
          sql`${report.conversationId} is ${fresh.conversationId}`,
          eq(report.reason, fresh.reason),
          sql`${report.text} is ${fresh.text}`,
          isNull(report.handledAt),
        );
        if (hasRow(db, report, same)) return null;
        const retryAt = countHits(tools, hits, fresh.createdAt);
        if (retryAt === null) db.insert(report).values(fresh).run();
        return retryAt;
      });
    },

    reportNews() {
      const first = db
        .select({ createdAt: report.createdAt, lat: alert.lat, lng: alert.lng })
        .from(report)
        .innerJoin(alert, eq(alert.id, report.alertId))
        .where(NEWS)
        .orderBy(asc(report.createdAt))
        .limit(1)
        .get();
      if (first === undefined) return null;
      const read = db
        .select({
          upTo: sql<number>`max(${report.createdAt})`,
          count: count(),
          alerts: countDistinct(report.alertId),
        })
        .from(report)
        .where(NEWS)
        .get();
      const { createdAt, lat, lng } = first;
      return {
        reasons: countsByReason(NEWS),
        alerts: read?.alerts ?? 0,
        open: countRows(db, report, OPEN),
        oldest: { createdAt, point: { lat, lng } },
        read: { upTo: read?.upTo ?? 0, count: read?.count ?? 0 },
      };
    },

    addReportEmails(read, { emails, hits, alternativeHits }, now) {
      write(() => {
        const news = and(NEWS, lte(report.createdAt, read.upTo));
        if (countRows(db, report, news) !== read.count) return;
        const isFull = (which: readonly Hit[]) => limitedUntil(tools, which, now) !== null;
        if (isFull(hits) && isFull(alternativeHits)) return;
        noteHits(tools, [...hits, ...alternativeHits], now);
        db.update(report).set({ emailedAt: now }).where(news).run();
        insertEmails(tools, emails, null);
      });
    },

    openReports: (limit, { reason, alertId } = {}) =>
      newest(
        and(
          OPEN,
          reason === undefined ? undefined : eq(report.reason, reason),
          alertId === undefined ? undefined : eq(report.alertId, alertId),
        ),
        limit,
      ),
    openReportCounts: () => countsByReason(OPEN),
    reportsAbout: (alertIds, limit) => newest(inList(report.alertId, alertIds), limit),

    oftenEdited(rates, now, limit) {
      const counts = rates.map(
        ({ windowMs }) =>
          sql<number>`sum(${claimEdit.at} > ${now - windowMs} and ${claimEdit.at} <= ${now})`,
      );
      const isOften = rates.map(({ max: least }, nth) => sql`${counts[nth]} >= ${least}`);
      const rows = db
        .select({ alert, counts: sql<string>`json_array(${sql.join(counts, sql`, `)})` })
        .from(claimEdit)
        .innerJoin(alert, eq(alert.id, claimEdit.alertId))
        .where(and(isNull(claimEdit.handledAt), ne(alert.status, "removed")))
        .groupBy(alert.id)
        .having(sql.join(isOften, sql` or `))
        .orderBy(desc(max(claimEdit.at)))
        .limit(limit)
        .all();
      return rows.map((row) => ({
        alert: toAlert(row.alert),
        counts: JSON.parse(row.counts) as number[],
      }));
    },
  } satisfies Queries;
}

const OPEN = isNull(report.handledAt);
/** Condition for reports that the moderators do not know of. */
const NEWS = and(OPEN, isNull(report.emailedAt));

/** True if the alert, and the conversation if one was reported, still exist. */
function isSubjectThere(
  tools: StoreTools,
  { alertId, conversationId }: Pick<Report, "alertId" | "conversationId">,
): boolean {
  if (!alertExists(tools, alertId)) return false;
  return (
    conversationId === null || hasRow(tools.db, conversation, eq(conversation.id, conversationId))
  );
}

/** Closes the reports about alerts and the edits of them; returns how many were open. Only inside `write`. */
export function closeReports({ db }: StoreTools, alertIds: readonly string[], now: number): number {
  const closed = [report, claimEdit].map((table) =>
    db
      .update(table)
      .set({ handledAt: now })
      .where(and(inList(table.alertId, alertIds), isNull(table.handledAt)))
      .returning({ id: table.id })
      .all(),
  );
  return closed.flat().length;
}
