import { join } from "node:path";
import { BACKUPS, newestBackup, timeOfBackup } from "../../db/sqlite/backups/daily-backups.ts";
import { createLongJob, runWorker } from "../../db/sqlite/backups/long-job.ts";
import type { CopyState } from "../ops/health-checks.ts";
import type { CopyTarget } from "../settings/backup-copies.ts";
import type { Copied } from "./copy.ts";
import { encrypterFor } from "./key.ts";
import type { RemoteCopyOrder } from "./remote-copy.worker.ts";

/**
 * Copies each daily backup of a data folder to another place, encrypted, and deletes copies after `keepDays`. Failures are
 * logged, and tried again an hour later. Throws `bad_input` if the public key is not valid.
 */
export function createDailyCopies(how: {
  readonly dataDir: string;
  readonly target: CopyTarget;
  readonly publicKey: string;
  readonly keepDays: number;
  readonly log: (event: string, details: Readonly<Record<string, unknown>>) => void;
}) {
  const { target, publicKey, keepDays } = how;
  encrypterFor(publicKey);
  let copied: string | null = null;

  /** Null also if the backups cannot be read: then they fail, which is an alarm of its own. */
  function nameOfNewest(now: number): string | null {
    try {
      return newestBackup(how.dataDir, now);
    } catch {
      return null;
    }
  }

  const { tick, stop, isFailing } = createLongJob(
    async (now, stopped, isSteady: (now: number) => Promise<boolean>) => {
      const name = nameOfNewest(now);
      if (name === null || name === copied) return;
      const mayDelete = await isSteady(now).catch(() => false);
      const folder = join(how.dataDir, BACKUPS, name);
      const order: RemoteCopyOrder = { folder, name, target, publicKey, keepDays, now, mayDelete };
      const worker = new URL("./remote-copy.worker.ts", import.meta.url);
      try {
        const made = await runWorker<Copied | null>(worker, order, stopped);
        copied = name;
        if (made !== null) how.log("backup_copy", { name, ...made });
      } catch (error) {
        const text = error instanceof Error ? error.message : String(error);
        if (!stopped.aborted) how.log("backup_copy_failed", { name, text });
        throw error;
      }
    },
  );
  return {
    tick,
    stop,
    state: (): CopyState => ({
      lastAt: copied === null ? null : timeOfBackup(copied),
      isFailing: isFailing(),
    }),
  };
}
