import type { Subject } from "./subject.ts";
import type { Evidence } from "./evidence.ts";
import { distanceKm } from "../values/point.ts";
import type { Species } from "../values/animal.ts";

/**
 * Distance between the loss and the find, against a uniform density within the search radius. Each point stands for an
 * area, a cell about 1 km wide or a town.
 */
export const distance: Evidence<Place, DistanceDetails> = {
  read: ({ point, radiusKm, town }) => ({ point, radiusKm, town }),
  compare(lost, found, species) {
    const km = distanceKm(lost.point, found.point);
    const perKm2 = densityAt(km, Math.max(lost.radiusKm, found.radiusKm), species);
    return {
      logRatio: Math.log(perKm2 * Math.PI * SEARCH_RADIUS_KM[species] ** 2),
      details: detailsOf(lost, found, km),
    };
  },
};

type Place = Pick<Subject, "point" | "radiusKm" | "town">;

/** Whole km; "centres apart" and the towns if one of the points stands for a town. */
export type DistanceDetails =
  | { readonly kind: "apart" | "centres apart"; readonly km: number }
  | { readonly kind: "in town" | "around town"; readonly town: string };

/**
 * Largest distance in km between two alerts of one animal. Dogs are driven 20 km and more before someone posts them
 * (Dallas 2019, doi 10.3389/fvets.2021.669428: three in ten were a mile and more from home); birds fly. A pair farther
 * apart would score a few percent at most.
 */
export const SEARCH_RADIUS_KM: Readonly<Record<Species, number>> = {
  dog: 50,
  cat: 30,
  bird: 80,
  other: 30,
};

/**
 * Log-logistic distribution of the distance, with a heavier tail than a log-normal: P(nearer than r) = 1 / (1 + (r /
 * median)^-shape). Each one fits the two quantiles of its source.
 * - Cats: 50% within 50 m, 75% within 500 m (Huang et al. 2018, Animals 8:5, doi 10.3390/ani8010005).
 * - Dogs: 42% within a block (150 m), 70% within a mile (Dallas 2019, Front. Vet. Sci. 2021, doi 10.3389/fvets.2021.669428).
 * - Birds and others: no figures. Birds get three times the dogs' median, others the cats' distribution.
 */
const DISTANCES: Readonly<Record<Species, { readonly medianKm: number; readonly shape: number }>> =
  {
    cat: { medianKm: 0.05, shape: 0.477 },
    dog: { medianKm: 0.29, shape: 0.493 },
    bird: { medianKm: 0.9, shape: 0.493 },
    other: { medianKm: 0.05, shape: 0.477 },
  };

/**
 * Animals found per km² at a distance. Those found within the radius of the areas are spread over a bell as wide, the
 * others lie where the distribution has them: within 35% of the mean over all points of both areas (Monte Carlo, 0 to 5
 * km, radii of 0.4 to 8 km).
 */
export function densityAt(km: number, radiusKm: number, species: Species): number {
  const { medianKm, shape } = DISTANCES[species];
  const nearerThan = (limit: number) => 1 / (1 + (limit / medianKm) ** -shape);
  const bell = Math.exp(-((km / radiusKm) ** 2));
  const near = (nearerThan(radiusKm) / (Math.PI * radiusKm ** 2)) * bell;
  if (km === 0) return near;
  const nearer = nearerThan(km);
  const far = (shape * nearer * (1 - nearer)) / (2 * Math.PI * km ** 2);
  return near + far * (1 - bell);
}

function detailsOf(lost: Place, found: Place, km: number): DistanceDetails {
  const [wider] = [lost, found]
    .filter(({ town }) => town !== null)
    .toSorted((one, other) => other.radiusKm - one.radiusKm);
  if (wider?.town == null) return { kind: "apart", km: Math.round(km) };
  if (km > wider.radiusKm) return { kind: "centres apart", km: Math.round(km) };
  return { kind: km < SAME_KM ? "in town" : "around town", town: wider.town };
}

/** Below the size of a cell. */
const SAME_KM = 0.1;
