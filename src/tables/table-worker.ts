import type { Log } from "../ops/log.ts";

/** Pulls tables in the background, one run at a time. */
export function createTableWorker(pullDue: (signal: AbortSignal) => Promise<void>, log: Log) {
  const stopping = new AbortController();
  let running: Promise<void> | null = null;

  async function run(): Promise<void> {
    try {
      await pullDue(stopping.signal);
    } catch (error) {
      // A store that was closed while a table was read has ended this.
      if (!stopping.signal.aborted) log("table_failed", { error });
    }
  }

  return {
    /** Pulls what is due. Overlapping calls share one run. Never rejects. */
    tick(): Promise<void> {
      if (stopping.signal.aborted) return Promise.resolve();
      running ??= run().finally(() => {
        running = null;
      });
      return running;
    },
    /** Ends the pull in progress, which is repeated later. */
    async stop(): Promise<void> {
      stopping.abort();
      await running;
    },
  };
}
