import type { Species } from "../../alerts/alert.ts";

/**
 * Log-logistic laws of the distance, with a heavier tail than a log-normal: P(nearer than r) = 1 / (1 + (r / median)^-shape).
 * Each one fits the two quantiles of its source.
 * - Cats: 50% within 50 m, 75% within 500 m (Huang et al. 2018, Animals 8:5).
 * - Dogs: 42% within a block (150 m), 70% within a mile (Dallas 2019, Front. Vet. Sci. 2021, doi 10.3389/fvets.2021.669428).
 * - Birds and others: no figures. Birds get three times the dogs' median, others the cats' law.
 */
const LAWS: Readonly<Record<Species, { readonly medianKm: number; readonly shape: number }>> = {
  cat: { medianKm: 0.05, shape: 0.477 },
  dog: { medianKm: 0.29, shape: 0.493 },
  bird: { medianKm: 0.9, shape: 0.493 },
  other: { medianKm: 0.05, shape: 0.477 },
};

/** Chance that an animal is found within this distance of the place where it was lost. */
export function nearerThan(km: number, species: Species): number {
  const { medianKm, shape } = LAWS[species];
  return km <= 0 ? 0 : 1 / (1 + (km / medianKm) ** -shape);
}

/** Natural logarithm of the density of the law per km². */
export function logDensity(km: number, species: Species): number {
  const nearer = nearerThan(km, species);
  const perKm = (LAWS[species].shape * nearer * (1 - nearer)) / km;
  return Math.log(perKm / (2 * Math.PI * km));
}
