import { type Alert, requireAlert } from "../alerts/alert.ts";
import { Fault } from "../fault.ts";
import type { Ports } from "./ports.ts";
import type { ModeratedAlert, ModerationQueueActions } from "./queue.ts";
import { OPERATOR } from "./report.ts";
import { findAlert } from "../alerts/alert-by-name.ts";

/** Moderation actions from a shell: all that need no conversation. */
export const OPERATOR_ACTS = ["hide", "restore", "remove", "block", "dismiss"] as const;
export type OperatorAct = (typeof OPERATOR_ACTS)[number];

export type AlertAtStake = ModeratedAlert & {
  /** Visible alerts of the same owner, which a block hides. */
  readonly visibleOfOwner: number;
};

/** Moderation without a session, for the machine's own shell. No network adapter may have this. */
export function createOperator(ports: Ports, queue: ModerationQueueActions) {
  return {
    /** Alert of any status, by any of its names. Throws `not_found`. */
    async moderatedAlert(name: string): Promise<AlertAtStake> {
      const alert = requireAlert(await findAlert(ports.store, name));
      return { ...queue.viewOf(alert, true), visibleOfOwner: await queue.visibleOfOwner(alert) };
    },

    /**
     * Carries an action out, logs it as the operator's and returns the alert as it is afterwards. Throws `not_found`,
     * and `conflict` if there was nothing to do.
     */
    async moderate(act: OperatorAct, name: string): Promise<ModeratedAlert> {
      const alert = requireAlert(await findAlert(ports.store, name));
      if (!(await queue.carryOut(OPERATOR, act, alert)))
        throw new Fault("conflict", nothingToDo(act, alert));
      return queue.viewOf(await queue.alertById(alert.id), false);
    },
  };
}

function nothingToDo(act: OperatorAct, { shortCode, status, ownerEmail }: Alert): string {
  switch (act) {
    case "hide":
    case "restore":
    case "remove":
      return `Nothing to do: ${shortCode} is ${status}.`;
    case "block":
      return ownerEmail === null
        ? `Nothing to do: ${shortCode} has no known owner.`
        : `Nothing to do: the owner of ${shortCode} is already blocked.`;
    case "dismiss":
      return `Nothing to do: ${shortCode} has no open reports.`;
  }
}
