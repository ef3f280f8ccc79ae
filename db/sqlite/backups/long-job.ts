import { HOUR_MS } from "../../../src/core/duration.ts";

// Jobs that take minutes: in threads of their own, as they would block requests, and one at a time.

/** Time after which failed work is tried again. */
const RETRY_MS = HOUR_MS;

/**
 * Job whose work runs once at a time, and not within an hour after it failed. The work logs why it failed and throws. Nothing
 * here rejects.
 */
export function createLongJob<Args extends readonly unknown[]>(
  work: (now: number, stopped: AbortSignal, ...args: Args) => Promise<void>,
) {
  const ending = new AbortController();
  let underWay: Promise<void> | null = null;
  let failedAt = -Infinity;
  return {
    /** Resolves when the work is done. Callers need not wait for it. */
    tick(now: number, ...args: Args): Promise<void> {
      if (underWay !== null) return underWay;
      if (now >= failedAt && now < failedAt + RETRY_MS) return Promise.resolve();
      underWay = work(now, ending.signal, ...args)
        .then(
          () => void (failedAt = -Infinity),
          () => void (failedAt = now),
        )
        .finally(() => {
          underWay = null;
        });
      return underWay;
    },
    /** Cancels the work. */
    async stop(): Promise<void> {
      ending.abort();
      await underWay;
    },
    isFailing: () => failedAt !== -Infinity,
  };
}

/** Message of a worker. */
export type WorkerReport<Result> =
  | { readonly kind: "progress"; readonly done: number; readonly of: number }
  | { readonly kind: "done"; readonly result: Result }
  | { readonly kind: "failed"; readonly why: string };

/** Has a worker carry out an order. Rejects with its reason, or when it is stopped. */
export async function runWorker<Result>(
  file: URL,
  order: unknown,
  stopped: AbortSignal | undefined,
  onProgress: (done: number, of: number) => void = () => {},
): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  const cancel = () => reject(new Error("it was stopped"));
  if (stopped?.aborted) cancel();
  stopped?.addEventListener("abort", cancel);
  const worker = new Worker(file.href, { smol: true });
  worker.onerror = ({ message }) => reject(new Error(message));
  worker.onmessage = ({ data }: MessageEvent<WorkerReport<Result>>) => {
    if (data.kind === "progress") onProgress(data.done, data.of);
    else if (data.kind === "done") resolve(data.result);
    else reject(new Error(data.why));
  };
  try {
    worker.postMessage(order);
    return await promise;
  } finally {
    stopped?.removeEventListener("abort", cancel);
    worker.terminate();
  }
}
