import {
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { Fault } from "../../src/core/fault.ts";
import type { Tombstone, TombstoneKind, Tombstones } from "../tombstone.ts";
import { codeOf, flush, flushOpen } from "../../src/ops/fs.ts";

export const TOMBSTONES_FILE = "erased.list";
const LINE =
  /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) (mailbox|confirmed|alert|zone|device) ([0-9a-f]{64})$/;

/** Line feed. */
const END = 0x0a;

/** Tombstones of a data folder, which need not have a list yet. */
export function openTombstones(
  dataDir: string,
  keyedHash: (purpose: "tombstone", text: string) => string,
): Tombstones {
  const file = join(dataDir, TOMBSTONES_FILE);
  const mark = (kind: TombstoneKind, name: string) => keyedHash("tombstone", `${kind} ${name}`);
  /** Lower bound of the oldest time, so that the list is not read each time. */
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

/** Adds the tombstones of one folder to those of another, flushed to disk when this returns. */
export function mergeTombstones(from: string, into: string): void {
  const [more, known] = [from, into].map((folder) => linesOf(join(folder, TOMBSTONES_FILE)));
  const all = [...new Set([...(known ?? []), ...(more ?? [])])];
  // Lines start with ISO times, so sorting them sorts by time.
  if (all.length > (known?.length ?? 0)) replace(into, all.toSorted());
}

/** Appends a line, after cutting off a torn one that a power cut left: only the last line can be torn. */
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
    flushOpen(file);
  } finally {
    closeSync(file);
  }
  if (isNew) flush(dataDir);
}

/** Far more than the length of a line. */
const TAIL_BYTES = 4096;

/** Replaces the list, whole or not at all. */
function replace(dataDir: string, lines: readonly string[]): void {
  const path = join(dataDir, TOMBSTONES_FILE);
  const fresh = `${path}.new`;
  writeFileSync(fresh, lines.map((line) => `${line}\n`).join(""), { mode: 0o600, flush: true });
  renameSync(fresh, path);
  flush(dataDir);
}

/** Complete lines of a list, whose last may be torn. Accepts the line ends of all systems. */
function linesOf(file: string): string[] {
  if (!existsSync(file)) return [];
  const lines = textOf(file).split(/\r?\n/);
  const last = lines.pop() ?? "";
  const wrong = lines.findIndex((line) => line !== "" && !LINE.test(line));
  if (wrong >= 0)
    throw new Fault(
      "unavailable",
      `Line ${wrong + 1} of ${file} cannot be read. It is the list of what was erased: restore it from a backup. You can also delete the line, but then the data it stands for may come back with an old backup.`,
    );
  return [...lines, last.replace(/\r$/, "")].filter((line) => LINE.test(line));
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "latin1");
  } catch (error) {
    throw new Fault(
      "unavailable",
      `${file} cannot be read (${codeOf(error)}). It is the list of what was erased, and the service must be able to read it.`,
    );
  }
}

function tombstoneOf(line: string): Tombstone {
  const [, time = "", kind = "", mark = ""] = LINE.exec(line) ?? [];
  return { at: Date.parse(time), kind: kind as TombstoneKind, mark, line };
}
