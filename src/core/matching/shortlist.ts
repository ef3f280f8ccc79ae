import { dayOf } from "../duration.ts";
import { cellRadiusKm, type Point } from "../place.ts";
import type { Nearby } from "../ports.ts";
import { logDensity } from "./evidence/distance-law.ts";
import { logRatioOfDays } from "./evidence/time.ts";
import { observationsOf } from "./fields.ts";
import type { Statistics } from "./statistics.ts";
import type { MatchSubject } from "./subject.ts";
import { logLikelihoodRatio } from "./trait.ts";

/**
 * The `limit` neighbours that are likeliest to match an alert, ranked before they are read by place, time and their
 * counted observations. In a crowded generated city they include the best scores among all neighbours
 * (test/core/matching/shortlist.test.ts). `townRadiusKm` returns 0 if more than the town is known.
 */
export function shortlist(
  neighbours: readonly Nearby[],
  alert: MatchSubject,
  { observations, context }: Statistics,
  limit: number,
  townRadiusKm: (point: Point) => number,
): readonly Nearby[] {
  if (neighbours.length <= limit) return neighbours;
  const { type, species } = alert;
  const ownDay = dayOf(alert.eventDate);
  // Distances within the alert's cell, or its town if no more is known, are indistinguishable.
  const minKm = alert.somewhere?.radiusKm ?? cellRadiusKm(alert.point);
  const ownByTrait = new Map(
    observationsOf(alert).map((observation) => {
      const weights = context.frequency.weights(observation.trait);
      return [observation.trait, { observation, weights }] as const;
    }),
  );

  function logOdds({ publishedAt, point, km, day }: Nearby): number {
    const days = type === "lost" ? day - ownDay : ownDay - day;
    const apartKm = Math.max(km, minKm, townRadiusKm(point));
    let sum = logDensity(apartKm, species) + logRatioOfDays(days, species);
    for (const observation of observations(publishedAt)) {
      const own = ownByTrait.get(observation.trait);
      if (own !== undefined) sum += logLikelihoodRatio(own.observation, observation, own.weights);
    }
    return sum;
  }

  return neighbours
    .map((neighbour) => ({ neighbour, logOdds: logOdds(neighbour) }))
    .sort((one, other) => other.logOdds - one.logOdds)
    .slice(0, limit)
    .map(({ neighbour }) => neighbour);
}
