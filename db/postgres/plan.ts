import { and, asc, eq, gt, gte, isNotNull, isNull, lte, notExists, sql } from "drizzle-orm";
import { lockAlert, selectAlerts } from "./alerts.ts";
import type { Queries, StoreTools } from "./context.ts";
import { inList } from "./expressions.ts";
import { insertLinks, unlessLinkTaken } from "./links.ts";
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
    async donePlanSteps(alertId) {
      const rows = await db
        .select({ step: planStep.step })
        .from(planStep)
        .where(eq(planStep.alertId, alertId));
      return rows.map(({ step }) => step);
    },

    markPlanStep: (alertId, step, doneAt) =>
      write([], async (tx) => {
        const isActive = and(eq(alert.id, alertId), eq(alert.status, "active"));
        if (!(await lockAlert(tx, isActive))) return false;
        if (doneAt === null)
          await tx.db
            .delete(planStep)
            .where(and(eq(planStep.alertId, alertId), eq(planStep.step, step)));
        else await tx.db.insert(planStep).values({ alertId, step, doneAt }).onConflictDoNothing();
        return true;
      }),

    async mutePlanEmails(alertId, now) {
      await write([], async (tx) => {
        await tx.db.update(alert).set({ planMutedAt: now }).where(eq(alert.id, alertId));
        await withdrawPlanEmails(tx, alertId, now);
      });
    },

    async duePlanEmails({ day, after, upTo, now }, limit) {
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
      const due = await selectAlerts(
        tools,
        and(isDue, notExists(sent)),
        limit,
        asc(alert.publishedAt),
      );
      const ids = due.map(({ id }) => id);
      const rows = await db.select().from(planStep).where(inList(planStep.alertId, ids));
      const doneBy = Map.groupBy(rows, ({ alertId }) => alertId);
      return due.map((one) => ({
        alert: one,
        done: (doneBy.get(one.id) ?? []).map(({ step }) => step),
      }));
    },

    async addPlanEmail({ id, ownerEmail }, day, email, links) {
      const asSeen = and(eq(alert.id, id), isUnmuted, eq(alert.ownerEmail, ownerEmail ?? ""));
      const adding = write([], async (tx) => {
        if (!(await lockAlert(tx, asSeen))) return;
        const added = await tx.db
          .insert(planEmail)
          .values({ alertId: id, day })
          .onConflictDoNothing()
          .returning({ day: planEmail.day });
        if (added.length === 0 || email === null) return;
        await insertLinks(tx, links);
        await insertEmails(tx, [email], `alert:${id}`);
      });
      await unlessLinkTaken(adding);
    },
  } satisfies Queries;
}
