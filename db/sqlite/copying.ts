import { constants, Database } from "bun:sqlite";
import { chmodSync, copyFileSync, existsSync, linkSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { codeOf, flush } from "../../src/disk.ts";
import { type Contents, KEY_FILE, PHOTOS, picturesIn, requireSound } from "./contents.ts";
import { DATABASE_FILE } from "./open.ts";
import { mergeTombstones } from "./tombstones.ts";

const PHOTOS_PER_REPORT = 500;

/** Told as the work goes on: pictures that lie in the copy, of how many. */
export type CopyProgress = (photos: number, of: number) => void;

/**
 * Copies the state of a data folder that may be in use into an empty folder, and checks the copy. All of it lies on
 * the disk when this returns. It takes its time: call it where nobody waits for the thread.
 */
export function copyInUse(dataDir: string, folder: string, progress: CopyProgress): Contents {
  // Before the database and again after it: what it names was there at one of these times.
  copyPhotos(dataDir, folder, () => {});
  copyDatabase(join(dataDir, DATABASE_FILE), join(folder, DATABASE_FILE));
  // After the database: what is erased meanwhile is in this list then.
  mergeTombstones(dataDir, folder);
  copyKey(dataDir, folder);
  copyPhotos(dataDir, folder, progress);
  flush(folder);
  return requireSound(folder);
}

/** Copies a backup, which nobody changes, into an empty folder. All of it lies on the disk when this returns. */
export function copyAtRest(backup: string, folder: string, progress: CopyProgress): void {
  copyFileSync(join(backup, DATABASE_FILE), join(folder, DATABASE_FILE));
  protect(join(folder, DATABASE_FILE));
  copyKey(backup, folder);
  copyPhotos(backup, folder, progress);
  flush(folder);
}

function copyDatabase(from: string, to: string): void {
  const source = new Database(from, { readonly: true, strict: true });
  try {
    // The log files belong to the process that serves; this one must leave them as they are.
    source.fileControl(constants.SQLITE_FCNTL_PERSIST_WAL, 1);
    source.run("PRAGMA busy_timeout = 10000");
    source.query("VACUUM INTO ?").run(to);
  } finally {
    source.close();
  }
  protect(to);
}

function copyKey(from: string, to: string): void {
  copyFileSync(join(from, KEY_FILE), join(to, KEY_FILE));
  protect(join(to, KEY_FILE));
}

/** Pictures never change, so a second name for the same file will do where the disk allows it. */
function copyPhotos(from: string, to: string, progress: CopyProgress): void {
  mkdirSync(join(to, PHOTOS), { recursive: true, mode: 0o700 });
  const names = picturesIn(join(from, PHOTOS));
  for (const [done, name] of names.entries()) {
    if (done % PHOTOS_PER_REPORT === 0) progress(done, names.length);
    linkOrCopy(join(from, PHOTOS, name), join(to, PHOTOS, name));
  }
  flush(join(to, PHOTOS));
}

function linkOrCopy(from: string, to: string): void {
  if (existsSync(to)) return;
  try {
    linkSync(from, to);
  } catch (error) {
    // A picture may be deleted while the others are copied.
    if (codeOf(error) === "ENOENT") return;
    copyFileSync(from, to);
    flush(to);
  }
}

/** For its owner's eyes only, and on the disk. */
function protect(file: string): void {
  chmodSync(file, 0o600);
  flush(file);
}
