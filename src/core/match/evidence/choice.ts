import type { Species } from "../../alert.ts";
import type { MatchSubject } from "../subject.ts";
import { type Account, accountOf, agreement, bySpecies, sharesOf, type Trait } from "../trait.ts";
import type { Evidence, Likeness } from "./evidence.ts";

/** What two alerts chose from a list. */
export type Chosen<Value> = { readonly lost: Value; readonly found: Value; readonly is: Likeness };

/**
 * Evidence of a field that is chosen from a short list, "unknown" standing for blank. `common` gives the built-in
 * weights of the values in a species; `told` the weights of what people choose for an animal of a value, in the same
 * order; `likeness` how two different choices compare.
 */
export function choiceEvidence<Value extends string>(choice: {
  readonly name: string;
  readonly values: readonly Value[];
  readonly of: (alert: MatchSubject) => Value | "unknown";
  readonly common: (species: Species) => readonly number[];
  readonly told: (species: Species) => readonly (readonly number[])[];
  readonly likeness: (lost: Value, found: Value) => Likeness;
}): Evidence<{ readonly value: Value; readonly account: Account }, Chosen<Value>> {
  const { values } = choice;
  const seen = bySpecies((species) => {
    const trait: Trait = {
      name: `${choice.name} ${species}`,
      prior: sharesOf(choice.common(species)),
    };
    const told = choice.told(species).map(sharesOf);
    return new Map<Value | "unknown", { readonly value: Value; readonly account: Account }>(
      values.map((value, nth) => {
        const chances = told.map((shares) => shares[nth] ?? 0);
        return [value, { value, account: accountOf(trait, chances) }];
      }),
    );
  });
  return {
    read: (alert) => seen[alert.species].get(choice.of(alert)) ?? null,
    weigh: (lost, found, { commonness }) => ({
      logRatio: agreement(lost.account, found.account, commonness.weights(lost.account.trait)),
      said: {
        lost: lost.value,
        found: found.value,
        is: lost.value === found.value ? "same" : choice.likeness(lost.value, found.value),
      },
    }),
    account: (seen) => seen.account,
  };
}
