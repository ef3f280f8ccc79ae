import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { Fault } from "../../src/core/fault.ts";
import type { Contents } from "./contents.ts";
import type { CopyOrder, CopyReport } from "./copy.worker.ts";
import type { CopyProgress } from "./copying.ts";
import { DATABASE_FILE } from "./open.ts";

/** What a folder is called until its backup is whole. */
export const UNFINISHED = ".part";

/** How a backup is watched and called off. */
export type BackupWatch = {
  readonly progress?: CopyProgress;
  readonly stopped?: AbortSignal;
};

/**
 * Copies the state of a data folder into a new folder, while the service goes on. The database is copied in one piece
 * and checked; the folder appears under its name only when all is there and on the disk. Throws `conflict` where there
 * is something by that name, `not_found` where there is nothing to copy, `unavailable` when it goes wrong or is called
 * off, each in words for the operator.
 */
export async function backUp(
  dataDir: string,
  folder: string,
  watch: BackupWatch = {},
): Promise<Contents> {
  const whole = resolve(folder);
  if (existsSync(whole))
    throw new Fault("conflict", `There is something at ${folder} already. Name another folder.`);
  if (!existsSync(join(dataDir, DATABASE_FILE)))
    throw new Fault("not_found", `There is no database in ${dataDir}: nothing to back up.`);
  const unfinished = `${whole}${UNFINISHED}`;
  try {
    rmSync(unfinished, { recursive: true, force: true });
    mkdirSync(unfinished, { recursive: true, mode: 0o700 });
    const contents = await copyApart({ dataDir, folder: unfinished }, watch);
    renameSync(unfinished, whole);
    return contents;
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    const why = error instanceof Error ? error.message : String(error);
    throw new Fault("unavailable", `The backup to ${folder} failed: ${why.replace(/\.$/, "")}.`);
  }
}

/** Copies in a thread of its own. */
async function copyApart(order: CopyOrder, { progress, stopped }: BackupWatch): Promise<Contents> {
  const { promise, resolve: finish, reject } = Promise.withResolvers<Contents>();
  const callOff = () => reject(new Error("it was stopped"));
  if (stopped?.aborted) callOff();
  stopped?.addEventListener("abort", callOff);
  const worker = new Worker(new URL("./copy.worker.ts", import.meta.url).href, { smol: true });
  worker.onerror = ({ message }) => reject(new Error(message));
  worker.onmessage = ({ data }: MessageEvent<CopyReport>) => {
    switch (data.kind) {
      case "progress":
        return progress?.(data.photos, data.of);
      case "done":
        return finish(data.contents);
      case "failed":
        return reject(new Error(data.why));
    }
  };
  try {
    worker.postMessage(order);
    return await promise;
  } finally {
    stopped?.removeEventListener("abort", callOff);
    worker.terminate();
  }
}
