import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { Fault } from "../../../src/core/fault.ts";
import { KEY_FILE } from "../../../src/ops/secret-key.ts";
import { PHOTOS, photoFilesIn } from "./check.ts";
import { DATABASE_FILE } from "../open.ts";
import { TOMBSTONES_FILE } from "../tombstones.ts";

// A backup as a tar archive of plain files (POSIX.1-1988, "ustar"), which every tar reads and writes. Reading accepts only
// the files of a backup: no links, paths or other names.

const BLOCK_BYTES = 512;
const PIECE_BYTES = 1024 * 1024;
/** Largest number of eleven octal digits. */
const SIZE_MAX = 8 ** 11 - 1;
/** File in the archive of a copy whose photos lie elsewhere: their names, one a line. */
export const PHOTO_LIST = "photos.txt";
const NAME = new RegExp(
  `^(?:\\./)?(${[DATABASE_FILE, KEY_FILE, TOMBSTONES_FILE, PHOTO_LIST].join("|").replaceAll(".", "\\.")}|${PHOTOS}/[0-9a-f]{32}(?:-480)?\\.webp)$`,
);
const FOLDER = new RegExp(`^(?:\\./)?(?:${PHOTOS}/)?$`);

/** Chunks of a tar archive of the backup in a folder. */
export function* archiveOf(folder: string): Generator<Uint8Array, void> {
  const photos = photoFilesIn(join(folder, PHOTOS)).map((name) => `${PHOTOS}/${name}`);
  yield* archiveOfFiles(folder, [...filesBesidePhotos(folder), ...photos]);
}

/** Names of the files of a backup that are not photos. */
export function filesBesidePhotos(folder: string): string[] {
  return [DATABASE_FILE, KEY_FILE, TOMBSTONES_FILE].filter((name) =>
    existsSync(join(folder, name)),
  );
}

/** Chunks of a tar archive of some files of a backup, and of one more file. */
export function* archiveOfFiles(
  folder: string,
  names: readonly string[],
  more: { readonly name: string; readonly bytes: Uint8Array } | null = null,
): Generator<Uint8Array, void> {
  for (const name of names) yield* entryOf(folder, name);
  if (more !== null) {
    yield headerOf(more.name, more.bytes.length, 0);
    yield more.bytes;
    yield new Uint8Array(paddingOf(more.bytes.length));
  }
  yield new Uint8Array(2 * BLOCK_BYTES);
}

function* entryOf(folder: string, name: string): Generator<Uint8Array, void> {
  const file = openSync(join(folder, name), "r");
  try {
    const { size, mtimeMs } = fstatSync(file);
    if (size > SIZE_MAX)
      throw new Fault("too_large", `${name} is larger than 8 GB: back up into a folder instead.`);
    yield headerOf(name, size, mtimeMs);
    const piece = new Uint8Array(PIECE_BYTES);
    for (let left = size; left > 0;) {
      const read = readSync(file, piece, 0, Math.min(piece.length, left), null);
      if (read === 0) throw new Fault("unavailable", `${name} became shorter while it was read.`);
      left -= read;
      yield piece.slice(0, read);
    }
    yield new Uint8Array(paddingOf(size));
  } finally {
    closeSync(file);
  }
}

function headerOf(name: string, size: number, mtimeMs: number): Uint8Array {
  const header = Buffer.alloc(BLOCK_BYTES);
  header.write(name, 0, "latin1");
  header.write("0000600\0", 100, "latin1");
  header.write("0000000\0", 108, "latin1");
  header.write("0000000\0", 116, "latin1");
  header.write(`${octal(size, 11)}\0`, 124, "latin1");
  header.write(`${octal(Math.max(0, Math.floor(mtimeMs / 1000)), 11)}\0`, 136, "latin1");
  // Type: plain file.
  header.write("0", 156, "latin1");
  header.write("ustar\u000000", 257, "latin1");
  header.write(`${octal(sumOf(header), 6)}\0 `, 148, "latin1");
  return header;
}

function octal(number: number, digits: number): string {
  return number.toString(8).padStart(digits, "0");
}

/** Checksum of a header: the sum of all bytes, with those of the checksum as spaces. */
function sumOf(header: Uint8Array): number {
  return header.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 0x20 : byte), 0);
}

function paddingOf(size: number): number {
  return (BLOCK_BYTES - (size % BLOCK_BYTES)) % BLOCK_BYTES;
}

/**
 * Writes the files of an archived backup into a folder that has none of them. Throws `bad_input` with a message for the
 * operator if it is not a backup, is truncated, or contains anything else; the message begins with `what`.
 */
export async function unpackArchive(
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  folder: string,
  what = "Standard input",
): Promise<void> {
  const notABackup = (why: string) => new Fault("bad_input", `${what} is not a backup: ${why}.`);
  const reader = createReader(bytes, () => notABackup("it is truncated"));
  mkdirSync(join(folder, PHOTOS), { recursive: true, mode: 0o700 });
  for (;;) {
    const header = await reader.take(BLOCK_BYTES);
    // The end is marked, so a truncated archive does not pass for a whole one.
    if (header.every((byte) => byte === 0)) return;
    const { name, size, isFolder } = readHeader(header, notABackup);
    if (!isFolder) {
      if (existsSync(join(folder, name))) throw notABackup(`it contains ${name} twice`);
      const file = openSync(join(folder, name), "wx", 0o600);
      try {
        for (let left = size; left > 0;) {
          const piece = await reader.some(left);
          writeFileSync(file, piece);
          left -= piece.length;
        }
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
    }
    await reader.take(paddingOf(size));
  }
}

function readHeader(header: Uint8Array, notABackup: (why: string) => Fault) {
  const text = (from: number, length: number) =>
    Buffer.from(header.subarray(from, from + length))
      .toString("latin1")
      .replace(/\0.*$/s, "");
  const number = (from: number, length: number) => {
    const digits = text(from, length).trim();
    if (!/^[0-7]+$/.test(digits)) throw notABackup("it is not a tar archive, or it is damaged");
    return Number.parseInt(digits, 8);
  };
  if (number(148, 8) !== sumOf(header))
    throw notABackup("it is not a tar archive, or it is damaged");
  const prefix = text(345, 155);
  const name = prefix === "" ? text(0, 100) : `${prefix}/${text(0, 100)}`;
  const type = text(156, 1);
  const size = number(124, 12);
  if (type === "5" && FOLDER.test(name) && size === 0) return { name, size, isFolder: true };
  const own = NAME.exec(name)?.[1];
  if (type !== "0" && type !== "") throw notABackup(`${name} in it is not a plain file`);
  if (own === undefined) throw notABackup(`it contains ${name}, which is not part of a backup`);
  return { name: own, size, isFolder: false };
}

function createReader(
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  truncated: () => Fault,
) {
  const pieces =
    Symbol.asyncIterator in bytes ? bytes[Symbol.asyncIterator]() : bytes[Symbol.iterator]();
  let held: Uint8Array = new Uint8Array(0);

  /** Next bytes, at least one and at most `most`. */
  async function some(most: number): Promise<Uint8Array> {
    while (held.length === 0) {
      const { done, value } = await pieces.next();
      if (done === true) throw truncated();
      held = value;
    }
    const piece = held.subarray(0, most);
    held = held.subarray(piece.length);
    return piece;
  }

  return {
    some,
    async take(length: number): Promise<Uint8Array> {
      const taken = new Uint8Array(length);
      for (let at = 0; at < length;) {
        const piece = await some(length - at);
        taken.set(piece, at);
        at += piece.length;
      }
      return taken;
    },
  };
}
