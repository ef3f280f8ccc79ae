import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { flush } from "./copying.ts";

/** What was erased for good: all that was kept under a mailbox, an alert, a zone. */
export type TombstoneKind = "mailbox" | "alert" | "zone";

/** What must not come back, known by a keyed hash; what came to be after `at` is another thing. */
export type Tombstone = {
  readonly at: number;
  readonly kind: TombstoneKind;
  readonly mark: string;
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
  /** In the order they were added. */
  all(): readonly Tombstone[];
  /** Of the whole list: two lists with the same lines in the same order have the same. Null for an empty one. */
  digest(): string | null;
  /** Drops those before a time; says whether there were any. */
  forget(before: number): boolean;
};

export const TOMBSTONES_FILE = "erased.list";
/** A line cut short by a power cut is no line; so is anything else that does not look like this. */
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
    digest: () => linesOf(file).reduce(digestWith, null),
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

/** The digest of a list with one more line. */
export function digestWith(digest: string | null, line: string): string {
  return new Bun.CryptoHasher("sha256").update(`${digest ?? ""}\n${line}`).digest("hex");
}

/** For a store that is put back by nobody, such as one opened for reading: it remembers nothing. */
export const NO_TOMBSTONES: Tombstones = {
  mark: () => "",
  add: () => "",
  all: () => [],
  digest: () => null,
  forget: () => false,
};

/** Adds to a folder's list what another folder's list has and it has not. All of it lies on the disk when this returns. */
export function mergeTombstones(from: string, into: string): void {
  const [more, known] = [from, into].map((folder) => linesOf(join(folder, TOMBSTONES_FILE)));
  const all = [...new Set([...(known ?? []), ...(more ?? [])])];
  // Times are written alike, so the order of the text is theirs.
  if (all.length > (known?.length ?? 0)) replace(into, all.toSorted());
}

/** An own line even behind one that was cut short. */
function append(dataDir: string, line: string): void {
  const path = join(dataDir, TOMBSTONES_FILE);
  const isNew = !existsSync(path);
  const file = openSync(path, "a+", 0o600);
  try {
    const last = new Uint8Array(1);
    const { size } = fstatSync(file);
    const isOpen = readSync(file, last, { position: Math.max(0, size - 1) }) > 0 && last[0] !== END;
    writeFileSync(file, `${isOpen ? "\n" : ""}${line}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  if (isNew) flush(dataDir);
}

/** Whole or not at all. */
function replace(dataDir: string, lines: readonly string[]): void {
  const path = join(dataDir, TOMBSTONES_FILE);
  const fresh = `${path}.new`;
  writeFileSync(fresh, lines.map((line) => `${line}\n`).join(""), { mode: 0o600, flush: true });
  renameSync(fresh, path);
  flush(dataDir);
}

function linesOf(file: string): string[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, "latin1")
    .split("\n")
    .filter((line) => LINE.test(line));
}

function tombstoneOf(line: string): Tombstone {
  const [, time = "", kind = "", mark = ""] = LINE.exec(line) ?? [];
  return { at: Date.parse(time), kind: kind as TombstoneKind, mark };
}
