import type { Commonness } from "./commonness.ts";
import type { Around } from "./crowd.ts";
import { DAYS_BEFORE_LOSS_MAX } from "./evidence/time.ts";
import { compareField, type Field, FIELDS } from "./fields.ts";
import { priorLogOdds } from "./prior.ts";
import type { Reason } from "./reasons.ts";
import type { Subject } from "./subject.ts";

/** How likely a lost and a found alert are of one animal, and why. */
export type Match = {
  /** Probability in percent, whole: of the pairs with 40 about 40 in 100 are the same animal. */
  readonly score: number;
  /** 40 and more, as the specification has it. */
  readonly highConfidence: boolean;
  /** Strongest first, for and against. */
  readonly reasons: readonly Reason[];
  /** Fields that one of the two left blank. */
  readonly notCompared: readonly Field[];
  /** The same probability as natural log odds: orders what the percent cannot tell apart. */
  readonly logOdds: number;
};

/** What a pair is seen against. */
export type MatchContext = {
  readonly commonness: Commonness;
  /** How crowded it is around an alert; asked for the found one of a pair. */
  around(subject: Subject): Around;
};

export const HIGH_CONFIDENCE = 40;
/** A different chip outweighs all that people see; but numbers are mistyped, and an animal may carry two. */
const SCORE_MAX_CHIPS_DIFFER = 5;

/**
 * Scores a lost and a found alert, in either order. Null when they cannot be a pair: both lost or both found, of
 * different species, or found more than 3 days before the loss. Equal chips make any lost and found alert a pair.
 *
 * The sum of evidence of Fellegi and Sunter 1969: log odds of the prior and the log likelihood ratio of each field.
 * What no source gives was fitted on the cities of `FITTED_ON` (test/bench/matching/cities.ts, seeds from 100) with
 * `bun test/bench/matching/fit.ts`: the trust in place (`fields.ts`), the share of pairs (`prior.ts`), the weight of the
 * wider neighbourhood (`crowd.ts`), and by the same loss how often colours are left out, stray in and are mistaken
 * (`evidence/coat.ts`). All other fields came out between 0.9 and 1.15 and are left at 1. The benchmark reports other
 * cities, densities and seeds.
 */
export function scorePair(a: Subject, b: Subject, context: MatchContext): Match | null {
  const weighed = weighPair(a, b, context);
  return weighed === null ? null : matchOf(weighed);
}

/** The best matches among candidates, best first; what cannot be a pair, or rounds to 0 percent, is left out. */
export function rankMatches<Candidate extends { readonly subject: Subject }>(
  subject: Subject,
  candidates: Iterable<Candidate>,
  context: MatchContext,
  limit: number,
): { readonly candidate: Candidate; readonly match: Match }[] {
  const ranked: { readonly candidate: Candidate; readonly weighed: Weighed }[] = [];
  for (const candidate of candidates) {
    const weighed = weighPair(subject, candidate.subject, context);
    if (weighed !== null) ranked.push({ candidate, weighed });
  }
  return ranked
    .sort((one, other) => other.weighed.logOdds - one.weighed.logOdds)
    .slice(0, limit)
    .map(({ candidate, weighed }) => ({ candidate, match: matchOf(weighed) }))
    .filter(({ match }) => match.score > 0);
}

/** A pair with all that was found, in no order. */
type Weighed = Pick<Match, "logOdds" | "reasons" | "notCompared"> & {
  readonly chips: "same" | "different" | null;
};

function weighPair(a: Subject, b: Subject, context: MatchContext): Weighed | null {
  if (a.type === b.type) return null;
  const [lost, found] = a.type === "lost" ? [a, b] : [b, a];
  const chips = compareChips(lost, found);
  if (chips !== "same" && (lost.species !== found.species || foundTooEarly(lost, found))) {
    return null;
  }

  const reasons: Reason[] = [];
  const notCompared: Field[] = [];
  const about = { species: lost.species, commonness: context.commonness };
  const byTown = lost.somewhere !== null || found.somewhere !== null;
  let logOdds = priorLogOdds(lost.species, context.around(found), { byTown });
  for (const field of FIELDS) {
    const finding = compareField(field, lost, found, about);
    if (finding === null) notCompared.push(field);
    else {
      logOdds += finding.weight;
      reasons.push(finding);
    }
  }
  if (lost.species !== found.species) {
    const said = { lost: lost.species, found: found.species };
    reasons.push({ field: "species", weight: -SPECIES_WEIGHT, said });
  }
  switch (chips) {
    case "same":
      reasons.push({ field: "chip", weight: CHIP_WEIGHT, said: { is: chips } });
      return { logOdds: Math.max(logOdds, CHIP_WEIGHT), reasons, notCompared, chips };
    case "different":
      reasons.push({ field: "chip", weight: -CHIP_WEIGHT, said: { is: chips } });
      return { logOdds: Math.min(logOdds, LOG_ODDS_CHIPS_DIFFER), reasons, notCompared, chips };
    case null:
      return { logOdds, reasons, notCompared, chips };
  }
}

function matchOf({ logOdds, reasons, notCompared, chips }: Weighed): Match {
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

/** Evidence weaker than this (odds times 1.05) is no reason. */
const REASON_WEIGHT_MIN = 0.05;
/** Above what any other field can weigh, so that the chip is told first and the species second. */
const CHIP_WEIGHT = 100;
const SPECIES_WEIGHT = 50;
const LOG_ODDS_CHIPS_DIFFER = Math.log(SCORE_MAX_CHIPS_DIFFER / (100 - SCORE_MAX_CHIPS_DIFFER));

function compareChips(lost: Subject, found: Subject): "same" | "different" | null {
  if (lost.chipHash === null || found.chipHash === null) return null;
  return lost.chipHash === found.chipHash ? "same" : "different";
}

function foundTooEarly({ seen: lost }: Subject, { seen: found }: Subject): boolean {
  return (
    lost.time !== null && found.time !== null && found.time - lost.time < -DAYS_BEFORE_LOSS_MAX
  );
}

/** 100 is kept for equal chips. */
function percent(logOdds: number): number {
  return Math.min(99, Math.round(100 / (1 + Math.exp(-logOdds))));
}
