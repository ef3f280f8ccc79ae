import { pgTable, primaryKey } from "drizzle-orm/pg-core";
import type { Species } from "../../src/core/alerts/alert.ts";
import type { PlanStepId } from "../../src/core/plan/steps.ts";
import { number, text } from "./columns.ts";
import { ofAlert } from "./schema.ts";

/** Steps of the plan of an alert that its owner has done. */
export const planStep = pgTable(
  "plan_step",
  {
    alertId: ofAlert("alert_id"),
    step: text().$type<PlanStepId>().notNull(),
    doneAt: number("done_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.alertId, table.step] })],
);

/** Emails about the plan: one for each alert and day, counted from its publication. A row also stands for one not needed. */
export const planEmail = pgTable(
  "plan_email",
  { alertId: ofAlert("alert_id"), day: number().notNull() },
  (table) => [primaryKey({ columns: [table.alertId, table.day] })],
);

/** Numbers of animals that came home after a step was done, without a reference to an alert or an outcome. */
export const outcomeStep = pgTable(
  "outcome_step",
  {
    /** Monday of the week, YYYY-MM-DD. */
    week: text().notNull(),
    species: text().$type<Species>().notNull(),
    step: text().$type<PlanStepId>().notNull(),
    animals: number().notNull(),
  },
  (table) => [primaryKey({ columns: [table.week, table.species, table.step] })],
);
