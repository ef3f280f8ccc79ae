import { describe, expect, test } from "bun:test";
import { openGazetteer } from "../../src/places/gazetteer.ts";
import { FIRST_DAY_PLACES, firstDayScores } from "../bench/matching/first-day.ts";

const gazetteer = await openGazetteer();

describe("where next to nothing was posted yet", () => {
  for (const place of FIRST_DAY_PLACES) {
    for (const alerts of [2, 10, 50, 200]) {
      const scores = firstDayScores(gazetteer, place, alerts);

      test(`a find that contradicts in colour, size and sex scores 5 at most: ${place.name}, ${alerts} alerts`, () => {
        expect(scores.contradiction).toBeLessThanOrEqual(5);
      });

      test(`a twin next door scores 40 and more: ${place.name}, ${alerts} alerts`, () => {
        expect(scores.twin).toBeGreaterThanOrEqual(40);
      });
    }
  }

  test("a find of which only place, species and day are known scores lower than a twin", () => {
    for (const place of FIRST_DAY_PLACES) {
      for (const alerts of [2, 10, 50]) {
        const { stranger, twin } = firstDayScores(gazetteer, place, alerts);
        expect(stranger).toBeLessThanOrEqual(twin);
      }
    }
  });
});
