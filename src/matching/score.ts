import type { Species } from "../core/alerts/alert.ts";
import type { Frequency } from "./frequency.ts";
import type { LocalDensity } from "./density.ts";
import { compareField, type Field, FIELDS } from "./fields.ts";
import { priorLogOdds } from "./prior.ts";
import type { Reason } from "../core/matching/reasons.ts";
import { DAYS_BEFORE_LOSS_MAX } from "./search-window.ts";
import type { PreparedSubject } from "./subject.ts";

/** Probability that a lost and a found alert are one animal, with reasons. */
export type Match = {
  /** Probability in whole percent: of the pairs that score 40, about 40 in 100 are the same animal. */
  readonly score: number;
  /** True from 40 percent, as the specification requires. */
  readonly highConfidence: boolean;
  /** Strongest first, for and against. */
  readonly reasons: readonly Reason[];
  /** Fields that one of the two leaves blank. */
  readonly notCompared: readonly Field[];
  /** The probability as natural log odds, to rank matches of equal percent. */
  readonly logOdds: number;
};

/** Statistics of the other alerts that a pair is compared with. */
export type MatchContext = {
  readonly frequency: Frequency;
  /** Density around an alert of a pair. */
  densityAround(subject: PreparedSubject): LocalDensity;
  /** Chance that a lost animal's find is posted, as a multiple of the coverage (`pair-share.ts`). */
  pairShare(species: Species): number;
};

export const HIGH_CONFIDENCE = 40;
/** Different chips outweigh all other fields, but numbers are mistyped, and an animal can have two chips. */
const SCORE_MAX_CHIPS_DIFFER = 5;

/**
 * Scores a lost and a found alert, in either order. Null if they cannot be a pair: both lost or both found, of different
 * species, or found more than 3 days before the loss. Equal chips make any lost and found alert a pair.
 *
 * The score is the sum of evidence of Fellegi and Sunter 1969: log odds of the prior plus the log likelihood ratio of
 * each field. Constants without a source were fitted on the cities of `FITTED_ON` (test/bench/matching/cities.ts, seeds from 100) with
 * `bun test/bench/matching/fit.ts`: the trust in the fields (`fields.ts`), and with the same loss how often colours are
 * left out, added and mistaken (`evidence/coat.ts`). Fields that came out between 0.9 and 1.15 are left at 1. The trust in
 * contradictions of size and sex is higher than the fit (1.45 and 1.2), so that a find that contradicts in
 * everything scores low even in open country. The benchmark reports other cities, densities and seeds.
 */
export function scorePair(
  a: PreparedSubject,
  b: PreparedSubject,
  context: MatchContext,
): Match | null {
  const compared = comparePair(a, b, context);
  return compared === null ? null : matchOf(compared);
}

/** The best matches among candidates, best first, without those that cannot be a pair or round to 0 percent. */
export function rankMatches<Candidate extends { readonly subject: PreparedSubject }>(
  subject: PreparedSubject,
  candidates: Iterable<Candidate>,
  context: MatchContext,
  limit: number,
): { readonly candidate: Candidate; readonly match: Match }[] {
  const ranked: { readonly candidate: Candidate; readonly compared: ComparedPair }[] = [];
  for (const candidate of candidates) {
    const compared = comparePair(subject, candidate.subject, context);
    if (compared !== null) ranked.push({ candidate, compared });
  }
  return ranked
    .sort((one, other) => other.compared.logOdds - one.compared.logOdds)
    .slice(0, limit)
    .map(({ candidate, compared }) => ({ candidate, match: matchOf(compared) }))
    .filter(({ match }) => match.score > 0);
}

/** Odds that two alerts are one animal if the share of pairs were 1 (`pair-share.ts`); 0 if they cannot be a pair. */
export function oddsForPairShare1(
  a: PreparedSubject,
  b: PreparedSubject,
  context: MatchContext,
): number {
  const compared = comparePair(a, b, { ...context, pairShare: () => 1 });
  return compared === null ? 0 : Math.exp(compared.logOdds);
}

/** A compared pair with all its reasons, unsorted. */
type ComparedPair = Pick<Match, "logOdds" | "reasons" | "notCompared"> & {
  readonly chips: "same" | "different" | null;
};

function comparePair(
  a: PreparedSubject,
  b: PreparedSubject,
  context: MatchContext,
): ComparedPair | null {
  if (a.type === b.type) return null;
  const [lost, found] = a.type === "lost" ? [a, b] : [b, a];
  const chips = compareChips(lost, found);
  if (chips !== "same" && (lost.species !== found.species || foundTooEarly(lost, found))) {
    return null;
  }

  const reasons: Reason[] = [];
  const notCompared: Field[] = [];
  const comparison = { species: lost.species, frequency: context.frequency };
  const { species } = lost;
  const around = { lost: context.densityAround(lost), found: context.densityAround(found) };
  let logOdds = priorLogOdds(species, around, context.pairShare(species));
  for (const field of FIELDS) {
    const finding = compareField(field, lost, found, comparison);
    if (finding === null) notCompared.push(field);
    else {
      logOdds += finding.weight;
      reasons.push(finding);
    }
  }
  if (lost.species !== found.species) {
    const details = { lost: lost.species, found: found.species };
    reasons.push({ field: "species", weight: -SPECIES_WEIGHT, details });
  }
  switch (chips) {
    case "same":
      reasons.push({ field: "chip", weight: CHIP_WEIGHT, details: { similarity: chips } });
      return { logOdds: Math.max(logOdds, CHIP_WEIGHT), reasons, notCompared, chips };
    case "different":
      reasons.push({ field: "chip", weight: -CHIP_WEIGHT, details: { similarity: chips } });
      return { logOdds: Math.min(logOdds, LOG_ODDS_CHIPS_DIFFER), reasons, notCompared, chips };
    case null:
      return { logOdds, reasons, notCompared, chips };
  }
}

function matchOf({ logOdds, reasons, notCompared, chips }: ComparedPair): Match {
  const score = chips === "same" ? 100 : percent(logOdds);
  return {
    score,
    highConfidence: score >= HIGH_CONFIDENCE,
    reasons: reasons
      .filter(({ weight }) => Math.abs(weight) >= REASON_WEIGHT_MIN)
      .toSorted((one, other) => Math.abs(other.weight) - Math.abs(one.weight)),
    notCompared,
    logOdds,
  };
}

/** Evidence weaker than this (odds times 1.05) is not given as a reason. */
const REASON_WEIGHT_MIN = 0.05;
/** More than any other field can weigh, so that the chip is the first reason and the species the second. */
const CHIP_WEIGHT = 100;
const SPECIES_WEIGHT = 50;
const LOG_ODDS_CHIPS_DIFFER = Math.log(SCORE_MAX_CHIPS_DIFFER / (100 - SCORE_MAX_CHIPS_DIFFER));

function compareChips(lost: PreparedSubject, found: PreparedSubject): "same" | "different" | null {
  if (lost.chipHash === null || found.chipHash === null) return null;
  return lost.chipHash === found.chipHash ? "same" : "different";
}

function foundTooEarly(
  { values: lost }: PreparedSubject,
  { values: found }: PreparedSubject,
): boolean {
  return (
    lost.time !== null && found.time !== null && found.time - lost.time < -DAYS_BEFORE_LOSS_MAX
  );
}

/** Whole percent; 100 is reserved for equal chips. */
function percent(logOdds: number): number {
  return Math.min(99, Math.round(100 / (1 + Math.exp(-logOdds))));
}
