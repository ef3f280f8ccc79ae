import type { Species } from "../../alert.ts";
import { distanceKm, EARTH_RADIUS_KM, type Point, snap } from "../../place.ts";
import { reachKm } from "../candidates.ts";
import { bySpecies } from "../trait.ts";
import type { Evidence } from "./evidence.ts";

/**
 * How far from where it was lost an animal is found. Only cells are known, so the density is that of landing anywhere
 * in one cell after starting anywhere in another. The other hypothesis: anywhere within reach alike.
 */
export const place: Evidence<Cell, { readonly km: number }> = {
  read: ({ point }) => ({ middle: point, widthKm: cellWidthKm(point.lat) }),
  weigh(lost, found, { species }) {
    const km = distanceKm(lost.middle, found.middle);
    const logDensity = logDensityAt(km, species, (lost.widthKm + found.widthKm) / 2);
    return {
      logRatio: logDensity + Math.log(Math.PI * reachKm(species) ** 2),
      said: { km: Math.round(km) },
    };
  },
};

type Cell = { readonly middle: Point; readonly widthKm: number };

/**
 * Log-logistic laws of the distance, heavier-tailed than a log-normal: P(nearer than r) = 1 / (1 + (r / median)^-shape).
 * Each goes through the two quantiles of its source.
 * - Cats: 50% within 50 m, 75% within 500 m (Huang et al. 2018, Animals 8:5).
 * - Dogs: 42% within a block (150 m), 70% within a mile (Dallas 2019, Front. Vet. Sci. 2021, doi 10.3389/fvets.2021.669428).
 * - Birds and others: no figures. Birds are given three times the dogs' median, others the cats' law.
 */
const LAWS: Readonly<Record<Species, { readonly medianKm: number; readonly shape: number }>> = {
  cat: { medianKm: 0.05, shape: 0.477 },
  dog: { medianKm: 0.29, shape: 0.493 },
  bird: { medianKm: 0.9, shape: 0.493 },
  other: { medianKm: 0.05, shape: 0.477 },
};

function nearerThan(km: number, species: Species): number {
  const { medianKm, shape } = LAWS[species];
  return km <= 0 ? 0 : 1 / (1 + (km / medianKm) ** -shape);
}

const KM_PER_DEGREE = (EARTH_RADIUS_KM * Math.PI) / 180;
const CELL_HEIGHT_KM = 0.01 * KM_PER_DEGREE;

/** The width of a cell of `snap` at a latitude. The step of longitude is the least one that `snap` leaves as it is. */
function cellWidthKm(lat: number): number {
  const step = [0.01, 0.02, 0.05].find((degrees) => snap(lat, degrees).lng === degrees) ?? 0.05;
  return step * KM_PER_DEGREE * Math.cos((lat * Math.PI) / 180);
}

/** Beyond this the density changes so little across a cell that its middle will do. */
const BLUR_KM_MAX = 8;
const BLUR_STEPS = 48;

/**
 * Natural logarithm of the density per km² at a distance between the centres of two cells; never rises with distance.
 * `widthKm` is rounded to 0.1 km: a few dozen tables in all, each drawn when first asked for.
 */
function logDensityAt(km: number, species: Species, widthKm: number): number {
  const tenths = Math.max(1, Math.round(widthKm * 10));
  const table = (TABLES[species][tenths] ??= blurredTable(species, tenths / 10));
  const at = (km / BLUR_KM_MAX) * BLUR_STEPS;
  const before = Math.floor(at);
  if (before >= BLUR_STEPS) return Math.min(table[BLUR_STEPS]!, logDensity(km, species));
  return table[before]! + (at - before) * (table[before + 1]! - table[before]!);
}

const TABLES = bySpecies((): (readonly number[])[] => []);

function blurredTable(species: Species, widthKm: number): number[] {
  const table: number[] = [];
  let least = Infinity;
  for (let step = 0; step <= BLUR_STEPS; step++) {
    const km = (step / BLUR_STEPS) * BLUR_KM_MAX;
    least = Math.min(least, Math.log(blurredDensity(km, species, widthKm)));
    table.push(least);
  }
  return table;
}

const RINGS_PER_E = 12;
const RING_KM_MIN = 0.005;
const RING_KM_MAX = BLUR_KM_MAX + 4;
/** Bearings are tried this close together, in km along the ring, and never fewer than so many. */
const BEARING_KM = 0.25;
const BEARINGS_MIN = 12;

/**
 * The mean over bearings of E[T(offset - step)]: the step has the law's length and any bearing, and T is the density of
 * the difference of two places drawn evenly from cells (a triangle along each side).
 */
function blurredDensity(km: number, species: Species, widthKm: number): number {
  let density = 0;
  let inner = 0;
  const rings = Math.ceil(Math.log(RING_KM_MAX / RING_KM_MIN) * RINGS_PER_E);
  for (let ring = 0; ring <= rings; ring++) {
    const outer = RING_KM_MIN * Math.exp(ring / RINGS_PER_E);
    const share = nearerThan(outer, species) - nearerThan(inner, species);
    density += share * meanTriangle(km, (inner + outer) / 2, widthKm);
    inner = outer;
  }
  return density;
}

function meanTriangle(offsetKm: number, stepKm: number, widthKm: number): number {
  if (Math.abs(offsetKm - stepKm) > Math.hypot(widthKm, CELL_HEIGHT_KM)) return 0;
  const bearings = Math.max(BEARINGS_MIN, Math.ceil((2 * Math.PI * stepKm) / BEARING_KM));
  let total = 0;
  // A quarter turn of offsets is enough: cells are symmetric. Half steps keep off the axes.
  for (let o = 0; o < 4; o++) {
    const offset = ((o + 0.5) / 4) * (Math.PI / 2);
    const east = offsetKm * Math.cos(offset);
    const north = offsetKm * Math.sin(offset);
    for (let b = 0; b < bearings; b++) {
      const bearing = ((b + 0.5) / bearings) * 2 * Math.PI;
      total +=
        triangle(east - stepKm * Math.cos(bearing), widthKm) *
        triangle(north - stepKm * Math.sin(bearing), CELL_HEIGHT_KM);
    }
  }
  return total / (4 * bearings);
}

/** Density of the difference of two numbers drawn evenly from an interval of this length. */
function triangle(difference: number, length: number): number {
  return Math.max(0, 1 - Math.abs(difference) / length) / length;
}

/** The law's own density per km², natural logarithm. */
function logDensity(km: number, species: Species): number {
  const nearer = nearerThan(km, species);
  const perKm = (LAWS[species].shape * nearer * (1 - nearer)) / km;
  return Math.log(perKm / (2 * Math.PI * km));
}
