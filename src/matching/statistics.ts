import { createDensity, type Density, type PeoplePerKm2 } from "./density.ts";
import { chanceFoundBetween } from "./time-evidence.ts";
import type { PreparedSubject } from "./fields.ts";
import { type MatchContext, oddsOf } from "./score.ts";
import { bySpecies } from "./subject.ts";
import { learnUse, type LossEvidence, USES_AT_FIRST, usesAt } from "./use.ts";
import type { Species } from "../values/animal.ts";

/** A loss, and the finds around it. */
export type LossAmongFinds = {
  readonly lost: PreparedSubject;
  readonly founds: readonly PreparedSubject[];
};

/** Statistics of the instance's active alerts. */
export type Statistics = {
  readonly context: MatchContext;
  readonly density: Density;
  /** Learns how the service is used, from the newest losses of a species; `day` is today. */
  learn(species: Species, losses: readonly LossAmongFinds[], day: number): void;
};

/** `activeDays`: days for which a find is active. */
export function createStatistics(peoplePerKm2: PeoplePerKm2, activeDays: number): Statistics {
  const density = createDensity(peoplePerKm2, activeDays);
  const uses = { ...bySpecies(() => USES_AT_FIRST) };
  const context: MatchContext = { density, use: (species) => uses[species] };

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
    learn(species, losses, day) {
      uses[species] = learnUse(losses.map((loss) => evidenceOf(loss, day)));
    },
  };
}
