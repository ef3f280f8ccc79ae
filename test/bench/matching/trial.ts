import { createFrequency } from "../../../src/matching/frequency.ts";
import { createDensity } from "../../../src/matching/density.ts";
import { type MatchContext, scorePair } from "../../../src/matching/score.ts";
import {
  LEARNED_LOSSES_MAX,
  learnPairShare,
  lossOdds,
  PAIR_SHARE_PRIOR,
} from "../../../src/matching/pair-share.ts";
import {
  prepareSubject,
  type PreparedSubject,
  withoutAnswer,
} from "../../../src/matching/subject.ts";
import type { Scored } from "./baselines.ts";
import { type BenchAlert, type City, peoplePerKm2In, TODAY } from "./city.ts";
import type { Pair, Rank } from "./measure.ts";

/** Result of scoring every pair of a city. Pairs under 5 are left out to save memory. */
export type TrialResult = {
  readonly pairs: Pair[];
  readonly ranks: Rank[];
  readonly truePairs: number;
};

/** Scorer of a pair; null if it is not a candidate. */
export type Scorer = (lost: BenchAlert, found: BenchAlert) => Scored | null;

const SCORE_MIN = 5;

/** Scores every lost animal, or those that `isCounted` chooses, against every find. */
export function trial(
  city: City,
  score: Scorer,
  isCounted: (lost: BenchAlert) => boolean = () => true,
): TrialResult {
  const outcome: TrialResult = { pairs: [], ranks: [], truePairs: 0 };
  let truePairs = 0;
  const founds = city.alerts.filter(({ subject }) => subject.type === "found");
  const losses = city.alerts.filter(({ subject }) => subject.type === "lost");
  for (const lost of losses.filter(isCounted)) {
    const rivals: number[] = [];
    // A true find that is not a candidate ranks last.
    let own = -Infinity;
    let hasFind = false;
    for (const found of founds) {
      const isSame = lost.animal === found.animal;
      hasFind ||= isSame;
      const scored = score(lost, found);
      if (scored === null) continue;
      const { score: percent, order } = scored;
      if (isSame) own = order;
      else rivals.push(order);
      if (percent >= SCORE_MIN) outcome.pairs.push({ score: percent, isSame });
    }
    if (!hasFind) continue;
    truePairs++;
    const level = own;
    outcome.ranks.push({
      better: rivals.filter((order) => order > level).length,
      tied: rivals.filter((order) => order === level).length,
    });
  }
  return { ...outcome, truePairs };
}

/**
 * The service's own score as the lost animals' owners see it, with their private answers, and the statistics of an
 * instance that holds only this city.
 */
export function ourScore(city: City, { ownSubjects, context } = readCity(city)): Scorer {
  return scorerOf(ownSubjects, context);
}

/** The service's own score as everybody else sees it. */
export function publicScore(city: City): Scorer {
  const { subjects, context } = readCity(city);
  return scorerOf(subjects, context);
}

function scorerOf(subjects: Subjects, context: MatchContext): Scorer {
  return (lost, found) => {
    const match = scorePair(subjects.get(lost)!, subjects.get(found)!, context);
    return match === null ? null : { score: match.score, order: match.logOdds };
  };
}

type Subjects = ReadonlyMap<BenchAlert, PreparedSubject>;

export function readCity(city: City): {
  /** As everybody sees them, and as their owners do. */
  readonly subjects: Subjects;
  readonly ownSubjects: Subjects;
  readonly context: MatchContext;
} {
  const subjects = new Map(
    city.alerts.map((alert) => [alert, prepareSubject(withoutAnswer(alert.subject))] as const),
  );
  const ownSubjects = new Map(
    city.alerts.map((alert) => {
      const isAnswered = alert.subject.goesOutside != null;
      return [alert, isAnswered ? prepareSubject(alert.subject) : subjects.get(alert)!] as const;
    }),
  );
  const frequency = createFrequency();
  const density = createDensity(peoplePerKm2In(city));
  for (const { subject } of city.alerts) {
    frequency.add(subject);
    density.add(subject);
  }
  const prepared = new Set([...subjects.values(), ...ownSubjects.values()]);
  const arounds = new Map([...prepared].map((one) => [one, density.around(one)]));
  const shares = new Map<string, number>();
  const context: MatchContext = {
    frequency,
    densityAround: (subject) => arounds.get(subject)!,
    pairShare: (species) => shares.get(species) ?? PAIR_SHARE_PRIOR,
  };
  for (const species of BENCH_SPECIES) {
    const ofSpecies = [...subjects.values()].filter((subject) => subject.species === species);
    const founds = ofSpecies.filter(({ type }) => type === "found");
    const newest = ofSpecies
      .filter(({ type }) => type === "lost")
      .toSorted((one, other) => other.values.time! - one.values.time!)
      .slice(0, LEARNED_LOSSES_MAX);
    const losses = newest.map((lost) => lossOdds(lost, founds, context, TODAY));
    shares.set(species, learnPairShare(losses));
  }
  return { subjects, ownSubjects, context };
}

const BENCH_SPECIES = ["dog", "cat"] as const;
