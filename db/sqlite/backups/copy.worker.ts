import type { Contents } from "./check.ts";
import type { WorkerReport } from "./long-job.ts";
import { copyLive } from "./copy.ts";
import { isDamage } from "../open.ts";

// Copies a data folder that is in use. On the main thread this would block requests.

export type CopyOrder = {
  readonly dataDir: string;
  readonly folder: string;
};

declare const self: Worker;

self.onmessage = ({ data }: MessageEvent<CopyOrder>) => {
  const report = (message: WorkerReport<Contents>) => self.postMessage(message);
  try {
    const contents = copyLive(data.dataDir, data.folder, (done, of) =>
      report({ kind: "progress", done, of }),
    );
    report({ kind: "done", result: contents });
  } catch (error) {
    report({ kind: "failed", why: reasonOf(error) });
  }
};

function reasonOf(error: unknown): string {
  if (isDamage(error)) return "the database is damaged, or is not a database";
  return error instanceof Error ? error.message : String(error);
}
