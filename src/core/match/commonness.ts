import { accountsOf } from "./fields.ts";
import type { MatchSubject } from "./subject.ts";
import { type Trait, WHOLE_ALERT } from "./trait.ts";

/**
 * How common each value of a trait is among an instance's own active alerts: a black cat says little where half the
 * cats are black. Kept up alert by alert, in any order; what was added and removed again leaves nothing behind.
 */
export type Commonness = {
  add(alert: MatchSubject): void;
  /** Takes away what `add` put in. The alert must be as it was then. */
  remove(alert: MatchSubject): void;
  /** How common each value is, to any scale. */
  weights(trait: Trait): ArrayLike<number>;
};

/**
 * The built-in shares count as much as this many alerts: a small instance goes by them, one of thousands by its own.
 * Chosen by hand; on the benchmark's training cities anything between 10 and 150 does about as well.
 */
const PRIOR_ALERTS = 50;

export function createCommonness(): Commonness {
  const weightsByTrait = new Map<string, Float64Array>();

  function weights(trait: Trait): Float64Array {
    const known = weightsByTrait.get(trait.name);
    if (known !== undefined) return known;
    const built = Float64Array.from(trait.prior, (share) =>
      Math.max(1, Math.round(share * PRIOR_ALERTS * WHOLE_ALERT)),
    );
    weightsByTrait.set(trait.name, built);
    return built;
  }

  function count(alert: MatchSubject, sign: 1 | -1): void {
    for (const { trait, shares } of accountsOf(alert)) {
      const counted = weights(trait);
      for (let value = 0; value < counted.length; value++) {
        // Never less: an alert may have been edited between the two, and end as another than it began.
        counted[value] = Math.max(1, counted[value]! + sign * shares[value]!);
      }
    }
  }

  return {
    add: (alert) => count(alert, 1),
    remove: (alert) => count(alert, -1),
    weights,
  };
}
