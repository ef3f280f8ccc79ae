import { describe, expect, test } from "bun:test";
import { createPhotoReader } from "../../src/photos/resize.ts";
import { chunksOf, jpeg, photoColors, pngChunk, QUARTERS, tiffWith } from "../support/picture.ts";

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
    const plain = Buffer.from(await recoded((image) => image.png()));
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
    const plain = Buffer.from(await recoded((image) => image.png()));
    const chunk = pngChunk("eXIf", latin1(exif));
    const bytes = Buffer.concat([plain.subarray(0, 33), chunk, plain.subarray(33)]);

    expect(await photoColors((await readPicture(bytes)).full)).toEqual(WHOLE);
  });
});

/** The usual small picture in another coding. */
async function recoded(coding: (image: Bun.Image) => Bun.Image): Promise<Uint8Array> {
  return coding(new Bun.Image(await jpeg({ width: 64, height: 48 }))).bytes();
}

function latin1(text: string): Buffer {
  return Buffer.from(text, "latin1");
}
