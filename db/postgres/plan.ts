import {
  and,
  asc,
  eq,
  gt,
  gte,
  isNotNull,
  isNull,
  lte,
  min,
  notExists,
  type SQL,
  sql,
} from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { DuePlanEmail, PlanEmailDay } from "../../src/core/store/plan.ts";
import { lockAlert, lockAlerts, selectAlerts } from "./alerts.ts";
import type { Queries, StoreTools } from "./context.ts";
import { idsOf, isAddress } from "../expressions.ts";
import { hasRow, inList } from "./expressions.ts";
import { insertLinks, unlessLinkTaken } from "./links.ts";
import { insertEmails, withdrawPlanEmails } from "./outbox.ts";
import { planEmail, planStep } from "./plan-schema.ts";
import { countHits, subjectsOf } from "./rate-limits.ts";
import { alert } from "./schema.ts";
import type { Tx } from "./transaction.ts";

export function planQueries(tools: StoreTools) {
  const { db, write } = tools;
  const isUnmuted = and(
    sql`status = 'active'`,
    isNotNull(alert.ownerEmail),
    isNull(alert.planMutedAt),
    isNull(alert.source),
  );
  /** Condition for alerts whose email of a day is due. */
  function isDue({ day, after, upTo }: PlanEmailDay, now: number): SQL | undefined {
    const sent = db
      .select({ alertId: planEmail.alertId })
      .from(planEmail)
      .where(and(eq(planEmail.alertId, alert.id), gte(planEmail.day, day)));
    return and(
      gt(alert.publishedAt, after),
      lte(alert.publishedAt, upTo),
      gt(alert.expiresAt, now),
      isUnmuted,
      notExists(sent),
    );
  }

  return {
    async donePlanSteps(alertId) {
      const rows = await db
        .select({ step: planStep.step })
        .from(planStep)
        .where(eq(planStep.alertId, alertId));
      return rows.map(({ step }) => step);
    },

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
      await write([], (tx) => mute(tx, [alertId], now));
    },

    async mutePlanEmailsOfOwner(alertId, now) {
      const own = alias(alert, "own");
      await write([], async (tx) => {
        const ofOwner = await tx.db
          .select({ id: alert.id })
          .from(own)
          .innerJoin(alert, eq(sql`lower(${alert.ownerEmail})`, sql`lower(${own.ownerEmail})`))
          .where(and(eq(own.id, alertId), isNotNull(alert.ownerEmail)));
        await mute(tx, idsOf(ofOwner), now);
      });
    },

    async mailboxesDuePlanEmails(days, now, limit) {
      const mailbox = sql<string>`lower(${alert.ownerEmail})`;
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
      const ofMailbox = isAddress(alert.ownerEmail, mailbox);
      const due: Pick<DuePlanEmail, "alert" | "day">[] = [];
      for (const day of days) {
        const which = and(ofMailbox, isDue(day, now));
        const alerts = await selectAlerts(tools, which, limit, asc(alert.publishedAt));
        due.push(...alerts.map((alert) => ({ alert, day: day.day })));
      }
      const ids = due.map(({ alert }) => alert.id);
      const rows = await db.select().from(planStep).where(inList(planStep.alertId, ids));
      const doneBy = Map.groupBy(rows, ({ alertId }) => alertId);
      return due.map((one) => ({
        ...one,
        done: (doneBy.get(one.alert.id) ?? []).map(({ step }) => step),
      }));
    },

    async addPlanEmail(about, email, links, hits = []) {
      const ids = about.map(({ alert }) => alert.id);
      const isSameOwner = isAddress(alert.ownerEmail, about[0]?.alert.ownerEmail ?? "");
      const asSeen = and(inList(alert.id, ids), isUnmuted, isSameOwner);
      const adding = write(subjectsOf(hits), async (tx) => {
        if ((await lockAlerts(tx, asSeen)) < ids.length) return;
        for (const one of about) if (await hasRow(tx, planEmail, isEntry(one))) return;
        await tx.db
          .insert(planEmail)
          .values(about.map(({ alert, day }) => ({ alertId: alert.id, day })));
        if (email === null || (await countHits(tx, hits, email.createdAt)) !== null) return;
        await insertLinks(tx, links);
        await insertEmails(tx, [email], ids.length === 1 ? `alert:${ids[0]}` : null);
      });
      await unlessLinkTaken(adding);
    },
  } satisfies Queries;
}

function isEntry({ alert, day }: Pick<DuePlanEmail, "alert" | "day">): SQL | undefined {
  return and(eq(planEmail.alertId, alert.id), eq(planEmail.day, day));
}

async function mute(tx: Tx, alertIds: readonly string[], now: number): Promise<void> {
  await tx.db.update(alert).set({ planMutedAt: now }).where(inList(alert.id, alertIds));
  await withdrawPlanEmails(tx, alertIds, now);
}
