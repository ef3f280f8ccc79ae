import type { FindDensity } from "./density.ts";

/**
 * Ways in which a service may be used, each with the chance that a lost animal's find is posted there. Apart: owners and
 * finders post independently, so the chance is that somebody finds the animal, times the share of all finds that are
 * posted. Together: they use the service because of each other, and the chance is whatever it is.
 */
const USES = [
  { together: null, weight: 0.6 },
  ...[0.01, 0.03, 0.1, 0.3].map((together) => ({ together, weight: 0.1 })),
] as const;

/** Chance of each use; the sum is 1. */
export type UseChances = readonly number[];
export const USES_AT_FIRST: UseChances = USES.map(({ weight }) => weight);

/**
 * Chance that somebody finds a lost animal: between the 38% of finders who reunited their find with an owner and the 53%
 * of cats and 71% of dogs that come home in any way (Lord et al. 2007, JAVMA 230).
 */
const FOUND_BY_SOMEBODY = 0.4;
const POSTED_MAX = 0.6;
/** Least share of the other finds that are posted where people use a service together. */
const OTHERS_TOGETHER = 0.1;

/** Figures of a use at a place. */
type UseThere = {
  /** Chance that the find of an animal lost there is posted. */
  readonly posted: number;
  /** Other posted finds per km² and day. */
  readonly rivalsPerKm2PerDay: number;
};

export function usesAt({ coverage, perKm2PerDay, allPerKm2PerDay }: FindDensity): UseThere[] {
  return USES.map(({ together }) => {
    const posted = Math.min(POSTED_MAX, together ?? FOUND_BY_SOMEBODY * coverage);
    const others = together === null ? 0 : OTHERS_TOGETHER * posted * allPerKm2PerDay;
    return { posted, rivalsPerKm2PerDay: Math.max(perKm2PerDay, others) };
  });
}

/** Evidence of one loss for each use. */
export type LossEvidence = {
  /** Chance that its find is posted, and recent enough to be active if there is one. */
  readonly expected: readonly number[];
  /** Odds of every find around to be this animal, added up. */
  readonly odds: readonly number[];
};

/** Losses of a species that the use is learned from: the newest ones, whose finds are likeliest to be active. */
export const LEARNED_LOSSES_MAX = 200;

/** Chances of the uses after these losses, by Bayes' rule. */
export function learnUse(losses: readonly LossEvidence[]): UseChances {
  const logs = USES.map(({ weight }, use) =>
    losses.reduce(
      (sum, { expected, odds }) => sum + Math.log(1 - expected[use]! + odds[use]!),
      Math.log(weight),
    ),
  );
  const most = Math.max(...logs);
  const weights = logs.map((log) => Math.exp(log - most));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}
