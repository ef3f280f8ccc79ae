import { describe, expect, test } from "bun:test";
import { deflateSync } from "node:zlib";
import { Fault } from "../../src/core/fault.ts";
import { createPhotoReader, PHOTO_BYTES_MAX } from "../../src/photos/resize.ts";
import {
  chunksOf,
  DISPLAY_P3,
  exifCoordinate,
  jpeg,
  jpegSegment,
  latin1,
  photoColors,
  png,
  pngChunk,
  profileSegment,
  QUARTERS,
  recoded,
  rgbProfile,
  riff,
  riffChunk,
  tiffWith,
  TRANSPARENT_PNG,
} from "../support/picture.ts";
import { fc } from "../support/seed.ts";

const readPhoto = createPhotoReader();
const readPicture = (bytes: Uint8Array) => readPhoto({ bytes: async () => bytes }, "198.51.100");

const LYON = { lat: 45.757814, lng: 4.832011 };
const CANARY = "canary-7f3a";

/** One black pixel, twice. */
const GIF = gif(1, 1);
const TINY_JPEG_HEAD = latin1("\xff\xd8\xff\xe0");
/** Of a frame of 64 by 48 pixels in a moving WebP. */
const FRAME_HEAD = Buffer.from([0, 0, 0, 0, 0, 0, 63, 0, 0, 47, 0, 0, 100, 0, 0, 0]);
describe("a picture", () => {
  test.each([
    [3000, 2000, { width: 1600, height: 1067 }, { width: 480, height: 320 }],
    [1000, 500, { width: 1000, height: 500 }, { width: 480, height: 240 }],
    [1, 1, { width: 1, height: 1 }, { width: 1, height: 1 }],
    [20_000, 2, { width: 1600, height: 1 }, { width: 480, height: 1 }],
  ])("of %i × %i pixels becomes two that fit and are never enlarged", async (...sizes) => {
    const [width, height, full, thumb] = sizes;

    const picture = await readPicture(await jpeg({ width, height }));

    expect(await new Bun.Image(picture.full).metadata()).toEqual({ ...full, format: "webp" });
    expect(await new Bun.Image(picture.thumb).metadata()).toEqual({ ...thumb, format: "webp" });
  });

  test("of 24 megapixels, as phones take them, is read", async () => {
    const { full } = await readPicture(await jpeg({ width: 6000, height: 4000 }));

    expect(await photoColors(full)).toMatchObject({ width: 1600, quarters: QUARTERS });
  });

  test.each([
    ["JPEG", () => jpeg({ width: 64, height: 48 })],
    ["progressive JPEG", () => recoded((image) => image.jpeg({ progressive: true }))],
    ["PNG", () => recoded((image) => image.png())],
    ["WebP", () => recoded((image) => image.webp())],
    ["lossless WebP", () => recoded((image) => image.webp({ lossless: true }))],
    ["moving WebP, by its first image", async () => movingWebp(await plainWebp())],
  ])("is read from %s", async (_format, bytes) => {
    const { full } = await readPicture(await bytes());

    expect(await photoColors(full)).toEqual({ width: 64, height: 48, quarters: QUARTERS });
  });

  test("is read from GIF, by its first image", async () => {
    const { full } = await readPicture(GIF);

    expect(await photoColors(full)).toMatchObject({ width: 1, height: 1 });
  });

  test("keeps its transparency, from PNG and from WebP", async () => {
    const fromPng = await readPicture(TRANSPARENT_PNG);
    const fromWebp = await readPicture(fromPng.full);

    for (const { full, thumb } of [fromPng, fromWebp]) {
      expect(chunksOf(full)).toContain("ALPH");
      expect(chunksOf(thumb)).toContain("ALPH");
    }
  });

  test("of which Adobe's segment says that its colours are coded as RGB is read so", async () => {
    const bytes = Buffer.from(await jpeg({ width: 64, height: 48 }));
    const jfifBytes = 2 + bytes.readUInt16BE(4);
    const adobe = jpegSegment(0xee, latin1("Adobe\0\x64\0\0\0\0\0"));
    const rgb = Buffer.concat([bytes.subarray(0, 2), adobe, bytes.subarray(2 + jfifBytes)]);

    const { full } = await readPicture(rgb);

    const { quarters } = await photoColors(full);
    expect(quarters).toEqual((await photoColors(rgb)).quarters);
    expect(quarters).not.toEqual(QUARTERS);
  });

  // Exif's orientations, as the corners of the page show them: top left, top right, bottom left, bottom right.
  test.each([
    [1, ["red", "green", "blue", "white"]],
    [2, ["green", "red", "white", "blue"]],
    [3, ["white", "blue", "green", "red"]],
    [4, ["blue", "white", "red", "green"]],
    [5, ["red", "blue", "green", "white"]],
    [6, ["blue", "red", "white", "green"]],
    [7, ["white", "green", "blue", "red"]],
    [8, ["green", "white", "red", "blue"]],
  ])("that a phone held in manner %i comes out upright", async (orientation, corners) => {
    const { full, thumb } = await readPicture(await jpeg({ width: 64, height: 48, orientation }));

    const isTurned = orientation > 4;
    for (const picture of [full, thumb]) {
      const { width, height, quarters } = await photoColors(picture);
      expect([width, height]).toEqual(isTurned ? [48, 64] : [64, 48]);
      expect(Object.values(quarters)).toEqual(corners);
    }
  });
});

describe("nothing but what is seen comes out", () => {
  test("of a JPEG that says where it was taken, in every place where it can", async () => {
    const bytes = await jpeg({
      width: 640,
      height: 480,
      gps: LYON,
      orientation: 1,
      segments: [
        jpegSegment(
          0xe1,
          latin1(`http://ns.adobe.com/xap/1.0/\0<x GPS="45.757814" c="${CANARY}"/>`),
        ),
        jpegSegment(0xe2, latin1(`ICC_PROFILE\0\x01\x01${profile().toString("latin1")}`)),
        jpegSegment(0xed, latin1(`Photoshop 3.0\0${CANARY} 4.832011`)),
        jpegSegment(0xfe, latin1(`GPS ${CANARY}`)),
      ],
    });
    const secrets = [exifCoordinate(LYON.lat), exifCoordinate(LYON.lng)];
    const words = ["Exif", "GPS", "45.757814", "4.832011", CANARY].map(latin1);
    for (const secret of [...secrets, ...words]) expect(holds(bytes, secret)).toBe(true);

    const { full, thumb } = await readPicture(bytes);

    for (const picture of [full, thumb]) {
      expect(chunksOf(picture)).toEqual(["VP8 "]);
      for (const secret of [...secrets, ...words]) expect(holds(picture, secret)).toBe(false);
    }
  });

  test("of a PNG with texts, a place and a colour profile", async () => {
    const bytes = png({
      width: 64,
      height: 48,
      chunks: [
        pngChunk("iCCP", Buffer.concat([latin1("p\0\0"), deflateSync(profile())])),
        pngChunk("tEXt", latin1(`GPS\0${CANARY}`)),
        pngChunk("zTXt", Buffer.concat([latin1("GPS\0\0"), deflateSync(latin1(CANARY))])),
        pngChunk("eXIf", latin1(`MM\0*${CANARY}`)),
      ],
    });

    const { full, thumb } = await readPicture(bytes);

    for (const picture of [full, thumb]) {
      expect(chunksOf(picture)).toEqual(["VP8 "]);
      expect(holds(picture, latin1(CANARY))).toBe(false);
    }
  });

  test("of a WebP with Exif, XMP and a colour profile", async () => {
    const bytes = riff([
      riffChunk("VP8X", Buffer.from([0x2c, 0, 0, 0, 63, 0, 0, 47, 0, 0])),
      riffChunk("ICCP", profile()),
      riffChunk("VP8 ", await plainWebp()),
      riffChunk("EXIF", latin1(`MM\0*${CANARY}`)),
      riffChunk("XMP ", latin1(CANARY)),
    ]);
    // The decoder alone hands the profile on, so that this test can fail.
    const unguarded = await new Bun.Image(bytes).webp().bytes();
    expect(holds(unguarded, latin1(CANARY))).toBe(true);

    const { full, thumb } = await readPicture(bytes);

    for (const picture of [full, thumb]) {
      expect(chunksOf(picture)).toEqual(["VP8 "]);
      expect(holds(picture, latin1(CANARY))).toBe(false);
    }
  });

  test.each([
    ["a zip archive", "PK\x03\x04payload.exe"],
    ["a page", "<!doctype html><script>alert(1)</script>"],
    ["a second picture", latin1("\xff\xd8\xff\xe1\0\x08Exif\0\0")],
  ])("of a JPEG with %s behind it", async (_what, trailer) => {
    const bytes = await jpeg({ width: 64, height: 48, trailer });

    const { full, thumb } = await readPicture(bytes);

    expect(await photoColors(full)).toEqual({ width: 64, height: 48, quarters: QUARTERS });
    for (const picture of [full, thumb]) {
      expect(chunksOf(picture)).toEqual(["VP8 "]);
      expect(holds(picture, Buffer.from(trailer))).toBe(false);
    }
  });
});

describe("what is no picture is refused in one sentence:", () => {
  test.each([
    ["nothing", new Uint8Array(), "bad_input", "empty"],
    ["one byte over 8 MB", withLength(TINY_JPEG_HEAD, PHOTO_BYTES_MAX + 1), "too_large", "8 MB"],
    ["a text", latin1("Lost: black cat, 45.7578, 4.8320"), "bad_type", "not supported"],
    ["a document", latin1("%PDF-1.7\n%âãÏÓ"), "bad_type", "not supported"],
    ["a HEIC", latin1("\0\0\0\x18ftypheic\0\0\0\0mif1heic"), "bad_type", "HEIC"],
    ["an AVIF", latin1("\0\0\0\x1cftypavif\0\0\0\0avifmif1"), "bad_type", "HEIC and AVIF"],
  ] as const)("%s", async (_what, bytes, code, words) => {
    const fault = await faultOf(bytes);

    expect(fault.code).toBe(code);
    expect(fault.message).toContain(words);
    expect(fault.message).toMatch(/^[A-Z][^\n]+\.$/);
  });
});

describe("a picture that ends too early is refused, wherever it ends:", () => {
  const headOf = async (bytes: Promise<Uint8Array>) => {
    const file = Buffer.from(await bytes);
    return file.subarray(0, file.indexOf(latin1("\xff\xda")) + 2);
  };
  test.each([
    ["JPEG, before its image", () => headOf(jpeg({ width: 640, height: 480, gps: LYON }))],
    ["progressive JPEG", () => headOf(recoded((image) => image.jpeg({ progressive: true })))],
    ["PNG", async () => (await recoded((image) => image.png())).subarray(0, -12)],
    ["WebP", () => recoded((image) => image.webp())],
    ["lossless WebP", () => recoded((image) => image.webp({ lossless: true }))],
  ])("%s", async (_format, make) => {
    const bytes = await make();

    for (const part of [0.1, 0.3, 0.5, 0.7, 0.9, 1]) {
      const fault = await faultOf(bytes.subarray(0, Math.ceil(part * (bytes.length - 2))));
      expect([part, fault.code, fault.message]).toEqual([
        part,
        "bad_input",
        "The photo cannot be read: the file is damaged or incomplete.",
      ]);
    }
  });
});

describe("a picture made to do harm", () => {
  test.each([
    ["PNG", png({ width: 30_000, height: 30_000, pixels: Buffer.alloc(0) })],
    ["PNG that is one long line", png({ width: 25_000_001, height: 1, pixels: Buffer.alloc(0) })],
    ["GIF", gif(60_000, 60_000)],
  ])("by declaring more pixels than fit is refused: %s", async (_format, bytes) => {
    expect(await faultOf(bytes)).toMatchObject({
      code: "too_large",
      message: "The photo has more than 25 million pixels.",
    });
  });

  test("by declaring more pixels than fit is refused: JPEG", async () => {
    const bytes = Buffer.from(await jpeg({ width: 64, height: 48 }));
    const frame = bytes.indexOf(latin1("\xff\xc0"));
    bytes.writeUInt16BE(65_000, frame + 5);
    bytes.writeUInt16BE(65_000, frame + 7);

    expect(await faultOf(bytes)).toMatchObject({ code: "too_large" });
  });

  test("by comments that unpack to gigabytes is read as if it had none", async () => {
    const packed = deflateSync(Buffer.alloc(60_000_000));
    const chunks = Array.from({ length: 100 }, (_, at) =>
      pngChunk("zTXt", Buffer.concat([latin1(`${at}\0\0`), packed])),
    );

    const { full } = await readPicture(png({ width: 64, height: 48, chunks }));

    expect(full).toEqual((await readPicture(png({ width: 64, height: 48 }))).full);
  });

  test("by thousands of scans is refused, where the decoder would go through them all", async () => {
    const plain = await recoded((image) => image.jpeg({ progressive: true }));
    const last = plain.lastIndexOf(latin1("\xff\xda"));
    const scan = plain.subarray(last, -2);
    const bytes = Buffer.concat([
      plain.subarray(0, last),
      ...Array.from({ length: 5_000 }, () => scan),
      plain.subarray(-2),
    ]);
    expect(await photoColors(bytes)).toMatchObject({ quarters: QUARTERS });

    expect((await faultOf(bytes)).code).toBe("bad_input");
  });

  test("by a million pieces is refused", async () => {
    const jpegBytes = await jpeg({ width: 64, height: 48 });
    const comments = Buffer.alloc(4_000_000, latin1("\xff\xfe\0\x02"));
    const jpegPieces = Buffer.concat([jpegBytes.subarray(0, 2), comments, jpegBytes.subarray(2)]);
    const empty = Buffer.alloc(12 * 500_000, pngChunk("tEXt", Buffer.alloc(0)));
    const riffPieces = Buffer.alloc(8 * 500_000, riffChunk("JUNK", Buffer.alloc(0)));

    for (const bytes of [
      jpegPieces,
      png({ width: 64, height: 48, chunks: [empty] }),
      riff([riffPieces, riffChunk("VP8 ", await plainWebp())]),
    ]) {
      expect((await faultOf(bytes)).code).toBe("bad_input");
    }
  });

  test("by whatever was changed in it gives a picture or a sentence, never anything else", async () => {
    const formats = [
      await jpeg({ width: 24, height: 16, gps: LYON, orientation: 6 }),
      await recoded((image) => image.jpeg({ progressive: true })),
      await recoded((image) => image.webp()),
      movingWebp(await plainWebp()),
      png({ width: 24, height: 16, chunks: [pngChunk("tEXt", latin1("a\0b"))] }),
      png({ width: 24, height: 16, chunks: [pngChunk("eXIf", tiffWith(6, true))] }),
      await jpeg({
        width: 24,
        height: 16,
        segments: [profileSegment(rgbProfile(DISPLAY_P3))],
      }),
      TRANSPARENT_PNG,
      GIF,
    ];
    const change = fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), to: fc.nat(255) });

    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...formats),
        fc.array(change, { minLength: 1, maxLength: 8 }),
        async (original, changes) => {
          const bytes = Buffer.from(original);
          for (const { at, to } of changes) bytes[Math.floor(at * (bytes.length - 1))] = to;

          const outcome = await readPicture(bytes).catch((error: unknown) => error);

          if (outcome instanceof Fault) expect(outcome.message).toMatch(/^[A-Z][^\n]+\.$/);
          else expect(outcome).toMatchObject({ full: expect.any(Uint8Array) });
        },
      ),
      { numRuns: 1_000 },
    );
  });
});

test("one picture at a time is read, when its turn has come", async () => {
  const bytes = await jpeg({ width: 64, height: 48 });
  let reading = 0;
  let most = 0;
  const outcomes = Array.from({ length: 20 }, (_, at) => {
    const photo = {
      async bytes() {
        // By then whoever waited for the one before has been told.
        await new Promise((resolve) => setImmediate(resolve));
        reading += 1;
        most = Math.max(most, reading);
        return bytes;
      },
    };
    return readPhoto(photo, `network ${at}`).finally(() => (reading -= 1));
  });

  await Promise.all(outcomes);

  expect(most).toBe(1);
});

async function faultOf(bytes: Uint8Array): Promise<Fault> {
  const outcome = await readPicture(bytes).catch((error: unknown) => error);
  if (outcome instanceof Fault) return outcome;
  throw new Error(`expected a fault, got ${String(outcome)}`);
}

/** What a `VP8 ` chunk holds for the usual small picture. */
async function plainWebp(): Promise<Buffer> {
  const file = await recoded((image) => image.webp());
  return file.subarray(20, 20 + file.readUInt32LE(16));
}

function movingWebp(still: Buffer): Buffer {
  const frame = riffChunk("ANMF", Buffer.concat([FRAME_HEAD, riffChunk("VP8 ", still)]));
  return riff([
    riffChunk("VP8X", Buffer.from([0x02, 0, 0, 0, 63, 0, 0, 47, 0, 0])),
    riffChunk("ANIM", Buffer.alloc(6)),
    frame,
    frame,
  ]);
}

/** A GIF of two images of one size; each holds a single code for black. */
function gif(width: number, height: number): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt16LE(width);
  size.writeUInt16LE(height, 2);
  const image = Buffer.concat([latin1(",\0\0\0\0"), size, latin1("\0\x02\x02\x44\x01\0")]);
  const palette = latin1("\0\0\0\xff\xff\xff");
  return Buffer.concat([
    latin1("GIF89a"),
    size,
    latin1("\x80\0\0"),
    palette,
    image,
    image,
    latin1(";"),
  ]);
}

/** A colour profile with no more than a head and a text. */
function profile(): Buffer {
  const head = Buffer.alloc(132);
  head.writeUInt32BE(head.length + CANARY.length);
  head.write("mntrRGB XYZ ", 12);
  head.write("acsp", 36);
  return Buffer.concat([head, latin1(CANARY)]);
}

function withLength(head: Buffer, length: number): Buffer {
  return Buffer.concat([head, Buffer.alloc(length - head.length)]);
}

function holds(bytes: Uint8Array, part: Buffer): boolean {
  return Buffer.from(bytes).includes(part);
}
