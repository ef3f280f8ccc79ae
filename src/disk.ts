import { closeSync, fsyncSync, openSync } from "node:fs";
import { open } from "node:fs/promises";

/** Brings a file's bytes, or a folder's names, to the disk: what a power cut must not take. The thread waits for it. */
export function flush(path: string): void {
  try {
    const file = openSync(path, "r");
    try {
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
}

/** The same while others go on. */
export async function flushed(path: string): Promise<void> {
  try {
    const file = await open(path, "r");
    try {
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
}

/** The code of an error, such as SQLITE_FULL or EACCES, or "". */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string"
    ? error.code
    : "";
}

/** Windows flushes neither folders nor what is open for reading. */
function isRefusal(error: unknown): boolean {
  return ["EPERM", "EISDIR", "EACCES"].includes(codeOf(error));
}
