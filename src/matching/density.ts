import { bySpecies, type Subject } from "./subject.ts";
import type { Point } from "../values/point.ts";
import type { Species } from "../values/animal.ts";

/** Finds of a species as they happen around a place. */
export type FindDensity = {
  /** Posted finds per km² and day: the rivals of a find at this place. */
  readonly perKm2PerDay: number;
  /** All finds per km² and day that the people there make likely, posted or not. */
  readonly allPerKm2PerDay: number;
  /** Share of all finds around that are posted here. */
  readonly coverage: number;
};

/** Counter of the active finds, updated find by find. */
export type Density = {
  add(find: CountedFind): void;
  /** Undoes one `add`. */
  remove(find: CountedFind): void;
  /** Finds around an alert, which does not count itself. */
  around(alert: LocatedAlert): FindDensity;
};

type CountedFind = Pick<Subject, "species" | "point">;
type LocatedAlert = CountedFind & Pick<Subject, "type" | "radiusKm" | "publishedAt">;

/** People per km² around a point: a mean weighted by a normal distribution with this standard deviation. */
export type PeoplePerKm2 = (point: Point, spreadKm: number) => number;

/** Sides of the cells in degrees of latitude; neighbourhoods of 3 x 3 cells are about 60, 17 and 3 km wide. */
const SIDES = [0.18, 0.05, 0.01] as const;
/** Neighbourhood that tells the coverage: a service can be one town's, and says nothing about the region around. */
const COVERAGE_SIDE = 1;
const KM_PER_DEGREE = 111.195;
const KM2 = SIDES.map((side) => (3 * side * KM_PER_DEGREE) ** 2);
/** Standard deviations of normal distributions that average people over areas as large as the neighbourhoods. */
const SPREADS_KM = KM2.map((km2) => Math.sqrt(km2 / (2 * Math.PI)));
/**
 * Weight in finds of what is assumed before the finds of a neighbourhood are counted (a gamma prior): for the region that
 * all finds are posted, for a narrower neighbourhood the coverage of the next wider one.
 */
const PRIOR_FINDS = 1;
/**
 * Most finds counted, as a multiple of those that the people around make likely: there are few places with more, and
 * a stranger who posts hundreds of made-up finds must not hide the true one among them.
 */
const COVERAGE_MAX = 2;
/** Cells whose people are cached, and results: several times as many as one comparison needs. */
const CACHED_MAX = 10_000;

/**
 * Finds a year for 1,000 people, posted or not. US shelters took in 3.1 million dogs and 3.2 million cats in 2019, half
 * of them strays, and 5.8 million of both in 2024, 60% of them strays (ASPCA and Shelter Animals Count): for 330 million
 * people some 5 of each. No figures for birds and others: as many of the 7.5 million birds and 5 million rabbits, ferrets
 * and reptiles kept there (AVMA 2018, rounded) as of the dogs, one in fifty. Countries differ, and an instance's own posts
 * make up for it.
 */
const FINDS_A_YEAR: Readonly<Record<Species, number>> = { dog: 5, cat: 5, bird: 0.5, other: 0.3 };

/** `activeDays`: days for which a find is active. */
export function createDensity(peoplePerKm2: PeoplePerKm2, activeDays: number): Density {
  /** Finds of each species in each cell of each grid; empty cells are absent. */
  const counts = bySpecies(() => SIDES.map(() => new Map<number, number>()));
  /** People in the neighbourhood of each cell that was asked for, which never change. */
  const people = SIDES.map(() => new Map<number, number>());
  /** Results since the last change: candidates share cells, and one call needs many. */
  const cache = new Map<string, FindDensity>();

  function count({ species, point }: CountedFind, delta: 1 | -1): void {
    cache.clear();
    for (const [grid, cells] of counts[species].entries()) {
      const cell = cellAt(point, grid);
      const finds = (cells.get(cell) ?? 0) + delta;
      if (finds === 0) cells.delete(cell);
      else cells.set(cell, finds);
    }
  }

  function findsAround(species: Species, { lat, lng }: Point, grid: number): number {
    const cells = counts[species][grid]!;
    const row = rowOf(lat, grid);
    let sum = 0;
    for (let near = row - 1; near <= row + 1; near++) {
      const columns = columnsIn(near, grid);
      const column = columnOf(lng, columns);
      for (const step of [-1, 0, 1])
        sum += cells.get(near * ROW + ((column + step + columns) % columns)) ?? 0;
    }
    return sum;
  }

  function peopleAround(point: Point, grid: number): number {
    const known = people[grid]!;
    const cell = cellAt(point, grid);
    let inhabitants = known.get(cell);
    if (inhabitants === undefined) {
      inhabitants = peoplePerKm2(point, SPREADS_KM[grid]!) * KM2[grid]!;
      if (known.size >= CACHED_MAX) known.clear();
      known.set(cell, inhabitants);
    }
    return inhabitants;
  }

  function densityAround({ type, species, point, radiusKm, publishedAt }: LocatedAlert) {
    const own = type === "found" && publishedAt !== null ? 1 : 0;
    // A town is as wide as one of the neighbourhoods.
    const narrowest = KM2.findLastIndex((km2) => km2 >= Math.PI * radiusKm ** 2);
    let coverage = 1;
    let coverageAround = 1;
    let expectedPerKm2 = 0;
    for (let grid = 0; grid <= Math.max(narrowest, COVERAGE_SIDE); grid++) {
      const finds = Math.max(0, findsAround(species, point, grid) - own);
      const expected = (peopleAround(point, grid) * FINDS_A_YEAR[species] * activeDays) / 365_000;
      coverage = Math.min(
        COVERAGE_MAX,
        (finds + PRIOR_FINDS) / (expected + PRIOR_FINDS / coverage),
      );
      if (grid === COVERAGE_SIDE) coverageAround = coverage;
      expectedPerKm2 = expected / KM2[grid]!;
    }
    return {
      perKm2PerDay: (coverage * expectedPerKm2) / activeDays,
      allPerKm2PerDay: expectedPerKm2 / activeDays,
      coverage: coverageAround,
    };
  }

  return {
    add: (find) => count(find, 1),
    remove: (find) => count(find, -1),
    around(alert) {
      const { type, species, point, radiusKm, publishedAt } = alert;
      const key = `${type} ${species} ${point.lat} ${point.lng} ${radiusKm} ${publishedAt === null}`;
      const known = cache.get(key);
      if (known !== undefined) return known;
      const density = densityAround(alert);
      if (cache.size >= CACHED_MAX) cache.clear();
      cache.set(key, density);
      return density;
    },
  };
}

/** More than the columns of any row. */
const ROW = 2 ** 16;

/** A cell as one number. */
function cellAt({ lat, lng }: Point, grid: number): number {
  const row = rowOf(lat, grid);
  return row * ROW + columnOf(lng, columnsIn(row, grid));
}

/** Row of a latitude; row 0 is one below the south pole. */
const rowOf = (lat: number, grid: number) => Math.floor((lat + 90) / SIDES[grid]! + 1e-9) + 1;

/** Number of nearly square cells in a row, at least three so that neighbours differ. */
function columnsIn(row: number, grid: number): number {
  const middle = (((row - 0.5) * SIDES[grid]! - 90) * Math.PI) / 180;
  return Math.max(3, Math.round((360 / SIDES[grid]!) * Math.cos(middle)));
}

const columnOf = (lng: number, columns: number) =>
  Math.floor(((lng + 180) / 360) * columns + 1e-9) % columns;
