import type { Subject } from "./subject.ts";
import { logLikelihoodRatio, type Observation } from "./trait.ts";
import type { Species } from "../values/animal.ts";

/** Evidence from one field of two alerts. `Value` is the parsed field, `Details` what a reason's text needs. */
export type Evidence<Value, Details> = {
  /** Value of the field, parsed once and cached; null if the alert leaves it blank, so that it is not compared. */
  read(alert: Subject): Value | null;
  /** Compares two values; null for values of two species. Symmetric: only the names say which animal was lost. */
  compare(lost: Value, found: Value, species: Species): Finding<Details> | null;
};

export type Finding<Details> = {
  /** Natural logarithm of P(both observed | same animal) / P(both observed | two animals of that species). */
  readonly logRatio: number;
  readonly details: Details;
};

/** Similarity of two values as a reason states it. */
export type Similarity = "same" | "similar" | "different";

/** Evidence of a field that observes a trait of the animal: a shared value says more, the rarer it is. */
export function traitEvidence<Value extends { readonly observation: Observation }, Details>({
  read,
  details,
}: {
  readonly read: (alert: Subject) => Value | null;
  readonly details: (lost: Value, found: Value) => Details;
}): Evidence<Value, Details> {
  return {
    read,
    compare: (lost, found) =>
      lost.observation.trait === found.observation.trait
        ? {
            logRatio: logLikelihoodRatio(lost.observation, found.observation),
            details: details(lost, found),
          }
        : null,
  };
}
