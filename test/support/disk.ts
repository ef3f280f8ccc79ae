import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Folder on a disk: that for scratch folders may lie in memory (test/run.ts). */
export const DISK = process.env["TEST_DISK"] ?? tmpdir();

/**
 * Every byte a folder holds, its folders included, as text in which bytes are characters. A file that gets another name
 * or goes while a running service's folder is read is left out.
 */
export function bytesIn(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .flatMap(({ parentPath, name }) => textOf(join(parentPath, name)))
    .join("\n");
}

function textOf(file: string): string[] {
  try {
    return [readFileSync(file).toString("latin1")];
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}
