import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { Fault } from "../../core/fault.ts";
import { csvLine } from "../csv.ts";
import { notMade } from "../not-made.ts";

/** The file that gets the private manage links of what was published. */
export type LinksFile = {
  add(rows: readonly (readonly [id: string, page: string, manageLink: string])[]): void;
  /** Closes it; one that got no links is taken away again. */
  close(): void;
};

/** Makes the file, readable by its owner alone. One that is there is never written over: its links exist nowhere else. */
export function createLinksFile(path: string): LinksFile {
  const file = makeFile(path);
  let isEmpty = true;
  writeSync(file, csvLine(["external_id", "page", "manage_link"]));
  return {
    add(rows) {
      if (rows.length === 0) return;
      isEmpty = false;
      writeSync(file, rows.map(csvLine).join(""));
    },
    close() {
      closeSync(file);
      if (isEmpty) rmSync(path);
    },
  };
}

function makeFile(path: string): number {
  try {
    return openSync(path, "wx", 0o600);
  } catch (error) {
    throw isThere(error)
      ? new Fault("bad_input", `The file ${path} is there already: name another one for the links.`)
      : notMade(path, error);
  }
}

function isThere(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EEXIST";
}
