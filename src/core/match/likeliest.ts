import { dayOf } from "../duration.ts";
import { cellRadiusKm, type Point } from "../place.ts";
import type { Nearby } from "../ports.ts";
import { logDensity } from "./evidence/distance-law.ts";
import { logRatioOfDays } from "./evidence/time.ts";
import { accountsOf } from "./fields.ts";
import type { Standing } from "./standing.ts";
import type { MatchSubject } from "./subject.ts";
import { agreement } from "./trait.ts";

/**
 * Those of an alert's neighbours that are likeliest its other half by what is known of them before they are read: place,
 * time and what was counted of their traits. At most `limit`. In a crowded made-up city those that score best when
 * every neighbour is read are among them (test/core/match/likeliest.test.ts). `townRadiusKm` is 0 where more than the
 * town is known.
 */
export function likeliest(
  neighbours: readonly Nearby[],
  alert: MatchSubject,
  { accounts, context }: Standing,
  limit: number,
  townRadiusKm: (point: Point) => number,
): readonly Nearby[] {
  if (neighbours.length <= limit) return neighbours;
  const { type, species } = alert;
  const ownDay = dayOf(alert.eventDate);
  // Within its cell, or its town where no more is known, one is as near as another.
  const nearestKm = alert.somewhere?.radiusKm ?? cellRadiusKm(alert.point);
  const told = new Map(
    accountsOf(alert).map((account) => {
      const weights = context.commonness.weights(account.trait);
      return [account.trait, { account, weights }] as const;
    }),
  );

  function logOdds({ publishedAt, point, km, day }: Nearby): number {
    const days = type === "lost" ? day - ownDay : ownDay - day;
    const apartKm = Math.max(km, nearestKm, townRadiusKm(point));
    let sum = logDensity(apartKm, species) + logRatioOfDays(days, species);
    for (const account of accounts(publishedAt)) {
      const own = told.get(account.trait);
      if (own !== undefined) sum += agreement(own.account, account, own.weights);
    }
    return sum;
  }

  return neighbours
    .map((neighbour) => ({ neighbour, logOdds: logOdds(neighbour) }))
    .sort((one, other) => other.logOdds - one.logOdds)
    .slice(0, limit)
    .map(({ neighbour }) => neighbour);
}
