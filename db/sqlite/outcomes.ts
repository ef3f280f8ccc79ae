import { and, asc, eq, gt, isNotNull, lt, sql } from "drizzle-orm";
import type { Outcome } from "../../src/core/alerts/outcome.ts";
import type { Queries, StoreTools } from "./context.ts";
import { hasRow } from "./expressions.ts";
import { outcomeStep, planStep } from "./plan-schema.ts";
import { alert, outcome } from "./schema.ts";

export function outcomeQueries(tools: StoreTools) {
  const { db, write } = tools;
  return {
    addOutcome(alertId, reported) {
      return write(() => {
        const first = db
          .update(alert)
          .set({ outcomeTold: true })
          .where(
            and(eq(alert.id, alertId), eq(alert.status, "resolved"), eq(alert.outcomeTold, false)),
          )
          .returning({ id: alert.id })
          .get();
        if (first === undefined) return false;
        db.insert(outcome).values(reported).run();
        countSteps(tools, alertId, reported);
        return true;
      });
    },

    hasOutcome: (alertId) =>
      hasRow(db, alert, and(eq(alert.id, alertId), eq(alert.outcomeTold, true))),

    outcomesAfter(number, limit) {
      const rows = db
        .select()
        .from(outcome)
        .where(gt(outcome.id, number))
        .orderBy(asc(outcome.id))
        .limit(limit)
        .all();
      return rows.map(({ id, ...columns }) => ({ number: id, outcome: columns }));
    },

    returnWays: (beforeWeek) =>
      db
        .select({
          week: outcome.week,
          species: outcome.species,
          by: sql<NonNullable<Outcome["how"]>>`${outcome.how}`,
          animals: sql<number>`count(*)`,
        })
        .from(outcome)
        .where(and(eq(outcome.type, "lost"), lt(outcome.week, beforeWeek), isNotNull(outcome.how)))
        .groupBy(outcome.week, outcome.species, outcome.how)
        .all(),

    returnSteps: (beforeWeek) =>
      db
        .select({
          week: outcomeStep.week,
          species: outcomeStep.species,
          by: outcomeStep.step,
          animals: outcomeStep.animals,
        })
        .from(outcomeStep)
        .where(lt(outcomeStep.week, beforeWeek))
        .all(),
  } satisfies Queries;
}

/** Counts the steps that were done for an animal that came home. Only inside `write`. */
function countSteps(
  { db }: StoreTools,
  alertId: string,
  { week, species }: Pick<Outcome, "week" | "species">,
): void {
  const done = db
    .select({ step: planStep.step })
    .from(planStep)
    .where(eq(planStep.alertId, alertId))
    .all();
  for (const { step } of done)
    db.insert(outcomeStep)
      .values({ week, species, step, animals: 1 })
      .onConflictDoUpdate({
        target: [outcomeStep.week, outcomeStep.species, outcomeStep.step],
        set: { animals: sql`${outcomeStep.animals} + 1` },
      })
      .run();
}
