import type { Sex, Species } from "../../alerts/alert.ts";
import { choiceEvidence } from "./choice.ts";

const SEXES: readonly Exclude<Sex, "unknown">[] = ["male", "female"];

/** Percent of descriptions with the right sex. No source: finders often err with cats, and more so with birds. */
const RIGHT: Readonly<Record<Species, number>> = { dog: 96, cat: 90, bird: 70, other: 80 };

/** Sex. A contradiction counts against the pair, mildly so for cats. */
export const sex = choiceEvidence({
  name: "sex",
  values: SEXES,
  of: (alert) => alert.sex,
  prior: () => [50, 50],
  chosen: (species) => [
    [RIGHT[species], 100 - RIGHT[species]],
    [100 - RIGHT[species], RIGHT[species]],
  ],
  similarity: () => "different",
});
