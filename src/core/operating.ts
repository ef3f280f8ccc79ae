import type { Alert } from "./alert.ts";
import { type ModeratedAlert, type ModerationDesk, requireKnown } from "./desk.ts";
import { Fault } from "./fault.ts";
import { OPERATOR } from "./report.ts";

/** What the operator can do from a shell: all that needs no conversation to point at. */
export const OPERATOR_ACTS = ["hide", "restore", "remove", "block", "dismiss"] as const;
export type OperatorAct = (typeof OPERATOR_ACTS)[number];

/** An alert before an act of the operator's. */
export type AlertAtStake = ModeratedAlert & {
  /** How many alerts of its owner can be seen: what a block hides. */
  readonly shownOfOwner: number;
};

/** Moderating without a session: whoever may use the machine's own shell needs none, and no door of the network gets this. */
export function createOperating(
  desk: ModerationDesk,
  lookUp: (name: string) => Promise<Alert | null>,
) {
  return {
    /** What moderators look at. */
    desk: desk.seen,

    /** An alert by any of its names, hidden and removed ones too. Throws `not_found`. */
    async standingOf(name: string): Promise<AlertAtStake> {
      const alert = requireKnown(await lookUp(name));
      return { ...desk.faceOf(alert, true), shownOfOwner: await desk.shownOfOwner(alert) };
    },

    /**
     * Does it, and writes it down as the operator's; gives the alert as it stands then. Throws `not_found`, and
     * `conflict` when there was nothing to do.
     */
    async operate(act: OperatorAct, name: string): Promise<ModeratedAlert> {
      const alert = requireKnown(await lookUp(name));
      if (!(await desk.carryOut(OPERATOR, act, alert)))
        throw new Fault("conflict", nothingToDo(act, alert));
      return desk.faceOf(await desk.alertOf(alert.id), false);
    },
  };
}

/** In a sentence. */
function nothingToDo(act: OperatorAct, { shortCode, status, ownerEmail }: Alert): string {
  switch (act) {
    case "hide":
    case "restore":
    case "remove":
      return `Nothing was done: ${shortCode} is ${status}.`;
    case "block":
      return ownerEmail === null
        ? `Nothing was done: nobody is known to own ${shortCode}.`
        : `Nothing was done: the owner of ${shortCode} is blocked already.`;
    case "dismiss":
      return `Nothing was done: nothing is reported about ${shortCode}.`;
  }
}
