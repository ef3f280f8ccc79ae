import { describe, expect, test } from "bun:test";
import { FIRST_DAY_PLACES, firstDayScores } from "../bench/matching/first-day.ts";
import { createDensity } from "../../src/matching/density.ts";
import { learnUse, USES_AT_FIRST, usesAt } from "../../src/matching/use.ts";
import { openGazetteer } from "../../src/places/gazetteer.ts";
import { catWith, north, townPeople } from "../support/subject.ts";

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

const uses = usesAt({ coverage: 0.01, perKm2PerDay: 1e-4, allPerKm2PerDay: 1e-2 });
const expected = uses.map(({ posted }) => posted);
/** A loss whose twin is among the finds, and one without. */
const PAIR = { expected, odds: expected.map((posted) => 1_000 * posted) };
const WITHOUT = { expected, odds: expected.map(() => 0) };
/** Mean chance that a find is posted, after losses of both kinds. */
function postedAfter(pairs: number, others: number): number {
  const losses = [
    ...Array.from({ length: pairs }, () => PAIR),
    ...Array.from({ length: others }, () => WITHOUT),
  ];
  const chances = learnUse(losses);
  return expected.reduce((sum, posted, use) => sum + chances[use]! * posted, 0);
}

describe("how a service is used", () => {
  test("is what is assumed at first without losses, and the chances always sum to 1", () => {
    const sum = (uses: readonly number[]) => uses.reduce((total, one) => total + one, 0);

    expect(learnUse([])).toEqual(USES_AT_FIRST.map((one) => expect.closeTo(one, 9)));
    expect(sum(learnUse([PAIR, WITHOUT, PAIR]))).toBeCloseTo(1, 9);
  });

  test("is learned from a handful of losses: together after pairs, apart after losses without", () => {
    expect(postedAfter(3, 2)).toBeGreaterThan(0.2);
    expect(postedAfter(0, 30)).toBeLessThan(0.012);
  });

  test("rises with every pair and falls with every loss without", () => {
    const rising = [0, 1, 3, 10].map((pairs) => postedAfter(pairs, 20));
    const falling = [0, 10, 100, 1_000].map((others) => postedAfter(3, others));

    expect(rising).toEqual(rising.toSorted((a, b) => a - b));
    expect(falling).toEqual(falling.toSorted((a, b) => b - a));
  });

  test("never makes it certain that a find is posted, whatever somebody makes up", () => {
    expect(postedAfter(1_000, 0)).toBeLessThanOrEqual(0.6);
  });

  test("means rivals where people use a service together, even before any other find is posted", () => {
    const rivals = uses.map(({ rivalsPerKm2PerDay }) => rivalsPerKm2PerDay);

    expect(rivals[0]).toBe(1e-4);
    expect(rivals).toEqual(rivals.toSorted((a, b) => a - b));
    expect(rivals.at(-1)).toBeGreaterThan(1e-4);
  });
});

const gazetteer = await openGazetteer();

describe("where next to nothing was posted yet", () => {
  for (const place of FIRST_DAY_PLACES)
    test.each([2, 50])(
      `a find that contradicts scores little, and a twin much: ${place.name}, %d alerts`,
      (alerts) => {
        const { contradiction, stranger, twin } = firstDayScores(gazetteer, place, alerts);

        expect(contradiction).toBeLessThanOrEqual(5);
        expect(twin).toBeGreaterThanOrEqual(40);
        // Of a stranger only place, species and day are known.
        expect(stranger).toBeLessThanOrEqual(twin);
      },
    );
});
