import type { MatchContext } from "./score.ts";
import { createCommonness } from "./commonness.ts";
import { createCrowd } from "./crowd.ts";
import { type MatchSubject, readSubject } from "./subject.ts";

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
      const subject = readSubject(alert);
      commonness.add(subject);
      crowd.add(subject);
    },
    remove(alert) {
      const subject = readSubject(alert);
      commonness.remove(subject);
      crowd.remove(subject);
    },
  };
}
