import { Fault } from "./fault.ts";

const RETRY_SECONDS = 10;

/**
 * Creates a queue that runs tasks in the order they came, at most `atOnce` at a time. Beyond `waitingMax` waiting tasks,
 * or `perNetwork` tasks of one network, running ones included, it throws `unavailable`.
 */
export function createTaskQueue(max: {
  readonly atOnce: number;
  readonly perNetwork: number;
  readonly waitingMax: number;
}) {
  /** Tasks by network. */
  const counts = new Map<string, number>();
  const waiting: (() => void)[] = [];
  let running = 0;

  return async <Result>(network: string, work: () => Promise<Result>): Promise<Result> => {
    const count = counts.get(network) ?? 0;
    if (count >= max.perNetwork || waiting.length >= max.waitingMax)
      throw new Fault(
        "unavailable",
        { reason: "photos_wait" },
        { retryAfterSeconds: RETRY_SECONDS },
      );
    counts.set(network, count + 1);
    if (running < max.atOnce) running += 1;
    // Whoever ends leaves its place to the next one.
    else await new Promise<void>((start) => waiting.push(start));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
      const left = (counts.get(network) ?? 1) - 1;
      if (left === 0) counts.delete(network);
      else counts.set(network, left);
    }
  };
}
