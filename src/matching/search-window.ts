import type { Species } from "../core/alerts/alert.ts";

// A pair outside radius and window would score a few percent at most. Leaving such pairs out costs about one true pair in
// twenty, and keeps a call short however many alerts there are.

/** Days after a loss in which a find can be its match. Lord et al. 2007: the slowest cat came home after 81 days. */
export const WINDOW_DAYS = 120;
/** Days before a loss in which a find can be its match: each date may be off by a day, plus one day of tolerance. */
export const DAYS_BEFORE_LOSS_MAX = 3;

/**
 * Largest distance in km between two alerts of one animal. Dogs are driven 20 km and more before someone posts them
 * (Dallas 2019, doi 10.3389/fvets.2021.669428: three in ten were a mile and more from home); birds fly.
 */
export function searchRadiusKm(species: Species): number {
  return SEARCH_RADIUS_KM[species];
}

const SEARCH_RADIUS_KM: Readonly<Record<Species, number>> = {
  dog: 50,
  cat: 30,
  bird: 80,
  other: 30,
};
