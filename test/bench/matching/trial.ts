import { createFrequency } from "../../../src/matching/frequency.ts";
import { createDensity } from "../../../src/matching/density.ts";
import { type MatchContext, scorePair } from "../../../src/matching/score.ts";
import {
  LEARNED_LOSSES_MAX,
  learnPairShare,
  lossOdds,
  PAIR_SHARE_PRIOR,
} from "../../../src/matching/pair-share.ts";
import { prepareSubject, type PreparedSubject } from "../../../src/matching/subject.ts";
import { snap } from "../../../src/core/place.ts";
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

/** Scores every lost animal against every find. */
export function trial(city: City, score: Scorer): TrialResult {
  const outcome: TrialResult = { pairs: [], ranks: [], truePairs: 0 };
  let truePairs = 0;
  const founds = city.alerts.filter(({ subject }) => subject.type === "found");
  const losses = city.alerts.filter(({ subject }) => subject.type === "lost");
  for (const lost of losses) {
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

/** The service's own score, with the statistics of an instance that holds only this city. */
export function ourScore(city: City, { subjects, context } = readCity(city)): Scorer {
  const prepared = new Map<BenchAlert, PreparedSubject>(subjects);
  const subjectOf = (alert: BenchAlert) => {
    const known = prepared.get(alert);
    if (known !== undefined) return known;
    const fresh = prepareSubject(alert.subject);
    prepared.set(alert, fresh);
    return fresh;
  };
  return (lost, found) => {
    const match = scorePair(subjectOf(lost), subjectOf(found), context);
    return match === null ? null : { score: match.score, order: match.logOdds };
  };
}

type Subjects = ReadonlyMap<BenchAlert, PreparedSubject>;

export function readCity(city: City): {
  readonly subjects: Subjects;
  readonly context: MatchContext;
} {
  const subjects = new Map(
    city.alerts.map((alert) => [alert, prepareSubject(alert.subject)] as const),
  );
  const frequency = createFrequency();
  const density = createDensity(peoplePerKm2In(city));
  for (const { subject } of city.alerts) {
    frequency.add(subject);
    density.add(subject);
  }
  const shares = new Map<string, number>();
  const context: MatchContext = {
    frequency,
    densityAround: density.around,
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
  return { subjects, context };
}

const BENCH_SPECIES = ["dog", "cat"] as const;

/** Score of a twin of each of some losses, found a day later in the same cell and in the next, and the oracle's. */
export type Twin = { readonly ours: number; readonly oracle: number };

export function twinsIn(city: City, ours: Scorer, oracle: Scorer, most: number): Twin[] {
  const losses = city.alerts.filter(({ subject }) => subject.type === "lost").slice(0, most);
  return losses.flatMap((lost) =>
    [0, 0.01].map((north) => {
      const { lat, lng } = lost.subject.point;
      const twin: BenchAlert = {
        ...lost,
        subject: {
          ...lost.subject,
          type: "found",
          name: null,
          point: snap(lat + north, lng),
          eventDate: new Date(Date.parse(lost.subject.eventDate) + 86_400_000)
            .toISOString()
            .slice(0, 10),
        },
      };
      return { ours: ours(lost, twin)!.score, oracle: oracle(lost, twin)!.score };
    }),
  );
}
