import { readFileSync } from "node:fs";
import { LRUCache } from "lru-cache";
import { motherCountry } from "./country-names.ts";
import type { Point } from "../values/point.ts";
import { foldName } from "./format.ts";
import path from "./postcodes.bin" with { type: "file" };
import type { PostcodeArea } from "./town.ts";

/** Area of a postcode, with its town where that is not the gazetteer's nearest one. */
type PostcodeEntry = Omit<PostcodeArea, "town"> & { readonly town: string | null };
/** Village or district that the gazetteer's towns do not include. */
export type Village = {
  readonly name: string;
  readonly countryCode: string;
  readonly point: Point;
};

/**
 * The embedded table of postcodes of 22 countries, and of the villages and districts in it that places.bin does not
 * have. Made from GeoNames' postal codes (https://www.geonames.org/, CC BY 4.0) by test/support/pack-postcodes.ts.
 *
 * Entries are sorted lines in blocks, each block compressed by itself: the file stays small in memory, and a lookup
 * decompresses one block. The file is read when a postcode or village is first looked for.
 */
export type PostcodeTable = {
  /** Postcodes written like this, in any country; for Britain, Canada and Ireland the part before the space counts. */
  postcodes(text: string): PostcodeEntry[];
  /** Villages with this name, ignoring case and accents. */
  villages(name: string): Village[];
};

export function openPostcodes(): PostcodeTable {
  let read: PostcodeFile | undefined;
  const file = () => (read ??= readPostcodeFile(readFileSync(path)));
  return {
    postcodes(text) {
      return keysIn(text).flatMap(({ key, countryCode: only, ...about }) =>
        linesOf(file(), "codes", key).flatMap(([countryCode = "", lat, lng, town = null]) =>
          only === null || only === motherCountry(countryCode)
            ? [{ countryCode, point: pointOf([lat, lng]), town, ...about }]
            : [],
        ),
      );
    },
    villages(name) {
      const folded = foldName(name);
      if (folded === "") return [];
      return linesOf(file(), "names", folded).map((fields) => villageOf([folded, ...fields]));
    },
  };
}

/** Every village of the table. */
export function everyVillage(): Village[] {
  const file = readPostcodeFile(readFileSync(path));
  return file.directory.names
    .flatMap(([, from, length]) => readBlock(file, from, length).trim().split("\n"))
    .map((line) => villageOf(line.split("\t")));
}

function villageOf([folded = "", written = "", countryCode = "", ...cell]: string[]): Village {
  const name = written === "" ? capitalized(folded) : written;
  return { name, countryCode, point: pointOf(cell) };
}

/** Units of the table's coordinates in a degree: the grid of public positions is no finer. */
export const CELLS_PER_DEGREE = 100;

function pointOf([lat, lng]: readonly (string | undefined)[]): Point {
  return { lat: Number(lat) / CELLS_PER_DEGREE, lng: Number(lng) / CELLS_PER_DEGREE };
}

/** First letter of each word in upper case: names that differ from this are written out in the table. */
export function capitalized(folded: string): string {
  return folded.replace(/(?<![\p{L}\p{M}\p{N}])\p{L}/gu, (letter) => letter.toUpperCase());
}

/**
 * Forms of postcodes, without spaces and hyphens, and the part of each that the table has: all of it, or the first part
 * where a second one names a few houses.
 */
const FORMS: readonly { readonly form: RegExp; readonly countryCode: string | null }[] = [
  { form: /^(\d{4,5})$/, countryCode: null },
  { form: /^(\d{5})\d{4}$/, countryCode: "US" },
  { form: /^(\d{4})[A-Z]{2}$/, countryCode: "NL" },
  { form: /^([A-Z]{1,2}\d[A-Z\d]?)(?:\d[A-Z]{2})?$/, countryCode: "GB" },
  { form: /^([A-Z]\d[A-Z])(?:\d[A-Z]\d)?$/, countryCode: "CA" },
  { form: /^([A-Z]\d[\dW])(?:[A-Z\d]{4})?$/, countryCode: "IE" },
];
/** "F-69004" and "FR-69004": the letters of a country, as on letters from abroad, and digits. */
const WITH_COUNTRY = /^([A-Z]{1,3})[- ]?(\d{4,5})$/;
const COUNTRY_LETTERS: Readonly<Record<string, string>> = Object.fromEntries(
  "A-AT B-BE D-DE E-ES F-FR FIN-FI FL-LI I-IT L-LU N-NO S-SE"
    .split(" ")
    .map((pair) => pair.split("-")),
);
/** Characters of the longest postcode, "12345-6789", with some to spare. */
const LENGTH_MAX = 12;

/** Key of the table, the only country it may be of, and more about the postcode. */
type PostcodeKey = Pick<PostcodeArea, "says" | "written"> & {
  readonly key: string;
  readonly countryCode: string | null;
};

/** Keys of the table that a text may stand for. */
function keysIn(text: string): PostcodeKey[] {
  if (text.length > LENGTH_MAX) return [];
  const trimmed = text.trim().toUpperCase();
  const [, letters, digits] = WITH_COUNTRY.exec(trimmed) ?? [];
  if (letters !== undefined && digits !== undefined)
    return [{ key: digits, countryCode: COUNTRY_LETTERS[letters] ?? letters, says: "country" }];
  const joined = trimmed.replace(/[\s-]/g, "");
  const plain = FORMS.flatMap(({ form, countryCode }): PostcodeKey[] => {
    const key = form.exec(joined)?.[1];
    const says = countryCode === null ? "digits" : "form";
    return key === undefined ? [] : [{ key, countryCode, says }];
  });
  if (!FOUR_DIGITS.test(joined)) return plain;
  const padded = `0${joined}`;
  return [...plain, { key: padded, countryCode: null, says: "digits", written: padded }];
}

/** A postcode of four digits, or one of five of which a table has lost the leading zero. */
const FOUR_DIGITS = /^\d{4}$/;

/** Kinds of entries in the file. */
export type Kind = "codes" | "names";
/** First key of each block, and the block's place in the file. */
export type Directory = Readonly<Record<Kind, readonly (readonly [string, number, number])[]>>;
type PostcodeFile = {
  readonly bytes: Uint8Array;
  readonly directory: Directory;
  /** Decompressed blocks by their offset: the spellings of one text share a few. */
  readonly blocks: LRUCache<number, string>;
};

/** Decompressed blocks kept, some 20 KB each. */
const BLOCKS_MAX = 16;

export const MAGIC = "PETPOST1";
const LENGTH_BYTES = 4;

function readPostcodeFile(file: Uint8Array): PostcodeFile {
  const text = new TextDecoder();
  if (text.decode(file.subarray(0, MAGIC.length)) !== MAGIC)
    throw new Error("postcodes.bin is not of this format; run test/support/pack-postcodes.ts");
  const view = new DataView(file.buffer, file.byteOffset);
  const from = MAGIC.length + LENGTH_BYTES;
  const to = from + view.getUint32(MAGIC.length, true);
  const directory = JSON.parse(text.decode(Bun.zstdDecompressSync(file.subarray(from, to))));
  return { bytes: file.subarray(to), directory, blocks: new LRUCache({ max: BLOCKS_MAX }) };
}

/** Fields of the lines with this key, without the key. */
function linesOf(file: PostcodeFile, kind: Kind, key: string): string[][] {
  const block = file.directory[kind].findLast(([first]) => first <= key);
  if (block === undefined) return [];
  const [, from, length] = block;
  const text = file.blocks.get(from) ?? readBlock(file, from, length);
  const found: string[][] = [];
  const start = `\n${key}\t`;
  for (let at = text.indexOf(start); at >= 0; at = text.indexOf(start, at + 1))
    found.push(text.slice(at + start.length, text.indexOf("\n", at + 1)).split("\t"));
  return found;
}

/** Text of a block, with a line break at both ends. */
function readBlock({ bytes, blocks }: PostcodeFile, from: number, length: number): string {
  const lines = Bun.zstdDecompressSync(bytes.subarray(from, from + length));
  const text = `\n${new TextDecoder().decode(lines)}\n`;
  blocks.set(from, text);
  return text;
}
