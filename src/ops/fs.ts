import { closeSync, fsyncSync, openSync } from "node:fs";
import { open } from "node:fs/promises";

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

/** Windows can flush neither folders nor files that are open for reading. */
function isUnsupported(error: unknown): boolean {
  return ["EPERM", "EISDIR", "EACCES"].includes(codeOf(error));
}
