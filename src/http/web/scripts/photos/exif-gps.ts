import type { Point } from "../../../../values/point.ts";

/** Number of bytes at the start of a JPEG that are searched for Exif data. */
export const EXIF_BYTES_MAX = 256 * 1024;

/**
 * Exact position at which a JPEG was taken, by its metadata; null unless it has exactly one valid position. Never
 * throws, whatever the bytes. It must not leave the device: call `snap` on it before passing it on.
 *
 * Source: CIPA DC-008 (Exif 2.32), 4.5.4 and 4.6.6; TIFF 6.0, section 2.
 */
export function exifPosition(bytes: Uint8Array): Point | null {
  const tiff = exifSegment(bytes);
  if (tiff === null) return null;
  try {
    return gpsPosition(tiff);
  } catch (error) {
    // DataView throws it for an offset outside of the data.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** TIFF data within the Exif segment of a JPEG. */
function exifSegment(bytes: Uint8Array): DataView | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.byteLength < 4 || view.getUint16(0) !== START_OF_IMAGE) return null;
  let at = 2;
  while (at + 4 <= view.byteLength) {
    const marker = view.getUint16(at);
    // Application data and comments come first; Exif data cannot follow later.
    if ((marker < APP_0 || marker > APP_15) && marker !== COMMENT) return null;
    const length = view.getUint16(at + 2);
    const end = at + 2 + length;
    if (length < 2 || end > view.byteLength) return null;
    if (marker === APP_1 && isExif(view, at + 4, end)) {
      const start = at + 4 + EXIF.length;
      return new DataView(bytes.buffer, bytes.byteOffset + start, end - start);
    }
    at = end;
  }
  return null;
}

const START_OF_IMAGE = 0xffd8;
const APP_0 = 0xffe0;
const APP_1 = 0xffe1;
const APP_15 = 0xffef;
const COMMENT = 0xfffe;
const EXIF = [...new TextEncoder().encode("Exif\0\0")];

function isExif(view: DataView, from: number, end: number): boolean {
  return from + EXIF.length <= end && EXIF.every((byte, i) => view.getUint8(from + i) === byte);
}

function gpsPosition(tiff: DataView): Point | null {
  const order = tiff.getUint16(0);
  if (order !== LITTLE_ENDIAN && order !== BIG_ENDIAN) return null;
  const file: Tiff = { view: tiff, little: order === LITTLE_ENDIAN };
  if (tiff.getUint16(2, file.little) !== TIFF_VERSION) return null;

  const first = readDirectory(file, tiff.getUint32(4, file.little));
  const pointer = first.get(GPS_DIRECTORY);
  if (pointer?.type !== LONG || pointer.count !== 1) return null;
  const gps = readDirectory(file, tiff.getUint32(pointer.valueAt, file.little));
  const lat = degreesOf(file, gps, LATITUDE);
  const lng = degreesOf(file, gps, LONGITUDE);
  // Cameras without a fix write zeros.
  return lat === null || lng === null || (lat === 0 && lng === 0) ? null : { lat, lng };
}

const LITTLE_ENDIAN = 0x4949;
const BIG_ENDIAN = 0x4d4d;
const TIFF_VERSION = 42;
const GPS_DIRECTORY = 0x8825;
const ASCII = 2;
const LONG = 4;
const RATIONAL = 5;

type Tiff = { readonly view: DataView; readonly little: boolean };
type ExifEntry = {
  readonly type: number;
  readonly count: number;
  /** Offset of the value if it fits into four bytes, otherwise of the value's offset. */
  readonly valueAt: number;
};

/** More entries than any camera writes; a directory with more is not read. */
const ENTRIES_MAX = 256;
const ENTRY_BYTES = 12;

function readDirectory({ view, little }: Tiff, at: number): ReadonlyMap<number, ExifEntry> {
  const entries = new Map<number, ExifEntry>();
  const count = view.getUint16(at, little);
  if (count > ENTRIES_MAX) return entries;
  for (let i = 0; i < count; i++) {
    const start = at + 2 + i * ENTRY_BYTES;
    const tag = view.getUint16(start, little);
    const type = view.getUint16(start + 2, little);
    entries.set(tag, { type, count: view.getUint32(start + 4, little), valueAt: start + 8 });
  }
  return entries;
}

/** Coordinate: its tags, the letters for its sign, and its largest absolute value in degrees. */
type Axis = {
  readonly refTag: number;
  readonly tag: number;
  readonly positive: string;
  readonly negative: string;
  readonly max: number;
};
const LATITUDE: Axis = { refTag: 1, tag: 2, positive: "N", negative: "S", max: 90 };
const LONGITUDE: Axis = { refTag: 3, tag: 4, positive: "E", negative: "W", max: 180 };

function degreesOf(file: Tiff, gps: ReadonlyMap<number, ExifEntry>, axis: Axis): number | null {
  const { view, little } = file;
  const ref = gps.get(axis.refTag);
  const value = gps.get(axis.tag);
  // The letter has a zero byte after it.
  if (ref?.type !== ASCII || ref.count !== 2 || value?.type !== RATIONAL || value.count !== 3)
    return null;
  const side = String.fromCharCode(view.getUint8(ref.valueAt));
  if (side !== axis.positive && side !== axis.negative) return null;

  const at = view.getUint32(value.valueAt, little);
  const [degrees, minutes, seconds] = [0, 1, 2].map((part) => rationalAt(file, at + part * 8));
  // A missing part has the denominator zero; the resulting NaN fails the comparison.
  if (!(minutes! < 60 && seconds! < 60)) return null;
  const size = degrees! + minutes! / 60 + seconds! / 3600;
  return size <= axis.max ? (side === axis.positive ? size : -size) : null;
}

function rationalAt({ view, little }: Tiff, at: number): number {
  return view.getUint32(at, little) / view.getUint32(at + 4, little);
}
