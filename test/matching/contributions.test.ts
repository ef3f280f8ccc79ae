import { expect, test } from "bun:test";
import { ALERT_TYPES, SPECIES } from "../../src/core/alerts/alert.ts";
import { createContributions, type Contribution } from "../../src/matching/contributions.ts";
import { snap } from "../../src/core/place.ts";
import { fc } from "../support/seed.ts";

const IDS_MAX = 3;
const point = fc
  .tuple(
    fc.double({ min: -90, max: 90, noNaN: true }),
    fc.double({ min: -180, max: 180, noNaN: true }),
  )
  .map(([lat, lng]) => snap(lat, lng));
const contribution = fc.record({
  alert: fc.record({
    type: fc.constantFrom(...ALERT_TYPES),
    species: fc.constantFrom(...SPECIES),
    point,
  }),
  observationIds: fc.array(fc.nat({ max: 2 ** 16 - 1 }), {
    minLength: IDS_MAX,
    maxLength: IDS_MAX,
  }),
});
/** Few keys, in any order, so that they recur. */
const step = fc.tuple(fc.nat({ max: 2_000 }), fc.option(contribution, { freq: 3 }));

test("a contribution is returned once, as it was set, whatever the order of keys", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 3_000, size: "max" }), (steps) => {
      const contributions = createContributions(IDS_MAX);
      const expected = new Map<number, Contribution & { observationIds: number[] }>();
      const remove = (key: number) => {
        const shown = contributions.observationIds(key);
        const contribution = expected.get(key);
        expect(shown && Array.from(shown)).toEqual(contribution?.observationIds ?? null);
        const removed = contributions.remove(key);
        expect(removed?.alert).toEqual(contribution?.alert);
        expect(removed && Array.from(removed.observationIds)).toEqual(
          contribution?.observationIds ?? null,
        );
        expected.delete(key);
      };

      for (const [key, contribution] of steps) {
        remove(key);
        if (contribution === null) continue;
        contributions.set(key, contribution);
        expected.set(key, contribution);
      }

      for (const key of expected.keys()) remove(key);
    }),
    { numRuns: 20 },
  );
});
