import { and, asc, eq, gt, isNotNull, lt, sql } from "drizzle-orm";
import type { Outcome } from "../../src/core/alerts/outcome.ts";
import type { Queries, StoreTools } from "./context.ts";
import { hasRow } from "./expressions.ts";
import { outcomeStep, planStep } from "./plan-schema.ts";
import { lockCounter } from "./revisions.ts";
import { alert, outcome } from "./schema.ts";
import type { Tx } from "./transaction.ts";

export function outcomeQueries(tools: StoreTools) {
  const { db, write } = tools;
  return {
    addOutcome(alertId, reported) {
      const untold = and(
        eq(alert.id, alertId),
        eq(alert.status, "resolved"),
        eq(alert.outcomeTold, false),
      );
      return write([], async (tx) => {
        const told = await tx.db
          .update(alert)
          .set({ outcomeTold: true })
          .where(untold)
          .returning({ id: alert.id });
        if (told.length === 0) return false;
        // Outcomes become visible in the order of their numbers: an export that has seen one has missed no lower one.
        await lockCounter(tx.db);
        await tx.db.insert(outcome).values(reported);
        await countSteps(tx, alertId, reported);
        return true;
      });
    },

    hasOutcome: (alertId) =>
      hasRow(tools, alert, and(eq(alert.id, alertId), eq(alert.outcomeTold, true))),

    async outcomesAfter(number, limit) {
      const rows = await db
        .select()
        .from(outcome)
        .where(gt(outcome.id, number))
        .orderBy(asc(outcome.id))
        .limit(limit);
      return rows.map(({ id, ...columns }) => ({ number: id, outcome: columns }));
    },

    returnWays: (beforeWeek) =>
      db
        .select({
          week: outcome.week,
          species: outcome.species,
          by: sql<NonNullable<Outcome["how"]>>`${outcome.how}`,
          animals: sql<number>`count(*)::int`,
        })
        .from(outcome)
        .where(and(eq(outcome.type, "lost"), lt(outcome.week, beforeWeek), isNotNull(outcome.how)))
        .groupBy(outcome.week, outcome.species, outcome.how),

    returnSteps: (beforeWeek) =>
      db
        .select({
          week: outcomeStep.week,
          species: outcomeStep.species,
          by: outcomeStep.step,
          animals: outcomeStep.animals,
        })
        .from(outcomeStep)
        .where(lt(outcomeStep.week, beforeWeek)),
  } satisfies Queries;
}

/** Counts the steps that were done for an animal that came home. The counter is locked. */
async function countSteps(
  { db }: Tx,
  alertId: string,
  { week, species }: Pick<Outcome, "week" | "species">,
): Promise<void> {
  const done = await db
    .select({ step: planStep.step })
    .from(planStep)
    .where(eq(planStep.alertId, alertId));
  for (const { step } of done)
    await db
      .insert(outcomeStep)
      .values({ week, species, step, animals: 1 })
      .onConflictDoUpdate({
        target: [outcomeStep.week, outcomeStep.species, outcomeStep.step],
        set: { animals: sql`${outcomeStep.animals} + 1` },
      });
}
