import { and, desc, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { Report } from "../../src/core/moderation/report.ts";
import { alertExists } from "./alerts.ts";
import type { Queries, StoreTools } from "./context.ts";
import { inList } from "./expressions.ts";
import { report } from "./moderation-schema.ts";
import { countHits } from "./rate-limits.ts";
import { conversation } from "./schema.ts";

export function reportQueries(tools: StoreTools) {
  const { db, read, write } = tools;

  const newest = (which: SQL, limit: number): Report[] =>
    read(() =>
      db
        .select()
        .from(report)
        .where(which)
        .orderBy(desc(report.createdAt), desc(report.id))
        .limit(limit)
        .all(),
    ).map(({ handledAt: _handledAt, ...columns }) => columns);

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
        if (db.select({ id: report.id }).from(report).where(same).get() !== undefined) return null;
        const retryAt = countHits(tools, hits, fresh.createdAt);
        if (retryAt === null) db.insert(report).values(fresh).run();
        return retryAt;
      });
    },

    openReports: (limit) => newest(isNull(report.handledAt), limit),
    reportsAbout: (alertIds, limit) => newest(inList(report.alertId, alertIds), limit),
  } satisfies Queries;
}

/** True if the alert, and the conversation if one was reported, still exist. */
function isSubjectThere(
  tools: StoreTools,
  { alertId, conversationId }: Pick<Report, "alertId" | "conversationId">,
): boolean {
  if (!alertExists(tools, alertId)) return false;
  if (conversationId === null) return true;
  const reported = eq(conversation.id, conversationId);
  const row = tools.db.select({ id: conversation.id }).from(conversation).where(reported).get();
  return row !== undefined;
}

/** Marks the reports about alerts as handled by a moderator; returns how many there were. Only inside `write`. */
export function closeReports({ db }: StoreTools, alertIds: readonly string[], now: number): number {
  return db
    .update(report)
    .set({ handledAt: now })
    .where(and(inList(report.alertId, alertIds), isNull(report.handledAt)))
    .returning({ id: report.id })
    .all().length;
}
