import { copyBackup, type Copied, dropOldCopies } from "./copy.ts";
import type { WorkerReport } from "../../db/sqlite/backups/long-job.ts";
import { encrypterFor } from "./key.ts";
import { openTarget } from "./target.ts";
import type { CopyTarget } from "../settings/backup-copies.ts";

// Copies a backup to another place. On the main thread encrypting would block requests.

export type RemoteCopyOrder = {
  readonly folder: string;
  readonly name: string;
  readonly target: CopyTarget;
  readonly publicKey: string;
  readonly keepDays: number;
  readonly now: number;
  /** False while the clock cannot be trusted for deletions. */
  readonly mayDelete: boolean;
};

declare const self: Worker;

self.onmessage = async ({ data }: MessageEvent<RemoteCopyOrder>) => {
  const report = (message: WorkerReport<Copied | null>) => self.postMessage(message);
  try {
    const bucket = openTarget(data.target);
    const copied = await copyBackup(data, bucket, encrypterFor(data.publicKey));
    if (data.mayDelete) await dropOldCopies(bucket, data);
    report({ kind: "done", result: copied });
  } catch (error) {
    report({ kind: "failed", why: error instanceof Error ? error.message : String(error) });
  }
};
