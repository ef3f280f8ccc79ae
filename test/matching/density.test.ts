import { describe, expect, test } from "bun:test";
import { createDensity } from "../../src/matching/density.ts";
import { catWith, north } from "../support/subject.ts";
import { townPeople } from "../support/people.ts";

const DAYS = 30;
const FOUND = catWith({ type: "found" });
/** Finds per km² and day around a found cat, among others in its cell. */
const among = (others: number, people = townPeople) => {
  const density = createDensity(people, DAYS);
  for (let nth = 0; nth <= others; nth++) density.add(FOUND);
  return density.around(FOUND);
};

describe("the density of finds", () => {
  test("rises with every other find nearby, and does not count the find itself", () => {
    const rising = [0, 2, 5, 10, 15].map((others) => among(others).perKm2PerDay);

    expect(rising).toEqual(rising.toSorted((a, b) => a - b));
    expect(new Set(rising).size).toBe(rising.length);
    expect(among(0)).toEqual(
      createDensity(townPeople, DAYS).around({ ...FOUND, publishedAt: null }),
    );
  });

  test("stops rising where more finds are posted than the people around make likely: made-up finds hide no true one", () => {
    expect(among(1_000).perKm2PerDay).toBeLessThanOrEqual(among(500).perKm2PerDay);
  });

  test("ends with the finds: the last one removed leaves what was before the first", () => {
    const density = createDensity(townPeople, DAYS);
    const before = density.around(FOUND);
    const points = Array.from({ length: 40 }, (_, nth) => north(FOUND.point, (nth % 7) - 3));
    for (const point of points) density.add({ ...FOUND, point });
    expect(density.around(FOUND)).not.toEqual(before);
    for (const point of points.toReversed()) density.remove({ ...FOUND, point });

    expect(density.around(FOUND)).toEqual(before);
  });

  test("ignores dogs, and cats in another region", () => {
    const density = createDensity(townPeople, DAYS);
    const before = density.around(FOUND);
    density.add({ ...FOUND, species: "dog" });
    density.add({ ...FOUND, point: { lat: 48.85, lng: 2.35 } });

    expect(density.around(FOUND)).toEqual(before);
  });

  test("is as large by the share that is posted, wherever people live", () => {
    const few = among(0, () => 50);
    const many = among(0, () => 5_000);

    expect(many.coverage).toBeLessThan(few.coverage);
    expect(many.perKm2PerDay / many.coverage / (few.perKm2PerDay / few.coverage)).toBeCloseTo(
      100,
      0,
    );
  });

  test("of a town is that of the whole town, however many finds are at its centre", () => {
    const density = createDensity(() => 30_000, DAYS);
    for (let nth = 0; nth < 100; nth++) density.add(FOUND);

    const ofTown = density.around({ ...FOUND, radiusKm: 6 }).perKm2PerDay;
    expect(density.around(FOUND).perKm2PerDay).toBeGreaterThan(5 * ofTown);
  });

  test("counts across the date line", () => {
    const fiji = { ...FOUND, point: { lat: -17, lng: 179.99 } };
    const density = createDensity(townPeople, DAYS);
    const before = density.around(fiji).perKm2PerDay;
    density.add({ ...fiji, point: { lat: -17, lng: -180 } });
    density.add({ ...fiji, point: { lat: -17, lng: -179.99 } });

    expect(density.around(fiji).perKm2PerDay).toBeGreaterThan(before);
  });
});
