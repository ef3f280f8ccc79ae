import { lstatSync, readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { HOUR_MS } from "../../../src/core/duration.ts";
import { OLD_COPY_KEEP_MS } from "../../../src/ops/health-checks.ts";
import { codeOf } from "../../../src/ops/fs.ts";
import { nameOfUnfinished } from "./backup.ts";
import { BACKUPS, timeOfBackup } from "./daily-backups.ts";

/** Copy of the state, or of a part, that an update, a restore or a crash left in a data folder. */
type OldCopy = {
  /** Relative to the data folder. */
  readonly name: string;
  readonly madeAt: number;
};

/** Names of copies that migrations and restores left, or a crash left unfinished. */
const BY_FILE_TIME = /^(?:before-migration-\d+\.sqlite(?:\.part)?|(?:restoring|received)\.part)$/;
const REPLACED = /^replaced-(.+)$/;

/** Old copies in a data folder, oldest first; none if there is no such folder. */
export function oldCopies(dataDir: string): OldCopy[] {
  const left = namesIn(dataDir).flatMap((name) => {
    const madeAt = BY_FILE_TIME.test(name)
      ? writtenAt(join(dataDir, name))
      : timeOfBackup(REPLACED.exec(name)?.[1] ?? "");
    return madeAt === null ? [] : [{ name, madeAt }];
  });
  const unfinished = namesIn(join(dataDir, BACKUPS)).flatMap((name) => {
    const madeAt = timeOfBackup(nameOfUnfinished(name) ?? "");
    return madeAt === null ? [] : [{ name: join(BACKUPS, name), madeAt }];
  });
  return [...left, ...unfinished].toSorted((a, b) => a.madeAt - b.madeAt);
}

/**
 * Deletes old copies after a time, because they contain data that people have erased since. Nothing here rejects: failures
 * are logged, and tried again an hour later.
 */
export function createOldCopies(how: {
  readonly dataDir: string;
  /** True while the clock can be trusted for deletions. */
  readonly isSteady: (now: number) => Promise<boolean>;
  readonly log: (event: string, details: Readonly<Record<string, unknown>>) => void;
}) {
  let checkedAt: number | null = null;

  async function drop(now: number): Promise<void> {
    try {
      if (!(await how.isSteady(now))) return;
      for (const { name, madeAt } of oldCopies(how.dataDir)) {
        if (madeAt > now - OLD_COPY_KEEP_MS) continue;
        await rm(join(how.dataDir, name), { recursive: true, force: true });
        how.log("old_copy_deleted", { name });
      }
    } catch (error) {
      how.log("old_copy_stays", { error });
    }
  }

  return {
    /** Checks once an hour; resolves when the copies that were due are deleted. */
    async tick(now: number): Promise<void> {
      if (checkedAt !== null && Math.abs(now - checkedAt) < HOUR_MS) return;
      checkedAt = now;
      await drop(now);
    },
  };
}

function namesIn(folder: string): string[] {
  return unlessMissing(() => readdirSync(folder)) ?? [];
}

/** Modification time of a file; null if it was deleted in the meantime. */
function writtenAt(path: string): number | null {
  return unlessMissing(() => lstatSync(path).mtimeMs);
}

function unlessMissing<Result>(read: () => Result): Result | null {
  try {
    return read();
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw error;
  }
}
