import { describe, expect, test } from "bun:test";
import { CELL_MIN } from "../../../src/core/outcomes/outcome.ts";
import { returnPeriods } from "../../../src/core/outcomes/return-periods.ts";
import { isoDate } from "../../../src/core/input.ts";
import { randomFor } from "../../chaos/fault.ts";
import { DAY } from "../../support/time.ts";

const FIRST = Date.parse("2026-01-05");
const monday = (nth: number) => isoDate(FIRST + nth * 7 * DAY);
const cats = (animals: readonly number[], by = "search_house") =>
  animals.map((animals, nth) => ({ week: monday(nth), species: "cat" as const, by, animals }));
const shown = (animals: readonly number[]) =>
  returnPeriods(cats(animals)).map(({ from, to, animals }) => [from, to, animals]);

describe("periods of animals that came home", () => {
  test("are single weeks where these have five animals", () => {
    expect(shown([5, 9])).toEqual([
      [monday(0), monday(0), 5],
      [monday(1), monday(1), 9],
    ]);
  });

  test("join weeks with fewer to the next, and leave out the last ones until there are enough", () => {
    expect(shown([2, 0, 4, 8, 4])).toEqual([
      [monday(0), monday(2), 6],
      [monday(3), monday(3), 8],
    ]);
    expect(shown([4])).toEqual([]);
  });

  test("never let somebody who notes them each week find a count of fewer than five by subtraction", () => {
    const random = randomFor("return periods");
    for (let run = 0; run < 50; run++) {
      const weeks = cats(Array.from({ length: 60 }, () => random.below(4)));
      let before: ReturnType<typeof returnPeriods> = [];
      for (let now = 1; now <= weeks.length; now++) {
        const periods = returnPeriods(weeks.slice(0, now));
        expect(periods.slice(0, before.length)).toEqual(before);
        const added = periods.slice(before.length).map(({ animals }) => animals);
        expect(added.every((animals) => animals >= CELL_MIN)).toBe(true);
        before = periods;
      }
      expect(before.length).toBeGreaterThan(0);
    }
  });
});
