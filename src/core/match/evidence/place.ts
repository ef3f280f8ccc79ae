import type { Species } from "../../alert.ts";
import {
  cellRadiusKm,
  distanceKm,
  EARTH_RADIUS_KM,
  type Point,
  snap,
  type Somewhere,
} from "../../place.ts";
import { reachKm } from "../candidates.ts";
import { bySpecies } from "../trait.ts";
import { logDensity, nearerThan } from "./distance-law.ts";
import type { Evidence } from "./evidence.ts";
import { logDensityBetweenDiscs } from "./town.ts";

/**
 * How far from where it was lost an animal is found. Only cells are known, so the density is that of landing anywhere
 * in one cell after starting anywhere in another; where only the town is known, anywhere in it. The other hypothesis:
 * anywhere within reach alike.
 */
export const place: Evidence<Spot, SaidOfPlace> = {
  read: ({ point, somewhere = null }) => ({ ...cellAround(point), somewhere }),
  weigh(lost, found, { species }) {
    const km = distanceKm(lost.middle, found.middle);
    const isByCells = lost.somewhere === null && found.somewhere === null;
    const logDensity = isByCells
      ? logDensityBetween(lost, found, km, species)
      : logDensityBetweenDiscs(
          { radiusKm: radiusKm(lost), otherRadiusKm: radiusKm(found), km },
          species,
        );
    return {
      logRatio: logDensity + Math.log(Math.PI * reachKm(species) ** 2),
      said: saidOf(lost, found, km),
    };
  },
};

/** `apart` and `centres apart` in whole km, the second where one is a town's centre that stands for all of it. */
export type SaidOfPlace =
  | { readonly is: "apart" | "centres apart"; readonly km: number }
  | { readonly is: "in town" | "around town"; readonly town: string };

/** A cell, and the town where no more is known. */
type Spot = Cell & { readonly somewhere: Somewhere | null };

function radiusKm({ middle, somewhere }: Spot): number {
  return somewhere?.radiusKm ?? cellRadiusKm(middle);
}

function saidOf(lost: Spot, found: Spot, km: number): SaidOfPlace {
  const [wider] = [lost.somewhere, found.somewhere]
    .filter((one) => one !== null)
    .toSorted((one, other) => other.radiusKm - one.radiusKm);
  if (wider === undefined) return { is: "apart", km: Math.round(km) };
  if (km > wider.radiusKm) return { is: "centres apart", km: Math.round(km) };
  return { is: km === 0 ? "in town" : "around town", town: wider.town };
}

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
      density += share * meanOverBearings(offset, { km, blurKm, stepKm });
    }
    inner = outer;
  }
  return density;
}

/** A ring, and how far its steps may end from an offset of `km` and still lead from the one cell into the other. */
type Ring = { readonly km: number; readonly blurKm: number; readonly stepKm: number };

function meanOverBearings(offset: Offset, { km, blurKm, stepKm }: Ring): number {
  const { eastKm, northKm, lostWidthKm, foundWidthKm } = offset;
  const bearings = Math.max(BEARINGS_MIN, Math.ceil((2 * Math.PI * stepKm) / BEARING_KM));
  // By the law of cosines: all other bearings lead past the cell.
  const cosine = (km ** 2 + stepKm ** 2 - blurKm ** 2) / (2 * km * stepKm);
  const eitherSide = (Math.acos(Math.max(-1, Math.min(1, cosine))) / (2 * Math.PI)) * bearings;
  const middle = (Math.atan2(northKm, eastKm) / (2 * Math.PI)) * bearings;
  const first = Math.floor(middle - eitherSide);
  const last = Math.min(first + bearings - 1, Math.ceil(middle + eitherSide));
  let total = 0;
  for (let nth = first; nth <= last; nth++) {
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
