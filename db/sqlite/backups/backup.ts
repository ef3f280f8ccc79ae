import { lstatSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { DAY_MS } from "../../../src/core/duration.ts";
import { Fault } from "../../../src/core/fault.ts";
import { codeOf } from "../../../src/ops/fs.ts";
import { archiveOf } from "./archive.ts";
import type { Contents } from "./check.ts";
import type { CopyOrder } from "./copy.worker.ts";
import { runWorker } from "./long-job.ts";
import type { CopyProgress } from "./copy.ts";
import { DATABASE_FILE } from "../open.ts";
import { isThere } from "../plain-files.ts";

/** Name of a folder until its backup is complete. */
const UNFINISHED = /^(.+)\.part-\w{6}$/;

/** Progress and cancellation of a backup. */
type BackupWatch = {
  readonly progress?: CopyProgress;
  readonly stopped?: AbortSignal;
};

/**
 * Copies the state of a data folder into a new folder, while the service may run. The copy of the database is consistent
 * and checked; the folder gets its name only once everything is flushed to disk. Throws `conflict` if the name is taken,
 * `not_found` if there is nothing to copy, `unavailable` if it fails or is cancelled, each with a message for the operator.
 */
export async function backUp(
  dataDir: string,
  folder: string,
  watch: BackupWatch = {},
): Promise<Contents> {
  const whole = resolve(folder);
  if (isThere(whole))
    throw new Fault("conflict", `${folder} already exists. Choose another folder.`);
  requireDatabase(dataDir);
  const unfinished = createUnfinished(whole, folder);
  try {
    const contents = await copyInWorker(dataDir, unfinished, watch);
    renameSync(unfinished, whole);
    return contents;
  } catch (error) {
    discard(unfinished);
    throw failed(folder, error);
  }
}

/**
 * Backs up into a tar archive, as a stream. Makes the copy in `folder`, which is deleted when this returns. Throws what
 * `backUp` and `write` throw.
 */
export async function archiveBackup(
  dataDir: string,
  folder: string,
  write: (bytes: Uint8Array) => Promise<void>,
  watch: BackupWatch = {},
): Promise<Contents> {
  requireDatabase(dataDir);
  const unfinished = createUnfinished(resolve(folder), STANDARD_OUTPUT);
  try {
    const contents = await copyInWorker(dataDir, unfinished, watch).catch((error: unknown) => {
      throw failed(STANDARD_OUTPUT, error);
    });
    for (const piece of archiveOf(unfinished)) {
      if (watch.stopped?.aborted) throw failed(STANDARD_OUTPUT, new Error("it was stopped"));
      await write(piece);
    }
    return contents;
  } finally {
    discard(unfinished);
  }
}

const STANDARD_OUTPUT = "standard output";

/** Name that an unfinished backup was to get; null if a file or folder is none. */
export function nameOfUnfinished(entry: string): string | null {
  return UNFINISHED.exec(entry)?.[1] ?? null;
}

/**
 * Creates the folder in which a backup is made. No other backup uses it, even if it is to get the same name. Deletes those
 * that a crash left of that name a day ago or longer.
 */
function createUnfinished(whole: string, to: string): string {
  const parent = dirname(whole);
  try {
    mkdirSync(parent, { recursive: true, mode: 0o700 });
    const created = mkdtempSync(`${whole}.part-`);
    const { mtimeMs: now } = lstatSync(created);
    for (const entry of readdirSync(parent)) {
      if (nameOfUnfinished(entry) !== basename(whole)) continue;
      const found = lstatSync(join(parent, entry), { throwIfNoEntry: false });
      if (found !== undefined && found.mtimeMs <= now - DAY_MS) discard(join(parent, entry));
    }
    return created;
  } catch (error) {
    throw failed(to, error);
  }
}

/** Deletes an unfinished backup if possible. Never throws: the first error matters more. */
function discard(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {}
}

function requireDatabase(dataDir: string): void {
  if (!isThere(join(dataDir, DATABASE_FILE)))
    throw new Fault("not_found", `There is no database in ${dataDir}: nothing to back up.`);
}

function failed(to: string, error: unknown): Fault {
  const why = error instanceof Error ? (WHY[codeOf(error)] ?? error.message) : String(error);
  return new Fault("unavailable", `The backup to ${to} failed: ${why.replace(/\.$/, "")}.`);
}

const WHY: Readonly<Record<string, string>> = {
  EACCES: "this user may not write there",
  EPERM: "this user may not write there",
  EROFS: "the disk can only be read there",
  ENOSPC: "the disk is full",
  ENOTEMPTY: "another backup of that name was made meanwhile",
};

function copyInWorker(
  dataDir: string,
  folder: string,
  { progress, stopped }: BackupWatch,
): Promise<Contents> {
  const order: CopyOrder = { dataDir, folder };
  return runWorker(new URL("./copy.worker.ts", import.meta.url), order, stopped, progress);
}
