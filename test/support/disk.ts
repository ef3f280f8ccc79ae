import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Every byte a folder holds, its folders included, as text in which bytes are characters. */
export function bytesIn(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name)).toString("latin1"))
    .join("\n");
}
