import { describe, expect, test } from "bun:test";
import { learnUse, USES_AT_FIRST, usesAt } from "../../src/matching/use.ts";

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
