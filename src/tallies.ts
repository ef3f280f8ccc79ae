import { HOUR_MS, MINUTE_MS } from "./core/duration.ts";
import type { Limit } from "./core/limit.ts";
import type { Clock } from "./core/ports.ts";
import type { Log } from "./log.ts";
import { createCounts, type Metric } from "./metrics.ts";

const MAIL_OUTCOMES = ["sent", "refused", "deferred", "later", "given_up"] as const;
export type MailOutcome = (typeof MAIL_OUTCOMES)[number];

/** What is counted as it happens, for whoever looks later. */
export type Tallies = {
  /** The log, listened to: all that the service logs goes through here. */
  readonly log: Log;
  /** A caller was held back by this limit. */
  readonly heldBack: (limit: Limit) => void;
  /** What became of a letter when it was tried. */
  readonly noteLetter: (outcome: MailOutcome) => void;
  /** A duty failed in a tick. */
  readonly noteTickFailure: () => void;
  /** Whether the last try at the daily backup failed. */
  readonly backupFails: boolean;
  /** Letters given up within the hour before. */
  readonly givenUpLately: (now: number) => number;
  readonly metrics: () => readonly Metric[];
};

/** So far back a letter that was given up is worth a word. */
const LATELY_MS = HOUR_MS;

export function createTallies(log: Log, clock: Clock): Tallies {
  const events = createCounts(
    "pet_alert_log_events_total",
    "Events of the log, those too that were left out of it.",
    "event",
    ["bug", "tick_failed", "backup_failed"],
  );
  const limits = createCounts(
    "pet_alert_limits_hit_total",
    "Callers held back, by what they did too often.",
    "limit",
    ["read"],
  );
  const letters = createCounts(
    "pet_alert_mail_letters_total",
    "What became of letters each time they were tried; later: the mail server took none.",
    "outcome",
    MAIL_OUTCOMES,
  );
  const givenUp = createLately(LATELY_MS);
  let tickFailures = 0;
  let backupFails = false;

  return {
    log(event, details) {
      events.add(event);
      if (event === "backup_failed") backupFails = true;
      if (event === "backup") backupFails = false;
      log(event, details);
    },
    heldBack: limits.add,
    noteLetter(outcome) {
      letters.add(outcome);
      if (outcome === "given_up") givenUp.add(clock());
    },
    noteTickFailure: () => void (tickFailures += 1),
    get backupFails() {
      return backupFails;
    },
    givenUpLately: givenUp.count,
    metrics: () => [
      limits.metric(),
      letters.metric(),
      {
        name: "pet_alert_tick_failures_total",
        type: "counter",
        help: "Ticks in which a duty failed.",
        samples: [{ value: tickFailures }],
      },
      events.metric(),
    ],
  };
}

/** How often something happened within `windowMs`, to the minute. */
function createLately(windowMs: number) {
  const minutes = new Map<number, number>();
  return {
    add(now: number): void {
      const minute = Math.floor(now / MINUTE_MS);
      minutes.set(minute, (minutes.get(minute) ?? 0) + 1);
    },
    count(now: number): number {
      const last = Math.floor(now / MINUTE_MS);
      for (const minute of minutes.keys()) {
        // Either way: what a clock wrote down that was ahead is nothing lately.
        if (Math.abs(last - minute) * MINUTE_MS > windowMs) minutes.delete(minute);
      }
      return [...minutes.values()].reduce((sum, times) => sum + times, 0);
    },
  };
}
