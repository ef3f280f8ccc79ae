import { createCommonness } from "../../../src/core/match/commonness.ts";
import { createCrowd } from "../../../src/core/match/crowd.ts";
import { type MatchContext, scorePair } from "../../../src/core/match/score.ts";
import { readSubject, type Subject } from "../../../src/core/match/subject.ts";
import type { Scored } from "./baselines.ts";
import type { BenchAlert, City } from "./city.ts";
import type { Pair, Standing } from "./measure.ts";

/** What came of scoring every pair of a city. Pairs under 5 only fill memory and are left out. */
export type Outcome = {
  readonly pairs: Pair[];
  readonly standings: Standing[];
  readonly truePairs: number;
};

/** Null: no candidate. */
export type Scorer = (lost: BenchAlert, found: BenchAlert) => Scored | null;

const KEPT_SCORE_MIN = 5;

/** Scores every lost animal against every find. */
export function trial(city: City, score: Scorer): Outcome {
  const outcome: Outcome = { pairs: [], standings: [], truePairs: 0 };
  let truePairs = 0;
  const founds = city.alerts.filter(({ subject }) => subject.type === "found");
  for (const lost of city.alerts.filter(({ subject }) => subject.type === "lost")) {
    const rivals: number[] = [];
    // A true find that is no candidate stands behind all others.
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
      if (percent >= KEPT_SCORE_MIN) outcome.pairs.push({ score: percent, isSame });
    }
    if (!hasFind) continue;
    truePairs++;
    const level = own;
    outcome.standings.push({
      better: rivals.filter((order) => order > level).length,
      tied: rivals.filter((order) => order === level).length,
    });
  }
  return { ...outcome, truePairs };
}

/** The service's own score, with what an instance that holds just this city has learned. */
export function ourScore(city: City): Scorer {
  const { subjects, context } = readCity(city);
  return (lost, found) => {
    const match = scorePair(subjects.get(lost)!, subjects.get(found)!, context);
    return match === null ? null : { score: match.score, order: match.logOdds };
  };
}

export function readCity(city: City): {
  readonly subjects: ReadonlyMap<BenchAlert, Subject>;
  readonly context: MatchContext;
} {
  const subjects = new Map(
    city.alerts.map((alert) => [alert, readSubject(alert.subject)] as const),
  );
  const commonness = createCommonness();
  const crowd = createCrowd();
  for (const { subject } of city.alerts) {
    commonness.add(subject);
    crowd.add(subject);
  }
  const arounds = new Map([...subjects.values()].map((one) => [one, crowd.around(one)]));
  return { subjects, context: { commonness, around: (subject) => arounds.get(subject)! } };
}
