import type { Species } from "../../alerts/alert.ts";
import {
  cellRadiusKm,
  distanceKm,
  EARTH_RADIUS_KM,
  type Point,
  snap,
  type TownArea,
} from "../../place.ts";
import { searchRadiusKm } from "../candidates.ts";
import { bySpecies } from "../trait.ts";
import { logDensity, nearerThan } from "./distance-law.ts";
import type { Evidence } from "./evidence.ts";
import { logDensityBetweenDiscs } from "./disc-density.ts";

/**
 * Distance between the loss and the find. Only cells are public, so the density is that of ending anywhere in one cell
 * after starting anywhere in another; if only the town is known, anywhere in the town. The alternative hypothesis is a
 * uniform density within the search radius.
 */
export const distance: Evidence<Location, DistanceDetails> = {
  read: ({ point, somewhere = null }) => ({ ...cellAround(point), somewhere }),
  compare(lost, found, { species }) {
    const km = distanceKm(lost.centre, found.centre);
    const isByCells = lost.somewhere === null && found.somewhere === null;
    const logDensity = isByCells
      ? logDensityBetween(lost, found, km, species)
      : logDensityBetweenDiscs(
          { radiusKm: radiusKm(lost), otherRadiusKm: radiusKm(found), km },
          species,
        );
    return {
      logRatio: logDensity + Math.log(Math.PI * searchRadiusKm(species) ** 2),
      details: detailsOf(lost, found, km),
    };
  },
};

/** `apart` and `centres apart` in whole km; the second if one point is the centre of a town and stands for all of it. */
export type DistanceDetails =
  | { readonly kind: "apart" | "centres apart"; readonly km: number }
  | { readonly kind: "in town" | "around town"; readonly town: string };

/** A cell, and the town if no more is known. */
type Location = Cell & { readonly somewhere: TownArea | null };

function radiusKm({ centre, somewhere }: Location): number {
  return somewhere?.radiusKm ?? cellRadiusKm(centre);
}

function detailsOf(lost: Location, found: Location, km: number): DistanceDetails {
  const [wider] = [lost.somewhere, found.somewhere]
    .filter((one) => one !== null)
    .toSorted((one, other) => other.radiusKm - one.radiusKm);
  if (wider === undefined) return { kind: "apart", km: Math.round(km) };
  if (km > wider.radiusKm) return { kind: "centres apart", km: Math.round(km) };
  return { kind: km === 0 ? "in town" : "around town", town: wider.town };
}

/** A cell of `snap`, in hundredths of a degree: one row high and `columnsWide` columns wide. */
type Cell = {
  readonly centre: Point;
  readonly row: number;
  readonly column: number;
  readonly columnsWide: number;
};

function cellAround(centre: Point): Cell {
  const { lat, lng } = centre;
  const columnsWide = COLUMNS_WIDE.find((step) => snap(lat, step / 100).lng === step / 100)!;
  return { centre, row: Math.round(lat * 100), column: Math.round(lng * 100), columnsWide };
}

/** Steps of longitude in `snap`. The step at a latitude is the smallest one that `snap` leaves unchanged there. */
const COLUMNS_WIDE = [1, 2, 5] as const;

/** Beyond this distance the density changes by 1% across a cell, so its centre is used. */
const BLUR_KM_MAX = 8;

/** Natural logarithm of the density per km² of ending in one cell after starting in another, `km` apart. */
function logDensityBetween(lost: Cell, found: Cell, km: number, species: Species): number {
  const rows = Math.abs(lost.row - found.row);
  const eastward = Math.abs(lost.column - found.column);
  const columns = Math.min(eastward, COLUMNS_AROUND - eastward);
  const band = bandOf(lost, found);
  const columnKm = COLUMN_KM[band]!;
  const eastKm = columns * columnKm;
  const northKm = rows * ROW_KM;
  if (Math.hypot(eastKm, northKm) > BLUR_KM_MAX) {
    // Near a pole, where the map is not flat, `km` may still be close to zero.
    return logDensity(Math.max(km, BLUR_KM_MAX), species);
  }

  const cache = LOG_DENSITIES[species];
  // The product identifies the pair: no two pairs of neighbouring widths have the same one.
  const widths = lost.columnsWide * found.columnsWide;
  const key = ((band * WIDTHS_MAX + widths) * ROWS_MAX + rows) * COLUMNS_AROUND + columns;
  let result = cache.get(key);
  if (result === undefined) {
    const lostWidthKm = lost.columnsWide * columnKm;
    const foundWidthKm = found.columnsWide * columnKm;
    result = Math.log(meanDensity({ eastKm, northKm, lostWidthKm, foundWidthKm }, species));
    cache.set(key, result);
  }
  return result;
}

/**
 * Cache of results. Bounded by the map: some 60 offsets in each of the bands below 70 degrees of latitude, and 30,000
 * for a species on the whole Earth.
 */
const LOG_DENSITIES = bySpecies(() => new Map<number, number>());
const WIDTHS_MAX = 26;
const ROWS_MAX = 10;
const COLUMNS_AROUND = 36_000;
const ROW_KM = (0.01 * EARTH_RADIUS_KM * Math.PI) / 180;

/** A quarter of a degree. Columns narrow towards the poles: by 0.5% over a band at 50 degrees, by 1.2% at 70. */
const BAND_ROWS = 25;
const BANDS = 9000 / BAND_ROWS;
const COLUMN_KM = Array.from(
  { length: BANDS },
  (_, band) => ROW_KM * Math.cos(((band + 0.5) / BANDS) * (Math.PI / 2)),
);

/** Band of the latitude halfway between two cells; both hemispheres are equal. */
function bandOf({ row: one }: Cell, { row: other }: Cell): number {
  return Math.min(BANDS - 1, Math.floor(Math.abs(one + other) / 2 / BAND_ROWS));
}

/** Relative position of two cells on a flat map: the offset of their centres, and their widths. */
type Offset = {
  readonly eastKm: number;
  readonly northKm: number;
  readonly lostWidthKm: number;
  readonly foundWidthKm: number;
};

/** Width of the rings and spacing of the bearings along them (with a minimum count): accurate to 0.5%. */
const RINGS_PER_E = 48;
const RING_KM_MIN = 0.005;
const BEARING_KM = 0.1;
const BEARINGS_MIN = 24;

/**
 * Density per km² of ending in one cell after starting in another, the mean over all points of both: E[S(offset - step)],
 * where the step has the law's length and any bearing, and S is the density of the difference of two points, one drawn
 * uniformly from each cell. S sums to 1 over all cells around, so the cells together get exactly what the law gives.
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
      density += share * meanOverBearings(offset, { km, blurKm, stepKm });
    }
    inner = outer;
  }
  return density;
}

/** A ring, and the largest error of a step around an offset of `km` that still leads from one cell into the other. */
type Ring = { readonly km: number; readonly blurKm: number; readonly stepKm: number };

function meanOverBearings(offset: Offset, { km, blurKm, stepKm }: Ring): number {
  const { eastKm, northKm, lostWidthKm, foundWidthKm } = offset;
  const bearings = Math.max(BEARINGS_MIN, Math.ceil((2 * Math.PI * stepKm) / BEARING_KM));
  // By the law of cosines, all other bearings miss the cell.
  const cosine = (km ** 2 + stepKm ** 2 - blurKm ** 2) / (2 * km * stepKm);
  const eitherSide = (Math.acos(Math.max(-1, Math.min(1, cosine))) / (2 * Math.PI)) * bearings;
  const heading = (Math.atan2(northKm, eastKm) / (2 * Math.PI)) * bearings;
  const first = Math.floor(heading - eitherSide);
  const last = Math.min(first + bearings - 1, Math.ceil(heading + eitherSide));
  let total = 0;
  for (let nth = first; nth <= last; nth++) {
    // Half steps avoid the axes.
    const bearing = ((nth + 0.5) / bearings) * 2 * Math.PI;
    total +=
      differenceDensity(eastKm - stepKm * Math.cos(bearing), lostWidthKm, foundWidthKm) *
      differenceDensity(northKm - stepKm * Math.sin(bearing), ROW_KM, ROW_KM);
  }
  return total / bearings;
}

/** Density of the difference of two numbers, each drawn uniformly from an interval of its length around 0. */
function differenceDensity(difference: number, length: number, otherLength: number): number {
  const overlap = (length + otherLength) / 2 - Math.abs(difference);
  return Math.max(0, Math.min(length, otherLength, overlap)) / (length * otherLength);
}
