import { Fault } from "./fault.ts";

const RETRY_SECONDS = 10;

/**
 * Creates a queue that runs at most `atOnce` tasks at a time. Networks take turns, each with its oldest task. Beyond
 * `waitingMax` waiting tasks, or `perNetwork` tasks of one network, running ones included, it throws `unavailable`.
 */
export function createTaskQueue(max: {
  readonly atOnce: number;
  readonly perNetwork: number;
  readonly waitingMax: number;
}) {
  /** Tasks by network. */
  const counts = new Map<string, number>();
  /** Waiting tasks by network, in the order of their turns. */
  const waiting = new Map<string, readonly (() => void)[]>();
  let waitingCount = 0;
  let running = 0;

  /** Starts the next waiting task, or frees a place. */
  function startNext(): void {
    for (const [network, [start, ...later]] of waiting) {
      waiting.delete(network);
      if (later.length > 0) waiting.set(network, later);
      waitingCount -= 1;
      return start?.();
    }
    running -= 1;
  }

  return async <Result>(network: string, work: () => Promise<Result>): Promise<Result> => {
    const count = counts.get(network) ?? 0;
    if (count >= max.perNetwork || waitingCount >= max.waitingMax)
      throw new Fault(
        "unavailable",
        { reason: "photos_wait" },
        { retryAfterSeconds: RETRY_SECONDS },
      );
    counts.set(network, count + 1);
    if (running < max.atOnce) running += 1;
    // Whoever ends leaves its place to the next one.
    else {
      waitingCount += 1;
      await new Promise<void>((start) =>
        waiting.set(network, [...(waiting.get(network) ?? []), start]),
      );
    }
    try {
      return await work();
    } finally {
      startNext();
      const left = (counts.get(network) ?? 1) - 1;
      if (left === 0) counts.delete(network);
      else counts.set(network, left);
    }
  };
}
