import { compareField, type Field, FIELDS } from "../../../src/matching/fields.ts";
import { oddsOf } from "../../../src/matching/score.ts";
import { FITTED_ON } from "./cities.ts";
import { type City, makeCity } from "./city.ts";
import { readCity } from "./trial.ts";
import { instanceOf, WORLDS } from "./worlds.ts";

/**
 * Fits the weights of the fields: `bun test/bench/matching/fit.ts [seeds]`. A logistic regression (Newton's method) of "is
 * the same animal" on the log likelihood ratios for and against, with the score's odds as an offset and a constant. A weight
 * of 1 leaves a field as it is; the constant is near 0 if the evidence is neither too timid nor too bold. Cities and
 * services have names and seeds of their own, which the benchmark never reports.
 */
const seeds = Number(Bun.argv[2] ?? 2);
/** Pairs below these log odds, true ones as well, are left out: they carry next to no information. */
const LOG_ODDS_MIN = -6;

type WeighedPair = {
  readonly offset: number;
  readonly found: Float64Array;
  readonly isSame: boolean;
};
const NAMES = ["constant", ...FIELDS.flatMap((field) => [`${field} for`, `${field} against`])];

const cities = Array.from({ length: seeds }, (_, nth) => 1_000 + nth).flatMap((seed) => [
  ...FITTED_ON.map((plan) => makeCity(plan, seed)),
  ...WORLDS.map((world) => instanceOf({ ...world, name: `fit ${world.name}` }, seed)),
]);
const rows = cities.flatMap(rowsOf);
console.log(`${rows.length} pairs, ${rows.filter(({ isSame }) => isSame).length} of them true`);
const weights = regression(rows);
NAMES.forEach((name, nth) => console.log(name.padEnd(18), weights[nth]!.toFixed(3)));

function rowsOf(city: City): WeighedPair[] {
  const { subjects, context } = readCity(city);
  const finds = city.alerts.filter(({ subject }) => subject.type === "found");
  const losses = city.alerts.filter(({ subject }) => subject.type === "lost");
  return losses.flatMap((lost) =>
    finds.flatMap((found) => {
      const [a, b] = [subjects.get(lost)!, subjects.get(found)!];
      const odds = oddsOf(a, b, context);
      if (odds === null) return [];
      const { species } = lost.subject;
      const mean = odds.reduce((sum, each, use) => sum + each * context.use(species)[use]!, 0);
      const weigh = (field: Field) => compareField(field, a, b)?.weight ?? 0;
      const ofFields = FIELDS.map(weigh);
      const both = ofFields.flatMap((weight) => [Math.max(0, weight), Math.min(0, weight)]);
      const total = both.reduce((sum, weight) => sum + weight, 0);
      if (Math.log(mean) < LOG_ODDS_MIN) return [];
      const isSame = lost.animal === found.animal;
      return [{ offset: Math.log(mean) - total, found: Float64Array.of(1, ...both), isSame }];
    }),
  );
}

function regression(rows: readonly WeighedPair[]): number[] {
  const size = NAMES.length;
  let fitted: number[] = NAMES.map((_, nth) => (nth === 0 ? 0 : 1));
  for (let step = 0; step < 12; step++) {
    const slope = NAMES.map(() => 0);
    const bend = NAMES.map(() => NAMES.map(() => 0));
    for (const { offset, found, isSame } of rows) {
      const logOdds = fitted.reduce((sum, weight, nth) => sum + weight * found[nth]!, offset);
      const chance = 1 / (1 + Math.exp(-logOdds));
      for (let one = 0; one < size; one++) {
        slope[one]! += found[one]! * (Number(isSame) - chance);
        for (let other = 0; other < size; other++) {
          bend[one]![other]! += found[one]! * found[other]! * chance * (1 - chance);
        }
      }
    }
    const move = solved(bend, slope);
    fitted = fitted.map((weight, nth) => weight + move[nth]!);
  }
  return fitted;
}

/** Gaussian elimination; the matrix is positive definite. */
function solved(matrix: number[][], right: number[]): number[] {
  const size = right.length;
  const rows = matrix.map((row, nth) => [...row, right[nth]!]);
  for (let pivot = 0; pivot < size; pivot++) {
    for (let row = 0; row < size; row++) {
      if (row === pivot) continue;
      const factor = rows[row]![pivot]! / rows[pivot]![pivot]!;
      for (let column = pivot; column <= size; column++) {
        rows[row]![column]! -= factor * rows[pivot]![column]!;
      }
    }
  }
  return rows.map((row, nth) => row[size]! / row[nth]!);
}
