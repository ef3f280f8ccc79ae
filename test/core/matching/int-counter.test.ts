import { expect, test } from "bun:test";
import fc from "fast-check";
import { createIntCounter } from "../../../src/core/matching/int-counter.ts";

test("a tally tells what a map of counts would, whatever came and went", () => {
  const number = fc.oneof(
    fc.integer({ min: 0, max: 40 }),
    fc.integer({ min: 0, max: 2 ** 31 - 2 }),
    // Far apart by a power of two: these meet in one place of the table.
    fc.integer({ min: 0, max: 2 ** 10 }).map((nth) => nth * 2 ** 16),
  );
  const counts = fc.array(fc.tuple(number, fc.constantFrom(1, 1, 1, -1)), {
    maxLength: 2_000,
    size: "max",
  });
  fc.assert(
    fc.property(counts, fc.array(number), (counts, others) => {
      const tally = createIntCounter();
      const model = new Map<number, number>();
      for (const [number, times] of counts) {
        tally.add(number, times);
        model.set(number, (model.get(number) ?? 0) + times);
      }

      for (const number of [...model.keys(), ...others])
        expect(tally.get(number)).toBe(model.get(number) ?? 0);
    }),
    { numRuns: 50 },
  );
});

test("numbers that came and went leave room for others without end", () => {
  const tally = createIntCounter();

  for (let number = 0; number < 100_000; number++) {
    tally.add(number, 1);
    tally.add(number, -1);
  }
  tally.add(7, 2);

  expect([tally.get(7), tally.get(99_999)]).toEqual([2, 0]);
});
