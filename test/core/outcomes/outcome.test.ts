import { describe, expect, test } from "bun:test";
import { isoDate } from "../../../src/core/input.ts";
import {
  CELL_MIN,
  MERGED,
  type Outcome,
  outcomeTable,
  RETURN_DISTANCES,
  RETURN_WAYS,
} from "../../../src/core/outcomes/outcome.ts";
import { returnPeriods } from "../../../src/core/outcomes/return-periods.ts";
import { ALERT_TYPES, SPECIES } from "../../../src/values/animal.ts";
import { randomFor } from "../../chaos/fault.ts";
import { fc } from "../../support/seed.ts";
import { DAY } from "../../support/time.ts";

const CAT = {
  week: "2026-04-27",
  type: "lost",
  species: "cat",
  days: 4,
  how: "poster",
  distance: "under_500_m",
} as const satisfies Outcome;
const times = (count: number, about: Partial<Outcome> = {}): Outcome[] =>
  Array.from({ length: count }, () => ({ ...CAT, ...about }));

test("animals that came home alike are counted together, with their median days", () => {
  const told = [
    ...times(1, { days: 9 }),
    ...times(3),
    ...times(1, { days: 1 }),
    ...times(6, { how: "searched", days: 0 }),
  ];

  const { days: _days, ...alike } = CAT;
  expect(outcomeTable(told)).toEqual({
    cells: [
      { ...alike, count: 5, medianDays: 4 },
      { ...alike, how: "searched", count: 6, medianDays: 0 },
    ],
    leftOut: 0,
  });
});

test("a few that differ in their distance, their way, their kind stand together by what they share", () => {
  const near = [...times(3), ...times(2, { distance: "farther" })];
  const ways = [
    ...times(2, { species: "dog", how: "searched" }),
    ...times(3, { species: "dog", how: "shelter_or_vet" }),
  ];
  const kinds = [
    ...times(2, { species: "bird" }),
    ...times(3, { species: "other", type: "found" }),
  ];

  const { cells, leftOut } = outcomeTable([...near, ...ways, ...kinds]);

  expect(
    cells.map(({ type, species, how, distance, count }) => [type, species, how, distance, count]),
  ).toEqual([
    ["lost", "cat", "poster", MERGED, 5],
    ["lost", "dog", MERGED, MERGED, 5],
    [MERGED, MERGED, MERGED, MERGED, 5],
  ]);
  expect(leftOut).toBe(0);
});

test("what is too few in its week is left out", () => {
  expect(outcomeTable([...times(4), ...times(4, { week: "2026-05-04" })])).toEqual({
    cells: [],
    leftOut: 8,
  });
});

test("no cell holds fewer than allowed, none stands twice, and every animal is counted once", () => {
  const outcome = fc.record({
    week: fc.constantFrom("2026-04-27", "2026-05-04"),
    type: fc.constantFrom(...ALERT_TYPES),
    species: fc.constantFrom(...SPECIES),
    days: fc.nat(100),
    how: fc.constantFrom(null, ...RETURN_WAYS.slice(0, 3)),
    distance: fc.constantFrom(null, ...RETURN_DISTANCES.slice(0, 3)),
  });
  fc.assert(
    fc.property(fc.array(outcome, { maxLength: 60 }), (told) => {
      const { cells, leftOut } = outcomeTable(told);
      const names = cells.map(({ count: _count, medianDays: _days, ...group }) =>
        JSON.stringify(group),
      );

      expect(cells.filter(({ count }) => count < CELL_MIN)).toEqual([]);
      expect(new Set(names).size).toBe(names.length);
      expect(cells.reduce((sum, { count }) => sum + count, leftOut)).toBe(told.length);
    }),
  );
});

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
