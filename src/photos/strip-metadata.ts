import { Fault } from "../core/fault.ts";

/** Segments or chunks of a file. A PNG of 8 MB in the usual chunks of 8 KB has a thousand. */
const PIECES_MAX = 10_000;
/**
 * Scans of a JPEG; a progressive one has about ten. Each takes the decoder over all pixels once and can be as short as
 * 42 bytes, so a file of 8 MB could keep it busy for minutes.
 */
const SCANS_MAX = 100;

/**
 * Strips a photo file down to what is needed to draw it: no comments, colour profiles or previews, and nothing after the
 * end of the image. Decoders would read all of that: 6 MB of compressed comments in a PNG unpack to gigabytes, and a
 * colour profile is copied to the output, with any text inside.
 *
 * Throws `bad_type` for anything but JPEG, PNG, WebP and GIF, `bad_input` for a truncated file.
 */
export function stripMetadata(bytes: Uint8Array): Uint8Array {
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

const FORMATS: readonly { readonly begins: RegExp; readonly strip: (file: Buffer) => Buffer }[] = [
  { begins: /^\xff\xd8\xff/, strip: stripJpeg },
  { begins: /^\x89PNG\r\n/, strip: stripPng },
  { begins: /^RIFF[^]{4}WEBP/, strip: stripWebp },
  // The decoder reads the first image only.
  { begins: /^GIF8[79]a/, strip: (file) => Buffer.from(file) },
];
/** Bun decodes these on macOS and Windows only; they are refused everywhere, so that all servers answer alike. */
const HEIF = /^[^]{4}ftyp(?:hei|hev|mif|msf|avi)/;

/** Markers of JPEG (ITU-T T.81, table B.1). */
const END_OF_IMAGE = 0xd9;
const START_OF_SCAN = 0xda;
const APP0_JFIF = 0xe0;
const APP1_EXIF = 0xe1;
const APP14_ADOBE = 0xee;
/** Last of the markers that table B.1 reserves for applications and comments: APP0 to APP15, JPG0 to JPG13, COM. */
const COMMENT = 0xfe;

function stripJpeg(file: Buffer): Buffer {
  const drawn = [file.subarray(0, 2)];
  let scans = 0;
  for (const { marker, content, whole } of jpegSegments(file)) {
    if (marker === START_OF_SCAN) scans += 1;
    if (scans > SCANS_MAX) throw brokenPhoto();
    if (isDrawn(marker, content)) drawn.push(whole);
  }
  return Buffer.concat(drawn);
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

/** Segments up to the end of the image; a scan includes its data. */
function* jpegSegments(file: Buffer) {
  for (let at = markerFrom(file, 2), count = 0; ; count += 1) {
    if (count > PIECES_MAX) throw brokenPhoto();
    const marker = file[at + 1] ?? 0;
    if (marker === END_OF_IMAGE) {
      yield { marker, content: file.subarray(0, 0), whole: file.subarray(at, at + 2) };
      return;
    }
    const contentEnd = at + 2 + piece(file, at + 2, at + 4).readUInt16BE();
    const content = piece(file, at + 4, contentEnd);
    const end = marker === START_OF_SCAN ? markerFrom(file, contentEnd) : contentEnd;
    yield { marker, content, whole: file.subarray(at, end) };
    at = markerFrom(file, end);
  }
}

/** Offset of the next marker that starts or ends a segment; skips stuffing, fill bytes, restart markers and stray bytes. */
function markerFrom(file: Buffer, from: number): number {
  for (let at = from; at + 1 < file.length; at += 1) {
    if (file[at] !== 0xff) continue;
    const marker = file[at + 1] ?? 0;
    const isRestart = marker >= 0xd0 && marker <= 0xd7;
    if (marker > 0x01 && marker !== 0xff && !isRestart) return at;
  }
  throw brokenPhoto();
}

const PNG_SIGNATURE_BYTES = 8;
/** Chunks of the still image (W3C PNG, sections 11.2 and 11.3.1), without those of an animation. */
const PNG_DRAWN = new Set(["IHDR", "PLTE", "tRNS", "IDAT", "IEND"]);

function stripPng(file: Buffer): Buffer {
  const drawn = [file.subarray(0, PNG_SIGNATURE_BYTES)];
  for (const { type, whole } of pngChunks(file)) {
    if (PNG_DRAWN.has(type)) drawn.push(whole);
  }
  return Buffer.concat(drawn);
}

/** Chunks up to and including `IEND`. */
function* pngChunks(file: Buffer) {
  for (let at = PNG_SIGNATURE_BYTES, count = 0; ; count += 1) {
    if (count > PIECES_MAX) throw brokenPhoto();
    const contentBytes = piece(file, at, at + 4).readUInt32BE();
    const end = at + 12 + contentBytes;
    const type = file.toString("latin1", at + 4, at + 8);
    yield { type, whole: piece(file, at, end) };
    if (type === "IEND") return;
    at = end;
  }
}

const RIFF_HEADER_BYTES = 12;
const FRAME_HEADER_BYTES = 16;
/** Flags in the header of a `VP8X` chunk: transparency only. */
const ALPHA_ONLY = Buffer.from([0x10, 0, 0, 0]);

function stripWebp(file: Buffer): Buffer {
  return firstImage(file.subarray(RIFF_HEADER_BYTES), null);
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
