import { describe, expect, test } from "bun:test";
import { deflateSync } from "node:zlib";
import { createPhotoReader } from "../../src/photos/resize.ts";
import {
  chunksOf,
  DISPLAY_P3,
  jpeg,
  latin1,
  photoColors,
  pngChunk,
  profileSegment,
  QUARTERS,
  recoded,
  rgbProfile,
  riff,
  riffChunk,
  SRGB,
  tiffWith,
  TRANSPARENT_PNG,
} from "../support/picture.ts";

const readPhoto = createPhotoReader();
const readPicture = (bytes: Uint8Array) => readPhoto({ bytes: async () => bytes }, "198.51.100");
const LYON = { lat: 45.757814, lng: 4.832011 };

describe("a picture comes out as browsers show it", () => {
  const WHOLE = { width: 64, height: 48, quarters: QUARTERS };
  const TOP = { topLeft: QUARTERS.topLeft, topRight: QUARTERS.topRight };

  test.each([
    ["JPEG", () => jpeg({ width: 64, height: 48 })],
    ["JPEG with a position", () => jpeg({ width: 64, height: 48, gps: LYON, orientation: 1 })],
    ["progressive JPEG", () => recoded((image) => image.jpeg({ progressive: true }))],
  ])("without the marker of its end: %s", async (_format, make) => {
    const bytes = Buffer.from(await make()).subarray(0, -2);
    // As Samsung's panoramas have it: data of its maker's own where the end should be.
    const trailer = Buffer.concat([
      bytes,
      latin1("\0\0\xff\xe7SEFH\xff\xda\xff"),
      Buffer.alloc(99),
    ]);

    for (const cut of [
      bytes,
      bytes.subarray(0, -1),
      Buffer.concat([bytes, latin1("\xff")]),
      trailer,
    ]) {
      const { full, thumb } = await readPicture(cut);
      expect(await photoColors(full)).toEqual(WHOLE);
      for (const picture of [full, thumb]) expect(chunksOf(picture)).toEqual(["VP8 "]);
    }
  });

  test("without the chunk of its end: PNG", async () => {
    const bytes = await recoded((image) => image.png());

    expect(await photoColors((await readPicture(bytes.subarray(0, -12))).full)).toEqual(WHOLE);
  });

  test("as far as it goes: a JPEG of which a download has most", async () => {
    const bytes = await jpeg({ width: 640, height: 480 });

    const { full } = await readPicture(bytes.subarray(0, Math.ceil(0.75 * bytes.length)));

    expect(await photoColors(full)).toMatchObject({ width: 640, height: 480, quarters: TOP });
  });

  // Exif's orientations, as the corners show them.
  test.each([
    [3, ["white", "blue", "green", "red"]],
    [5, ["red", "blue", "green", "white"]],
    [6, ["blue", "red", "white", "green"]],
    [9, ["red", "green", "blue", "white"]],
  ])("upright: a PNG whose chunk of Exif says %i", async (orientation, corners) => {
    const plain = await recoded((image) => image.png());
    const afterHeader = 8 + 25;
    for (const isLittle of [false, true])
      for (const at of [afterHeader, plain.length - 12]) {
        const exif = pngChunk("eXIf", tiffWith(orientation, isLittle));
        const bytes = Buffer.concat([plain.subarray(0, at), exif, plain.subarray(at)]);

        const { full, thumb } = await readPicture(bytes);

        const isTurned = orientation > 4 && orientation < 9;
        for (const picture of [full, thumb]) {
          const { width, height, quarters } = await photoColors(picture);
          expect([width, height]).toEqual(isTurned ? [48, 64] : [64, 48]);
          expect(Object.values(quarters)).toEqual(corners);
          expect(chunksOf(picture)).toEqual(["VP8 "]);
        }
      }
  });

  test.each([
    ["an empty one", ""],
    ["one that is cut off", "MM\0*\0\0"],
    ["one that points outside", "MM\0*\xff\xff\xff\xff"],
  ])("as it lies where its Exif cannot be read: %s", async (_, exif) => {
    const plain = await recoded((image) => image.png());
    const chunk = pngChunk("eXIf", latin1(exif));
    const bytes = Buffer.concat([plain.subarray(0, 33), chunk, plain.subarray(33)]);

    expect(await photoColors((await readPicture(bytes)).full)).toEqual(WHOLE);
  });
});

const CANARY = "canary-7f3a";

describe("a picture comes out", () => {
  const withProfile = {
    JPEG: async (icc: Buffer) => jpeg({ width: 64, height: 48, segments: [profileSegment(icc)] }),
    PNG: async (icc: Buffer) => {
      const content = Buffer.concat([latin1("Display P3\0\0"), deflateSync(icc)]);
      const plain = await recoded((image) => image.png());
      return Buffer.concat([plain.subarray(0, 33), pngChunk("iCCP", content), plain.subarray(33)]);
    },
    WebP: async (icc: Buffer) =>
      riff([
        riffChunk("VP8X", Buffer.from([0x20, 0, 0, 0, 63, 0, 0, 47, 0, 0])),
        riffChunk("ICCP", icc),
        (await recoded((image) => image.webp())).subarray(12),
      ]),
    "transparent PNG": async (icc: Buffer) => {
      const content = Buffer.concat([latin1("p\0\0"), deflateSync(icc)]);
      const chunk = pngChunk("iCCP", content);
      return Buffer.concat([TRANSPARENT_PNG.subarray(0, 33), chunk, TRANSPARENT_PNG.subarray(33)]);
    },
  };

  test.each(Object.entries(withProfile))(
    "in the colours of its profile, of which the numbers alone are kept: %s",
    async (format, make) => {
      const wide = rgbProfile(DISPLAY_P3, CANARY);
      expect(wide.includes(CANARY)).toBe(true);

      const { full, thumb } = await readPicture(await make(wide));

      const kept = chunkOf(full, "ICCP");
      expect(chunkOf(thumb, "ICCP")).toEqual(kept);
      expect(elementsOf(kept)).toMatchObject(elementsOf(rgbProfile(DISPLAY_P3)));
      for (const picture of [full, thumb]) {
        expect(Buffer.from(picture).includes(CANARY)).toBe(false);
        const image = format.startsWith("transparent") ? ["ALPH", "VP8 "] : ["VP8 "];
        expect(chunksOf(picture)).toEqual(["VP8X", "ICCP", ...image]);
      }
      if (format.startsWith("transparent")) return;
      expect(await photoColors(full)).toEqual({ width: 64, height: 48, quarters: QUARTERS });
      expect(await readPicture(full)).toMatchObject({ full: expect.anything() });
      expect(chunkOf((await readPicture(full)).full, "ICCP")).toEqual(kept);
    },
  );

  test.each([
    ["sRGB", rgbProfile(SRGB)],
    ["no profile at all", latin1(CANARY)],
    ["a head alone", Buffer.from(rgbProfile(DISPLAY_P3).subarray(0, 132))],
    ["that of a printer", changed(rgbProfile(DISPLAY_P3), 16, "CMYKLab ")],
    [
      "one whose curve lies outside",
      changed(rgbProfile(DISPLAY_P3), 128 + 4 + 12 * 5 + 4, "\xff\0"),
    ],
    ["a text in place of a colour", changed(rgbProfile(DISPLAY_P3), 264, CANARY)],
    [
      "a text in place of the numbers of a curve",
      changed(rgbProfile(DISPLAY_P3), rgbProfile(DISPLAY_P3).indexOf("para") + 12, CANARY),
    ],
    ["one whose tables are meant", changed(rgbProfile(DISPLAY_P3), 128 + 4 + 12 * 2, "A2B0")],
  ])("without a profile, where it has %s", async (_, icc) => {
    for (const [format, make] of Object.entries(withProfile)) {
      const { full } = await readPicture(await make(icc));
      expect([format, chunksOf(full)]).not.toEqual([format, expect.arrayContaining(["ICCP"])]);
    }
  });

  test("without the second profile of a PNG, of which thousands would fit", async () => {
    const icc = Buffer.concat([latin1("p\0\0"), deflateSync(rgbProfile(DISPLAY_P3))]);
    const chunks = [pngChunk("iCCP", latin1("p\0\0")), pngChunk("iCCP", icc)];
    const [head, rest] = [TRANSPARENT_PNG.subarray(0, 33), TRANSPARENT_PNG.subarray(33)];
    const { full } = await readPicture(Buffer.concat([head, ...chunks, rest]));
    expect(chunksOf(full)).not.toContain("ICCP");
  });
});

/** Contents of a chunk of a WebP. */
function chunkOf(webp: Uint8Array, name: string): Buffer {
  const file = Buffer.from(webp);
  const at = file.indexOf(latin1(name));
  return file.subarray(at + 8, at + 8 + file.readUInt32LE(at + 4));
}

/** The elements of a profile that hold numbers, by their names. */
function elementsOf(icc: Buffer): Record<string, string> {
  const count = icc.readUInt32BE(128);
  const all = Array.from({ length: count }, (_, nth) => {
    const at = 132 + 12 * nth;
    const from = icc.readUInt32BE(at + 4);
    const content = icc.toString("latin1", from, from + icc.readUInt32BE(at + 8));
    return [icc.toString("latin1", at, at + 4), content] as const;
  });
  return Object.fromEntries(all.filter(([name]) => /^[rgb](?:XYZ|TRC)$/.test(name)));
}

function changed(bytes: Buffer, at: number, text: string): Buffer {
  const copy = Buffer.from(bytes);
  copy.write(text, at, "latin1");
  return copy;
}
