import { describe, expect, test } from "bun:test";
import { readCoat } from "../../src/matching/coat-parser.ts";
import { readBreedGroups } from "../../src/matching/breed-group.ts";
import type { Subject } from "../../src/matching/subject.ts";
import { snap } from "../../src/values/point.ts";
import { COAT_SHARES, KINDS } from "../bench/matching/animals.ts";
import { pointsTable } from "../bench/matching/baselines.ts";
import { FITTED_ON, REPORTED } from "../bench/matching/cities.ts";
import { makeCity } from "../bench/matching/city.ts";
import { PHRASES } from "../bench/matching/coats.ts";
import { measures } from "../bench/matching/measure.ts";
import { type TrialResult, ourScore, type Scorer, trial } from "../bench/matching/trial.ts";

const SEEDS = [1, 2, 3, 4];

/** A small `bun run bench:matching`: the bounds allow for changed words and breeds, but not for a broken score. */
describe("in generated cities the score", () => {
  const cities = SEEDS.map((seed) => makeCity(REPORTED[0]!, seed));
  const ours = summed(cities.map((city) => trial(city, ourScore(city))));
  const [, recallAt5 = 0] = ours.recallAt.map(([, recall]) => recall);

  test("ranks the true match among the first five", () => {
    expect(recallAt5).toBeGreaterThan(0.92);
  });

  test("ranks far better than a points table", () => {
    const points: Scorer = pointsTable;
    const table = summed(cities.map((city) => trial(city, points)));

    expect(recallAt5).toBeGreaterThan(1.5 * table.recallAt[1]![1]);
    expect(ours.recallAt[0]![1]).toBeGreaterThan(2 * table.recallAt[0]![1]);
  });

  test("is calibrated: of the pairs at a score, that percentage is the same animal", () => {
    expect(ours.calibrationError).toBeLessThan(0.07);
    expect(ours.precisionAt40).toBeGreaterThan(0.65);
    expect(ours.recallAt40).toBeGreaterThan(0.45);
  });
});

describe("where half the alerts give only their town", () => {
  const plan = REPORTED[0]!;
  const centre = snap(plan.centre.lat, plan.centre.lng);
  const halfByName = (as: Pick<Subject, "town" | "radiusKm"> | null) =>
    summed(
      [1, 2].map((seed) => {
        const city = makeCity(plan, seed);
        const alerts = city.alerts.map((alert, nth) =>
          nth % 2 === 0 ? alert : { ...alert, subject: { ...alert.subject, point: centre, ...as } },
        );
        return trial({ ...city, alerts }, ourScore({ ...city, alerts }));
      }),
    );
  const asTowns = halfByName({ town: "here", radiusKm: plan.radiusKm });
  const asPins = halfByName(null);

  test("a high score is right far oftener than if their points counted as exact", () => {
    expect(asTowns.precisionAt40).toBeGreaterThan(asPins.precisionAt40 + 0.15);
  });
});

describe("a generated city", () => {
  test("is not among those that the score was fitted on", () => {
    const names = new Set(FITTED_ON.map(({ name }) => name));

    expect(REPORTED.filter(({ name }) => names.has(name))).toEqual([]);
  });

  test("describes breeds and colours that matching can read, with few exceptions", () => {
    for (const species of ["dog", "cat"] as const) {
      const words = KINDS[species].flatMap((kind) => kind.words);
      expect(words.filter((word) => readBreedGroups(species, word).length === 0)).toEqual([]);

      const phrases = [...COAT_SHARES[species].keys()].flatMap((coat) => PHRASES[coat] ?? []);
      const unread = new Set(
        phrases.map(([phrase]) => phrase).filter((phrase) => isUnread(phrase, species)),
      );
      expect([...unread].filter((phrase) => !["dark", "light", "multi"].includes(phrase))).toEqual(
        [],
      );
    }
  });
});

function isUnread(phrase: string, species: "dog" | "cat"): boolean {
  const { colors, pattern } = readCoat(phrase, species);
  return colors.length === 0 && pattern === null;
}

function summed(outcomes: readonly TrialResult[]) {
  return measures(
    outcomes.flatMap(({ pairs }) => pairs),
    outcomes.flatMap(({ ranks }) => ranks),
    outcomes.reduce((sum, { truePairs }) => sum + truePairs, 0),
  );
}
