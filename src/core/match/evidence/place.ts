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
  read: ({ point }) => cellAround(point),
  weigh(lost, found, { species }) {
    const km = distanceKm(lost.middle, found.middle);
    const logDensity = logDensityBetween(lost, found, km, species);
    return {
      logRatio: logDensity + Math.log(Math.PI * reachKm(species) ** 2),
      said: { km: Math.round(km) },
    };
  },
};

/** A cell of `snap`, counted in hundredths of a degree: one row high and `columnsWide` columns wide. */
type Cell = {
  readonly middle: Point;
  readonly row: number;
  readonly column: number;
  readonly columnsWide: number;
};

function cellAround(middle: Point): Cell {
  const { lat, lng } = middle;
  const columnsWide = COLUMNS_WIDE.find((step) => snap(lat, step / 100).lng === step / 100)!;
  return { middle, row: Math.round(lat * 100), column: Math.round(lng * 100), columnsWide };
}

/** The steps of longitude in `snap`. That of a latitude is the least one that `snap` leaves as it is there. */
const COLUMNS_WIDE = [1, 2, 5] as const;

/** Beyond this the density changes so little across a cell, by 1%, that its middle will do. */
const BLUR_KM_MAX = 8;

/** Natural logarithm of the density per km² of landing in one cell after starting in another, `km` apart. */
function logDensityBetween(lost: Cell, found: Cell, km: number, species: Species): number {
  const rows = Math.abs(lost.row - found.row);
  const eastward = Math.abs(lost.column - found.column);
  const columns = Math.min(eastward, COLUMNS_AROUND - eastward);
  const band = bandOf(lost, found);
  const columnKm = COLUMN_KM[band]!;
  const eastKm = columns * columnKm;
  const northKm = rows * ROW_KM;
  if (Math.hypot(eastKm, northKm) > BLUR_KM_MAX) {
    // Beside a pole, where the map is no longer flat, `km` may be next to nothing all the same.
    return logDensity(Math.max(km, BLUR_KM_MAX), species);
  }

  const known = KNOWN[species];
  // Of widths that lie so near each other no two pairs have one product.
  const widths = lost.columnsWide * found.columnsWide;
  const key = ((band * WIDTHS_MAX + widths) * ROWS_MAX + rows) * COLUMNS_AROUND + columns;
  let answer = known.get(key);
  if (answer === undefined) {
    const lostWidthKm = lost.columnsWide * columnKm;
    const foundWidthKm = found.columnsWide * columnKm;
    answer = Math.log(meanDensity({ eastKm, northKm, lostWidthKm, foundWidthKm }, species));
    known.set(key, answer);
  }
  return answer;
}

/**
 * What has been asked before. Bounded by the map: some 60 offsets in each of the bands below 70 degrees of latitude, and
 * 30,000 for a species on the whole Earth.
 */
const KNOWN = bySpecies(() => new Map<number, number>());
const WIDTHS_MAX = 26;
const ROWS_MAX = 10;
const COLUMNS_AROUND = 36_000;
const ROW_KM = (0.01 * EARTH_RADIUS_KM * Math.PI) / 180;

/** A quarter of a degree. Columns narrow towards the poles: over one band by 0.5% at 50 degrees, by 1.2% at 70. */
const BAND_ROWS = 25;
const BANDS = 9000 / BAND_ROWS;
const COLUMN_KM = Array.from(
  { length: BANDS },
  (_, band) => ROW_KM * Math.cos(((band + 0.5) / BANDS) * (Math.PI / 2)),
);

/** The band of the latitude between two cells; both hemispheres are alike. */
function bandOf({ row: one }: Cell, { row: other }: Cell): number {
  return Math.min(BANDS - 1, Math.floor(Math.abs(one + other) / 2 / BAND_ROWS));
}

/** How two cells lie to each other on a flat map: their middles apart, and their widths. */
type Offset = {
  readonly eastKm: number;
  readonly northKm: number;
  readonly lostWidthKm: number;
  readonly foundWidthKm: number;
};

/** Rings so narrow, and bearings this close together along them (never fewer than so many), give it within 0.5%. */
const RINGS_PER_E = 48;
const RING_KM_MIN = 0.005;
const BEARING_KM = 0.1;
const BEARINGS_MIN = 24;

/**
 * Density per km² of landing in one cell after starting in another, the mean over all places in both: E[S(offset - step)],
 * where the step has the law's length and any bearing, and S is the density of the difference of two places, one drawn
 * evenly from each cell. The S of all cells around share out 1, so the cells share out just what the law says.
 */
function meanDensity(offset: Offset, species: Species): number {
  const km = Math.hypot(offset.eastKm, offset.northKm);
  const blurKm = Math.hypot((offset.lostWidthKm + offset.foundWidthKm) / 2, ROW_KM);
  let density = 0;
  let inner = 0;
  for (let ring = 0; inner < km + blurKm; ring++) {
    const outer = RING_KM_MIN * Math.exp(ring / RINGS_PER_E);
    const stepKm = (inner + outer) / 2;
    if (Math.abs(stepKm - km) < blurKm) {
      const share = nearerThan(outer, species) - nearerThan(inner, species);
      density += share * meanOverBearings(offset, stepKm);
    }
    inner = outer;
  }
  return density;
}

function meanOverBearings(offset: Offset, stepKm: number): number {
  const { eastKm, northKm, lostWidthKm, foundWidthKm } = offset;
  const bearings = Math.max(BEARINGS_MIN, Math.ceil((2 * Math.PI * stepKm) / BEARING_KM));
  let total = 0;
  for (let nth = 0; nth < bearings; nth++) {
    // Half steps keep off the axes.
    const bearing = ((nth + 0.5) / bearings) * 2 * Math.PI;
    total +=
      differenceDensity(eastKm - stepKm * Math.cos(bearing), lostWidthKm, foundWidthKm) *
      differenceDensity(northKm - stepKm * Math.sin(bearing), ROW_KM, ROW_KM);
  }
  return total / bearings;
}

/** Density of the difference of two numbers, each drawn evenly from an interval of its length around 0. */
function differenceDensity(difference: number, length: number, otherLength: number): number {
  const overlap = (length + otherLength) / 2 - Math.abs(difference);
  return Math.max(0, Math.min(length, otherLength, overlap)) / (length * otherLength);
}

/** The law's own density per km², natural logarithm. */
function logDensity(km: number, species: Species): number {
  const nearer = nearerThan(km, species);
  const perKm = (LAWS[species].shape * nearer * (1 - nearer)) / km;
  return Math.log(perKm / (2 * Math.PI * km));
}

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
