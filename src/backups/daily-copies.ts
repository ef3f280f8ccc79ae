import { join } from "node:path";
import { BACKUPS, newestBackup, timeOfBackup } from "../../db/sqlite/backups/daily-backups.ts";
import { HOUR_MS } from "../core/duration.ts";
import type { CopyState } from "../ops/health-checks.ts";
import type { Copied } from "./copy.ts";
import { encrypterFor } from "./key.ts";
import type { RemoteCopyOrder, RemoteCopyReport } from "./remote-copy.worker.ts";
import type { CopyTarget } from "../settings/backup-copies.ts";

/** Time after which a failed copy is tried again. */
const RETRY_MS = HOUR_MS;

/**
 * Copies each daily backup of a data folder to another place, encrypted, and deletes copies after `keepDays`. Nothing here
 * rejects: failures are logged, and tried again an hour later. Throws `bad_input` if the public key is not valid.
 */
export function createDailyCopies(how: {
  readonly dataDir: string;
  readonly target: CopyTarget;
  readonly publicKey: string;
  readonly keepDays: number;
  readonly log: (event: string, details: Readonly<Record<string, unknown>>) => void;
}) {
  encrypterFor(how.publicKey);
  const ending = new AbortController();
  let underWay: Promise<void> | null = null;
  let copied: string | null = null;
  let failedAt = -Infinity;

  async function copy(name: string, now: number, mayDelete: boolean): Promise<void> {
    const { target, publicKey, keepDays } = how;
    const folder = join(how.dataDir, BACKUPS, name);
    const order = { folder, name, target, publicKey, keepDays, now, mayDelete };
    try {
      const made = await copyInWorker(order, ending.signal);
      copied = name;
      failedAt = -Infinity;
      if (made !== null) how.log("backup_copy", { name, ...made });
    } catch (error) {
      failedAt = now;
      const text = error instanceof Error ? error.message : String(error);
      if (!ending.signal.aborted) how.log("backup_copy_failed", { name, text });
    }
  }

  /** Null also if the backups cannot be read: then they fail, which is an alarm of its own. */
  function nameOfNewest(now: number): string | null {
    try {
      return newestBackup(how.dataDir, now);
    } catch {
      return null;
    }
  }

  return {
    /** Copies the newest backup if it is not copied yet; resolves when it is. Callers need not wait for it. */
    async tick(now: number, isSteady: (now: number) => Promise<boolean>): Promise<void> {
      if (underWay !== null) return underWay;
      const mayTry = now >= failedAt + RETRY_MS || now < failedAt;
      const name = mayTry ? nameOfNewest(now) : null;
      if (name === null || name === copied) return;
      underWay = isSteady(now)
        .catch(() => false)
        .then((mayDelete) => copy(name, now, mayDelete))
        .finally(() => {
          underWay = null;
        });
      return underWay;
    },
    /** Cancels a copy that is being made. */
    async stop(): Promise<void> {
      ending.abort();
      await underWay;
    },
    state: (): CopyState => ({
      lastAt: copied === null ? null : timeOfBackup(copied),
      isFailing: failedAt !== -Infinity,
    }),
  };
}

/** Copies in a worker thread: encrypting would block requests. */
async function copyInWorker(order: RemoteCopyOrder, stopped: AbortSignal): Promise<Copied | null> {
  const { promise, resolve, reject } = Promise.withResolvers<Copied | null>();
  const cancel = () => reject(new Error("it was stopped"));
  if (stopped.aborted) cancel();
  stopped.addEventListener("abort", cancel);
  const worker = new Worker(new URL("./remote-copy.worker.ts", import.meta.url).href, {
    smol: true,
  });
  worker.onerror = ({ message }) => reject(new Error(message));
  worker.onmessage = ({ data }: MessageEvent<RemoteCopyReport>) =>
    data.kind === "done" ? resolve(data.copied) : reject(new Error(data.why));
  try {
    worker.postMessage(order);
    return await promise;
  } finally {
    stopped.removeEventListener("abort", cancel);
    worker.terminate();
  }
}
