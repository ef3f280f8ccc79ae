import type { GoesOutside, Species } from "../../core/alerts/alert.ts";
import { EARTH_RADIUS_KM, type Point, snap } from "../../core/place.ts";

/**
 * Log-logistic laws of the distance, with a heavier tail than a log-normal: P(nearer than r) = 1 / (1 + (r / median)^-shape).
 * Each one fits the two quantiles of its source.
 * - Cats: 50% within 50 m, 75% within 500 m (Huang et al. 2018, Animals 8:5, doi 10.3390/ani8010005).
 * - Cats that stay indoors: 75% within 137 m, about 88% within 500 m (same).
 * - Cats that go outside: median 315 m, 75% within 1,609 m (same), which makes 58% within 500 m.
 * - Dogs: 42% within a block (150 m), 70% within a mile (Dallas 2019, Front. Vet. Sci. 2021, doi 10.3389/fvets.2021.669428).
 * - Birds and others: no figures. Birds get three times the dogs' median, others the cats' law.
 */
const LAWS = {
  cat: { medianKm: 0.05, shape: 0.477 },
  indoorCat: { medianKm: 0.0279, shape: 0.69 },
  outdoorCat: { medianKm: 0.315, shape: 0.674 },
  dog: { medianKm: 0.29, shape: 0.493 },
  bird: { medianKm: 0.9, shape: 0.493 },
  other: { medianKm: 0.05, shape: 0.477 },
} as const;
export type DistanceLawName = keyof typeof LAWS;

/** Law for an animal: that of its species, or of the cats to which its owner's answer applies. */
export function lawOf(species: Species, goesOutside: GoesOutside | null = null): DistanceLawName {
  switch (goesOutside) {
    case null:
      return species;
    case "never":
      return "indoorCat";
    case "sometimes":
    case "often":
      return "outdoorCat";
  }
}

/** Chance that an animal is found within this distance of the place where it was lost. */
function nearerThan(km: number, law: DistanceLawName): number {
  const { medianKm, shape } = LAWS[law];
  return km <= 0 ? 0 : 1 / (1 + (km / medianKm) ** -shape);
}

/** Natural logarithm of the density of the law per km². */
export function logDensity(km: number, law: DistanceLawName): number {
  const nearer = nearerThan(km, law);
  const perKm = (LAWS[law].shape * nearer * (1 - nearer)) / km;
  return Math.log(perKm / (2 * Math.PI * km));
}

/** A cell of `snap`, in hundredths of a degree: one row high and `columnsWide` columns wide. */
export type Cell = {
  readonly centre: Point;
  readonly row: number;
  readonly column: number;
  readonly columnsWide: number;
};

export function cellAround(centre: Point): Cell {
  const { lat, lng } = centre;
  const columnsWide = COLUMNS_WIDE.find((step) => snap(lat, step / 100).lng === step / 100)!;
  return { centre, row: Math.round(lat * 100), column: Math.round(lng * 100), columnsWide };
}

/** Steps of longitude in `snap`. The step at a latitude is the smallest one that `snap` leaves unchanged there. */
const COLUMNS_WIDE = [1, 2, 5] as const;

/** Beyond this distance the density changes by 1% across a cell, so its centre is used. */
const BLUR_KM_MAX = 8;

/** Natural logarithm of the density per km² of ending in one cell after starting in another, `km` apart. */
export function logDensityBetweenCells(
  lost: Cell,
  found: Cell,
  km: number,
  law: DistanceLawName,
): number {
  const rows = Math.abs(lost.row - found.row);
  const eastward = Math.abs(lost.column - found.column);
  const columns = Math.min(eastward, COLUMNS_AROUND - eastward);
  const band = bandOf(lost, found);
  const columnKm = COLUMN_KM[band]!;
  const eastKm = columns * columnKm;
  const northKm = rows * ROW_KM;
  if (Math.hypot(eastKm, northKm) > BLUR_KM_MAX) {
    // Near a pole, where the map is not flat, `km` may still be close to zero.
    return logDensity(Math.max(km, BLUR_KM_MAX), law);
  }

  const cache = CELL_LOG_DENSITIES[law];
  // The product identifies the pair: no two pairs of neighbouring widths have the same one.
  const widths = lost.columnsWide * found.columnsWide;
  const key = ((band * WIDTHS_MAX + widths) * ROWS_MAX + rows) * COLUMNS_AROUND + columns;
  let result = cache.get(key);
  if (result === undefined) {
    const lostWidthKm = lost.columnsWide * columnKm;
    const foundWidthKm = found.columnsWide * columnKm;
    result = Math.log(meanDensityOfCells({ eastKm, northKm, lostWidthKm, foundWidthKm }, law));
    cache.set(key, result);
  }
  return result;
}

/**
 * Cache of results. Bounded by the map: some 60 offsets in each of the bands below 70 degrees of latitude, and 30,000
 * for a law on the whole Earth.
 */
const CELL_LOG_DENSITIES = byLaw(() => new Map<number, number>());
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
function meanDensityOfCells(offset: Offset, law: DistanceLawName): number {
  const km = Math.hypot(offset.eastKm, offset.northKm);
  const blurKm = Math.hypot((offset.lostWidthKm + offset.foundWidthKm) / 2, ROW_KM);
  let density = 0;
  let inner = 0;
  for (let ring = 0; inner < km + blurKm; ring++) {
    const outer = RING_KM_MIN * Math.exp(ring / RINGS_PER_E);
    const stepKm = (inner + outer) / 2;
    if (Math.abs(stepKm - km) < blurKm) {
      const share = nearerThan(outer, law) - nearerThan(inner, law);
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

/**
 * Natural logarithm of the density per km² of ending in one disc after starting in another, `km` between their centres:
 * the mean over all points of both. Radii are rounded to 20 m, the distance to 125 m.
 */
export function logDensityBetweenDiscs(
  lostRadiusKm: number,
  foundRadiusKm: number,
  km: number,
  law: DistanceLawName,
): number {
  const smaller = Math.max(1, Math.round(Math.min(lostRadiusKm, foundRadiusKm) * RADII_PER_KM));
  const larger = Math.max(1, Math.round(Math.max(lostRadiusKm, foundRadiusKm) * RADII_PER_KM));
  const apart = Math.round(km * OFFSETS_PER_KM);
  const cache = DISC_LOG_DENSITIES[law];
  const key = (apart * RADII_MAX + smaller) * RADII_MAX + larger;
  const cached = cache.get(key);
  if (cached !== undefined) return cached;
  if (cache.size >= CACHED_MAX) cache.clear();
  const logDensity = Math.log(
    meanDensityOfDiscs(smaller / RADII_PER_KM, larger / RADII_PER_KM, apart / OFFSETS_PER_KM, law),
  );
  cache.set(key, logDensity);
  return logDensity;
}

const RADII_PER_KM = 50;
/** No town has a radius above 40 km. */
const RADII_MAX = 2_048;
const OFFSETS_PER_KM = 8;
/** Cache of results. A town has at most a hundred offsets within the search radius for each radius of the other. */
const DISC_LOG_DENSITIES = byLaw(() => new Map<number, number>());
const CACHED_MAX = 20_000;

/** Steps of the integration: accurate to 1%. */
const STARTS = 24;
const RINGS = 48;

/** Integral over the smaller disc, in rings around the centre of the larger one. */
function meanDensityOfDiscs(
  smallerKm: number,
  largerKm: number,
  km: number,
  law: DistanceLawName,
): number {
  const from = Math.max(0, km - smallerKm);
  const to = km + smallerKm;
  let ending = 0;
  let inner = shareWithin(from, smallerKm, km);
  for (let step = 1; step <= STARTS; step++) {
    const outerKm = from + ((to - from) * step) / STARTS;
    const outer = shareWithin(outerKm, smallerKm, km);
    const startKm = outerKm - (to - from) / STARTS / 2;
    ending += (outer - inner) * endChance(startKm, largerKm, law);
    inner = outer;
  }
  return ending / (Math.PI * largerKm ** 2);
}

/** Chance of ending within `radiusKm` of a centre after starting `km` from it. */
function endChance(km: number, radiusKm: number, law: DistanceLawName): number {
  // Rings around the start are entirely inside up to `first`, and entirely outside from `last`.
  const first = Math.abs(radiusKm - km);
  const last = radiusKm + km;
  let chance = km < radiusKm ? nearerThan(first, law) : 0;
  let inner = first;
  let nearer = nearerThan(first, law);
  for (let ring = 1; ring <= RINGS; ring++) {
    // The rings are narrow where the law is steep.
    const outer = first + (last - first) * (ring / RINGS) ** 3;
    const nearerThanOuter = nearerThan(outer, law);
    const stepKm = (inner + outer) / 2;
    chance += (nearerThanOuter - nearer) * arcWithin(stepKm, radiusKm, km);
    inner = outer;
    nearer = nearerThanOuter;
  }
  return chance;
}

/** Share of a disc that is within `withinKm` of a point `km` from its centre. */
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

/** Share of a circle of radius `stepKm` that is within `radiusKm` of a point `km` from its centre. */
function arcWithin(stepKm: number, radiusKm: number, km: number): number {
  return angle(km, stepKm, radiusKm) / Math.PI;
}

/** Angle between two sides of a triangle, opposite the third; the nearest possible angle if no such triangle exists. */
function angle(side: number, otherSide: number, opposite: number): number {
  const cosine = (side ** 2 + otherSide ** 2 - opposite ** 2) / (2 * side * otherSide);
  return Math.acos(Math.min(1, Math.max(-1, cosine)));
}

/** A value computed once for each law. */
function byLaw<Value>(of: () => Value): Readonly<Record<DistanceLawName, Value>> {
  const laws = Object.keys(LAWS) as readonly DistanceLawName[];
  return Object.fromEntries(laws.map((law) => [law, of()])) as Record<DistanceLawName, Value>;
}
