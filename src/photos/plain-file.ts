import { constants, open } from "node:fs/promises";
import { codeOf } from "../ops/fs.ts";

/** Error codes of a missing file, a symbolic link, a folder and a pipe without a writer. */
const NO_PLAIN_FILE = ["ENOENT", "ELOOP", "EISDIR", "ENXIO"];

/**
 * Bytes of a regular file; null if it is missing or not a regular file. A symbolic link in a restored folder could point
 * to any file on this machine.
 */
export async function readPlainFile(path: string): Promise<Uint8Array | null> {
  try {
    const file = await open(path, FLAGS);
    try {
      return (await file.stat()).isFile() ? await file.readFile() : null;
    } finally {
      await file.close();
    }
  } catch (error) {
    if (NO_PLAIN_FILE.includes(codeOf(error))) return null;
    throw error;
  }
}

/** Windows has neither flag. Without O_NONBLOCK, opening a pipe waits for a writer. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
