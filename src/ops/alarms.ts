import { HOUR_MS } from "../core/duration.ts";
import type { CheckResult } from "./check-result.ts";
import type { Log } from "./log.ts";

const REPEAT_MS = HOUR_MS;

/** Alarms in the log: raised once, repeated every hour while the problem lasts, and resolved once. */
export function createAlarms(log: Log) {
  const active = new Map<string, { readonly since: number; loggedAt: number }>();
  return {
    /** Subjects of the alarms that are raised. */
    active: () => [...active.keys()],
    /** Takes the result of a check at this time. */
    report(about: string, { level, text, advice }: CheckResult, now: number): void {
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
