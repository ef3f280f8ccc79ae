import { crc32, deflateSync } from "node:zlib";
import { PNG } from "pngjs";

export type JpegAbout = {
  readonly width: number;
  readonly height: number;
  /** Position in degrees, written into the Exif data as a phone does. */
  readonly gps?: { readonly lat: number; readonly lng: number };
  /** Orientation, 1 to 8 (Exif tag 0x0112). */
  readonly orientation?: number;
  /** More segments, as `jpegSegment` makes them; they stand after the Exif. */
  readonly segments?: readonly Uint8Array[];
  /** Stands after the end of the image. */
  readonly trailer?: Uint8Array | string;
};

/** As stored, before any turning: what each quarter of every picture made here shows. */
export const QUARTERS = {
  topLeft: "red",
  topRight: "green",
  bottomLeft: "blue",
  bottomRight: "white",
};

/** A JPEG of four plain quarters (`QUARTERS`), as a phone would send it. */
export async function jpeg(about: JpegAbout): Promise<Uint8Array> {
  const { width, height, gps, orientation, segments = [], trailer = "" } = about;
  const plain = await new Bun.Image(bitmap(width, height)).jpeg({ quality: 90 }).bytes();
  const exif =
    gps === undefined && orientation === undefined ? [] : [jpegSegment(0xe1, exifOf(about))];
  return Buffer.concat([
    plain.subarray(0, 2),
    ...exif,
    ...segments,
    plain.subarray(2),
    Buffer.from(trailer),
  ]);
}

/** A segment of JPEG: marker (its second byte), length, content. */
export function jpegSegment(marker: number, content: Uint8Array): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
}

/** The three rationals (degrees, minutes, seconds to a ten-thousandth) a coordinate is written as in Exif. */
export function exifCoordinate(degrees: number): Buffer {
  const tenThousandths = Math.round(Math.abs(degrees) * 36_000_000);
  const rationals = [
    [Math.floor(tenThousandths / 36_000_000), 1],
    [Math.floor(tenThousandths / 600_000) % 60, 1],
    [tenThousandths % 600_000, 10_000],
  ];
  return Buffer.concat(rationals.flat().map(uint32));
}

/** Colours in the middle of each quarter, by the names of `QUARTERS`, and the size of a photo. */
export async function photoColors(picture: Uint8Array) {
  const { width, height, data } = PNG.sync.read(
    Buffer.from(await new Bun.Image(picture).png().bytes()),
  );
  const at = (x: number, y: number) => {
    const from = 4 * (Math.floor(y * height) * width + Math.floor(x * width));
    const bright = [...data.subarray(from, from + 3)].map((part) => (part > 127 ? 1 : 0)).join("");
    return COLOURS.find(([, bits]) => bits === bright)?.[0] ?? bright;
  };
  return {
    width,
    height,
    quarters: {
      topLeft: at(0.25, 0.25),
      topRight: at(0.75, 0.25),
      bottomLeft: at(0.25, 0.75),
      bottomRight: at(0.75, 0.75),
    },
  };
}

/** Names and, as one digit for red, green and blue each, what is bright in them. */
const COLOURS = [
  ["red", "100"],
  ["green", "010"],
  ["blue", "001"],
  ["white", "111"],
] as const;

/** Exif with what is asked for: a big-endian TIFF whose first directory may point to one of the place. */
function exifOf({ gps, orientation }: JpegAbout): Buffer {
  const turned = orientation === undefined ? [] : [entry(0x0112, SHORT, 1, uint16(orientation))];
  const directoryBytes = 2 + 12 * (turned.length + (gps ? 1 : 0)) + 4;
  const gpsAt = 8 + directoryBytes;
  const placed = gps === undefined ? [] : [entry(0x8825, LONG, 1, uint32(gpsAt))];
  const tiff = [Buffer.from("MM\0*"), uint32(8), directory([...turned, ...placed])];
  return Buffer.concat([
    Buffer.from("Exif\0\0"),
    ...tiff,
    ...(gps === undefined ? [] : [gpsDirectory(gps, gpsAt)]),
  ]);
}

const GPS_ENTRIES = 4;

function gpsDirectory({ lat, lng }: { lat: number; lng: number }, at: number): Buffer {
  const latAt = at + 2 + 12 * GPS_ENTRIES + 4;
  const [latitude, longitude] = [exifCoordinate(lat), exifCoordinate(lng)];
  const entries = [
    entry(1, ASCII, 2, Buffer.from(lat < 0 ? "S" : "N")),
    entry(2, RATIONAL, 3, uint32(latAt)),
    entry(3, ASCII, 2, Buffer.from(lng < 0 ? "W" : "E")),
    entry(4, RATIONAL, 3, uint32(latAt + latitude.length)),
  ];
  return Buffer.concat([directory(entries), latitude, longitude]);
}

const [ASCII, SHORT, LONG, RATIONAL] = [2, 3, 4, 5] as const;

function directory(entries: readonly Buffer[]): Buffer {
  return Buffer.concat([uint16(entries.length), ...entries, uint32(0)]);
}

function entry(tag: number, type: number, count: number, value: Buffer): Buffer {
  const padded = Buffer.concat([value, Buffer.alloc(4 - value.length)]);
  return Buffer.concat([uint16(tag), uint16(type), uint32(count), padded]);
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

const BITMAP_HEAD_BYTES = 54;

/** A Windows bitmap: the one format simple enough to be written pixel by pixel. Rows go from the bottom up. */
function bitmap(width: number, height: number): Buffer {
  const rowBytes = Math.ceil((width * 3) / 4) * 4;
  const file = Buffer.alloc(BITMAP_HEAD_BYTES + rowBytes * height);
  file.write("BM");
  file.writeUInt32LE(file.length, 2);
  file.writeUInt32LE(BITMAP_HEAD_BYTES, 10);
  file.writeUInt32LE(40, 14);
  file.writeInt32LE(width, 18);
  file.writeInt32LE(height, 22);
  file.writeUInt16LE(1, 26);
  file.writeUInt16LE(24, 28);
  const half = Math.floor(width / 2);
  const row = (left: readonly number[], right: readonly number[]) => {
    const bytes = Buffer.alloc(rowBytes);
    for (let x = 0; x < width; x += 1) bytes.set(x < half ? left : right, 3 * x);
    return bytes;
  };
  // Blue, green, red.
  const top = row([0, 0, 255], [0, 255, 0]);
  const bottom = row([255, 0, 0], [255, 255, 255]);
  for (let y = 0; y < height; y += 1) {
    file.set(y < Math.ceil(height / 2) ? bottom : top, BITMAP_HEAD_BYTES + y * rowBytes);
  }
  return file;
}

/** XYZ of red, green and blue at D50. */
export const DISPLAY_P3 = [0.5151, 0.2412, -0.0011, 0.292, 0.6922, 0.0419, 0.1571, 0.0666, 0.7841];
export const SRGB = [0.4361, 0.2225, 0.0139, 0.3851, 0.7169, 0.0971, 0.1431, 0.0606, 0.7141];

/** A profile of a display as phones write it, with texts and data of its maker's own. */
export function rgbProfile(primaries: readonly number[], text = ""): Buffer {
  const fixed = (values: readonly number[]) => {
    const bytes = Buffer.alloc(4 * values.length);
    values.forEach((value, at) => bytes.writeInt32BE(Math.round(value * 0x10000), 4 * at));
    return bytes;
  };
  const xyz = (from: number) =>
    Buffer.concat([latin1("XYZ \0\0\0\0"), fixed(primaries.slice(from, from + 3))]);
  const curve = Buffer.concat([
    latin1("para\0\0\0\0\0\x03\0\0"),
    fixed([2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045]),
  ]);
  const texts = latin1(`text\0\0\0\0${text}`.padEnd(28, "\0"));
  const elements: [string, Buffer][] = [
    ["desc", texts],
    ["rXYZ", xyz(0)],
    ["gXYZ", xyz(3)],
    ["bXYZ", xyz(6)],
    ["vcgt", texts],
    ["rTRC", curve],
    ["gTRC", curve],
    ["bTRC", curve],
  ];
  const table = Buffer.alloc(4 + 12 * elements.length);
  table.writeUInt32BE(elements.length);
  let end = 128 + table.length;
  for (const [nth, [name, content]] of elements.entries()) {
    table.write(name, 4 + 12 * nth);
    table.writeUInt32BE(end, 8 + 12 * nth);
    table.writeUInt32BE(content.length, 12 + 12 * nth);
    end += content.length;
  }
  const head = Buffer.alloc(128);
  head.writeUInt32BE(end);
  head.write("mntrRGB XYZ ", 12);
  head.write("acsp", 36);
  fixed([0.9642, 1, 0.8249]).copy(head, 68);
  head.write(text, 100);
  return Buffer.concat([head, table, ...elements.map(([, content]) => content)]);
}

/** The segment of a JPEG that holds a colour profile. */
export function profileSegment(icc: Uint8Array): Buffer {
  return jpegSegment(0xe2, Buffer.concat([latin1("ICC_PROFILE\0\x01\x01"), icc]));
}

/** Exif data that says nothing but how the picture was held. */
export function tiffWith(orientation: number, isLittle: boolean): Buffer {
  const values = [8, 1, 0x0112, 3, 1, orientation, 0, 0];
  const sizes = [4, 2, 2, 2, 4, 2, 2, 4];
  const numbers = values.map((value, at) => {
    const bytes = Buffer.alloc(sizes[at]!);
    if (isLittle) bytes.writeUIntLE(value, 0, bytes.length);
    else bytes.writeUIntBE(value, 0, bytes.length);
    return bytes;
  });
  return Buffer.concat([latin1(isLittle ? "II*\0" : "MM\0*"), ...numbers]);
}

/** A chunk of PNG: length, type, content and checksum. */
export function pngChunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([latin1(type), content]);
  const around = Buffer.alloc(8);
  around.writeUInt32BE(content.length);
  around.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([around.subarray(0, 4), body, around.subarray(4)]);
}

/** The usual small picture in another coding. */
export async function recoded(coding: (image: Bun.Image) => Bun.Image): Promise<Buffer> {
  const image = new Bun.Image(await jpeg({ width: 64, height: 48 }));
  return Buffer.from(await coding(image).bytes());
}

/** Bytes of a text in which bytes are characters. */
export function latin1(text: string): Buffer {
  return Buffer.from(text, "latin1");
}

/** A WebP of these chunks. */
export function riff(chunks: readonly Buffer[]): Buffer {
  return riffChunk("RIFF", Buffer.concat([Buffer.from("WEBP"), ...chunks]));
}

/** A chunk of WebP: type, length, content. */
export function riffChunk(type: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(content.length);
  return Buffer.concat([latin1(type), length, content, Buffer.alloc(content.length % 2)]);
}

/** The names of a WebP's chunks. */
export function chunksOf(webp: Uint8Array): string[] {
  const file = Buffer.from(webp);
  const names: string[] = [];
  for (let at = 12; at < file.length;) {
    names.push(file.toString("latin1", at, at + 4));
    const length = file.readUInt32LE(at + 4);
    at += 8 + length + (length % 2);
  }
  return names;
}

/** A PNG; `pixels` are its lines, each after its filter's byte. */
export function png(about: {
  width: number;
  height: number;
  colourType?: number;
  pixels?: Buffer;
  chunks?: readonly Buffer[];
}): Buffer {
  const { width, height, colourType = 2, chunks = [] } = about;
  const pixels = about.pixels ?? Buffer.alloc(height * (1 + width * 3));
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.set([8, colourType], 8);
  return Buffer.concat([
    latin1("\x89PNG\r\n\x1a\n"),
    pngChunk("IHDR", header),
    ...chunks,
    pngChunk("IDAT", deflateSync(pixels)),
    pngChunk("IEND", Buffer.alloc(0)),
  ]);
}

/** A small PNG with pixels of every transparency. */
export const TRANSPARENT_PNG = png({
  width: 64,
  height: 48,
  colourType: 6,
  pixels: Buffer.from(Array.from({ length: 48 * (1 + 64 * 4) }, (_, at) => at % 257 && at % 251)),
});

const SIDE = 1200;

/** JPEG that compresses as a photo of an animal does: soft shapes, edges, and the grain of fur. */
export async function naturalPhoto(seed: number): Promise<Uint8Array> {
  const picture = new PNG({ width: SIDE, height: SIDE });
  let state = seed + 1;
  const grain = () => (state = (state * 16807) % 2147483647) / 2147483647 - 0.5;
  for (let y = 0; y < SIDE; y++)
    for (let x = 0; x < SIDE; x++) {
      const isFur = (x - 600) ** 2 + (y - 700) ** 2 < 380 ** 2;
      const soft = 40 * Math.sin(x / 90 + seed) * Math.cos(y / 130);
      const hair = isFur ? 22 * Math.sin((x * 3 + y * 7) / 9) : 0;
      const light = (isFur ? 120 : 175) + soft + hair + grain() * (isFur ? 60 : 12);
      picture.data.set([light, light * 0.9, light * 0.78, 255], (y * SIDE + x) * 4);
    }
  return new Bun.Image(PNG.sync.write(picture)).jpeg({ quality: 85 }).bytes();
}
