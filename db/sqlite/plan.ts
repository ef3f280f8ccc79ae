import { and, asc, eq, gt, gte, isNotNull, isNull, lte, notExists, sql } from "drizzle-orm";
import { selectAlerts } from "./alerts.ts";
import type { Queries, StoreTools } from "./context.ts";
import { hasRow, inList } from "./expressions.ts";
import { insertLinks } from "./links.ts";
import { insertEmails, withdrawPlanEmails } from "./outbox.ts";
import { planEmail, planStep } from "./plan-schema.ts";
import { alert } from "./schema.ts";

export function planQueries(tools: StoreTools) {
  const { db, write } = tools;
  const isUnmuted = and(
    sql`status = 'active'`,
    isNotNull(alert.ownerEmail),
    isNull(alert.planMutedAt),
    isNull(alert.source),
  );
  return {
    donePlanSteps: (alertId) =>
      db
        .select({ step: planStep.step })
        .from(planStep)
        .where(eq(planStep.alertId, alertId))
        .all()
        .map(({ step }) => step),

    markPlanStep(alertId, step, doneAt) {
      return write(() => {
        if (!hasRow(db, alert, and(eq(alert.id, alertId), eq(alert.status, "active"))))
          return false;
        if (doneAt === null)
          db.delete(planStep)
            .where(and(eq(planStep.alertId, alertId), eq(planStep.step, step)))
            .run();
        else db.insert(planStep).values({ alertId, step, doneAt }).onConflictDoNothing().run();
        return true;
      });
    },

    mutePlanEmails(alertId, now) {
      write(() => {
        db.update(alert).set({ planMutedAt: now }).where(eq(alert.id, alertId)).run();
        withdrawPlanEmails(tools, alertId, now);
      });
    },

    duePlanEmails({ day, after, upTo, now }, limit) {
      const sent = db
        .select({ alertId: planEmail.alertId })
        .from(planEmail)
        .where(and(eq(planEmail.alertId, alert.id), gte(planEmail.day, day)));
      const isDue = and(
        gt(alert.publishedAt, after),
        lte(alert.publishedAt, upTo),
        gt(alert.expiresAt, now),
        isUnmuted,
      );
      const due = selectAlerts(tools, and(isDue, notExists(sent)), limit, asc(alert.publishedAt));
      const ids = due.map(({ id }) => id);
      const rows = db.select().from(planStep).where(inList(planStep.alertId, ids)).all();
      const doneBy = Map.groupBy(rows, ({ alertId }) => alertId);
      return due.map((one) => ({
        alert: one,
        done: (doneBy.get(one.id) ?? []).map(({ step }) => step),
      }));
    },

    addPlanEmail({ id, ownerEmail }, day, email, links) {
      write(() => {
        const asSeen = and(eq(alert.id, id), isUnmuted, eq(alert.ownerEmail, ownerEmail ?? ""));
        if (!hasRow(db, alert, asSeen)) return;
        const first = db
          .insert(planEmail)
          .values({ alertId: id, day })
          .onConflictDoNothing()
          .returning()
          .get();
        if (first === undefined || email === null) return;
        insertLinks(tools, links);
        insertEmails(tools, [email], `alert:${id}`);
      });
    },
  } satisfies Queries;
}
