import type { Species } from "../../alert.ts";
import { bySpecies } from "../trait.ts";
import { nearerThan } from "./distance-law.ts";

/** Two discs, one of which an animal was lost in, the other one found in: their radii, and their centres apart. */
export type Discs = {
  readonly radiusKm: number;
  readonly otherRadiusKm: number;
  readonly km: number;
};

/**
 * Natural logarithm of the density per km² of landing in one disc after starting in another, the mean over all places
 * in both. Radii are read to 20 m, the distance to 125 m.
 */
export function logDensityBetweenDiscs(
  { radiusKm, otherRadiusKm, km }: Discs,
  species: Species,
): number {
  const less = Math.max(1, Math.round(Math.min(radiusKm, otherRadiusKm) * RADII_PER_KM));
  const more = Math.max(1, Math.round(Math.max(radiusKm, otherRadiusKm) * RADII_PER_KM));
  const apart = Math.round(km * OFFSETS_PER_KM);
  const known = KNOWN[species];
  const key = (apart * RADII_MAX + less) * RADII_MAX + more;
  const old = known.get(key);
  if (old !== undefined) return old;
  if (known.size >= KNOWN_MAX) known.clear();
  const answer = Math.log(
    meanDensity(less / RADII_PER_KM, more / RADII_PER_KM, apart / OFFSETS_PER_KM, species),
  );
  known.set(key, answer);
  return answer;
}

const RADII_PER_KM = 50;
/** No town reaches farther than 40 km. */
const RADII_MAX = 2_048;
const OFFSETS_PER_KM = 8;
/** What has been asked before. A town asks for a hundred offsets at most within reach, for each width of the other. */
const KNOWN = bySpecies(() => new Map<number, number>());
const KNOWN_MAX = 20_000;

/** So many steps give it within 1%. */
const STARTS = 24;
const RINGS = 48;

/** Over the smaller disc, in rings around the centre of the larger one. */
function meanDensity(lessKm: number, moreKm: number, km: number, species: Species): number {
  const from = Math.max(0, km - lessKm);
  const to = km + lessKm;
  let landing = 0;
  let inner = shareWithin(from, lessKm, km);
  for (let step = 1; step <= STARTS; step++) {
    const outerKm = from + ((to - from) * step) / STARTS;
    const outer = shareWithin(outerKm, lessKm, km);
    const startKm = outerKm - (to - from) / STARTS / 2;
    landing += (outer - inner) * landingChance(startKm, moreKm, species);
    inner = outer;
  }
  return landing / (Math.PI * moreKm ** 2);
}

/** The chance of landing within `radiusKm` of a centre after starting `km` from it. */
function landingChance(km: number, radiusKm: number, species: Species): number {
  // Up to here the rings around the start lie wholly within, and from `last` on wholly without.
  const first = Math.abs(radiusKm - km);
  const last = radiusKm + km;
  let chance = km < radiusKm ? nearerThan(first, species) : 0;
  let inner = first;
  let nearer = nearerThan(first, species);
  for (let ring = 1; ring <= RINGS; ring++) {
    // Narrow where the law is steep.
    const outer = first + (last - first) * (ring / RINGS) ** 3;
    const nearerThanOuter = nearerThan(outer, species);
    const stepKm = (inner + outer) / 2;
    chance += (nearerThanOuter - nearer) * arcWithin(stepKm, radiusKm, km);
    inner = outer;
    nearer = nearerThanOuter;
  }
  return chance;
}

/** The share of a disc that lies within `withinKm` of a point `km` from its centre. */
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

/** The share of a circle of radius `stepKm` that lies within `radiusKm` of a point `km` from its centre. */
function arcWithin(stepKm: number, radiusKm: number, km: number): number {
  return angle(km, stepKm, radiusKm) / Math.PI;
}

/** The angle between two sides of a triangle, opposite the third; as near as can be where there is no such triangle. */
function angle(side: number, otherSide: number, opposite: number): number {
  const cosine = (side ** 2 + otherSide ** 2 - opposite ** 2) / (2 * side * otherSide);
  return Math.acos(Math.min(1, Math.max(-1, cosine)));
}
