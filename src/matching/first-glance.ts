import { densityAt } from "./distance-evidence.ts";
import { logRatioOfDays } from "./time-evidence.ts";
import type { Looks } from "./looks.ts";
import type { Species } from "../values/animal.ts";

/** About what shared colours and breed groups say, and different ones. */
const SHARED_COLORS = 1;
const OTHER_COLORS = -2;
const SHARED_GROUPS = 0.7;
const OTHER_GROUPS = -0.3;

/**
 * Rough log likelihood ratio of a pair by what an index knows of both alerts, to choose those that are read and scored.
 * Bounded by what is compared: a crowded city includes nearly all of the best scores (test/core/matches/candidates.test.ts).
 */
export function firstGlance({
  species,
  km,
  radiusKm,
  days,
  looks: [one, other],
}: {
  readonly species: Species;
  readonly km: number;
  readonly radiusKm: number;
  /** From the loss to the find. */
  readonly days: number;
  readonly looks: readonly [Looks, Looks];
}): number {
  return (
    Math.log(densityAt(km, radiusKm, species)) +
    logRatioOfDays(days, species) +
    ofMasks(one.colors, other.colors, SHARED_COLORS, OTHER_COLORS) +
    ofMasks(one.groups, other.groups, SHARED_GROUPS, OTHER_GROUPS)
  );
}

/** A mask of 0 is unknown. */
function ofMasks(one: number, other: number, shared: number, different: number): number {
  if (one === 0 || other === 0) return 0;
  return (one & other) === 0 ? different : shared;
}
