import { Fault } from "../core/fault.ts";

const RETRY_SECONDS = 10;

/**
 * Lets at most `atOnce` pieces of work run at a time; up to `waitingMax` more wait their turn, first come first
 * served. Work beyond that is not begun: it throws `unavailable`.
 */
export function createTurns({ atOnce, waitingMax }: { atOnce: number; waitingMax: number }) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (running < atOnce) running += 1;
    else if (waiting.length < waitingMax) await new Promise<void>((go) => waiting.push(go));
    else
      throw new Fault(
        "unavailable",
        { reason: "photos_wait" },
        { retryAfterSeconds: RETRY_SECONDS },
      );
    try {
      return await work();
    } finally {
      // Whoever waits takes this place over, so that nobody who comes just now slips in between.
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
