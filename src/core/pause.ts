import { HOUR_MS, MINUTE_MS } from "./duration.ts";

export const PAUSE_MIN_MS = MINUTE_MS;
export const PAUSE_MAX_MS = HOUR_MS;

/**
 * Pause after a failure: a minute, doubled up to an hour while nothing succeeds. Failures during a pause do not double it,
 * but the longest wait that was asked for counts.
 */
export function createPause() {
  let until: number | null = null;
  let nextMs = PAUSE_MIN_MS;
  /** A pause beyond the maximum was set before the clock stepped back. */
  const holds = (now: number) => until !== null && now < until && until - now <= PAUSE_MAX_MS;
  return {
    /** Its end, kept until a success; null if there is none. */
    get until() {
      return until;
    },
    holds,
    /** Returns its end. `askedMs`: wait that the other side asks for. */
    begin(now: number, askedMs: number | null = null): number {
      if (until !== null && holds(now)) return (until = Math.max(until, now + (askedMs ?? 0)));
      until = now + Math.max(PAUSE_MIN_MS, askedMs ?? nextMs);
      nextMs = Math.min(2 * nextMs, PAUSE_MAX_MS);
      return until;
    },
    end(): void {
      until = null;
      nextMs = PAUSE_MIN_MS;
    },
  };
}
