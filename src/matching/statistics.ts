import type { Species } from "../values/animal.ts";
import { createDensity, type Density, type PeoplePerKm2 } from "./density.ts";
import { observationsOf, type PreparedSubject } from "./fields.ts";
import { type MatchContext, oddsOf } from "./score.ts";
import { bySpecies } from "./subject.ts";
import { chanceFoundBetween } from "./time-evidence.ts";
import type { Frequency, Trait } from "./trait.ts";
import { learnUse, type LossEvidence, USES_AT_FIRST, usesAt } from "./use.ts";

/** A loss, and the finds around it. */
export type LossAmongFinds = {
  readonly lost: PreparedSubject;
  readonly founds: readonly PreparedSubject[];
};

/** Statistics of the instance's active alerts. */
export type Statistics = {
  readonly context: MatchContext;
  readonly density: Density;
  /** Learns how frequent each look is and how the service is used, from the newest alerts of a species; `day` is today. */
  learn(
    species: Species,
    newest: readonly PreparedSubject[],
    losses: readonly LossAmongFinds[],
    day: number,
  ): void;
};

/** Newest alerts of a species that frequencies are counted in. */
export const COUNTED_MAX = 1_000;

/** `activeDays`: days for which a find is active. */
export function createStatistics(peoplePerKm2: PeoplePerKm2, activeDays: number): Statistics {
  const density = createDensity(peoplePerKm2, activeDays);
  const frequencies: Record<Species, Frequency> = { ...bySpecies(() => countFrequency([])) };
  const uses = { ...bySpecies(() => USES_AT_FIRST) };
  const context: MatchContext = {
    frequency: (trait) => frequencies[trait.species](trait),
    density,
    use: (species) => uses[species],
  };

  function evidenceOf({ lost, founds }: LossAmongFinds, day: number): LossEvidence {
    const daysAgo = day - (lost.values.time ?? day);
    const recent = chanceFoundBetween(daysAgo - activeDays, daysAgo, lost.species);
    const uses = usesAt(density.around(lost));
    const odds = uses.map(() => 0);
    for (const found of founds)
      oddsOf(lost, found, context)?.forEach((each, use) => (odds[use]! += each));
    return { expected: uses.map(({ posted }) => posted * recent), odds };
  }

  return {
    context,
    density,
    learn(species, newest, losses, day) {
      frequencies[species] = countFrequency(newest);
      uses[species] = learnUse(losses.map((loss) => evidenceOf(loss, day)));
    },
  };
}

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
