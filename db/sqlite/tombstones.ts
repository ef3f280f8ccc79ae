import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { Fault } from "../../src/core/fault.ts";
import { codeOf, flush } from "../../src/disk.ts";

/** What was erased for good: all that was kept under a mailbox, an alert, a zone. */
export type TombstoneKind = "mailbox" | "alert" | "zone";

/** What must not come back, known by a keyed hash; what came to be after `at` is another thing. */
export type Tombstone = {
  readonly at: number;
  readonly kind: TombstoneKind;
  readonly mark: string;
  /** As it stands in the list. */
  readonly line: string;
};

/**
 * The tombstones of a data folder: a list beside the database, so that a backup put back in its place does not bring
 * back what was erased since. It holds keyed hashes and times, nothing else.
 */
export type Tombstones = {
  /** The keyed hash by which something stands in the list. */
  mark(kind: TombstoneKind, name: string): string;
  /** Adds one, which lies on the disk when this returns; gives its line. */
  add(kind: TombstoneKind, name: string, at: number): string;
  /** In the order they were added. Throws `unavailable` with a sentence for the operator when the list cannot be read. */
  all(): readonly Tombstone[];
  /** Drops those before a time; says whether there were any. Throws as `all` does. */
  forget(before: number): boolean;
};

export const TOMBSTONES_FILE = "erased.list";
const LINE = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) (mailbox|alert|zone) ([0-9a-f]{64})$/;

/** Ends a line. */
const END = 0x0a;

/** Opens the list of a data folder; there need not be one yet. */
export function openTombstones(
  dataDir: string,
  keyedHash: (purpose: "tombstone", text: string) => string,
): Tombstones {
  const file = join(dataDir, TOMBSTONES_FILE);
  const mark = (kind: TombstoneKind, name: string) => keyedHash("tombstone", `${kind} ${name}`);
  /** Not after the oldest there is: looking into the list each time would cost more. */
  let oldestAt = -Infinity;
  return {
    mark,
    add(kind, name, at) {
      const line = `${new Date(at).toISOString()} ${kind} ${mark(kind, name)}`;
      append(dataDir, line);
      oldestAt = Math.min(oldestAt, at);
      return line;
    },
    all: () => linesOf(file).map(tombstoneOf),
    forget(before) {
      if (oldestAt >= before) return false;
      const lines = linesOf(file);
      const kept = lines.filter((line) => tombstoneOf(line).at >= before);
      oldestAt = kept.reduce((oldest, line) => Math.min(oldest, tombstoneOf(line).at), Infinity);
      if (kept.length < lines.length) replace(dataDir, kept);
      return kept.length < lines.length;
    },
  };
}

/** For a store that is put back by nobody, such as one opened for reading: it remembers nothing. */
export const NO_TOMBSTONES: Tombstones = {
  mark: () => "",
  add: () => "",
  all: () => [],
  forget: () => false,
};

/** Adds to a folder's list what another folder's list has and it has not. All of it lies on the disk when this returns. */
export function mergeTombstones(from: string, into: string): void {
  const [more, known] = [from, into].map((folder) => linesOf(join(folder, TOMBSTONES_FILE)));
  const all = [...new Set([...(known ?? []), ...(more ?? [])])];
  // Times are written alike, so the order of the text is theirs.
  if (all.length > (known?.length ?? 0)) replace(into, all.toSorted());
}

/** What a power cut left of a line goes, so that only the end of the list can be torn. */
function append(dataDir: string, line: string): void {
  const path = join(dataDir, TOMBSTONES_FILE);
  const isNew = !existsSync(path);
  const file = openSync(path, "a+", 0o600);
  try {
    const { size } = fstatSync(file);
    const tail = new Uint8Array(Math.min(size, TAIL_BYTES));
    readSync(file, tail, { position: size - tail.length });
    const torn = tail.length - 1 - tail.lastIndexOf(END);
    const last = Buffer.from(tail.subarray(tail.length - torn)).toString("latin1");
    const isWhole = LINE.test(last.replace(/\r$/, ""));
    if (!isWhole) ftruncateSync(file, size - torn);
    writeFileSync(file, `${isWhole ? "\n" : ""}${line}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  if (isNew) flush(dataDir);
}

/** Far more than a line has. */
const TAIL_BYTES = 4096;

/** Whole or not at all. */
function replace(dataDir: string, lines: readonly string[]): void {
  const path = join(dataDir, TOMBSTONES_FILE);
  const fresh = `${path}.new`;
  writeFileSync(fresh, lines.map((line) => `${line}\n`).join(""), { mode: 0o600, flush: true });
  renameSync(fresh, path);
  flush(dataDir);
}

/** Whole lines; the last may be torn. Line ends are taken as editors of all systems write them. */
function linesOf(file: string): string[] {
  if (!existsSync(file)) return [];
  const lines = textOf(file).split(/\r?\n/);
  const last = lines.pop() ?? "";
  const wrong = lines.findIndex((line) => line !== "" && !LINE.test(line));
  if (wrong >= 0)
    throw new Fault(
      "unavailable",
      `Line ${wrong + 1} of ${file} cannot be read. It is the list of what was erased: put it back from a backup, or delete the line, and what it stands for can come back with an old backup.`,
    );
  return [...lines, last.replace(/\r$/, "")].filter((line) => LINE.test(line));
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "latin1");
  } catch (error) {
    throw new Fault(
      "unavailable",
      `${file} cannot be read (${codeOf(error)}). It is the list of what was erased, and must be a file of the service's own.`,
    );
  }
}

function tombstoneOf(line: string): Tombstone {
  const [, time = "", kind = "", mark = ""] = LINE.exec(line) ?? [];
  return { at: Date.parse(time), kind: kind as TombstoneKind, mark, line };
}
