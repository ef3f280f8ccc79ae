import { existsSync, mkdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { Fault } from "../../../src/core/fault.ts";
import { type Contents, PHOTOS, requireSound } from "./check.ts";
import { copyAtRest, type CopyProgress } from "./copy.ts";
import { KEY_FILE, readKey } from "../../../src/ops/secret-key.ts";
import { DATABASE_FILE, lockFolder, createFolder, RESTORING } from "../open.ts";
import { mergeTombstones, TOMBSTONES_FILE } from "../tombstones.ts";

/** Subfolder for the files of a backup that does not lie in a folder. */
const RECEIVED = "received.part";

/**
 * Calls `receive` with an empty folder inside a data folder, where it puts a backup, and `work` with the same; the folder
 * is deleted when this returns. Throws what they throw.
 */
export async function withReceived<Received, Result>(
  dataDir: string,
  receive: (folder: string) => Promise<Received>,
  work: (folder: string, received: Received) => Result,
): Promise<Result> {
  createFolder(dataDir);
  const folder = join(dataDir, RECEIVED);
  try {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { mode: 0o700 });
    return work(folder, await receive(folder));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Subfolder of the copy until it is complete. Up to then the data folder is unchanged. */
const COPYING = `${RESTORING}.part`;
const RESTORED = [DATABASE_FILE, KEY_FILE, PHOTOS];
const REPLACED = [...RESTORED, `${DATABASE_FILE}-wal`, `${DATABASE_FILE}-shm`];

/**
 * Replaces the contents of a data folder by a backup. The old contents move into `asideName` inside it, whose path is
 * returned (null if there were none). The tombstones of the folder stay, and those of the backup are added. If this is
 * interrupted at any point, the folder is either unchanged or refuses to be opened until the restore is repeated. Throws
 * `unavailable` if a process uses the folder or the disk fails, and what `requireSound` throws.
 */
export function restore(
  dataDir: string,
  backup: string,
  {
    asideName,
    progress = () => {},
    onSound = () => {},
  }: { asideName: string; progress?: CopyProgress; onSound?: (contents: Contents) => void },
): string | null {
  onSound(requireSound(backup));
  createFolder(dataDir);
  const lock = lockFolder(dataDir);
  try {
    requireSameKey(dataDir, backup);
    const copy = join(dataDir, COPYING);
    rmSync(copy, { recursive: true, force: true });
    mkdirSync(copy, { mode: 0o700 });
    copyAtRest(backup, copy, progress);
    requireSound(copy);
    // Before anything is moved, so that no erased data comes back if this is interrupted.
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

/**
 * Refuses a backup with another key than the folder. The tombstones are hashes with the key of the folder: with another
 * key, everything erased since the backup would silently come back.
 */
function requireSameKey(dataDir: string, backup: string): void {
  const list = statSync(join(dataDir, TOMBSTONES_FILE), { throwIfNoEntry: false });
  const own = readableKey(dataDir);
  if (list === undefined || list.size === 0 || own === null) return;
  if (readKey(backup)?.equals(own)) return;
  throw new Fault(
    "unavailable",
    `The backup in ${backup} has another key than ${dataDir}, whose list of what was erased (${TOMBSTONES_FILE}) could not be applied to it. Restore into an empty folder; or, if secret.key in ${dataDir} is the wrong one, move it away first.`,
  );
}

/** Key of a folder; null if it is lost or damaged, which a restore may fix. */
function readableKey(folder: string): Buffer | null {
  try {
    return readKey(folder);
  } catch {
    return null;
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
