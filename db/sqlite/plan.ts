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
import { alias } from "drizzle-orm/sqlite-core";
import type { DuePlanEmail, PlanEmailDay } from "../../src/core/store/plan.ts";
import { selectAlerts } from "./alerts.ts";
import type { Queries, StoreTools } from "./context.ts";
import { idsOf, isAddress } from "../expressions.ts";
import { countRows, hasRow, inList } from "./expressions.ts";
import { insertLinks } from "./links.ts";
import { insertEmails, withdrawPlanEmails } from "./outbox.ts";
import { planEmail, planStep } from "./plan-schema.ts";
import { countHits } from "./rate-limits.ts";
import { alert } from "./schema.ts";

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
    donePlanSteps: (alertId) =>
      db
        .select({ step: planStep.step })
        .from(planStep)
        .where(eq(planStep.alertId, alertId))
        .all()
        .map(({ step }) => step),

    markPlanStep(alertId, step, isDone, now) {
      return write(() => {
        if (!hasRow(db, alert, and(eq(alert.id, alertId), eq(alert.status, "active"))))
          return false;
        if (!isDone)
          db.delete(planStep)
            .where(and(eq(planStep.alertId, alertId), eq(planStep.step, step)))
            .run();
        else db.insert(planStep).values({ alertId, step, doneAt: now }).onConflictDoNothing().run();
        withdrawPlanEmails(tools, [alertId], now);
        return true;
      });
    },

    mutePlanEmails(alertId, now) {
      write(() => mute(tools, [alertId], now));
    },

    mutePlanEmailsOfOwner(alertId, now) {
      const own = alias(alert, "own");
      write(() => {
        const ofOwner = db
          .select({ id: alert.id })
          .from(own)
          .innerJoin(alert, eq(sql`lower(${alert.ownerEmail})`, sql`lower(${own.ownerEmail})`))
          .where(and(eq(own.id, alertId), isNotNull(alert.ownerEmail)))
          .all();
        mute(tools, idsOf(ofOwner), now);
      });
    },

    mailboxesDuePlanEmails(days, now, limit) {
      const mailbox = sql<string>`lower(${alert.ownerEmail})`;
      const rows = days.flatMap((day) =>
        db
          .select({ mailbox })
          .from(alert)
          .where(isDue(day, now))
          .groupBy(mailbox)
          .orderBy(asc(min(alert.publishedAt)))
          .limit(limit)
          .all(),
      );
      return [...new Set(rows.map((row) => row.mailbox))].slice(0, limit);
    },

    duePlanEmails(mailbox, days, now, limit) {
      const ofMailbox = isAddress(alert.ownerEmail, mailbox);
      const due = days.flatMap((day) =>
        selectAlerts(tools, and(ofMailbox, isDue(day, now)), limit, asc(alert.publishedAt)).map(
          (alert) => ({ alert, day: day.day }),
        ),
      );
      const ids = due.map(({ alert }) => alert.id);
      const rows = db.select().from(planStep).where(inList(planStep.alertId, ids)).all();
      const doneBy = Map.groupBy(rows, ({ alertId }) => alertId);
      return due.map((one) => ({
        ...one,
        done: (doneBy.get(one.alert.id) ?? []).map(({ step }) => step),
      }));
    },

    addPlanEmail(about, email, links, hits = []) {
      const ids = about.map(({ alert }) => alert.id);
      const isSameOwner = isAddress(alert.ownerEmail, about[0]?.alert.ownerEmail ?? "");
      const asSeen = and(inList(alert.id, ids), isUnmuted, isSameOwner);
      write(() => {
        if (countRows(db, alert, asSeen) < ids.length) return;
        if (about.some((one) => hasRow(db, planEmail, isEntry(one)))) return;
        for (const one of about)
          db.insert(planEmail).values({ alertId: one.alert.id, day: one.day }).run();
        if (email === null || countHits(tools, hits, email.createdAt) !== null) return;
        insertLinks(tools, links);
        insertEmails(tools, [email], ids.length === 1 ? `alert:${ids[0]}` : null);
      });
    },
  } satisfies Queries;
}

function isEntry({ alert, day }: Pick<DuePlanEmail, "alert" | "day">): SQL | undefined {
  return and(eq(planEmail.alertId, alert.id), eq(planEmail.day, day));
}

/** Only inside `write`. */
function mute(tools: StoreTools, alertIds: readonly string[], now: number): void {
  tools.db.update(alert).set({ planMutedAt: now }).where(inList(alert.id, alertIds)).run();
  withdrawPlanEmails(tools, alertIds, now);
}
