import { Fault } from "./fault.ts";

const RETRY_SECONDS = 10;

/** Runs work, after waiting if necessary. Throws `unavailable` if the queue is full. */
export type FairQueue = <Result>(
  client: string,
  work: () => Promise<Result>,
  weight?: number,
) => Promise<Result>;

type Waiting = {
  readonly weight: number;
  readonly start: () => void;
  readonly refuse: () => void;
};

/**
 * Runs at most `atOnce` tasks with a total weight of at most `weightMax`; a heavier task runs alone. Up to `waitingMax`
 * more wait. Clients are served in turn, so a client with many tasks delays only its own, and when the queue is full the
 * client with the most waiting tasks loses its newest.
 */
export function createFairQueue(max: {
  readonly atOnce: number;
  readonly waitingMax: number;
  readonly weightMax?: number;
}): FairQueue {
  const { atOnce, waitingMax, weightMax = Number.POSITIVE_INFINITY } = max;
  /** Waiting work by client; the first client is served next. */
  const queues = new Map<string, Waiting[]>();
  let waitingCount = 0;
  let runningCount = 0;
  let runningWeight = 0;

  const fits = (weight: number) =>
    runningCount === 0 || (runningCount < atOnce && runningWeight + weight <= weightMax);

  function begin(weight: number): void {
    runningCount += 1;
    runningWeight += weight;
  }

  function end(weight: number): void {
    runningCount -= 1;
    runningWeight -= weight;
    for (let first = queues.entries().next(); !first.done; first = queues.entries().next()) {
      const [client, queue] = first.value;
      const [next] = queue;
      if (next === undefined || !fits(next.weight)) return;
      queue.shift();
      waitingCount -= 1;
      queues.delete(client);
      if (queue.length > 0) queues.set(client, queue);
      begin(next.weight);
      next.start();
    }
  }

  function wait(client: string, weight: number): Promise<void> {
    const queue = queues.get(client) ?? [];
    if (waitingCount >= waitingMax) {
      const longest = [...queues.values()].reduce((a, b) => (b.length > a.length ? b : a), queue);
      if (longest.length <= queue.length + 1) throw refusal();
      longest.pop()?.refuse();
      waitingCount -= 1;
    }
    return new Promise((start, reject) => {
      queue.push({ weight, start, refuse: () => reject(refusal()) });
      queues.set(client, queue);
      waitingCount += 1;
    });
  }

  return async (client, work, weight = 1) => {
    if (waitingCount === 0 && fits(weight)) begin(weight);
    else await wait(client, weight);
    try {
      return await work();
    } finally {
      end(weight);
    }
  };
}

function refusal(): Fault {
  return new Fault("unavailable", { reason: "photos_wait" }, { retryAfterSeconds: RETRY_SECONDS });
}
