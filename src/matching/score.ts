import type { Density } from "./density.ts";
import { SEARCH_RADIUS_KM } from "./distance-evidence.ts";
import { DAYS_BEFORE_LOSS_MAX, WINDOW_DAYS } from "./time-evidence.ts";
import {
  compareField,
  type Field,
  type FieldFinding,
  FIELDS,
  type PreparedSubject,
} from "./fields.ts";
import { type UseChances, usesAt } from "./use.ts";
import type { Species } from "../values/animal.ts";

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
  /** All reasons together, as a natural log likelihood ratio: above 0 the alerts look like one animal. */
  readonly evidence: number;
  /** The probability as natural log odds, to rank matches of equal percent. */
  readonly logOdds: number;
};

/** Reason for a score: one field, and how strongly it speaks for (above 0) or against the pair (below 0). */
export type Reason =
  FieldFinding | ReasonFrom<"chip", ChipDetails> | ReasonFrom<"species", SpeciesDetails>;

/** `weight` is a natural log likelihood ratio: 0.7 doubles the odds, -0.7 halves them. */
type ReasonFrom<Source, Details> = {
  readonly field: Source;
  readonly weight: number;
  readonly details: Details;
};
/** Never the number: anyone who knows it could claim the animal. */
type ChipDetails = { readonly similarity: "same" | "different" };
type SpeciesDetails = { readonly lost: Species; readonly found: Species };

/** Facts about the other alerts of the service, with which a pair is compared. */
export type MatchContext = {
  readonly density: Pick<Density, "around">;
  /** Likely uses of the service. */
  use(species: Species): UseChances;
};

export const HIGH_CONFIDENCE = 40;
/**
 * Highest score of a pair with different chips, which outweigh all other fields (but numbers are mistyped, and an animal can
 * have two chips), and of one that contradicts in so many traits: in open country a find in the same cell would be likely
 * in spite of them.
 */
const SCORE_MAX_CONTRADICTED = 5;
const CONTRADICTIONS_MIN = 3;

/**
 * Scores a lost and a found alert, in either order. Null if they cannot be a pair: both lost or both found, of different
 * species, or found more than 3 days before the loss. Equal chips make any lost and found alert a pair.
 *
 * For each way in which the service may be used, the odds are the chance that the animal's find is posted, times the
 * likelihood ratio of every field (Fellegi and Sunter 1969), by the rivals: the other finds expected within radius and
 * window, and lookalikes. The score is the mean of the chances, weighed by how likely each use is.
 */
export function score(a: PreparedSubject, b: PreparedSubject, context: MatchContext): Match | null {
  if (a.type === b.type) return null;
  const [lost, found] = a.type === "lost" ? [a, b] : [b, a];
  const chips = compareChips(lost, found);
  if (chips !== "same" && !canBePair(lost, found)) return null;
  const { reasons, notCompared, evidence, odds } = compare(lost, found, context);
  const uses = context.use(found.species);
  const chance = odds.reduce((sum, each, use) => sum + uses[use]! * (each / (1 + each)), 0);
  // Rounding must not make it certain.
  const likely = Math.min(chance, 1 - 1e-12);
  const fromFields = { notCompared, evidence, logOdds: Math.log(likely / (1 - likely)) };
  const isContradicted = reasons.filter(isContradiction).length >= CONTRADICTIONS_MIN;
  const most = isContradicted || chips === "different" ? SCORE_MAX_CONTRADICTED : 99;
  const percent = Math.min(most, Math.round(100 * chance));
  if (chips === "same")
    return matchOf(100, [...reasons, chipReason(chips)], { ...fromFields, logOdds: CHIP_WEIGHT });
  if (chips === "different") {
    const against = { ...fromFields, evidence: evidence - CHIP_WEIGHT };
    return matchOf(percent, [...reasons, chipReason(chips)], against);
  }
  return matchOf(percent, reasons, fromFields);
}

/** Odds that two alerts are one animal, by the use of the service; null if they cannot be a pair. */
export function oddsOf(
  lost: PreparedSubject,
  found: PreparedSubject,
  context: MatchContext,
): readonly number[] | null {
  return canBePair(lost, found) ? compare(lost, found, context).odds : null;
}

/** True for a trait that both alerts give and that does not fit. A finder's name may be made up. */
export function isContradiction({ field, details }: Reason): boolean {
  return field !== "name" && "similarity" in details && details.similarity === "different";
}

function canBePair(lost: PreparedSubject, found: PreparedSubject): boolean {
  const days = found.values.time! - lost.values.time!;
  return lost.species === found.species && days >= -DAYS_BEFORE_LOSS_MAX;
}

function compare(lost: PreparedSubject, found: PreparedSubject, context: MatchContext) {
  const reasons: Reason[] = [];
  const notCompared: Field[] = [];
  let evidence = 0;
  let placeAndCoat = 0;
  for (const field of FIELDS) {
    const finding = compareField(field, lost, found);
    if (finding === null) notCompared.push(field);
    else {
      evidence += finding.weight;
      if (field === "distance" || field === "coat") placeAndCoat += finding.weight;
      reasons.push(finding);
    }
  }
  if (lost.species !== found.species) {
    const details = { lost: lost.species, found: found.species };
    reasons.push({ field: "species", weight: -SPECIES_WEIGHT, details });
  }
  // Other finds expected within search radius and window, if they are as many everywhere as around this one.
  const kmDays =
    Math.PI * SEARCH_RADIUS_KM[found.species] ** 2 * (WINDOW_DAYS + DAYS_BEFORE_LOSS_MAX);
  const odds = usesAt(context.density.around(found)).map(({ posted, rivalsPerKm2PerDay }) => {
    const lookalikes = LOOKALIKES * posted * Math.exp(placeAndCoat);
    const rivals = rivalsPerKm2PerDay * kmDays + lookalikes;
    return (posted * Math.exp(evidence)) / rivals;
  });
  return { reasons, notCompared, evidence, odds };
}

/**
 * Other animals in the street of a lost one that have its coat, such as a litter or a colony, for each that is found itself;
 * their finds are posted as often. Place and coat do not tell them from it, so no pair is certain. Fitted on services where
 * some 7% of the strays are such.
 */
const LOOKALIKES = 0.2;

function matchOf(
  score: number,
  reasons: readonly Reason[],
  rest: Pick<Match, "notCompared" | "evidence" | "logOdds">,
): Match {
  return {
    score,
    highConfidence: score >= HIGH_CONFIDENCE,
    reasons: reasons
      .filter(({ weight }) => Math.abs(weight) >= REASON_WEIGHT_MIN)
      .toSorted((one, other) => Math.abs(other.weight) - Math.abs(one.weight)),
    ...rest,
  };
}

/** Evidence weaker than this (odds times 1.05) is not given as a reason. */
const REASON_WEIGHT_MIN = 0.05;
/** More than any other field can weigh, so that the chip is the first reason and the species the second. */
const CHIP_WEIGHT = 100;
const SPECIES_WEIGHT = 50;

function compareChips(lost: PreparedSubject, found: PreparedSubject): "same" | "different" | null {
  if (lost.chipHash === null || found.chipHash === null) return null;
  return lost.chipHash === found.chipHash ? "same" : "different";
}

function chipReason(similarity: "same" | "different"): Reason {
  const weight = similarity === "same" ? CHIP_WEIGHT : -CHIP_WEIGHT;
  return { field: "chip", weight, details: { similarity } };
}
