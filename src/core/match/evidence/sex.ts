import type { Sex, Species } from "../../alert.ts";
import { choiceEvidence } from "./choice.ts";

const SEXES: readonly Exclude<Sex, "unknown">[] = ["male", "female"];

/** Percent of the accounts that tell the sex right. No source: finders often err with cats, and more so with birds. */
const RIGHT: Readonly<Record<Species, number>> = { dog: 96, cat: 90, bird: 70, other: 80 };

/** Sex. A contradiction counts against, mildly so with cats. */
export const sex = choiceEvidence({
  name: "sex",
  values: SEXES,
  of: (alert) => alert.sex,
  common: () => [50, 50],
  told: (species) => [
    [RIGHT[species], 100 - RIGHT[species]],
    [100 - RIGHT[species], RIGHT[species]],
  ],
  likeness: () => "different",
});
