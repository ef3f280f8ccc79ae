import { describe, expect, test } from "bun:test";
import { boxesAround, distanceKm, type Point, snap } from "../../src/values/point.ts";
import { fc } from "../support/seed.ts";

const lat = fc.double({ min: -90, max: 90, noNaN: true });
const lng = fc.double({ min: -180, max: 180, noNaN: true });

describe("a snapped position", () => {
  test.each([
    ["in steps of 0.01 degrees below 50 degrees of latitude", 49.99, 100],
    ["in steps of 0.02 degrees from 50 degrees on", 50, 50],
    ["in steps of 0.02 degrees up to 70 degrees", 70, 50],
    ["in steps of 0.05 degrees above", 70.01, 20],
  ])("has a longitude %s, north and south", (_, latitude, perDegree) => {
    const thousandths = Array.from({ length: 1001 }, (_, nth) => 2 + nth / 1000);
    const grid = Array.from(
      { length: perDegree + 1 },
      (_, nth) => (2 * perDegree + nth) / perDegree,
    );

    for (const side of [latitude, -latitude]) {
      const snapped = new Set(thousandths.map((longitude) => snap(side, longitude).lng));
      expect([...snapped]).toEqual(grid);
    }
  });

  test("takes the step of the latitude it is snapped to, not of the one it came with", () => {
    expect(snap(49.996, 2.0101)).toEqual({ lat: 50, lng: 2.02 });
    expect(snap(49.994, 2.0101)).toEqual({ lat: 49.99, lng: 2.01 });
    expect(snap(70.004, 2.031)).toEqual({ lat: 70, lng: 2.04 });
    expect(snap(70.006, 2.031)).toEqual({ lat: 70.01, lng: 2.05 });
  });

  test("writes longitude 180 as -180, so that the date line has one name", () => {
    expect(snap(10, 180)).toEqual({ lat: 10, lng: -180 });
    expect(snap(10, 179.996)).toEqual({ lat: 10, lng: -180 });
    expect(snap(10, -180)).toEqual({ lat: 10, lng: -180 });
    expect(snap(10, 179.994)).toEqual({ lat: 10, lng: 179.99 });
  });

  test("has at most two decimals, lies in range and stays where it is when snapped again", () => {
    fc.assert(
      fc.property(lat, lng, (latitude, longitude) => {
        const point = snap(latitude, longitude);

        expect(`${point.lat} ${point.lng}`).toMatch(/^-?\d+(\.\d{1,2})? -?\d+(\.\d{1,2})?$/);
        expect(Math.abs(point.lat)).toBeLessThanOrEqual(90);
        expect(point.lng).toBeGreaterThanOrEqual(-180);
        expect(point.lng).toBeLessThan(180);
        expect(snap(point.lat, point.lng)).toEqual(point);
        expect(Object.is(point.lat, -0) || Object.is(point.lng, -0)).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });

  test("lies at most one and a half kilometres from where it was", () => {
    fc.assert(
      fc.property(lat, lng, (latitude, longitude) => {
        const moved = distanceKm({ lat: latitude, lng: longitude }, snap(latitude, longitude));

        expect(moved).toBeLessThan(1.5);
      }),
    );
  });
});

describe("a distance", () => {
  const paris = { lat: 48.8566, lng: 2.3522 };
  const auckland = { lat: -36.8485, lng: 174.7633 };

  // On the ellipsoid (Vincenty's formula, WGS 84), from which a sphere strays by half a percent at most.
  test.each([
    ["Paris", paris, "London", { lat: 51.5074, lng: -0.1278 }, 343.92],
    [
      "New York",
      { lat: 40.7128, lng: -74.006 },
      "Los Angeles",
      { lat: 34.0522, lng: -118.2437 },
      3944.42,
    ],
    ["Auckland", auckland, "Honolulu", { lat: 21.3069, lng: -157.8583 }, 7050.15],
  ])("from %s is right", (_from, from, _to, to, km) => {
    expect(Math.abs(distanceKm(from, to) / km - 1)).toBeLessThan(0.005);
  });

  test("is nothing from a place to itself, and half the Earth's girth to the other side", () => {
    expect(distanceKm(paris, paris)).toBe(0);
    expect(distanceKm(paris, { lat: -paris.lat, lng: paris.lng - 180 })).toBeCloseTo(20_015.1, 1);
  });

  test("is the same over the date line as beside it, and to a pole at any longitude", () => {
    const over = distanceKm({ lat: 10, lng: 179.95 }, { lat: 10, lng: -179.95 });

    expect(over).toBeCloseTo(distanceKm({ lat: 10, lng: 20 }, { lat: 10, lng: 20.1 }), 9);
    expect(distanceKm({ lat: 90, lng: 12 }, { lat: 90, lng: -140 })).toBeCloseTo(0, 9);
  });
});

describe("the boxes around a circle", () => {
  test("hold every point of the circle and lie within the map", () => {
    const centre = fc.oneof(
      fc.record({ lat, lng }),
      fc.record({
        lat: fc.constantFrom(90, -90, 89.99, -89.99, 0),
        lng: fc.constantFrom(-180, 179.99, 0),
      }),
      fc.tuple(lat, lng).map(([latitude, longitude]) => snap(latitude, longitude)),
    );
    const radius = fc.oneof(
      fc.constantFrom(0.001, 5, 50, 500),
      fc.double({ min: 0.001, max: 20_100, noNaN: true }),
    );
    // Half of them on the very rim.
    const share = fc.oneof(fc.constant(1), fc.double({ min: 0, max: 1, noNaN: true }));
    const bearing = fc.double({ min: 0, max: 360, noNaN: true });
    fc.assert(
      fc.property(centre, radius, share, bearing, (middle, km, part, direction) => {
        const point = pointFrom(middle, km * part, direction);
        const boxes = boxesAround(middle, km);

        expect(boxes.some((box) => contains(box, point))).toBe(true);
        expect(boxes.length).toBeLessThanOrEqual(2);
        for (const { west, south, east, north } of boxes) {
          expect(west).toBeLessThanOrEqual(east);
          expect(Math.min(west + 180, 180 - east, south + 90, 90 - north)).toBeGreaterThanOrEqual(
            0,
          );
        }
      }),
      { numRuns: 5_000 },
    );
  });

  test("hold every point of a circle that touches a pole", () => {
    for (let tenths = -900; tenths <= 900; tenths++) {
      const middle = { lat: tenths / 10, lng: 0 };
      const km = distanceKm(middle, { lat: 90, lng: 0 });
      for (let direction = 0; direction < 360; direction += 7) {
        const point = pointFrom(middle, km, direction);
        const boxes = boxesAround(middle, km);
        if (!boxes.some((box) => contains(box, point)))
          throw new Error(Bun.inspect({ middle, point }));
      }
    }
  });
});

function contains(box: ReturnType<typeof boxesAround>[number], point: Point): boolean {
  return (
    point.lat >= box.south &&
    point.lat <= box.north &&
    point.lng >= box.west &&
    point.lng <= box.east
  );
}

/** The point `km` from another in a direction (degrees from north). Source: E. Williams, Aviation Formulary. */
function pointFrom(from: Point, km: number, direction: number): Point {
  const radians = Math.PI / 180;
  const [angle, course, fromLat] = [km / 6371.0088, direction * radians, from.lat * radians];
  const sine =
    Math.sin(fromLat) * Math.cos(angle) + Math.cos(fromLat) * Math.sin(angle) * Math.cos(course);
  const toLat = Math.asin(Math.max(-1, Math.min(1, sine)));
  const turn = Math.atan2(
    Math.sin(course) * Math.sin(angle) * Math.cos(fromLat),
    Math.cos(angle) - Math.sin(fromLat) * Math.sin(toLat),
  );
  const toLng = from.lng + turn / radians;
  return { lat: toLat / radians, lng: ((((toLng + 180) % 360) + 360) % 360) - 180 };
}
