import { expect, test } from "bun:test";
import fc from "fast-check";
import { ALERT_TYPES, SPECIES } from "../../../src/core/alert.ts";
import { createLedger, type Entry } from "../../../src/core/match/ledger.ts";
import { snap } from "../../../src/core/place.ts";

const ACCOUNTS_MAX = 3;
const point = fc
  .tuple(
    fc.double({ min: -90, max: 90, noNaN: true }),
    fc.double({ min: -180, max: 180, noNaN: true }),
  )
  .map(([lat, lng]) => snap(lat, lng));
const entry = fc.record({
  counted: fc.record({
    type: fc.constantFrom(...ALERT_TYPES),
    species: fc.constantFrom(...SPECIES),
    point,
  }),
  receipt: fc.array(fc.nat({ max: 2 ** 16 - 1 }), {
    minLength: ACCOUNTS_MAX,
    maxLength: ACCOUNTS_MAX,
  }),
});
/** Few keys, so that they come back; rising and falling. */
const step = fc.tuple(fc.nat({ max: 2_000 }), fc.option(entry, { freq: 3 }));

test("a ledger gives back just what was entered, once, in whatever order keys come and go", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 3_000, size: "max" }), (steps) => {
      const ledger = createLedger(ACCOUNTS_MAX);
      const expected = new Map<number, Entry & { receipt: number[] }>();
      const strike = (key: number) => {
        const shown = ledger.receipt(key);
        const entered = expected.get(key);
        expect(shown && Array.from(shown)).toEqual(entered?.receipt ?? null);
        const struck = ledger.strike(key);
        expect(struck?.counted).toEqual(entered?.counted);
        expect(struck && Array.from(struck.receipt)).toEqual(entered?.receipt ?? null);
        expected.delete(key);
      };

      for (const [key, entered] of steps) {
        strike(key);
        if (entered === null) continue;
        ledger.enter(key, entered);
        expected.set(key, entered);
      }

      for (const key of expected.keys()) strike(key);
    }),
    { numRuns: 20 },
  );
});
