import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname } from "node:path";

/** Flushes a file, or the entries of a folder, to disk (fsync). Blocks the thread. */
export function flush(path: string): void {
  try {
    const file = openSync(path, "r");
    try {
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (!isUnsupported(error)) throw error;
  }
}

/** Flushes an open file to disk. Throws when that fails: the file's contents are undefined then. */
export function flushOpen(file: number): void {
  fsyncSync(file);
}

/** Replaces or creates a file that only its owner may read, whole or not at all. It is on disk when this returns. */
export function writeWhole(path: string, content: string | Uint8Array): void {
  const fresh = `${path}.new`;
  rmSync(fresh, { force: true });
  try {
    writeFileSync(fresh, content, { mode: 0o600, flush: true });
    renameSync(fresh, path);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
  flush(dirname(path));
}

/** `flush` without blocking. */
export async function flushed(path: string): Promise<void> {
  try {
    const file = await open(path, "r");
    try {
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    if (!isUnsupported(error)) throw error;
  }
}

/** Code of an error, such as SQLITE_FULL or EACCES, or "". */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string"
    ? error.code
    : "";
}

/** Windows can flush neither folders nor files that are open for reading, and some file systems no folders. */
function isUnsupported(error: unknown): boolean {
  return ["EPERM", "EISDIR", "EACCES", "EINVAL"].includes(codeOf(error));
}
