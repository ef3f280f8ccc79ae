import { HOUR_MS } from "../core/duration.ts";
import type { CheckResult } from "./check-result.ts";
import type { Log } from "./log.ts";

/** Alarms in the log: raised once, repeated every hour while the problem lasts, and resolved once. */
export type Alarms<About extends string> = {
  /** Result of a check at this time. */
  report(about: About, finding: CheckResult, now: number): void;
  /** True while the alarm is raised. */
  isActive(about: About): boolean;
};

const REPEAT_MS = HOUR_MS;

export function createAlarms<About extends string>(log: Log): Alarms<About> {
  const active = new Map<About, { readonly since: number; loggedAt: number }>();
  return {
    isActive: (about) => active.has(about),
    report(about, { level, text, advice }, now) {
      const known = active.get(about);
      if (level === "ok") {
        if (known !== undefined) log("alarm_resolved", { about, since: isoTime(known.since) });
        active.delete(about);
        return;
      }
      // Absolute, so that a clock set back does not silence the alarm.
      if (known !== undefined && Math.abs(now - known.loggedAt) < REPEAT_MS) return;
      const since = known?.since ?? now;
      active.set(about, { since, loggedAt: now });
      log("alarm", { level: "alarm", about, since: isoTime(since), text: `${text}.`, advice });
    },
  };
}

function isoTime(time: number): string {
  return new Date(time).toISOString();
}
