import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Species } from "../../src/core/alerts/alert.ts";
import type { PlanStepId } from "../../src/core/plan/steps.ts";
import { ofAlert } from "./schema.ts";

/** Steps of the plan of an alert that its owner has done. */
export const planStep = sqliteTable(
  "plan_step",
  {
    alertId: ofAlert("alert_id"),
    step: text().$type<PlanStepId>().notNull(),
    doneAt: integer("done_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.alertId, table.step] })],
);

/** Emails about the plan: one for each alert and day, counted from its publication. A row also stands for one not needed. */
export const planEmail = sqliteTable(
  "plan_email",
  { alertId: ofAlert("alert_id"), day: integer().notNull() },
  (table) => [primaryKey({ columns: [table.alertId, table.day] })],
);

/** Numbers of animals that came home after a step was done, without a reference to an alert or an outcome. */
export const outcomeStep = sqliteTable(
  "outcome_step",
  {
    /** Monday of the week, YYYY-MM-DD. */
    week: text().notNull(),
    species: text().$type<Species>().notNull(),
    step: text().$type<PlanStepId>().notNull(),
    animals: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.week, table.species, table.step] })],
);
