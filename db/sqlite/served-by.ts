import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { codeOf } from "../../src/ops/fs.ts";

/** File in a data folder with the version of the program that served it last. */
const FILE = "served-by";

/** Version that served a data folder last; null if none has. */
export function servedBy(dataDir: string): string | null {
  try {
    return readFileSync(join(dataDir, FILE), "utf8").trim();
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw error;
  }
}

/** Notes the version that serves a data folder from now on. Writes only if it changed, so that a full disk stops no restart. */
export function noteServedBy(dataDir: string, version: string): void {
  if (servedBy(dataDir) !== version)
    writeFileSync(join(dataDir, FILE), `${version}\n`, { mode: 0o600, flush: true });
}
