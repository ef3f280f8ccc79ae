import { fsyncSync, write } from "node:fs";
import { promisify } from "node:util";
import { codeOf } from "../ops/fs.ts";
import { cannotWrite } from "./file-errors.ts";

const STANDARD_OUTPUT = 1;
const RETRY_MS = 10;
const writeSome = promisify(write);

/** Writes all bytes. Throws `unavailable` with a sentence when the reader has exited or the disk is full. */
export async function writeStandardOutput(bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) {
    try {
      const { bytesWritten } = await writeSome(STANDARD_OUTPUT, bytes, at);
      at += bytesWritten;
    } catch (error) {
      // EAGAIN: a non-blocking pipe is full because its reader is slow.
      if (codeOf(error) !== "EAGAIN") throw cannotWrite("Standard output", error);
      await Bun.sleep(RETRY_MS);
    }
  }
}

/** Flushes standard output to disk if it is a file. */
export function flushStandardOutput(): void {
  try {
    fsyncSync(STANDARD_OUTPUT);
  } catch (error) {
    // Pipes and terminals cannot be flushed.
    if (!["EINVAL", "EROFS", "ENOTSUP"].includes(codeOf(error)))
      throw cannotWrite("Standard output", error);
  }
}
