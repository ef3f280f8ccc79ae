import {
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { Fault } from "../../src/core/fault.ts";
import {
  createTombstones,
  type Tombstone,
  type TombstoneList,
  tombstoneOf,
  type Tombstones,
} from "../tombstone.ts";
import { codeOf, flush, flushOpen, writeWhole } from "../../src/ops/fs.ts";

export const TOMBSTONES_FILE = "erased.list";

/** Line feed. */
const END = 0x0a;

/** Tombstones of a data folder, which need not have a list yet. */
export function openTombstones(
  dataDir: string,
  keyedHash: Parameters<typeof createTombstones>[1],
): Tombstones {
  return createTombstones(fileTombstones(dataDir), keyedHash);
}

export function fileTombstones(dataDir: string) {
  const file = join(dataDir, TOMBSTONES_FILE);
  return {
    add: (line) => append(dataDir, line),
    all: () => stonesIn(file),
    dropBefore(time) {
      const stones = stonesIn(file);
      const kept = stones.filter(({ at }) => at >= time);
      const isAny = kept.length < stones.length;
      if (isAny)
        replace(
          dataDir,
          kept.map(({ line }) => line),
        );
      return {
        isAny,
        oldestAt: kept.reduce((oldest, { at }) => Math.min(oldest, at), kept[0]?.at ?? time),
      };
    },
  } satisfies TombstoneList;
}

/** Adds the tombstones of one folder to those of another, flushed to disk when this returns. */
export function mergeTombstones(from: string, into: string): void {
  const [more, known] = [from, into].map((folder) =>
    fileTombstones(folder)
      .all()
      .map(({ line }) => line),
  );
  const all = [...new Set([...(known ?? []), ...(more ?? [])])];
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
    const isWhole = tombstoneOf(last.replace(/\r$/, "")) !== null;
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

function replace(dataDir: string, lines: readonly string[]): void {
  writeWhole(join(dataDir, TOMBSTONES_FILE), lines.map((line) => `${line}\n`).join(""));
}

/** Tombstones of a list, whose last line may be torn. Accepts the line ends of all systems. */
function stonesIn(file: string): Tombstone[] {
  if (!existsSync(file)) return [];
  const lines = textOf(file).split(/\r?\n/);
  const last = lines.pop() ?? "";
  const stones = lines.map(tombstoneOf);
  const wrong = lines.findIndex((line, nth) => line !== "" && stones[nth] === null);
  if (wrong >= 0)
    throw new Fault(
      "unavailable",
      `Line ${wrong + 1} of ${file} cannot be read. It is the list of what was erased: restore it from a backup. You can also delete the line, but then the data it stands for may come back with an old backup.`,
    );
  return [...stones, tombstoneOf(last.replace(/\r$/, ""))].filter((stone) => stone !== null);
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
