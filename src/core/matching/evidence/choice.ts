import type { Species } from "../../alerts/alert.ts";
import type { MatchSubject } from "../subject.ts";
import { bySpecies, normalize, type Observation, observe, type Trait } from "../trait.ts";
import { type Evidence, type Similarity, traitEvidence } from "./evidence.ts";

/** Values that two alerts chose from a list. */
export type ChosenValues<Value> = {
  readonly lost: Value;
  readonly found: Value;
  readonly similarity: Similarity;
};

type Choice<Value> = { readonly value: Value; readonly observation: Observation };

/** Evidence of a field that is chosen from a short list, where "unknown" means blank. */
export function choiceEvidence<Value extends string>(choice: {
  readonly name: string;
  readonly values: readonly Value[];
  readonly of: (alert: MatchSubject) => Value | "unknown";
  /** Built-in weight of each value in a species. */
  readonly prior: (species: Species) => readonly number[];
  /** For each true value, the weights of the values that people choose, in the same order. */
  readonly chosen: (species: Species) => readonly (readonly number[])[];
  /** Similarity of two values that differ. */
  readonly similarity: (lost: Value, found: Value) => Similarity;
}): Evidence<Choice<Value>, ChosenValues<Value>> {
  const { values } = choice;
  const observed = bySpecies((species) => {
    const trait: Trait = {
      name: `${choice.name} ${species}`,
      prior: normalize(choice.prior(species)),
    };
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
