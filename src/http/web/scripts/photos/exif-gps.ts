import type { Point } from "../../../../values/point.ts";

/** Number of bytes at the start of a JPEG that are searched for Exif data. */
export const EXIF_BYTES_MAX = 256 * 1024;

/**
 * Exact position at which a JPEG was taken, by its metadata; null without a valid one. Never throws, whatever the bytes.
 * It must not leave the device: call `snap` on it before passing it on.
 *
 * Source: CIPA DC-008 (Exif 2.32), 4.5.4 and 4.6.6; TIFF 6.0, section 2.
 */
export function exifPosition(bytes: Uint8Array): Point | null {
  try {
    const tiff = exifSegment(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    return tiff && gpsPosition(tiff);
  } catch (error) {
    // DataView throws it for an offset outside of the data.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

const START_OF_IMAGE = 0xffd8;
const APP_0 = 0xffe0;
const APP_1 = 0xffe1;
const APP_15 = 0xffef;
const COMMENT = 0xfffe;
/** "Exif", before two zero bytes. */
const EXIF = 0x45786966;
const EXIF_HEADER_BYTES = 6;

/** TIFF data within the Exif segment of a JPEG. */
function exifSegment(jpeg: DataView): DataView | null {
  if (jpeg.getUint16(0) !== START_OF_IMAGE) return null;
  for (let at = 2; ;) {
    const marker = jpeg.getUint16(at);
    // Application data and comments come first; Exif data cannot follow later.
    if ((marker < APP_0 || marker > APP_15) && marker !== COMMENT) return null;
    const length = jpeg.getUint16(at + 2);
    const start = at + 4;
    at += 2 + length;
    if (length < 2 || at > jpeg.byteLength) return null;
    const tiffAt = start + EXIF_HEADER_BYTES;
    if (marker !== APP_1 || tiffAt > at || jpeg.getUint32(start) !== EXIF) continue;
    if (jpeg.getUint16(start + 4) === 0)
      return new DataView(jpeg.buffer, jpeg.byteOffset + tiffAt, at - tiffAt);
  }
}

const LITTLE_ENDIAN = 0x4949;
const BIG_ENDIAN = 0x4d4d;
const TIFF_VERSION = 42;
const GPS_DIRECTORY = 0x8825;
const ASCII = 2;
const LONG = 4;
const RATIONAL = 5;
/** More entries than any camera writes; a directory with more is not read. */
const ENTRIES_MAX = 256;
const ENTRY_BYTES = 12;

function gpsPosition(tiff: DataView): Point | null {
  const order = tiff.getUint16(0);
  if (order !== LITTLE_ENDIAN && order !== BIG_ENDIAN) return null;
  const little = order === LITTLE_ENDIAN;
  if (tiff.getUint16(2, little) !== TIFF_VERSION) return null;

  const pointer = entryIn(tiff.getUint32(4, little), GPS_DIRECTORY, LONG, 1);
  if (pointer === null) return null;
  const gps = tiff.getUint32(pointer, little);
  const lat = degreesOf(1, "NS", 90);
  const lng = degreesOf(3, "EW", 180);
  // Cameras without a fix write zeros.
  return lat === null || lng === null || (lat === 0 && lng === 0) ? null : { lat, lng };

  /** Offset of the last value of a tag in a directory, or of its value's offset where four bytes are too few. */
  function entryIn(directory: number, tag: number, type: number, count: number): number | null {
    const entries = tiff.getUint16(directory, little);
    if (entries > ENTRIES_MAX) return null;
    let found: number | null = null;
    for (let at = directory + 2; at < directory + 2 + entries * ENTRY_BYTES; at += ENTRY_BYTES) {
      const isValid =
        tiff.getUint16(at + 2, little) === type && tiff.getUint32(at + 4, little) === count;
      if (tiff.getUint16(at, little) === tag) found = isValid ? at + 8 : null;
    }
    return found;
  }

  /** Coordinate by the tag of its letter, before that of its degrees; `letters` are those of its two signs. */
  function degreesOf(letterTag: number, letters: string, max: number): number | null {
    // The letter has a zero byte after it.
    const letterAt = entryIn(gps, letterTag, ASCII, 2);
    const valueAt = entryIn(gps, letterTag + 1, RATIONAL, 3);
    if (letterAt === null || valueAt === null) return null;
    const letter = String.fromCharCode(tiff.getUint8(letterAt));
    const at = tiff.getUint32(valueAt, little);
    const [degrees = NaN, minutes = NaN, seconds = NaN] = [0, 8, 16].map(
      (part) => tiff.getUint32(at + part, little) / tiff.getUint32(at + part + 4, little),
    );
    const size = degrees + minutes / 60 + seconds / 3600;
    // A missing part has the denominator zero; the resulting NaN fails the comparisons.
    if (!letters.includes(letter) || !(minutes < 60 && seconds < 60 && size <= max)) return null;
    return letter === letters[0] ? size : -size;
  }
}
