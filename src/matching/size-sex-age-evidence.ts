import { bySpecies, type Subject } from "./subject.ts";
import { normalize, type Observation, observe, type Trait } from "./trait.ts";
import { type Evidence, type Similarity, traitEvidence } from "./evidence.ts";
import { AGES, SEXES, SIZES, type Species } from "../values/animal.ts";

/**
 * Size. We know of no study of how well two people agree on size. Built-in figures: about three animals in four get
 * their own size and nearly all others the next one, because the words have no sharp limits; two steps apart is rare.
 */
export const size = choiceEvidence({
  values: SIZES,
  of: (alert) => alert.size,
  prior: (species) => (species === "dog" ? [34, 30, 30, 6] : [30, 55, 14, 1]),
  chosen: () => [
    [82, 17, 0.9, 0.1],
    [13, 73, 13.5, 0.5],
    [0.7, 17, 75, 7.3],
    [0.2, 1.8, 33, 65],
  ],
  similarity: (lost, found) =>
    Math.abs(SIZES.indexOf(lost) - SIZES.indexOf(found)) >= 2 ? "different" : "similar",
});

/** Percent of descriptions with the right sex. No source: finders often err with cats, and more so with birds. */
const RIGHT: Readonly<Record<Species, number>> = { dog: 96, cat: 90, bird: 70, other: 80 };

/** Sex. A contradiction counts against the pair, mildly so for cats. */
export const sex = choiceEvidence({
  values: SEXES,
  of: (alert) => alert.sex,
  prior: () => [50, 50],
  chosen: (species) => [
    [RIGHT[species], 100 - RIGHT[species]],
    [100 - RIGHT[species], RIGHT[species]],
  ],
  similarity: () => "different",
});

/**
 * Age. We know of no study of ages estimated by lay people. Built-in figures: a baby is recognised as one, and grown
 * animals are often placed one step up or down.
 */
export const age = choiceEvidence({
  values: AGES,
  of: (alert) => alert.age,
  prior: () => [12, 22, 50, 16],
  chosen: () => [
    [89, 10, 0.8, 0.2],
    [5, 75, 19.5, 0.5],
    [0.3, 10, 82, 7.7],
    [0.1, 1.9, 20, 78],
  ],
  similarity: (lost, found) =>
    Math.abs(AGES.indexOf(lost) - AGES.indexOf(found)) >= 2 ? "different" : "similar",
});

/** Values that two alerts chose from a list. */
type ChosenValues<Value> = {
  readonly lost: Value;
  readonly found: Value;
  readonly similarity: Similarity;
};

type Choice<Value> = { readonly value: Value; readonly observation: Observation };

/** Evidence of a field that is chosen from a short list, where "unknown" means blank. */
function choiceEvidence<Value extends string>(choice: {
  readonly values: readonly (Value | "unknown")[];
  readonly of: (alert: Subject) => Value | "unknown";
  /** Built-in weight of each value in a species. */
  readonly prior: (species: Species) => readonly number[];
  /** For each true value, the weights of the values that people choose, in the same order. */
  readonly chosen: (species: Species) => readonly (readonly number[])[];
  /** Similarity of two values that differ. */
  readonly similarity: (lost: Value, found: Value) => Similarity;
}): Evidence<Choice<Value>, ChosenValues<Value>> {
  const values = choice.values.filter((value): value is Value => value !== "unknown");
  const observed = bySpecies((species) => {
    const trait: Trait = { prior: normalize(choice.prior(species)) };
    const chosen = choice.chosen(species).map(normalize);
    return new Map<Value | "unknown", Choice<Value>>(
      values.map((value, nth) => {
        const likelihoods = chosen.map((shares) => shares[nth] ?? 0);
        return [value, { value, observation: observe(trait, likelihoods) }];
      }),
    );
  });
  return traitEvidence({
    read: (alert) => observed[alert.species].get(choice.of(alert)) ?? null,
    details: (lost, found) => ({
      lost: lost.value,
      found: found.value,
      similarity: lost.value === found.value ? "same" : choice.similarity(lost.value, found.value),
    }),
  });
}
