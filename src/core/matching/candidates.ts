import type { Species } from "../alerts/alert.ts";

// Limits of the search for the other half of a pair. Pairs outside them would score a few percent at most; leaving them
// out costs about one true pair in twenty and keeps a call short however many alerts there are.

/** Days after a loss in which a find can be its match. Lord et al. 2007: the slowest cat came home after 81 days. */
export const WINDOW_DAYS = 120;

/** Nearest alerts within radius and window that are ranked by what the statistics know of them. */
export const NEIGHBOURS_MAX = 1_000;
/** The likeliest of these neighbours, which are read and scored. */
export const CANDIDATES_MAX = 150;

const SEARCH_RADIUS_KM: Readonly<Record<Species, number>> = {
  dog: 50,
  cat: 30,
  bird: 80,
  other: 30,
};

/**
 * Largest distance between two alerts of one animal. Dogs are driven 20 km and more before someone posts them (Dallas
 * 2019, doi 10.3389/fvets.2021.669428: three in ten were a mile and more from home); birds fly.
 */
export function searchRadiusKm(species: Species): number {
  return SEARCH_RADIUS_KM[species];
}
