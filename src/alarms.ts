import { HOUR_MS } from "./core/duration.ts";
import type { Finding } from "./core/finding.ts";
import type { Log } from "./log.ts";

/** Tells the operator of trouble through the log: once, again every hour while it lasts, and once when all is well. */
export type Alarms<About extends string> = {
  /** What a look at something found, at this time. */
  hear(about: About, finding: Finding, now: number): void;
  /** Whether there is trouble about it. */
  stands(about: About): boolean;
};

/** Trouble that lasts is told again after this. */
const REPEAT_MS = HOUR_MS;

export function createAlarms<About extends string>(log: Log): Alarms<About> {
  const standing = new Map<About, { readonly since: number; toldAt: number }>();
  return {
    stands: (about) => standing.has(about),
    hear(about, { level, text, advice }, now) {
      const known = standing.get(about);
      if (level === "ok") {
        if (known !== undefined) log("well_again", { about, since: inIso(known.since) });
        standing.delete(about);
        return;
      }
      // A clock that was set back does not silence it.
      if (known !== undefined && Math.abs(now - known.toldAt) < REPEAT_MS) return;
      const since = known?.since ?? now;
      standing.set(about, { since, toldAt: now });
      log("alarm", { level: "alarm", about, since: inIso(since), text: `${text}.`, advice });
    },
  };
}

function inIso(time: number): string {
  return new Date(time).toISOString();
}
