import { constants, Database } from "bun:sqlite";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { Fault } from "../../../src/core/fault.ts";
import { codeOf, flush } from "../../../src/ops/fs.ts";
import { KEY_FILE } from "../../../src/ops/secret-key.ts";
import { type Contents, PHOTOS, photoFilesIn, requireSound } from "./check.ts";
import { DATABASE_FILE } from "../open.ts";
import { mergeTombstones } from "../tombstones.ts";

const PHOTOS_PER_REPORT = 500;

/** Callback for the progress of a copy: the number of photo files copied, and of all. */
export type CopyProgress = (photos: number, of: number) => void;

/**
 * Copies the state of a data folder that may be in use into an empty folder, and checks the copy. Everything is flushed to
 * disk when this returns. Blocks its thread for a long time: call it in a worker.
 */
export function copyLive(dataDir: string, folder: string, progress: CopyProgress): Contents {
  // Once before the database and once after it: every photo that it names existed at one of these times.
  copyPhotos(dataDir, folder, () => {});
  copyDatabase(join(dataDir, DATABASE_FILE), join(folder, DATABASE_FILE));
  // After the database, so that the list includes what was erased in the meantime.
  mergeTombstones(dataDir, folder);
  copyKey(dataDir, folder);
  copyPhotos(dataDir, folder, progress);
  flush(folder);
  return requireSound(folder);
}

/** Copies a backup, which is not in use, into an empty folder. Everything is flushed to disk when this returns. */
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
    // The log files belong to the process that serves the folder, and must not be deleted here.
    source.fileControl(constants.SQLITE_FCNTL_PERSIST_WAL, 1);
    source.run("PRAGMA busy_timeout = 10000");
    source.query("VACUUM INTO ?").run(to);
  } finally {
    source.close();
  }
  protect(to);
}

function copyKey(from: string, to: string): void {
  if (!existsSync(join(from, KEY_FILE)))
    throw new Fault(
      "unavailable",
      `The key file ${KEY_FILE} is missing in ${from}: a copy without it would be unusable.`,
    );
  copyFileSync(join(from, KEY_FILE), join(to, KEY_FILE));
  protect(join(to, KEY_FILE));
}

/**
 * Copies photos. They never change, so a hard link is enough where the disk supports one. Files of another user are copied:
 * that user could change them later.
 */
function copyPhotos(from: string, to: string, progress: CopyProgress): void {
  mkdirSync(join(to, PHOTOS), { recursive: true, mode: 0o700 });
  const us = statSync(join(to, PHOTOS)).uid;
  const names = photoFilesIn(join(from, PHOTOS));
  for (const [done, name] of names.entries()) {
    if (done % PHOTOS_PER_REPORT === 0) progress(done, names.length);
    linkOrCopy(join(from, PHOTOS, name), join(to, PHOTOS, name), us);
  }
  flush(join(to, PHOTOS));
}

function linkOrCopy(from: string, to: string, us: number): void {
  if (existsSync(to)) return;
  try {
    if (lstatSync(from).uid === us && isLinked(from, to)) return;
    copyFileSync(from, to);
    protect(to);
  } catch (error) {
    // A photo may be deleted while the others are copied.
    if (codeOf(error) !== "ENOENT") throw error;
  }
}

/** Links a file. Returns false if the disk has no hard links, or the target is on another disk. */
function isLinked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (codeOf(error) === "ENOENT") throw error;
    return false;
  }
}

/** Makes a file readable for its owner only, and flushes it to disk. */
function protect(file: string): void {
  chmodSync(file, 0o600);
  flush(file);
}
