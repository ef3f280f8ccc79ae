import { observationsOf, type PreparedSubject } from "./fields.ts";
import type { Frequency, Trait } from "./trait.ts";

/**
 * Alerts that the built-in shares weigh as much as: a small instance relies on them, one with hundreds of alerts on its
 * own. Chosen by hand; on the benchmark's fitting cities any value from 10 to 150 does about as well.
 */
const PRIOR_ALERTS = 50;

/** Frequencies among these animals; the built-in ones if there are none. */
export function countFrequency(subjects: Iterable<PreparedSubject>): Frequency {
  const weights = new Map<string, Float64Array>();
  const weightsOf = ({ species, name, prior }: Trait) => {
    const key = `${species} ${name}`;
    const known = weights.get(key) ?? Float64Array.from(prior, (share) => share * PRIOR_ALERTS);
    weights.set(key, known);
    return known;
  };
  for (const subject of subjects) {
    for (const { trait, posterior } of observationsOf(subject)) {
      const counted = weightsOf(trait);
      posterior.forEach((share, value) => (counted[value]! += share));
    }
  }
  return weightsOf;
}
