import type { Outcome, ReturnWay } from "./outcome.ts";
import type { PlanStepId } from "../plan/steps.ts";
import type { Species } from "../../values/animal.ts";

/** Number of animals of a species that came home in one week, by the way they did or by a step that was done. */
export type ReturnCount<By extends string> = {
  /** Monday of the week, YYYY-MM-DD. */
  readonly week: string;
  readonly species: Species;
  readonly by: By;
  readonly animals: number;
};

/** Answers of owners to how animals came home, without a reference to an alert. */
export interface OutcomeStore {
  /**
   * Stores how an animal came home, once per alert, without a reference to the alert, and counts the steps of its plan that
   * were done. Returns false if stored before.
   */
  addOutcome(alertId: string, outcome: Outcome): Promise<boolean>;
  hasOutcome(alertId: string): Promise<boolean>;
  /** Outcomes in the order they were stored, after this number; 0: from the first. */
  outcomesAfter(
    number: number,
    limit: number,
  ): Promise<{ readonly number: number; readonly outcome: Outcome }[]>;

  /** Numbers of lost animals by the way they came home, for each week before this one (YYYY-MM-DD, a Monday). */
  returnWays(beforeWeek: string): Promise<ReturnCount<ReturnWay>[]>;
  /** Numbers of animals that came home by the steps that were done, for each week before this one. */
  returnSteps(beforeWeek: string): Promise<ReturnCount<PlanStepId>[]>;
}
