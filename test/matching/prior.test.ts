import { describe, expect, test } from "bun:test";
import { createDensity, type LocalDensity } from "../../src/matching/density.ts";
import { PAIR_SHARE_PRIOR } from "../../src/matching/pair-share.ts";
import { priorLogOdds } from "../../src/matching/prior.ts";
import { type MatchSubject, prepareSubject } from "../../src/matching/subject.ts";
import { EARTH_RADIUS_KM, type Point, snap } from "../../src/core/place.ts";
import { townPeople } from "../support/people.ts";

const CAT: MatchSubject = {
  type: "lost",
  species: "cat",
  point: { lat: 45.77, lng: 4.83 },
  eventDate: "2026-05-01",
  name: null,
  breed: "unknown",
  color: "unknown",
  size: "unknown",
  sex: "unknown",
  age: "unknown",
  chipHash: null,
};
const DOG: MatchSubject = { ...CAT, species: "dog" };

describe("the prior", () => {
  const bothAt = (density: LocalDensity) => ({ lost: density, found: density });
  /** Adds this many cats around, half of them found. */
  const oddsAmong = (others: number) => {
    const density = createDensity(townPeople);
    const found = prepareSubject({ ...CAT, type: "found" });
    density.add(found);
    for (let nth = 0; nth < others; nth++)
      density.add(prepareSubject({ ...CAT, type: nth % 2 === 0 ? "found" : "lost" }));
    return priorLogOdds("cat", bothAt(density.around(found)), PAIR_SHARE_PRIOR);
  };

  test("falls with every other find nearby", () => {
    const odds = [0, 2, 5, 10, 15].map(oddsAmong);

    expect(odds).toEqual(odds.toSorted((a, b) => b - a));
    expect(new Set(odds).size).toBe(odds.length);
  });

  test("stops falling where more finds are posted than the people around make likely: made-up finds hide no true one", () => {
    expect(oddsAmong(1_000)).toBeGreaterThanOrEqual(oddsAmong(100));
  });

  test("on an instance without posts falls with the people around, who find animals whether they post them or not", () => {
    const oddsAmongPeople = (perKm2: number) => {
      const { around } = createDensity(() => perKm2);
      const density = around(prepareSubject({ ...CAT, type: "found" }));
      return Math.exp(priorLogOdds("cat", bothAt(density), PAIR_SHARE_PRIOR));
    };

    expect(oddsAmongPeople(50) / oddsAmongPeople(5_000)).toBeCloseTo(100, 0);
  });

  test("does not depend on how many of the finds are posted, if as many are everywhere", () => {
    const oddsAmongPosts = (everyKm: number) => {
      const density = createDensity(() => 1_000);
      for (let east = -30; east <= 30; east += everyKm)
        for (let north = -30; north <= 30; north += everyKm)
          density.add({ type: "found", species: "cat", point: kmFrom(CAT.point, east, north) });
      return priorLogOdds("cat", bothAt(density.around(prepareSubject(CAT))), PAIR_SHARE_PRIOR);
    };

    expect(oddsAmongPosts(1)).toBeCloseTo(oddsAmongPosts(100), 0);
  });

  test("rises with the share of pairs that is learned", () => {
    const around = bothAt(createDensity(townPeople).around(prepareSubject(CAT)));

    expect(priorLogOdds("cat", around, 0.8) - priorLogOdds("cat", around, 0.4)).toBeCloseTo(
      Math.log(2),
      9,
    );
  });

  test("does not count the found alert itself", () => {
    const density = createDensity(townPeople);
    const found = prepareSubject({ ...CAT, type: "found" });
    const before = density.around(found);
    density.add(found);

    expect(density.around(found)).toEqual(before);
  });

  test("ignores dogs, and cats in another region", () => {
    const density = createDensity(townPeople);
    const found = prepareSubject({ ...CAT, type: "found" });
    density.add(found);
    const alone = density.around(found);
    density.add(prepareSubject({ ...DOG, type: "found" }));
    density.add(prepareSubject({ ...CAT, type: "found", point: { lat: 48.85, lng: 2.35 } }));

    expect(density.around(found)).toEqual(alone);
  });
});

/** Cell so many km east and north of a point. */
function kmFrom({ lat, lng }: Point, east: number, north: number): Point {
  const perDegree = KM_PER_DEGREE * Math.cos((lat * Math.PI) / 180);
  return snap(lat + north / KM_PER_DEGREE, lng + east / perDegree);
}

const KM_PER_DEGREE = (EARTH_RADIUS_KM * Math.PI) / 180;
