import { prepare, type PreparedSubject } from "../../../src/matching/fields.ts";
import { type MatchContext, score } from "../../../src/matching/score.ts";
import { createStatistics } from "../../../src/matching/statistics.ts";
import { LEARNED_LOSSES_MAX } from "../../../src/matching/use.ts";
import { snap } from "../../../src/values/point.ts";
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
export function trial(city: City, scorer: Scorer): TrialResult {
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
      const scored = scorer(lost, found);
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
  const prepared = new Map(subjects);
  const subjectOf = (alert: BenchAlert) => {
    const known = prepared.get(alert);
    if (known !== undefined) return known;
    const fresh = prepare(alert.subject);
    prepared.set(alert, fresh);
    return fresh;
  };
  return (lost, found) => {
    const match = score(subjectOf(lost), subjectOf(found), context);
    return match === null ? null : { score: match.score, order: match.logOdds };
  };
}

export type ReadCity = {
  readonly subjects: ReadonlyMap<BenchAlert, PreparedSubject>;
  readonly context: MatchContext;
};

/** `perOwner`: alerts of each species that are learned from; all have an owner of their own without it. */
export function readCity(city: City, perOwner?: number): ReadCity {
  const subjects = new Map(city.alerts.map((alert) => [alert, prepare(alert.subject)] as const));
  const statistics = createStatistics(peoplePerKm2In(city), ACTIVE_DAYS);
  for (const { subject } of city.alerts)
    if (subject.type === "found") statistics.density.add(subject);
  const all = [...subjects.values()];
  for (const species of ["dog", "cat"] as const) {
    const ofSpecies = all.filter((subject) => subject.species === species);
    const newest = ofSpecies.toSorted((one, other) => other.publishedAt! - one.publishedAt!);
    const founds = newest.filter(({ type }) => type === "found");
    const losses = newest
      .filter(({ type }) => type === "lost")
      .slice(0, perOwner ?? LEARNED_LOSSES_MAX);
    statistics.learn(
      species,
      losses.map((lost) => ({ lost, founds })),
      TODAY,
    );
  }
  return { subjects, context: statistics.context };
}

/** Days for which a find is active. */
const ACTIVE_DAYS = 30;

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
