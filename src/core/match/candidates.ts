import type { Species } from "../alert.ts";

/**
 * Where to look for the other half of a pair. What lies outside could only score a few percent, so leaving it out costs
 * about one true pair in twenty, and a call stays short however many alerts there are.
 */

/** A find is looked for this long after the loss. Lord et al. 2007: the slowest cat came home after 81 days. */
export const WINDOW_DAYS = 120;

/** Within reach and window the nearest so many are weighed by what is known of them in memory ... */
export const NEIGHBOURS_MAX = 1_000;
/** ... and so many of them, the likeliest, are read and scored. */
export const CANDIDATES_MAX = 150;

const REACH_KM: Readonly<Record<Species, number>> = { dog: 50, cat: 30, bird: 80, other: 30 };

/**
 * How far apart two alerts of one animal may lie, in km. Dogs are driven 20 km and more before someone posts them
 * (Dallas 2019, doi 10.3389/fvets.2021.669428: three in ten were a mile and more from home); birds fly.
 */
export function reachKm(species: Species): number {
  return REACH_KM[species];
}
