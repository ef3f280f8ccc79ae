import type { Species } from "../../alerts/alert.ts";
import { bySpecies } from "../trait.ts";
import { nearerThan } from "./distance-law.ts";

/** The disc where an animal was lost and the one where it was found: radii, and the distance of their centres. */
export type Discs = {
  readonly radiusKm: number;
  readonly otherRadiusKm: number;
  readonly km: number;
};

/**
 * Natural logarithm of the density per km² of ending in one disc after starting in another, the mean over all points of
 * both. Radii are rounded to 20 m, the distance to 125 m.
 */
export function logDensityBetweenDiscs(
  { radiusKm, otherRadiusKm, km }: Discs,
  species: Species,
): number {
  const smaller = Math.max(1, Math.round(Math.min(radiusKm, otherRadiusKm) * RADII_PER_KM));
  const larger = Math.max(1, Math.round(Math.max(radiusKm, otherRadiusKm) * RADII_PER_KM));
  const apart = Math.round(km * OFFSETS_PER_KM);
  const cache = LOG_DENSITIES[species];
  const key = (apart * RADII_MAX + smaller) * RADII_MAX + larger;
  const cached = cache.get(key);
  if (cached !== undefined) return cached;
  if (cache.size >= CACHED_MAX) cache.clear();
  const logDensity = Math.log(
    meanDensity(smaller / RADII_PER_KM, larger / RADII_PER_KM, apart / OFFSETS_PER_KM, species),
  );
  cache.set(key, logDensity);
  return logDensity;
}

const RADII_PER_KM = 50;
/** No town has a radius above 40 km. */
const RADII_MAX = 2_048;
const OFFSETS_PER_KM = 8;
/** Cache of results. A town has at most a hundred offsets within the search radius for each radius of the other. A plain map: see `memoize`. */
const LOG_DENSITIES = bySpecies(() => new Map<number, number>());
const CACHED_MAX = 20_000;

/** Steps of the integration: accurate to 1%. */
const STARTS = 24;
const RINGS = 48;

/** Integral over the smaller disc, in rings around the centre of the larger one. */
function meanDensity(smallerKm: number, largerKm: number, km: number, species: Species): number {
  const from = Math.max(0, km - smallerKm);
  const to = km + smallerKm;
  let ending = 0;
  let inner = shareWithin(from, smallerKm, km);
  for (let step = 1; step <= STARTS; step++) {
    const outerKm = from + ((to - from) * step) / STARTS;
    const outer = shareWithin(outerKm, smallerKm, km);
    const startKm = outerKm - (to - from) / STARTS / 2;
    ending += (outer - inner) * endChance(startKm, largerKm, species);
    inner = outer;
  }
  return ending / (Math.PI * largerKm ** 2);
}

/** Chance of ending within `radiusKm` of a centre after starting `km` from it. */
function endChance(km: number, radiusKm: number, species: Species): number {
  // Rings around the start are entirely inside up to `first`, and entirely outside from `last`.
  const first = Math.abs(radiusKm - km);
  const last = radiusKm + km;
  let chance = km < radiusKm ? nearerThan(first, species) : 0;
  let inner = first;
  let nearer = nearerThan(first, species);
  for (let ring = 1; ring <= RINGS; ring++) {
    // The rings are narrow where the law is steep.
    const outer = first + (last - first) * (ring / RINGS) ** 3;
    const nearerThanOuter = nearerThan(outer, species);
    const stepKm = (inner + outer) / 2;
    chance += (nearerThanOuter - nearer) * arcWithin(stepKm, radiusKm, km);
    inner = outer;
    nearer = nearerThanOuter;
  }
  return chance;
}

/** Share of a disc that is within `withinKm` of a point `km` from its centre. */
function shareWithin(withinKm: number, radiusKm: number, km: number): number {
  if (withinKm >= km + radiusKm) return 1;
  if (withinKm <= Math.abs(km - radiusKm))
    return withinKm + km > radiusKm ? 0 : (withinKm / radiusKm) ** 2;
  // The lens of two circles: https://mathworld.wolfram.com/Circle-CircleIntersection.html
  const half = angle(km, radiusKm, withinKm);
  const otherHalf = angle(km, withinKm, radiusKm);
  const lens =
    radiusKm ** 2 * (half - Math.sin(2 * half) / 2) +
    withinKm ** 2 * (otherHalf - Math.sin(2 * otherHalf) / 2);
  return lens / (Math.PI * radiusKm ** 2);
}

/** Share of a circle of radius `stepKm` that is within `radiusKm` of a point `km` from its centre. */
function arcWithin(stepKm: number, radiusKm: number, km: number): number {
  return angle(km, stepKm, radiusKm) / Math.PI;
}

/** Angle between two sides of a triangle, opposite the third; the nearest possible angle if no such triangle exists. */
function angle(side: number, otherSide: number, opposite: number): number {
  const cosine = (side ** 2 + otherSide ** 2 - opposite ** 2) / (2 * side * otherSide);
  return Math.acos(Math.min(1, Math.max(-1, cosine)));
}
