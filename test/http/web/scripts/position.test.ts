import { describe, expect, test } from "bun:test";
import { snap } from "../../../../src/values/point.ts";
import { lngNear, neighbour, readPosition } from "../../../../src/http/web/scripts/dom/position.ts";
import { fc } from "../../../support/seed.ts";
import { EXIF_BYTES_MAX, exifPosition } from "../../../../src/http/web/scripts/photos/exif-gps.ts";
import { jpeg, jpegSegment } from "../../../support/picture.ts";

const place = fc
  .tuple(
    fc.double({ min: -90, max: 90, noNaN: true }),
    fc.double({ min: -180, max: 180, noNaN: true }),
  )
  .map(([lat, lng]) => snap(lat, lng));

describe("a position in two fields", () => {
  test.each([
    ["45.76412", "4.83567", { lat: 45.76, lng: 4.84 }],
    [" 45,76412 ", "+4,83567", { lat: 45.76, lng: 4.84 }],
    ["60.001", "-10.013", { lat: 60, lng: -10.02 }],
    ["-90", "180", { lat: -90, lng: -180 }],
  ])("is read on the public grid: %p, %p", (lat, lng, read) => {
    expect(readPosition(lat, lng)).toEqual(read);
  });

  test.each([
    ["", ""],
    ["45.76", ""],
    ["90.01", "4"],
    ["1e1", "4"],
    ["N 45", "E 4"],
  ])("is none where one is no number of degrees: %p, %p", (lat, lng) => {
    expect(readPosition(lat, lng)).toBeNull();
  });

  test("that the scripts wrote is read as the same", () => {
    fc.assert(
      fc.property(place, (point) => {
        expect(readPosition(String(point.lat), String(point.lng))).toEqual(point);
      }),
    );
  });
});

describe("the cell beside", () => {
  test.each([
    ["0.01 degrees on", 45.76, 4.84, 4.85],
    ["0.02 degrees on where cells are wider", 60, 10, 10.02],
    ["0.05 degrees on where they are widest", 75, 10.05, 10.1],
    ["over the date line", 45, 179.99, -180],
  ])("is %s, and back", (_, lat, west, east) => {
    expect(neighbour({ lat, lng: west }, { east: 1, north: 0 })).toEqual({ lat, lng: east });
    expect(neighbour({ lat, lng: east }, { east: -1, north: 0 })).toEqual({ lat, lng: west });
  });

  test("is 0.01 degrees to the north, on the grid there", () => {
    const further = neighbour({ lat: 49.99, lng: 4.85 }, { east: 0, north: 1 });

    expect(further).toEqual(snap(50, 4.85));
  });

  test("is the same one at a pole", () => {
    expect(neighbour({ lat: 90, lng: 10 }, { east: 0, north: 1 })).toEqual({ lat: 90, lng: 10 });
    expect(neighbour({ lat: -90, lng: 10 }, { east: 0, north: -1 }).lat).toBe(-90);
  });

  test("is always another one on the public grid", () => {
    const step = fc.constantFrom(
      { east: 1, north: 0 } as const,
      { east: -1, north: 0 } as const,
      { east: 0, north: 1 } as const,
      { east: 0, north: -1 } as const,
    );
    fc.assert(
      fc.property(place, step, (point, way) => {
        fc.pre(Math.abs(point.lat + way.north * 0.01) <= 90);
        const next = neighbour(point, way);

        expect(next).not.toEqual(point);
        expect(snap(next.lat, next.lng)).toEqual(next);
      }),
    );
  });
});

test("over the date line, alerts lie beside each other on the map", () => {
  expect(lngNear(-179.9, 179.9)).toBeCloseTo(180.1, 9);
  expect(lngNear(179.9, -179.9)).toBeCloseTo(-180.1, 9);
  expect(lngNear(4.8, 2.3)).toBe(4.8);
});

describe("where a picture says it was taken", () => {
  test.each([
    [45.764043, 4.835659],
    [-33.856784, 151.215297],
    [89.9, -179.9],
  ])("is read to the metre: %p, %p", async (lat, lng) => {
    const taken = exifPosition(await jpeg({ width: 8, height: 8, gps: { lat, lng } }));

    expect(taken?.lat).toBeCloseTo(lat, 5);
    expect(taken?.lng).toBeCloseTo(lng, 5);
  });

  test.each(["MM", "II"] as const)("is read in either order of bytes: %s", (order) => {
    expect(exifPosition(photo({ order }))).toEqual(TAKEN);
  });

  test("is read from the beginning of a file alone", async () => {
    const whole = await jpeg({ width: 8, height: 8, gps: TAKEN, trailer: "x".repeat(400_000) });

    expect(whole.length).toBeGreaterThan(EXIF_BYTES_MAX);
    expect(exifPosition(whole.subarray(0, EXIF_BYTES_MAX))?.lat).toBeCloseTo(TAKEN.lat, 5);
  });
});

describe("no place is read", () => {
  test("from a picture that says none", async () => {
    expect(exifPosition(await jpeg({ width: 8, height: 8 }))).toBeNull();
    expect(exifPosition(await jpeg({ width: 8, height: 8, orientation: 6 }))).toBeNull();
  });

  test.each([
    ["nothing", ""],
    ["a text", "Exif\0\0MM\0*"],
    ["a PNG", "\x89PNG\r\n\x1a\n"],
  ])("from %s", (_, text) => {
    expect(exifPosition(Buffer.from(text, "latin1"))).toBeNull();
  });

  test.each<[string, (tiff: DataView) => void]>([
    ["of another order of bytes", (tiff) => tiff.setUint16(0, 0x4d49)],
    ["whose first directory lies outside", (tiff) => tiff.setUint32(4, 0xffff_fff0)],
    ["whose first directory claims too many entries", (tiff) => tiff.setUint16(8, 0xffff)],
    ["whose place is a list of directories", (tiff) => tiff.setUint32(POINTER + 4, 2)],
    ["whose place lies outside", (tiff) => tiff.setUint32(POINTER + 8, 1_000_000)],
    ["whose place is the first directory again", (tiff) => tiff.setUint32(POINTER + 8, 8)],
    ["with a side that is no letter for it", (tiff) => tiff.setUint8(LAT_REF + 8, 0x45)],
    ["with degrees of another type", (tiff) => tiff.setUint16(LAT + 2, 4)],
    ["with degrees that lie outside", (tiff) => tiff.setUint32(LAT + 8, LNG_VALUES + 8)],
    ["with 91 degrees north", (tiff) => tiff.setUint32(LAT_VALUES, 91)],
    ["with 60 minutes", (tiff) => tiff.setUint32(LAT_VALUES + 8, 60)],
    ["with degrees over zero", (tiff) => tiff.setUint32(LAT_VALUES + 4, 0)],
    ["with zeros for want of satellites", (tiff) => zeros(tiff)],
  ])("from Exif %s", (_, spoil) => {
    expect(exifPosition(photo({ spoil }))).toBeNull();
  });

  test("from Exif behind the picture's own data", () => {
    const table = jpegSegment(0xdb, new Uint8Array(65));
    const [start, rest] = [photo().subarray(0, 2), photo().subarray(2)];

    expect(exifPosition(Buffer.concat([start, table, rest]))).toBeNull();
  });

  test("from a picture cut off anywhere before its place ends", () => {
    const whole = photo();
    const lengths = Array.from({ length: whole.length }, (_, length) => length);

    expect(lengths.filter((length) => exifPosition(whole.subarray(0, length)) !== null)).toEqual(
      [],
    );
    expect(exifPosition(whole)).not.toBeNull();
  });
});

test("whatever the bytes, a place on Earth is read or none, and nothing is thrown", () => {
  const change = fc.tuple(fc.nat(photo().length - 1), fc.nat(255));
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 6 }), (changes) => {
      const bytes = photo();
      for (const [at, byte] of changes) bytes[at] = byte;
      const read = exifPosition(bytes);
      return read === null || (Math.abs(read.lat) <= 90 && Math.abs(read.lng) <= 180);
    }),
    { numRuns: 5000 },
  );
});

/** 45 degrees 30 minutes 36 seconds north, 4 degrees 15 minutes 18 seconds east. */
const TAKEN = { lat: 45.51, lng: 4.255 };

// Where things lie in the TIFF below: entries by their first byte (tag, type, count, value), then the rationals.
const POINTER = 10;
const [LAT_REF, LAT, LNG_REF, LNG] = [28, 40, 52, 64] as const;
const [LAT_VALUES, LNG_VALUES] = [80, 104] as const;
const TIFF_BYTES = 128;

/** The beginning of a JPEG that says it was taken at `TAKEN`, spoiled as asked (big-endian). */
function photo(
  about: { readonly order?: "MM" | "II"; readonly spoil?: (tiff: DataView) => void } = {},
): Buffer {
  const { order = "MM", spoil = () => {} } = about;
  const little = order === "II";
  const bytes = Buffer.alloc(TIFF_BYTES);
  const tiff = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const entry = (at: number, tag: number, type: number, count: number, value: number) => {
    tiff.setUint16(at, tag, little);
    tiff.setUint16(at + 2, type, little);
    tiff.setUint32(at + 4, count, little);
    tiff.setUint32(at + 8, value, little);
  };
  const rationals = (at: number, values: readonly number[]) =>
    values.forEach((value, nth) => tiff.setUint32(at + 4 * nth, value, little));

  bytes.write(order);
  tiff.setUint16(2, 42, little);
  tiff.setUint32(4, 8, little);
  tiff.setUint16(8, 1, little);
  entry(POINTER, 0x8825, 4, 1, 26);
  tiff.setUint16(26, 4, little);
  entry(LAT_REF, 1, 2, 2, 0);
  bytes.write("N", LAT_REF + 8);
  entry(LAT, 2, 5, 3, LAT_VALUES);
  entry(LNG_REF, 3, 2, 2, 0);
  bytes.write("E", LNG_REF + 8);
  entry(LNG, 4, 5, 3, LNG_VALUES);
  rationals(LAT_VALUES, [45, 1, 30, 1, 3600, 100]);
  rationals(LNG_VALUES, [4, 1, 15, 1, 1800, 100]);
  spoil(tiff);
  const exif = Buffer.concat([Buffer.from("Exif\0\0"), bytes]);
  return Buffer.concat([Buffer.from([0xff, 0xd8]), jpegSegment(0xe1, exif)]);
}

function zeros(tiff: DataView): void {
  for (const at of [LAT_VALUES, LNG_VALUES]) {
    for (const part of [0, 8, 16]) tiff.setUint32(at + part, 0);
  }
}
