import { describe, expect, test } from "bun:test";
import { snap } from "../../../../src/values/point.ts";
import {
  lngNear,
  neighbour,
  readPosition,
  wrapLng,
} from "../../../../src/http/web/scripts/dom/position.ts";
import { fc } from "../../../support/seed.ts";

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
    ["45", "-180.1"],
    ["1e1", "4"],
    ["0x10", "4"],
    ["45.76.1", "4"],
    ["Infinity", "4"],
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
    ["over the date line where cells are widest", -75, 179.95, -180],
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

test("a meridian a turn or more away is the same one", () => {
  expect(wrapLng(361)).toBe(1);
  expect(wrapLng(-725)).toBe(-5);
  expect(wrapLng(-180)).toBe(-180);
  expect(wrapLng(180)).toBe(180);
});

test("over the date line, alerts lie beside each other on the map", () => {
  expect(lngNear(-179.9, 179.9)).toBeCloseTo(180.1, 9);
  expect(lngNear(179.9, -179.9)).toBeCloseTo(-180.1, 9);
  expect(lngNear(4.8, 2.3)).toBe(4.8);
});
