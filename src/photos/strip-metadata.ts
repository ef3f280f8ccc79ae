import { inflateSync } from "node:zlib";
import { Fault } from "../core/fault.ts";
import { bareProfile } from "./colour-profile.ts";

/** Segments or chunks of a file. A PNG of 8 MB in the usual chunks of 8 KB has a thousand. */
const PIECES_MAX = 10_000;
/**
 * Scans of a JPEG; a progressive one has about ten. Each takes the decoder over all pixels once and can be as short as
 * 42 bytes, so a file of 8 MB could keep it busy for minutes.
 */
const SCANS_MAX = 100;

/** Photo without its metadata, and what of it says how the photo looks. */
export type StrippedPhoto = {
  readonly bytes: Uint8Array;
  /** Orientation, 1 to 8, as Exif counts them, if the decoder does not find it itself. */
  readonly orientation?: number;
  /** Colour profile without any text; null for sRGB. */
  readonly profile: Buffer | null;
};

/**
 * Strips a photo file down to what is needed to draw it: no comments, colour profiles or previews, and nothing after the
 * end of the image. Decoders would read all of that: 6 MB of compressed comments in a PNG unpack to gigabytes, and a
 * colour profile is copied to the output, with any text inside.
 *
 * Throws `bad_type` for anything but JPEG, PNG, WebP and GIF, `bad_input` for a truncated file, unless browsers show it.
 */
export function stripMetadata(bytes: Uint8Array): StrippedPhoto {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const beginning = file.toString("latin1", 0, 16);
  const format = FORMATS.find(({ begins }) => begins.test(beginning));
  if (format !== undefined) return format.strip(file);
  throw new Fault("bad_type", { reason: HEIF.test(beginning) ? "photo_heic" : "photo_type" });
}

/** Fault for a file that begins like a photo but cannot be decoded. */
export function brokenPhoto(): Fault {
  return new Fault("bad_input", { reason: "photo_broken" });
}

const FORMATS: readonly {
  readonly begins: RegExp;
  readonly strip: (file: Buffer) => StrippedPhoto;
}[] = [
  { begins: /^\xff\xd8\xff/, strip: stripJpeg },
  { begins: /^\x89PNG\r\n/, strip: stripPng },
  { begins: /^RIFF[^]{4}WEBP/, strip: stripWebp },
  // The decoder reads the first image only.
  { begins: /^GIF8[79]a/, strip: (file) => ({ bytes: file, profile: null }) },
];
/** Bun decodes these on macOS and Windows only; they are refused everywhere, so that all servers answer alike. */
const HEIF = /^[^]{4}ftyp(?:hei|hev|mif|msf|avi)/;

/** Markers of JPEG (ITU-T T.81, table B.1). */
const END_OF_IMAGE = 0xd9;
const START_OF_SCAN = 0xda;
const APP0_JFIF = 0xe0;
const APP1_EXIF = 0xe1;
const APP2_ICC = 0xe2;
const APP14_ADOBE = 0xee;
/** Last of the markers that table B.1 reserves for applications and comments: APP0 to APP15, JPG0 to JPG13, COM. */
const COMMENT = 0xfe;

/** Marks a profile that fits into one segment; the others belong to printers. */
const ICC_PROFILE = "ICC_PROFILE\0\x01\x01";

function stripJpeg(file: Buffer): StrippedPhoto {
  const drawn = [file.subarray(0, 2)];
  let scans = 0;
  let profile: Buffer | null = null;
  for (const { marker, content, whole } of jpegSegments(file)) {
    if (marker === START_OF_SCAN) scans += 1;
    if (scans > SCANS_MAX) throw brokenPhoto();
    if (isDrawn(marker, content)) drawn.push(whole);
    if (marker === APP2_ICC && content.toString("latin1", 0, ICC_PROFILE.length) === ICC_PROFILE)
      profile ??= bareProfile(content.subarray(ICC_PROFILE.length));
  }
  return { bytes: Buffer.concat(drawn), profile };
}

function isDrawn(marker: number, content: Buffer): boolean {
  switch (marker) {
    // These define how colours are encoded.
    case APP0_JFIF:
    case APP14_ADOBE:
      return true;
    // The decoder needs the orientation; it writes no Exif itself.
    case APP1_EXIF:
      return content.toString("latin1", 0, 6) === "Exif\0\0";
    default:
      return marker < APP0_JFIF || marker > COMMENT;
  }
}

const END = Buffer.from([0xff, END_OF_IMAGE]);

/**
 * Segments up to the end of the image; a scan includes its data. An image that has begun may lack its end, as in a
 * download that was cut off: browsers show what is there, and so does the decoder.
 */
function* jpegSegments(file: Buffer) {
  let hasScan = false;
  for (let at = markerFrom(file, 2), count = 0; ; count += 1) {
    if (count > PIECES_MAX) throw brokenPhoto();
    const marker = file[at + 1] ?? END_OF_IMAGE;
    const length = at + 4 <= file.length ? file.readUInt16BE(at + 2) : Infinity;
    const contentEnd = at + 2 + length;
    if (marker === END_OF_IMAGE || (hasScan && contentEnd > file.length)) {
      if (at === file.length && !hasScan) throw brokenPhoto();
      yield { marker: END_OF_IMAGE, content: file.subarray(0, 0), whole: END };
      return;
    }
    const content = piece(file, at + 4, contentEnd);
    hasScan ||= marker === START_OF_SCAN;
    const end = marker === START_OF_SCAN ? markerFrom(file, contentEnd) : contentEnd;
    yield { marker, content, whole: file.subarray(at, end) };
    at = markerFrom(file, end);
  }
}

/**
 * Offset of the next marker that starts or ends a segment, or of the end of the file; skips stuffing, fill bytes, restart
 * markers and stray bytes.
 */
function markerFrom(file: Buffer, from: number): number {
  for (let at = from; at + 1 < file.length; at += 1) {
    if (file[at] !== 0xff) continue;
    const marker = file[at + 1] ?? 0;
    const isRestart = marker >= 0xd0 && marker <= 0xd7;
    if (marker > 0x01 && marker !== 0xff && !isRestart) return at;
  }
  return file.length;
}

const PNG_SIGNATURE_BYTES = 8;
/** Chunks of the still image (W3C PNG, sections 11.2 and 11.3.1), without those of an animation. */
const PNG_DRAWN = new Set(["IHDR", "PLTE", "tRNS", "IDAT", "IEND"]);

function stripPng(file: Buffer): StrippedPhoto {
  const drawn = [file.subarray(0, PNG_SIGNATURE_BYTES)];
  let orientation = 1;
  // A PNG has one profile; unpacking thousands would take a second.
  let profile: Buffer | null | undefined;
  for (const { type, content, whole } of pngChunks(file)) {
    if (PNG_DRAWN.has(type)) drawn.push(whole);
    if (type === "eXIf") orientation = orientationIn(content);
    if (type === "iCCP" && profile === undefined) profile = unpackedProfile(content);
  }
  return { bytes: Buffer.concat(drawn), orientation, profile: profile ?? null };
}

/** Chunks up to and including `IEND`, which may be missing: browsers show the image all the same. */
function* pngChunks(file: Buffer) {
  let hasData = false;
  for (let at = PNG_SIGNATURE_BYTES, count = 0; ; count += 1) {
    if (count > PIECES_MAX) throw brokenPhoto();
    if (hasData && at === file.length) return;
    const contentBytes = piece(file, at, at + 4).readUInt32BE();
    const end = at + 12 + contentBytes;
    const type = file.toString("latin1", at + 4, at + 8);
    yield { type, content: piece(file, at + 8, end - 4), whole: piece(file, at, end) };
    if (type === "IEND") return;
    hasData ||= type === "IDAT";
    at = end;
  }
}

const PROFILE_BYTES_MAX = 64 * 1024;

/** Profile of an `iCCP` chunk: a name, the method of compression, and the compressed bytes. */
function unpackedProfile(content: Buffer): Buffer | null {
  const packed = content.subarray(content.indexOf(0) + 2);
  try {
    return bareProfile(inflateSync(packed, { maxOutputLength: PROFILE_BYTES_MAX }));
  } catch {
    return null;
  }
}

/** Tag of the orientation, and the type of its value. */
const ORIENTATION = 0x0112;
const SHORT = 3;
const TIFF_ENTRIES_MAX = 256;

/** Orientation in Exif data, which is a TIFF file; 1, upright, if it does not say. */
function orientationIn(tiff: Buffer): number {
  const isLittle = tiff.toString("latin1", 0, 2) === "II";
  const uint16 = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  try {
    const first = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
    const count = Math.min(uint16(first), TIFF_ENTRIES_MAX);
    for (let at = first + 2; at < first + 2 + 12 * count; at += 12)
      if (uint16(at) === ORIENTATION && uint16(at + 2) === SHORT) return uint16(at + 8);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return 1;
}

const RIFF_HEADER_BYTES = 12;
const FRAME_HEADER_BYTES = 16;
/** Flags in the header of a `VP8X` chunk: transparency only. */
const ALPHA_ONLY = Buffer.from([0x10, 0, 0, 0]);
const HAS_PROFILE = 0x20;
/** Length of a `VP8X` chunk. */
const EXTENDED_BYTES = 18;

function stripWebp(file: Buffer): StrippedPhoto {
  const chunks = file.subarray(RIFF_HEADER_BYTES);
  return { bytes: firstImage(chunks, null), profile: profileAmong(chunks) };
}

/** Profile of an extended WebP, which stands before the image. */
function profileAmong(chunks: Buffer): Buffer | null {
  for (const { type, content } of riffChunks(chunks)) {
    if (type === "ICCP") return bareProfile(content);
    if (type !== "VP8X") break;
  }
  return null;
}

/** WebP as the encoder writes it, with a colour profile. */
export function withProfile(
  webp: Uint8Array,
  profile: Buffer,
  size: { readonly width: number; readonly height: number },
): Uint8Array {
  const body = Buffer.from(webp.subarray(RIFF_HEADER_BYTES));
  const isExtended = body.toString("latin1", 0, 4) === "VP8X";
  const head = isExtended
    ? body.subarray(0, EXTENDED_BYTES)
    : riffChunk("VP8X", Buffer.alloc(EXTENDED_BYTES - 8));
  head.writeUInt8(head.readUInt8(8) | HAS_PROFILE, 8);
  head.writeUIntLE(size.width - 1, 12, 3);
  head.writeUIntLE(size.height - 1, 15, 3);
  const image = isExtended ? body.subarray(EXTENDED_BYTES) : body;
  return riffFile([head, riffChunk("ICCP", profile), image]);
}

/** File with the image among these chunks, or with the first frame of an animation (RFC 9649). */
function firstImage(chunks: Buffer, frameSize: Buffer | null): Buffer {
  let size = frameSize ?? Buffer.alloc(6);
  let alpha: Buffer | null = null;
  for (const { type, content } of riffChunks(chunks)) {
    switch (type) {
      case "VP8X":
        size = content.subarray(4, 10);
        break;
      case "ALPH":
        alpha = content;
        break;
      case "ANMF":
        // Frames do not nest; a file that nests them deeply would overflow the stack.
        if (frameSize !== null) throw brokenPhoto();
        return firstImage(content.subarray(FRAME_HEADER_BYTES), content.subarray(6, 12));
      case "VP8 ":
      case "VP8L": {
        const image = riffChunk(type, content);
        if (alpha === null) return riffFile([image]);
        const head = riffChunk("VP8X", Buffer.concat([ALPHA_ONLY, size]));
        return riffFile([head, riffChunk("ALPH", alpha), image]);
      }
    }
  }
  throw brokenPhoto();
}

function* riffChunks(bytes: Buffer) {
  for (let at = 0, count = 0; ; count += 1) {
    if (count > PIECES_MAX) throw brokenPhoto();
    const contentBytes = piece(bytes, at, at + 8).readUInt32LE(4);
    const end = at + 8 + contentBytes;
    yield { type: bytes.toString("latin1", at, at + 4), content: piece(bytes, at + 8, end) };
    at = end + (contentBytes % 2);
  }
}

function riffFile(chunks: readonly Buffer[]): Buffer {
  return riffChunk("RIFF", Buffer.concat([Buffer.from("WEBP"), ...chunks]));
}

function riffChunk(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, "latin1");
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
}

/** Bytes of a file in this range. Throws if the file is shorter. */
function piece(file: Buffer, from: number, to: number): Buffer {
  if (from > to || to > file.length) throw brokenPhoto();
  return file.subarray(from, to);
}
