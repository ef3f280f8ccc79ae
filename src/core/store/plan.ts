import type { Alert } from "../alerts/alert.ts";
import type { Email } from "../email.ts";
import type { PlanStepId } from "../plan/steps.ts";
import type { PrivateLink } from "./links.ts";

/** Plans of the first days: the steps that owners have done, and the emails about them. */
export interface PlanStore {
  /** Steps of the plan of an alert that are done. */
  donePlanSteps(alertId: string): Promise<PlanStepId[]>;
  /** Marks a step as done at a time, or as not done (null), if the alert is active. Returns false otherwise. */
  markPlanStep(alertId: string, step: PlanStepId, doneAt: number | null): Promise<boolean>;

  /** Stops the emails about the plan of an alert, and withdraws one that waits. */
  mutePlanEmails(alertId: string, now: number): Promise<void>;
  /**
   * Alerts whose email of a day is due, with the steps that are done: active at `now`, unmuted and an owner's (not
   * imported), published after `after` and up to `upTo`, without an entry for this day or a later one.
   */
  duePlanEmails(
    due: {
      readonly day: number;
      readonly after: number;
      readonly upTo: number;
      readonly now: number;
    },
    limit: number,
  ): Promise<{ readonly alert: Alert; readonly done: readonly PlanStepId[] }[]>;
  /**
   * Records the day in the ledger, and queues the email, if there is one: once per alert and day, if the alert is still
   * active, unmuted and the same owner's.
   */
  addPlanEmail(
    alert: Alert,
    day: number,
    email: Email | null,
    links: readonly PrivateLink[],
  ): Promise<void>;
}
