import { lifetimeMs } from "../core/alerts/alert.ts";
import { DAY_MS } from "../core/duration.ts";
import { chanceFoundBetween } from "./evidence/time.ts";
import { type MatchContext, oddsForPairShare1 } from "./score.ts";
import type { PreparedSubject } from "./subject.ts";

/**
 * Chance that a lost animal's find is posted, as a multiple of the share of all finds that are posted (the coverage): the
 * chance that somebody finds the animal, if owners and finders use the service independently; more where they use it
 * together. Before anything is learned, somebody finds two in five: between the 38% of finders who reunited their find
 * with an owner and the 53% of cats and 71% of dogs that come home in any way (Lord et al. 2007, JAVMA 230).
 */
export const PAIR_SHARE_PRIOR = 0.4;
/**
 * Weight of that figure: pairs seen beyond the expected ones that multiply the share by e. A single lookalike cannot turn
 * it over, and some ten pairs can. The prior of a log-normal distribution with a variance of 1 / PRIOR_PAIRS.
 */
const PRIOR_PAIRS = 2;
/** Losses of a species that it is learned from: the newest ones, whose finds are likeliest to be active. */
export const LEARNED_LOSSES_MAX = 200;
/** Losses of one owner among them: one person's alerts must not set everybody's scores. */
export const LEARNED_LOSSES_PER_OWNER = 3;

/** Evidence of one loss about the share of pairs. */
export type LossOdds = {
  /** Pairs expected for a share of 1: the coverage times the chance that the find, if any, is recent enough to be active. */
  readonly expected: number;
  /** Odds of every find around to be this animal for a share of 1, added up. */
  readonly odds: number;
};

export function lossOdds(
  lost: PreparedSubject,
  founds: readonly PreparedSubject[],
  context: MatchContext,
  today: number,
): LossOdds {
  const { species } = lost;
  const daysAgo = today - (lost.values.time ?? today);
  const activeDays = lifetimeMs("found", species) / DAY_MS;
  const isActive = chanceFoundBetween(daysAgo - activeDays, daysAgo, species);
  let odds = 0;
  for (const found of founds) odds += oddsForPairShare1(lost, found, context);
  return { expected: context.densityAround(lost).coverage * isActive, odds };
}

/** Steps of the expectation-maximisation, more than it takes to settle. */
const STEPS = 30;
/** Lowest chance that a find is not posted: near 0 a single lookalike would count as a pair. */
const MISSED_MIN = 0.4;
/** Lowest share: below it, made-up losses without finds would hide the true matches of others. */
const PAIR_SHARE_MIN = PAIR_SHARE_PRIOR / 4;

/**
 * The share of pairs that a species' losses make likely, by expectation-maximisation (Winkler 1988, after Fellegi and
 * Sunter 1969): each step takes the share to find how likely each loss has its find among the alerts, and these chances
 * to find the share.
 */
export function learnPairShare(losses: readonly LossOdds[]): number {
  const expected = losses.reduce((sum, loss) => sum + loss.expected, 0);
  let share = PAIR_SHARE_PRIOR;
  for (let step = 0; step < STEPS; step++) {
    let pairs = 0;
    for (const loss of losses) {
      const missed = Math.max(MISSED_MIN, 1 - share * loss.expected);
      pairs += (share * loss.odds) / (missed + share * loss.odds);
    }
    share = shareFor(pairs, expected);
  }
  return share;
}

/** The likeliest share for these pairs: where pairs = share * expected + PRIOR_PAIRS * ln(share / PAIR_SHARE_PRIOR). */
function shareFor(pairs: number, expected: number): number {
  // Newton's method in the logarithm, from above: neither term on the right exceeds the pairs while the logarithm is positive.
  const atMost = Math.log((pairs + 1) / (PAIR_SHARE_PRIOR * expected));
  let log = Math.max(0, Math.min(pairs / PRIOR_PAIRS, atMost));
  for (let step = 0; step < STEPS; step++) {
    const ofShare = PAIR_SHARE_PRIOR * Math.exp(log) * expected;
    log -= (ofShare + PRIOR_PAIRS * log - pairs) / (ofShare + PRIOR_PAIRS);
  }
  return Math.max(PAIR_SHARE_MIN, PAIR_SHARE_PRIOR * Math.exp(log));
}
