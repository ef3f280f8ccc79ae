// Format: ICC.1:2022, to which the numbers in brackets refer. Numbers are big-endian.

const HEADER_BYTES = 128;
/** Place of the white point in the header. */
const WHITE_AT = 68;
const TAG_BYTES = 12;
const TAGS_MAX = 100;
const CURVE_POINTS_MAX = 4_096;
/** Bytes of the parameters of a curve, by the type of its function (10.18). */
const PARAMETERS_BYTES = [4, 12, 16, 20, 28];

/** Colours of the three primaries, and the curves of their brightness (8.3.3). */
const COLORANTS = ["rXYZ", "gXYZ", "bXYZ"];
const CURVES = ["rTRC", "gTRC", "bTRC"];

/** XYZ of the primaries of sRGB at D50. */
const SRGB = [0.436, 0.2225, 0.0139, 0.3851, 0.7169, 0.0971, 0.1431, 0.0606, 0.7141];
const TOLERANCE = 0.005;
const D50 = [0.9642, 1, 0.8249];

/**
 * Colour profile with the numbers of another one and nothing else: no texts, no tables and no data of its maker's own. Null
 * for sRGB, which needs none, and for profiles of other kinds, such as those of printers.
 */
export function bareProfile(profile: Buffer): Buffer | null {
  const isRgb = profile.toString("latin1", 16, 24) === "RGB XYZ ";
  const names = [...COLORANTS, ...CURVES];
  const elements = names.flatMap((name) => elementOf(profile, name) ?? []);
  if (!isRgb || elements.length < names.length || !elements.every(isPlausible)) return null;
  const primaries = elements.slice(0, COLORANTS.length).flatMap((element) => xyzAt(element, 8));
  // Browsers ignore profiles for another white.
  if (isNear(primaries, SRGB) || !isNear(xyzAt(profile, WHITE_AT), D50)) return null;
  return profileOf([
    ["desc", NO_TEXT],
    ["cprt", NO_TEXT],
    ["wtpt", xyz(D50)],
    ...names.map((name, at): [string, Buffer] => [name, elements[at]!]),
  ]);
}

/** Element of a tag, without what may follow it; null if there is none, or one of another kind. */
function elementOf(profile: Buffer, name: string): Buffer | null {
  const tags = profile.subarray(HEADER_BYTES + 4, HEADER_BYTES + 4 + TAGS_MAX * TAG_BYTES);
  for (let at = 0; at + TAG_BYTES <= tags.length; at += TAG_BYTES) {
    if (tags.toString("latin1", at, at + 4) !== name) continue;
    const rest = profile.subarray(tags.readUInt32BE(at + 4));
    const bytes = rest.length < TAG_BYTES ? Infinity : bytesOf(rest);
    return bytes <= rest.length ? rest.subarray(0, bytes) : null;
  }
  return null;
}

/** Most that a number of a display's profile can be. */
const NUMBER_MAX = 16;

/** False for a curve that falls, and for great numbers, as texts in their place are. */
function isPlausible(element: Buffer): boolean {
  const isCurve = element.toString("latin1", 0, 4) === "curv";
  const [from, bytes] = isCurve
    ? [12, 2]
    : [element.toString("latin1", 0, 4) === "para" ? 12 : 8, 4];
  const numbers = Array.from({ length: (element.length - from) / bytes }, (_, nth) =>
    isCurve
      ? element.readUInt16BE(from + bytes * nth)
      : element.readInt32BE(from + bytes * nth) / FIXED_ONE,
  );
  return isCurve
    ? numbers.every((number, at) => number >= (numbers[at - 1] ?? 0))
    : numbers.every((number) => Math.abs(number) <= NUMBER_MAX);
}

/** Length of an element by its type; infinite for other types than those of `COLORANTS` and `CURVES`. */
function bytesOf(element: Buffer): number {
  switch (element.toString("latin1", 0, 4)) {
    case "XYZ ":
      return 20;
    case "para":
      return 12 + (PARAMETERS_BYTES[element.readUInt16BE(8)] ?? Infinity);
    case "curv": {
      const points = element.readUInt32BE(8);
      return points > CURVE_POINTS_MAX ? Infinity : 12 + 2 * points;
    }
    default:
      return Infinity;
  }
}

/** Profile of a display with these elements (7.2, 7.3). */
function profileOf(tags: readonly (readonly [string, Buffer])[]): Buffer {
  const table = Buffer.alloc(4 + TAG_BYTES * tags.length);
  table.writeUInt32BE(tags.length);
  const data: Buffer[] = [];
  let end = HEADER_BYTES + table.length;
  for (const [nth, [name, element]] of tags.entries()) {
    const at = 4 + TAG_BYTES * nth;
    table.write(name, at, "latin1");
    table.writeUInt32BE(end, at + 4);
    table.writeUInt32BE(element.length, at + 8);
    data.push(element, Buffer.alloc(-element.length & 3));
    end += element.length + (-element.length & 3);
  }
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32BE(end);
  header.writeUInt32BE(0x04400000, 8);
  header.write("mntrRGB XYZ ", 12, "latin1");
  // A date is required.
  [2000, 1, 1].forEach((value, at) => header.writeUInt16BE(value, 24 + 2 * at));
  header.write("acsp", 36, "latin1");
  xyz(D50).copy(header, WHITE_AT, 8);
  return Buffer.concat([header, table, ...data]);
}

const FIXED_ONE = 0x10000;

function xyzAt(bytes: Buffer, from: number): number[] {
  return [0, 4, 8].map((at) => bytes.readInt32BE(from + at) / FIXED_ONE);
}

function isNear(values: readonly number[], others: readonly number[]): boolean {
  return values.every((value, at) => Math.abs(value - others[at]!) < TOLERANCE);
}

function xyz(values: readonly number[]): Buffer {
  const element = Buffer.alloc(20);
  element.write("XYZ ", "latin1");
  values.forEach((value, at) => element.writeInt32BE(Math.round(value * FIXED_ONE), 8 + 4 * at));
  return element;
}

/** Text in no language (10.15): no records, each of 12 bytes. */
const NO_TEXT = Buffer.from("mluc\0\0\0\0\0\0\0\0\0\0\0\x0c", "latin1");
