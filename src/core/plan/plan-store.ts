import type { Alert } from "../alerts/alert.ts";
import type { Email } from "../email.ts";
import type { Hit } from "../limits.ts";
import type { PlanStepId } from "./steps.ts";
import type { PrivateLink } from "../people/link-store.ts";

/** Plans of the first days: the steps that owners have done, and the emails about them. */
export interface PlanStore {
  /** Steps of the plan of an alert that are done. */
  donePlanSteps(alertId: string): Promise<PlanStepId[]>;
  /**
   * Marks a step as done, or as not done, if the alert is active, and withdraws an email about its plan that waits, which is
   * due again. Returns false otherwise.
   */
  markPlanStep(alertId: string, step: PlanStepId, isDone: boolean, now: number): Promise<boolean>;

  /** Stops the emails about the plan of an alert, and withdraws one that waits; the other alerts in it are due again. */
  mutePlanEmails(alertId: string, now: number): Promise<void>;
  /** The same for all alerts of its owner. */
  mutePlanEmailsOfOwner(owner: string, now: number): Promise<void>;
  /** Mailboxes with an alert whose email of one of these days is due, those that have waited longest first. */
  mailboxesDuePlanEmails(
    days: readonly PlanEmailDay[],
    now: number,
    limit: number,
  ): Promise<string[]>;
  /**
   * Alerts of a mailbox whose email of one of these days is due, with the steps that are done: active at `now`, unmuted and
   * an owner's (not imported), without an entry for this day or a later one. At most `limit` for each day, oldest first.
   */
  duePlanEmails(
    mailbox: string,
    days: readonly PlanEmailDay[],
    now: number,
    limit: number,
  ): Promise<DuePlanEmail[]>;
  /**
   * Records alerts and days in the ledger, and queues the email about them, if there is one: once per alert and day, if all
   * are still active, unmuted and the same owner's, and none is recorded; otherwise nothing happens. Beyond the limits of
   * `hits` they are recorded without an email.
   */
  addPlanEmail(
    about: readonly Pick<DuePlanEmail, "alert" | "day">[],
    email: Email | null,
    links: readonly PrivateLink[],
    hits?: readonly Hit[],
  ): Promise<void>;
}

/** Day of an email about the plan. It is due for alerts published after `after` and up to `upTo`. */
export type PlanEmailDay = {
  readonly day: number;
  readonly after: number;
  readonly upTo: number;
};

/** Alert whose email of a day is due. */
export type DuePlanEmail = {
  readonly alert: Alert;
  readonly day: number;
  readonly done: readonly PlanStepId[];
};
