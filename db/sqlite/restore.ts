import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Fault } from "../../src/core/fault.ts";
import { KEY_FILE, PHOTOS, requireSound } from "./contents.ts";
import { copyAtRest, type CopyProgress } from "./copying.ts";
import { DATABASE_FILE, holdFolder, makeFolder, RESTORING } from "./open.ts";
import { mergeTombstones } from "./tombstones.ts";

/** Until the copy is whole; nothing that was there has been touched. */
const COPYING = `${RESTORING}.part`;
const RESTORED = [DATABASE_FILE, KEY_FILE, PHOTOS];
const REPLACED = [...RESTORED, `${DATABASE_FILE}-wal`, `${DATABASE_FILE}-shm`];

/**
 * Puts a backup in place of what lies in a data folder; what was there goes into `asideName` inside it, whose path is
 * given back (null where there was nothing). The folder's list of tombstones stays and takes in the backup's. Cut short
 * at any point, the folder is either as it was or refuses to be opened until the restore is done again. Throws
 * `unavailable` when a process uses the folder or the disk fails, and as `requireSound` does.
 */
export function restore(
  dataDir: string,
  backup: string,
  { asideName, progress = () => {} }: { asideName: string; progress?: CopyProgress },
): string | null {
  requireSound(backup);
  makeFolder(dataDir);
  const lock = holdFolder(dataDir);
  try {
    const copy = join(dataDir, COPYING);
    rmSync(copy, { recursive: true, force: true });
    mkdirSync(copy, { mode: 0o700 });
    copyAtRest(backup, copy, progress);
    requireSound(copy);
    // Before anything is moved: nothing that was erased may come back, wherever this is cut short.
    mergeTombstones(backup, dataDir);

    const fresh = join(dataDir, RESTORING);
    rmSync(fresh, { recursive: true, force: true });
    renameSync(copy, fresh);
    const aside = moveAside(dataDir, asideName);
    for (const name of RESTORED) renameSync(join(fresh, name), join(dataDir, name));
    rmSync(fresh, { recursive: true });
    return aside;
  } catch (error) {
    if (error instanceof Fault) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new Fault("unavailable", `The backup could not be restored into ${dataDir}: ${why}.`);
  } finally {
    lock.close();
  }
}

function moveAside(dataDir: string, asideName: string): string | null {
  const there = REPLACED.filter((name) => existsSync(join(dataDir, name)));
  if (there.length === 0) return null;
  const aside = join(dataDir, asideName);
  mkdirSync(aside, { mode: 0o700 });
  for (const name of there) renameSync(join(dataDir, name), join(aside, name));
  return aside;
}
