import { beforeAll, describe, expect, test } from "bun:test";
import { distanceKm, type Point, snap } from "../../src/values/point.ts";
import {
  countryCodeAt,
  foldName,
  nameAt,
  viewPlaces,
  type Places,
} from "../../src/places/format.ts";
import { openGazetteer, OTHER_NAMES } from "../../src/places/gazetteer.ts";
import packed from "../../src/places/places.bin" with { type: "file" };
import { fc, runs } from "../support/seed.ts";
import type { Gazetteer, Town } from "../../src/places/town.ts";

/** Scans take seconds, and many more on a small machine. */
const PATIENCE_MS = 120_000;

let gazetteer: Gazetteer;
/** The same file as columns, to check the answers against. */
let places: Places;

beforeAll(async () => {
  gazetteer = await openGazetteer();
  places = viewPlaces(await Bun.file(packed).arrayBuffer());
});

function pointAt(index: number): Point {
  return { lat: places.lat[index]! / 1e5, lng: places.lng[index]! / 1e5 };
}

function placeAt(index: number): Town {
  const name = nameAt(places, index);
  const parent = places.parent[index]!;
  return {
    name,
    ...(parent !== index && { city: nameAt(places, parent), district: name }),
    countryCode: countryCodeAt(places, index),
    point: pointAt(index),
    population: places.population[index]!,
  };
}

function named(found: readonly Town[]): string[] {
  return found.map(({ name, countryCode }) => `${name}, ${countryCode}`);
}

describe("the box in which the people of a country live", () => {
  test("holds its large cities, and no far islands", () => {
    const france = gazetteer.inhabitedBox("FR")!;
    const states = gazetteer.inhabitedBox("US")!;

    for (const [side, [from, to]] of Object.entries(FRANCE))
      expect(france[side as keyof typeof FRANCE]).toBeWithin(from, to);
    expect(states.west).toBeGreaterThan(-126);
    expect(states.north).toBeLessThan(50);
    expect(gazetteer.inhabitedBox("XX")).toBeNull();
  });
});

const FRANCE = { south: [41, 44], north: [50, 51.5], west: [-5, -2], east: [6, 10] } as const;

describe("the nearest place", () => {
  /** Least distance minus reach over all places; of equals the more populous, then the first. */
  function nearestByScan(point: Point): Town {
    let best = 0;
    let bestKm = Infinity;
    for (let index = 0; index < places.count; index++) {
      const km = distanceKm(point, pointAt(index)) - places.reach[index]! / 10;
      const isMore = places.population[index]! > places.population[best]!;
      if (km < bestKm || (km === bestKm && isMore)) {
        best = index;
        bestKm = km;
      }
    }
    return placeAt(places.parent[best]!);
  }

  test(
    "is the one that a scan of all places finds, anywhere on Earth",
    () => {
      const point = fc.record({
        lat: fc.double({ min: -90, max: 90, noNaN: true }),
        lng: fc.double({ min: -180, max: 180, noNaN: true }),
      });
      const aroundTown = fc
        .record({ index: fc.nat(places.count - 1), north: fc.nat(2000), east: fc.nat(2000) })
        .map(({ index, north, east }) => ({
          lat: Math.max(-90, Math.min(90, pointAt(index).lat + (north - 1000) / 5000)),
          lng: Math.max(-180, Math.min(180, pointAt(index).lng + (east - 1000) / 5000)),
        }));

      fc.assert(
        fc.property(fc.oneof(point, aroundTown), (at) => {
          expect(gazetteer.nearest(at)).toEqual(nearestByScan(at));
        }),
        { numRuns: runs(150) },
      );
    },
    PATIENCE_MS,
  );

  test.each([
    ["the North Pole", 90, 0],
    ["the South Pole", -90, 180],
    ["the date line from the east", -16.8, -179.99],
    ["the date line in the Aleutians", 51.9, 180],
    ["the middle of the Pacific", -48.88, -123.39],
  ])("is the one a scan finds at %s", (_, lat, lng) => {
    expect(gazetteer.nearest({ lat, lng })).toEqual(nearestByScan({ lat, lng }));
  });

  test("can be on the other side of the date line", () => {
    expect(gazetteer.nearest({ lat: -16.8, lng: -179.99 }).name).toBe("Labasa");
  });

  test.each([
    ["Paris", "FR", 48.8566, 2.3522],
    ["Paris", "US", 33.661, -95.556],
    ["Tokyo", "JP", 35.69, 139.7],
    ["Longyearbyen", "SJ", 78.22, 15.65],
  ])("is %s, %s in its middle", (name, countryCode, lat, lng) => {
    expect(gazetteer.nearest({ lat, lng })).toMatchObject({ name, countryCode });
  });

  test.each([
    ["Croix-Rousse", "Lyon", 45.774, 4.832],
    ["Montmartre", "Paris", 48.8867, 2.343],
    ["Kreuzberg", "Berlin", 52.497, 13.4],
    ["Times Square", "New York City", 40.758, -73.9855],
    ["the lanes of L'Estaque", "Marseille", 43.36, 5.31],
  ])("is the city, not the quarter or the suburb, in %s", (_, name, lat, lng) => {
    expect(gazetteer.nearest({ lat, lng }).name).toBe(name);
  });

  test.each([
    ["Villeurbanne", "Lyon", 45.767, 4.88],
    ["Boulogne-Billancourt", "Paris", 48.835, 2.24],
    ["Hoboken", "New York City", 40.744, -74.032],
    ["Vatican City", "Rome", 41.9023, 12.4533],
  ])("is %s, a town of its own beside %s", (name, _, lat, lng) => {
    expect(gazetteer.nearest({ lat, lng }).name).toBe(name);
  });

  test("at the centre of a town that is not a quarter is that town", () => {
    const strays: string[] = [];
    for (let index = 0; index < places.count; index += 7) {
      if (places.parent[index] !== index) continue;
      const found = gazetteer.nearest(pointAt(index));
      if (distanceKm(found.point, pointAt(index)) > 0) strays.push(nameAt(places, index));
    }

    expect(strays).toEqual([]);
  });
});

describe("the town centred at a point", () => {
  const centreOf = (name: string, countryCode: string) => {
    const { lat, lng } = gazetteer.find(name, { countryCode, limit: 1 })[0]!.point;
    return snap(lat, lng);
  };

  test("is the town or quarter with its centre there, with a radius by population", () => {
    expect(gazetteer.townCentredAt(centreOf("Paris", "FR"))).toMatchObject({ town: "Paris" });
    expect(gazetteer.townCentredAt(centreOf("Brooklyn", "US"))).toMatchObject({ town: "Brooklyn" });
    const [paris, lyon] = ["Paris", "Lyon"].map((name) =>
      gazetteer.townCentredAt(centreOf(name, "FR")),
    );
    expect(lyon!.radiusKm).toBeGreaterThan(3);
    expect(paris!.radiusKm).toBeGreaterThan(lyon!.radiusKm);
    expect(paris!.radiusKm).toBeLessThan(15);
  });

  test("is null beside a centre and in a village no larger than its cell", () => {
    const { lat, lng } = centreOf("Paris", "FR");

    expect(gazetteer.townCentredAt(snap(lat + 0.01, lng))).toBeNull();
    expect(gazetteer.townCentredAt(centreOf("Riquewihr", "FR"))).toBeNull();
    expect(gazetteer.townCentredAt({ lat: 0, lng: -30 })).toBeNull();
  });
});

describe("people per km² around a point", () => {
  const around = (point: Point, spreadKm: number) => gazetteer.peoplePerKm2(point, spreadKm);
  const LYON = { lat: 45.76, lng: 4.84 };

  test("are some thousands at the centre of a city, fewer over a region, and few far from any town", () => {
    expect(around(LYON, 1)).toBeGreaterThan(7_000);
    expect(around(LYON, 1)).toBeLessThan(15_000);
    expect(around(LYON, 25)).toBeLessThan(around(LYON, 1) / 5);
    expect(around({ lat: 0, lng: -30 }, 1)).toBeLessThan(100);
  });
});

describe("finding places by name", () => {
  test.each(["Zürich", "zurich", "ZÜRICH", "  zu\u0308rich "])(
    "ignores case and accents: %s",
    (name) => {
      expect(named(gazetteer.find(name, { countryCode: "CH" }))).toEqual(["Zürich, CH"]);
    },
  );

  test.each([
    ["saint etienne", "Saint-Étienne, FR"],
    ["Tai'an", "Tai’an, CN"],
    ["arhus", "Århus, DK"],
  ])("ignores hyphens, strokes and apostrophes: %s", (name, found) => {
    expect(named(gazetteer.find(name))[0]).toBe(found);
  });

  test("villages and districts come after the towns, in a country, a region or a circle", () => {
    const bristol = { point: { lat: 51.45, lng: -2.59 }, radiusKm: 10 };
    expect(named(gazetteer.find("Clifton", { near: bristol }))).toEqual(["Clifton, GB"]);
    expect(named(gazetteer.find("Blyes"))).toEqual(["Blyes, FR"]);
    expect(named(gazetteer.find("Paris", { region: "Texas" }))).toEqual(["Paris, US"]);
    expect(named(gazetteer.find("paris", { region: "tx" }))).toEqual(["Paris, US"]);
    expect(gazetteer.find("Paris", { region: "Nowhere" })).toEqual([]);
  });

  test("postcodes of 22 countries are known, some by their first part", () => {
    const of = (code: string) =>
      gazetteer.postcodes(code).map(({ countryCode, town }) => `${countryCode} ${town}`);
    expect(of("69004")).toContain("FR Lyon");
    expect(of("F-69004")).toEqual(["FR Lyon"]);
    expect(of("bs8 2qa")).toEqual(of("BS8"));
    expect(of("K1P 5M7")).toEqual(of("K1P"));
    expect(of("00-002")).toContain("PL Warszawa");
    for (const nonsense of ["", "69", "ABCDE", "🐈", "1".repeat(1_000)])
      expect(of(nonsense)).toEqual([]);
  });

  test("returns the most populous first, up to the limit", () => {
    const found = gazetteer.find("Paris");
    const populations = found.map(({ population }) => population);

    expect(named(found)[0]).toBe("Paris, FR");
    expect(populations).toEqual(populations.toSorted((a, b) => b - a));
    expect(gazetteer.find("Paris", { limit: 2 })).toEqual(found.slice(0, 2));
    expect(gazetteer.find("Paris", { limit: 0 })).toEqual([]);
  });

  test("finds whole names only, unless `prefix` is set", () => {
    for (const name of ["Montréa", "", "  ", "?!"]) expect(gazetteer.find(name)).toEqual([]);
    expect(named(gazetteer.find("Montréa", { prefix: true }))[0]).toBe("Montréal, CA");
  });

  test(
    "finds by a prefix what a scan of all names finds",
    () => {
      const beginnings = fc
        .record({ index: fc.nat(places.count - 1), length: fc.integer({ min: 1, max: 9 }) })
        .map(({ index, length }) => nameAt(places, index).slice(0, length));
      const names = Array.from({ length: places.count }, (_, i) => nameAt(places, i));
      const folded = names.map(foldName);
      const parts = names
        .filter((name) => /[/(]/.test(name))
        .flatMap((name) => name.split(/[/()]/));
      const others = [...OTHER_NAMES.flatMap(([, , other]) => other), ...parts].map(foldName);

      fc.assert(
        fc.property(beginnings, fc.boolean(), (beginning, prefix) => {
          const wanted = foldName(beginning);
          fc.pre(wanted !== "");
          fc.pre(!others.some((other) => other.startsWith(wanted)));
          const scanned = folded
            .keys()
            .filter((i) => (prefix ? folded[i]!.startsWith(wanted) : folded[i] === wanted))
            .toArray()
            .sort((a, b) => places.population[b]! - places.population[a]! || a - b)
            .slice(0, 50)
            .map(placeAt);
          const found = gazetteer.find(beginning, { prefix, limit: 50 });
          // Villages and districts come after the towns.
          expect(found.slice(0, scanned.length)).toEqual(scanned);
          expect(prefix ? found.length : scanned.length).toBe(scanned.length);
        }),
        { numRuns: runs(80) },
      );
    },
    PATIENCE_MS,
  );

  test("finds a town by a part of a double name, and a quarter by its number", () => {
    const first = (name: string) => gazetteer.find(name, { countryCode: "CH", limit: 1 })[0];
    expect(first("Bienne")).toMatchObject({ name: "Bienne", population: 48_614 });
    expect(first("Oerlikon")?.point.lat).toBeCloseTo(47.41, 1);
    expect(first("Kreis 4")?.point.lat).toBeCloseTo(47.38, 1);
    expect(gazetteer.find("Halle", { countryCode: "DE", limit: 1 })[0]!.population).toBeGreaterThan(
      200_000,
    );
  });

  test("can be restricted to a country", () => {
    expect(named(gazetteer.find("Paris", { countryCode: "CA" }))).toEqual(["Paris, CA"]);
    expect(named(gazetteer.find("Paris", { countryCode: "ca" }))).toEqual(["Paris, CA"]);
    expect(gazetteer.find("Paris", { countryCode: "ZZ" })).toEqual([]);
  });

  test.each([
    ["MUNCHEN", "Munich"],
    ["Wien", "Vienna"],
    ["Москва", "Moscow"],
  ])("finds %s and returns it by that name", (asked, own) => {
    const [found] = gazetteer.find(asked);
    const [same] = gazetteer.find(own);

    expect(foldName(found?.name ?? "")).toBe(foldName(asked));
    expect({ ...found, name: own }).toEqual({ ...same!, name: own });
  });

  test("completes other names, and returns its own name if that matches too", () => {
    expect(named(gazetteer.find("Münche", { prefix: true }))[0]).toBe("München, DE");
    expect(named(gazetteer.find("Mun", { prefix: true, countryCode: "DE" }))[0]).toBe("Munich, DE");
    expect(gazetteer.find("München", { countryCode: "FR" })).toEqual([]);
  });

  test("tells namesakes apart by another city nearby", () => {
    const [capital] = gazetteer.find("Peoria");
    const springfields = gazetteer.find("Springfield", { countryCode: "US", limit: 3 });

    expect(springfields.map((town) => gazetteer.cityNear(town).name)).toEqual([
      "Columbia",
      "Hartford",
      "Peoria",
    ]);
    expect(gazetteer.cityNear(capital!).name).not.toBe("Peoria");
  });
});

describe("drawing a place", () => {
  const DRAWS = 20_000;

  /** Evenly spread numbers in [0, 1). */
  function draws(): Town[] {
    return Array.from({ length: DRAWS }, (_, turn) => gazetteer.draw((turn + 0.5) / DRAWS));
  }

  test("draws cities in proportion to their population", () => {
    let people = 0;
    let inCities = 0;
    for (let index = 0; index < places.count; index++) {
      if (places.parent[index] !== index) continue;
      people += places.population[index]!;
      if (places.population[index]! >= 1e6) inCities += places.population[index]!;
    }

    const drawn = draws().filter(({ population }) => population >= 1e6).length;

    expect(drawn / DRAWS).toBeCloseTo(inCities / people, 2);
  });

  test("never draws a quarter: its people are counted in the city", () => {
    const quarters = new Set<string>();
    for (let index = 0; index < places.count; index++) {
      if (places.parent[index] !== index) quarters.add(JSON.stringify(placeAt(index)));
    }

    const drawn = draws().filter((place) => quarters.has(JSON.stringify(place)));

    expect(quarters.size).toBeGreaterThan(1000);
    expect(drawn).toEqual([]);
  });
});
