import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DAY_MS } from "../../../src/core/duration.ts";
import { backUp, nameOfUnfinished } from "./backup.ts";
import { createLongJob } from "./long-job.ts";

/** Subfolder of a data folder with its own backups. */
export const BACKUPS = "backups";
/** `2026-11-21T08-00-00Z`: sorts by time, and is a valid name on every file system. */
const NAME = /^(\d{4}-\d{2}-\d{2})T(\d{2})-(\d{2})-(\d{2})Z$/;

/**
 * Daily backups of a data folder, of which the last `keep` are kept. Zero makes none and deletes none. Nothing here
 * rejects: failures are logged, and tried again an hour later.
 */
export function createBackups(how: {
  readonly dataDir: string;
  readonly keep: number;
  readonly log: (event: string, details: Readonly<Record<string, unknown>>) => void;
}) {
  const folder = join(how.dataDir, BACKUPS);
  return createLongJob(async (now, stopped) => {
    try {
      if (how.keep === 0 || !isDue(how.dataDir, now)) return;
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      dropUnfinished(folder, now);
      const contents = await backUp(how.dataDir, join(folder, backupName(now)), { stopped });
      for (const old of namesUpTo(folder, now).slice(0, -how.keep))
        rmSync(join(folder, old), { recursive: true, force: true });
      how.log("backup", contents);
    } catch (error) {
      if (!stopped.aborted) how.log("backup_failed", { error });
      throw error;
    }
  });
}

function isDue(dataDir: string, now: number): boolean {
  const last = lastBackupAt(dataDir, now);
  return last === null || now >= last + DAY_MS;
}

/** Time of the newest of a data folder's own backups; null if there is none. */
export function lastBackupAt(dataDir: string, now: number): number | null {
  const last = newestBackup(dataDir, now);
  return last === null ? null : timeOfBackup(last);
}

/** Name of the newest of a data folder's own backups; null if there is none. */
export function newestBackup(dataDir: string, now: number): string | null {
  return namesUpTo(join(dataDir, BACKUPS), now).at(-1) ?? null;
}

/** Name of a backup made at this time. */
export function backupName(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19).replaceAll(":", "-")}Z`;
}

/** Time at which a backup of this name was made; null for another name. */
export function timeOfBackup(name: string): number | null {
  const [, day, hour, minute, second] = NAME.exec(name) ?? [];
  return day === undefined ? null : Date.parse(`${day}T${hour}:${minute}:${second}Z`);
}

/** Names of backups, oldest first. Those that a wrong clock dated in the future are neither counted nor deleted. */
function namesUpTo(folder: string, now: number): string[] {
  const today = backupName(now);
  return entriesOf(folder)
    .filter((name) => NAME.test(name) && name <= today)
    .toSorted();
}

/** Deletes unfinished backups that a crash left a day ago or longer. A younger one may still be in progress. */
function dropUnfinished(folder: string, now: number): void {
  for (const entry of entriesOf(folder)) {
    const madeAt = timeOfBackup(nameOfUnfinished(entry) ?? "");
    if (madeAt !== null && madeAt <= now - DAY_MS)
      rmSync(join(folder, entry), { recursive: true, force: true });
  }
}

function entriesOf(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}
