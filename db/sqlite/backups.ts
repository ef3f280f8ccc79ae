import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DAY_MS, HOUR_MS } from "../../src/core/duration.ts";
import { backUp, UNFINISHED } from "./backup.ts";

/** Where a data folder keeps its own backups. */
export const BACKUPS = "backups";
/** A backup that failed is tried again after this. */
const RETRY_MS = HOUR_MS;
/** `2026-11-21T08-00-00Z`: in the order of time, and a name every file system takes. */
const NAME = /^(\d{4}-\d{2}-\d{2})T(\d{2})-(\d{2})-(\d{2})Z$/;

/**
 * The daily backups of a data folder: the last `keep` of them. Zero makes none and drops nothing. Nothing here rejects:
 * what goes wrong is logged, and tried again an hour later.
 */
export function createBackups(how: {
  readonly dataDir: string;
  readonly keep: number;
  readonly log: (event: string, details: Readonly<Record<string, unknown>>) => void;
}) {
  const folder = join(how.dataDir, BACKUPS);
  const ending = new AbortController();
  let underWay: Promise<void> | null = null;
  let failedAt = -Infinity;

  async function makeIfDue(now: number): Promise<void> {
    try {
      if (!isDue(how.dataDir, now)) return;
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      dropUnfinished(folder, now);
      const at = join(folder, backupName(now));
      const contents = await backUp(how.dataDir, at, { stopped: ending.signal });
      for (const old of namesUpTo(folder, now).slice(0, -how.keep))
        rmSync(join(folder, old), { recursive: true, force: true });
      how.log("backup", contents);
    } catch (error) {
      failedAt = now;
      if (!ending.signal.aborted) how.log("backup_failed", { error });
    }
  }

  return {
    /** Makes the day's backup when it is due; resolves when it is made. Nobody needs to wait for it. */
    tick(now: number): Promise<void> {
      if (underWay !== null) return underWay;
      const mayTry = now >= failedAt + RETRY_MS || now < failedAt;
      if (how.keep === 0 || !mayTry) return Promise.resolve();
      underWay = makeIfDue(now).finally(() => {
        underWay = null;
      });
      return underWay;
    },
    /** Calls off the one under way. */
    async stop(): Promise<void> {
      ending.abort();
      await underWay;
    },
  };
}

function isDue(dataDir: string, now: number): boolean {
  const last = lastBackupAt(dataDir, now);
  return last === null || now >= last + DAY_MS;
}

/** When the newest of a data folder's own backups was made; null where there is none. */
export function lastBackupAt(dataDir: string, now: number): number | null {
  const last = namesUpTo(join(dataDir, BACKUPS), now).at(-1);
  return last === undefined ? null : timeOf(last);
}

/** What a backup made at this time is called. */
export function backupName(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19).replaceAll(":", "-")}Z`;
}

function timeOf(name: string): number | null {
  const [, day, hour, minute, second] = NAME.exec(name) ?? [];
  return day === undefined ? null : Date.parse(`${day}T${hour}:${minute}:${second}Z`);
}

/** Oldest first, without those that a wrong clock made in the future: they neither count nor go until it has come. */
function namesUpTo(folder: string, now: number): string[] {
  const today = backupName(now);
  return entriesOf(folder)
    .filter((name) => NAME.test(name) && name <= today)
    .toSorted();
}

/** What a crash left a day ago or longer; a younger one may be somebody's at work. */
function dropUnfinished(folder: string, now: number): void {
  for (const entry of entriesOf(folder)) {
    const name = entry.endsWith(UNFINISHED) ? entry.slice(0, -UNFINISHED.length) : "";
    const madeAt = timeOf(name);
    if (madeAt !== null && madeAt <= now - DAY_MS)
      rmSync(join(folder, entry), { recursive: true, force: true });
  }
}

function entriesOf(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}
