import type { MatchContext } from "./score.ts";
import { createCommonness } from "./commonness.ts";
import { createCrowd } from "./crowd.ts";
import type { MatchSubject } from "./subject.ts";

/** What scores are seen against, learned from the instance's active alerts as they come and go. */
export type Standing = {
  readonly context: MatchContext;
  /** An alert that was not active is active now. */
  add(alert: MatchSubject): void;
  /** An active alert ended. */
  remove(alert: MatchSubject): void;
};

export function createStanding(): Standing {
  const commonness = createCommonness();
  const crowd = createCrowd();
  return {
    context: { commonness, around: crowd.around },
    add(alert) {
      commonness.add(alert);
      crowd.add(alert);
    },
    remove(alert) {
      commonness.remove(alert);
      crowd.remove(alert);
    },
  };
}
