import { describe, expect, test } from "bun:test";
import { learnPairShare, PAIR_SHARE_PRIOR } from "../../src/matching/pair-share.ts";
import { openGazetteer } from "../../src/geo/gazetteer.ts";
import { FIRST_DAY_PLACES, firstDayScores } from "../bench/matching/first-day.ts";

const gazetteer = await openGazetteer();

describe("where next to nothing was posted yet", () => {
  for (const place of FIRST_DAY_PLACES) {
    for (const alerts of [2, 10, 50]) {
      const scores = firstDayScores(gazetteer, place, alerts);

      test(`a find that contradicts in colour, size and sex scores 5 at most: ${place.name}, ${alerts} alerts`, () => {
        expect(scores.contradiction).toBeLessThanOrEqual(5);
      });

      test(`a twin next door scores 40 and more: ${place.name}, ${alerts} alerts`, () => {
        expect(scores.twin).toBeGreaterThanOrEqual(40);
      });
    }
  }

  test("a find of which only place, species and day are known stays below 40 in a town, however large", () => {
    for (const place of FIRST_DAY_PLACES.filter(({ name }) => !name.startsWith("open country"))) {
      for (const alerts of [2, 10, 50]) {
        expect(firstDayScores(gazetteer, place, alerts).stranger).toBeLessThan(40);
      }
    }
  });

  test("the same twin is likelier the fewer people live around", () => {
    const twins = FIRST_DAY_PLACES.map((place) => firstDayScores(gazetteer, place, 2).twin);

    expect(twins).toEqual(twins.toSorted((a, b) => b - a));
  });
});

describe("the share of pairs", () => {
  const loss = (expected: number, odds: number) => ({ expected, odds });

  test("is the assumed one without losses, and nearly so after a single lookalike", () => {
    expect(learnPairShare([])).toBe(PAIR_SHARE_PRIOR);
    expect(learnPairShare([loss(0.001, 10)])).toBeLessThan(2 * PAIR_SHARE_PRIOR);
  });

  test("rises with every pair that is seen and falls with every loss without a find", () => {
    const among = (pairs: number, others: number) =>
      learnPairShare([
        ...Array.from({ length: pairs }, () => loss(0.1, 1_000)),
        ...Array.from({ length: others }, () => loss(0.1, 0)),
      ]);
    const rising = [0, 1, 5, 20, 80].map((pairs) => among(pairs, 20));
    const falling = [0, 10, 100, 1_000].map((others) => among(5, others));

    expect(rising).toEqual(rising.toSorted((a, b) => a - b));
    expect(falling).toEqual(falling.toSorted((a, b) => b - a));
    expect(among(80, 120)).toBeGreaterThan(3);
  });

  test("does not fall below a quarter of the assumed one, however many losses somebody makes up", () => {
    expect(learnPairShare(Array.from({ length: 200 }, () => loss(1, 0)))).toBe(
      PAIR_SHARE_PRIOR / 4,
    );
  });

  test("stays below the share of all finds where every loss has its find", () => {
    const share = learnPairShare(Array.from({ length: 200 }, () => loss(0.3, 1e9)));

    expect(share).toBeGreaterThan(1);
    expect(share).toBeLessThan(1 / 0.3);
  });
});
