import {
  and,
  asc,
  count,
  eq,
  gt,
  gte,
  isNotNull,
  isNull,
  lt,
  lte,
  min,
  notExists,
  type SQL,
  sql,
} from "drizzle-orm";
import type { Outcome } from "../src/core/outcomes/outcome.ts";
import type { DuePlanEmail, PlanEmailDay } from "../src/core/plan/plan-store.ts";
import { lockAlert, selectAlerts } from "./alerts.ts";
import type { Queries, Reader, StoreTools, Tx } from "./context.ts";
import { insertLinks, unlessLinkTaken } from "./links.ts";
import { insertEmails, withdrawPlanEmails } from "./outbox.ts";
import { changeIds, hasRow, isExactly, lockRows } from "./queries.ts";
import { countHits, subjectsOf } from "./rate-limits.ts";
import { lockCounter } from "./index-feed.ts";

/** Plans of the first days, and how animals came home. */
export function planQueries(tools: StoreTools) {
  const { alert, outcome, outcomeStep, planEmail, planStep } = tools.tables;
  const { db, dialect, write } = tools;
  const isUnmuted = and(
    sql`status = 'active'`,
    isNotNull(alert.ownerEmail),
    isNull(alert.planMutedAt),
    isNull(alert.source),
  );
  /** Condition for alerts whose email of a day is due. */
  function isDue({ day, after, upTo }: PlanEmailDay, now: number): SQL | undefined {
    const isSent = and(eq(planEmail.alertId, alert.id), gte(planEmail.day, day));
    const sent = db.select({ alertId: planEmail.alertId }).from(planEmail).where(isSent);
    return and(
      gt(alert.publishedAt, after),
      lte(alert.publishedAt, upTo),
      gt(alert.expiresAt, now),
      isUnmuted,
      notExists(sent),
    );
  }

  return {
    donePlanSteps: (alertId) => doneSteps(tools, alertId),

    markPlanStep: (alertId, step, isDone, now) =>
      write([], async (tx) => {
        const isActive = and(eq(alert.id, alertId), eq(alert.status, "active"));
        if (!(await lockAlert(tx, isActive))) return false;
        if (!isDone)
          await tx.db
            .delete(planStep)
            .where(and(eq(planStep.alertId, alertId), eq(planStep.step, step)));
        else
          await tx.db.insert(planStep).values({ alertId, step, doneAt: now }).onConflictDoNothing();
        await withdrawPlanEmails(tx, [alertId], now);
        return true;
      }),

    async mutePlanEmails(alertId, now) {
      await write([], (tx) => mute(tx, eq(alert.id, alertId), now));
    },

    async mutePlanEmailsOfOwner(owner, now) {
      await write([], (tx) => mute(tx, isExactly(alert.ownerEmail, owner), now));
    },

    async mailboxesDuePlanEmails(days, now, limit) {
      const mailbox = sql<string>`${alert.ownerEmail}`;
      const mailboxes = new Set<string>();
      for (const day of days) {
        const rows = await db
          .select({ mailbox })
          .from(alert)
          .where(isDue(day, now))
          .groupBy(mailbox)
          .orderBy(asc(min(alert.publishedAt)))
          .limit(limit);
        for (const row of rows) mailboxes.add(row.mailbox);
      }
      return [...mailboxes].slice(0, limit);
    },

    async duePlanEmails(mailbox, days, now, limit) {
      const ofMailbox = isExactly(alert.ownerEmail, mailbox);
      const due: Pick<DuePlanEmail, "alert" | "day">[] = [];
      for (const day of days) {
        const which = and(ofMailbox, isDue(day, now));
        const alerts = await selectAlerts(tools, which, limit, asc(alert.publishedAt));
        due.push(...alerts.map((alert) => ({ alert, day: day.day })));
      }
      const ids = due.map(({ alert }) => alert.id);
      const rows = await db.select().from(planStep).where(dialect.inList(planStep.alertId, ids));
      const doneBy = Map.groupBy(rows, ({ alertId }) => alertId);
      return due.map((one) => ({
        ...one,
        done: (doneBy.get(one.alert.id) ?? []).map(({ step }) => step),
      }));
    },

    async addPlanEmail(about, email, links, hits = []) {
      const ids = about.map(({ alert }) => alert.id);
      const isSameOwner = isExactly(alert.ownerEmail, about[0]?.alert.ownerEmail ?? "");
      const asSeen = and(dialect.inList(alert.id, ids), isUnmuted, isSameOwner);
      const adding = write(subjectsOf(hits), async (tx) => {
        if ((await lockRows(tx, alert, asSeen, "share")).length < ids.length) return;
        const entries = about.map(({ alert, day }) => ({ alertId: alert.id, day }));
        for (const { alertId, day } of entries) {
          const same = and(eq(planEmail.alertId, alertId), eq(planEmail.day, day));
          if (await hasRow(tx, planEmail, same)) return;
        }
        await tx.insertAll(planEmail, entries);
        if (email === null || (await countHits(tx, hits, email.createdAt)) !== null) return;
        await insertLinks(tx, links);
        await insertEmails(tx, [email], ids.length === 1 ? `alert:${ids[0]}` : null);
      });
      await unlessLinkTaken(adding);
    },

    addOutcome(alertId, reported) {
      const untold = and(
        eq(alert.id, alertId),
        eq(alert.status, "resolved"),
        eq(alert.outcomeTold, false),
      );
      return write([], async (tx) => {
        const told = await changeIds(tx, alert, { outcomeTold: true }, untold);
        if (told.length === 0) return false;
        // Outcomes become visible in the order of their numbers: an export that has seen one has missed no lower one.
        await lockCounter(tx);
        await tx.db.insert(outcome).values(reported);
        await countSteps(tx, alertId, reported);
        return true;
      });
    },

    hasOutcome: (alertId) =>
      hasRow(tools, alert, and(eq(alert.id, alertId), eq(alert.outcomeTold, true))),

    async outcomesAfter(number, limit) {
      const { id } = outcome;
      const later = gt(id, number);
      const rows = await db.select().from(outcome).where(later).orderBy(asc(id)).limit(limit);
      return rows.map(({ id, ...columns }) => ({ number: id, outcome: columns }));
    },

    returnWays: async (beforeWeek) =>
      db
        .select({
          week: outcome.week,
          species: outcome.species,
          by: sql<NonNullable<Outcome["how"]>>`${outcome.how}`,
          animals: count(),
        })
        .from(outcome)
        .where(and(eq(outcome.type, "lost"), lt(outcome.week, beforeWeek), isNotNull(outcome.how)))
        .groupBy(outcome.week, outcome.species, outcome.how),

    returnSteps: async (beforeWeek) =>
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

async function mute(tx: Tx, which: SQL, now: number): Promise<void> {
  const muted = await changeIds(tx, tx.tables.alert, { planMutedAt: now }, which);
  await withdrawPlanEmails(tx, muted, now);
}

/** Counts the steps that were done for an animal that came home. The counter is locked. */
async function countSteps(
  tx: Tx,
  alertId: string,
  { week, species }: Pick<Outcome, "week" | "species">,
): Promise<void> {
  const { outcomeStep } = tx.tables;
  for (const step of await doneSteps(tx, alertId))
    await tx.db
      .insert(outcomeStep)
      .values({ week, species, step, animals: 1 })
      .onConflictDoUpdate({
        target: [outcomeStep.week, outcomeStep.species, outcomeStep.step],
        set: { animals: sql`${outcomeStep.animals} + 1` },
      });
}

async function doneSteps({ db, tables: { planStep } }: Reader, alertId: string) {
  const rows = await db.select().from(planStep).where(eq(planStep.alertId, alertId));
  return rows.map(({ step }) => step);
}
