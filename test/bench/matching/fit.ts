import { compareField, type Field, FIELDS } from "../../../src/matching/fields.ts";
import { priorLogOdds } from "../../../src/matching/prior.ts";
import { FITTED_ON } from "./cities.ts";
import { makeCity, type CityPlan } from "./city.ts";
import { readCity } from "./trial.ts";

/**
 * Fits the trust in each field: `bun test/bench/matching/fit.ts [seeds]`. A logistic regression (Newton's method) of "is
 * the same animal" on the log likelihood ratios for and against, with the prior as an offset and a constant. Its weights
 * times the current trust are the new trust; the constant is near 0 if the evidence is neither too timid nor too bold.
 */
const seeds = Number(Bun.argv[2] ?? 12);
/** Pairs below these total log odds, true ones as well, are left out: they carry next to no information. */
const LOG_ODDS_MIN = -6;

type WeighedPair = {
  readonly offset: number;
  readonly found: Float64Array;
  readonly isSame: boolean;
};
const NAMES = ["constant", ...FIELDS.flatMap((field) => [`${field} for`, `${field} against`])];

const rows = FITTED_ON.flatMap((plan) =>
  Array.from({ length: seeds }, (_, nth) => rowsOf(plan, 100 + nth)).flat(),
);
console.log(`${rows.length} pairs, ${rows.filter(({ isSame }) => isSame).length} of them true`);
const weights = regression(rows);
NAMES.forEach((name, nth) => console.log(name.padEnd(18), weights[nth]!.toFixed(3)));

function rowsOf(plan: CityPlan, seed: number): WeighedPair[] {
  const city = makeCity(plan, seed);
  const { subjects, context } = readCity(city);
  const finds = city.alerts.filter(({ subject }) => subject.type === "found");
  return city.alerts
    .filter(({ subject }) => subject.type === "lost")
    .flatMap((lost) =>
      finds.flatMap((found) => {
        if (lost.subject.species !== found.subject.species) return [];
        const [a, b] = [subjects.get(lost)!, subjects.get(found)!];
        if (b.values.time! - a.values.time! < -3) return [];
        const { species } = lost.subject;
        const about = { species, frequency: context.frequency };
        const weigh = (field: Field) => compareField(field, a, b, about)?.weight ?? 0;
        const weights = FIELDS.map(weigh);
        const both = weights.flatMap((weight) => [Math.max(0, weight), Math.min(0, weight)]);
        const weighed = Float64Array.of(1, ...both);
        const around = { lost: context.densityAround(a), found: context.densityAround(b) };
        const offset = priorLogOdds(species, around, context.pairShare(species));
        const isSame = lost.animal === found.animal;
        const total = weighed.reduce((sum, weight) => sum + weight, offset - 1);
        return total < LOG_ODDS_MIN ? [] : [{ offset, found: weighed, isSame }];
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
