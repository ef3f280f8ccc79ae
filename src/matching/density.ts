import {
  ALERT_TYPES,
  type AlertType,
  lifetimeMs,
  SPECIES,
  type Species,
} from "../core/alerts/alert.ts";
import { DAY_MS } from "../core/duration.ts";
import { EARTH_RADIUS_KM, type Point, snap, type TownArea } from "../core/place.ts";
import type { MatchSubject } from "./subject.ts";
import { bySpecies } from "./trait.ts";

/**
 * Density of active alerts, counted in grids of three sizes and updated alert by alert, without a scan. Alerts are
 * active for weeks, so those close in place are close in time.
 */
export type Density = {
  add(alert: CountedAlert): void;
  /** Undoes one `add`. */
  remove(alert: CountedAlert): void;
  /** Density around an alert: in its cell, or in its town if no more is known. */
  around(alert: LocatedAlert): LocalDensity;
};

/** Fields of an alert that the density counts. */
export type CountedAlert = Pick<MatchSubject, "type" | "species" | "point">;
type LocatedAlert = CountedAlert & { readonly somewhere?: TownArea | null };

/** Active found alerts of one species around an alert, which is not counted itself. */
export type LocalDensity = {
  /** Per km²: the rivals of a find at this place. */
  readonly foundsPerKm2: number;
  /** Share of all finds within some 17 km that are posted here. */
  readonly coverage: number;
};

/** People per km² around a point, as in `Gazetteer.peoplePerKm2`. */
export type PeoplePerKm2 = (point: Point, spreadKm: number) => number;

/** Sides of the cells in degrees of latitude; neighbourhoods of 3 x 3 cells are about 60, 17 and 3 km wide. */
const SIDES = [0.18, 0.05, 0.01] as const;
const KM_PER_DEGREE = (EARTH_RADIUS_KM * Math.PI) / 180;
const KM2 = SIDES.map((side) => (3 * side * KM_PER_DEGREE) ** 2);
/** Standard deviations of normal distributions that average people over areas as large as the neighbourhoods. */
const SPREADS_KM = KM2.map((km2) => Math.sqrt(km2 / (2 * Math.PI)));
/**
 * Weight in alerts of what is assumed before the alerts of a neighbourhood are counted, the shape of a gamma
 * distribution: for the region that all finds are posted, for a narrower neighbourhood that there are as many alerts for
 * each person as in the next wider one.
 */
const PRIOR_ALERTS = 1;
/**
 * Most finds counted, as a multiple of those that the people around make likely: there are few places with more, and
 * a stranger who posts hundreds of made-up finds must not hide the true one among them.
 */
const COVERAGE_MAX = 1.75;
/** Cells of each grid whose people are cached. */
const PEOPLE_CACHED_MAX = 10_000;
/** Cached results: several times as many as one comparison needs. */
const CACHED_MAX = 1_000;

/**
 * Finds a year for 1,000 people, posted or not. US shelters took in 3.1 million dogs and 3.2 million cats in 2019, half
 * of them strays, and 5.8 million of both in 2024, 60% of them strays (ASPCA and Shelter Animals Count): for 330 million
 * people 4.7 dogs and 4.8 cats, or some 10 of both. No figures for birds and others: as many of the 7.5 million birds and
 * 5 million rabbits, ferrets and reptiles kept there (AVMA 2018, rounded) as of the dogs, one in fifty. Countries differ,
 * and what is learned from an instance's posts makes up for it (`pair-share.ts`).
 */
const FINDS_A_YEAR: Readonly<Record<Species, number>> = { dog: 5, cat: 5, bird: 0.5, other: 0.3 };

/** Found alerts that would be active for each person if all finds were posted. */
const FINDS_PER_PERSON = bySpecies(
  (species) => (FINDS_A_YEAR[species] / 1000 / 365) * (lifetimeMs("found", species) / DAY_MS),
);

export function createDensity(peoplePerKm2: PeoplePerKm2): Density {
  /** Alerts of each kind in each cell of each grid; empty cells are absent. */
  const counts = SPECIES.flatMap(() =>
    ALERT_TYPES.map(() => SIDES.map(() => new Map<number, number>())),
  );
  /** People in the neighbourhood of each cell that was asked for, which never change. */
  const people = SIDES.map(() => new Map<number, number>());
  /** Results since the last change: candidates share cells, and one call needs many. */
  const cache = new Map<string, LocalDensity>();
  /** The same by alert, which is faster than by cell: one call asks for an alert again with each candidate. */
  let cacheByAlert = new WeakMap<LocatedAlert, LocalDensity>();

  function countsOf(type: AlertType, species: Species): readonly Map<number, number>[] {
    return counts[SPECIES.indexOf(species) * ALERT_TYPES.length + ALERT_TYPES.indexOf(type)]!;
  }

  function clearCache(): void {
    cache.clear();
    cacheByAlert = new WeakMap();
  }

  function count({ type, species, point }: CountedAlert, delta: 1 | -1): void {
    if (cache.size > 0) clearCache();
    const { lat, lng } = snap(point.lat, point.lng);
    for (const [grid, cells] of countsOf(type, species).entries()) {
      const row = rowOf(lat, grid);
      const cell = cellOf(row, columnOf(row, lng, grid));
      const alerts = (cells.get(cell) ?? 0) + delta;
      if (alerts === 0) cells.delete(cell);
      else cells.set(cell, alerts);
    }
  }

  /** Alerts in the neighbourhood of a point. */
  function total(type: AlertType, species: Species, point: Point, grid: number): number {
    const cells = countsOf(type, species)[grid]!;
    let sum = 0;
    const middle = rowOf(point.lat, grid);
    for (let row = middle - 1; row <= middle + 1; row++) {
      const column = columnOf(row, point.lng, grid);
      const columns = columnsIn(row, grid);
      for (let neighbour = column - 1; neighbour <= column + 1; neighbour++) {
        sum += cells.get(cellOf(row, (neighbour + columns) % columns)) ?? 0;
      }
    }
    return sum;
  }

  function densityAround({ type, species, point, somewhere }: LocatedAlert): LocalDensity {
    const others = (of: AlertType, grid: number) =>
      Math.max(0, total(of, species, point, grid) - (of === type ? 1 : 0));
    // The alert itself counts here, so that both alerts of a pair see the same share.
    const founds = others("found", 0) + Number(type === "found");
    const foundShare =
      (founds + PRIOR_ALERTS / 2) / (others("lost", 0) + others("found", 0) + 1 + PRIOR_ALERTS);
    // Animals are found where they are lost: where people live. Both types together show better where that is.
    let alertsPerPerson = FINDS_PER_PERSON[species] / foundShare;
    const alertsPerPersonIn = SIDES.map((_, grid) => {
      const alerts = others("lost", grid) + others("found", grid);
      const weight = PRIOR_ALERTS / alertsPerPerson;
      const counted = (alerts + PRIOR_ALERTS) / (peopleAround(point, grid) + weight);
      alertsPerPerson = Math.min(counted, (COVERAGE_MAX * FINDS_PER_PERSON[species]) / foundShare);
      return alertsPerPerson;
    });
    const perKm2 = alertsPerPersonIn.map(
      (perPerson, grid) => (perPerson * peopleAround(point, grid)) / KM2[grid]!,
    );
    const alertsPerKm2 =
      somewhere == null ? perKm2.at(-1)! : perKm2OfTown(perKm2, somewhere.radiusKm);
    return {
      foundsPerKm2: alertsPerKm2 * foundShare,
      // A service can be one town's: the region around it, where nobody posts, says nothing about the town.
      coverage: (alertsPerPersonIn[1]! * foundShare) / FINDS_PER_PERSON[species],
    };
  }

  /** People in the neighbourhood of a point's cell. */
  function peopleAround(point: Point, grid: number): number {
    const row = rowOf(point.lat, grid);
    const column = columnOf(row, point.lng, grid);
    const cell = cellOf(row, column);
    const cached = people[grid]!.get(cell);
    if (cached !== undefined) return cached;
    const inhabitants = peoplePerKm2(centreOf(row, column, grid), SPREADS_KM[grid]!) * KM2[grid]!;
    if (people[grid]!.size >= PEOPLE_CACHED_MAX) people[grid]!.clear();
    people[grid]!.set(cell, inhabitants);
    return inhabitants;
  }

  return {
    add: (alert) => count(alert, 1),
    remove: (alert) => count(alert, -1),
    around(alert) {
      const known = cacheByAlert.get(alert);
      if (known !== undefined) return known;
      const { type, species, point, somewhere } = alert;
      const key = `${type} ${species} ${point.lat} ${point.lng} ${somewhere?.radiusKm ?? 0}`;
      const density = cache.get(key) ?? densityAround(alert);
      if (cache.size >= CACHED_MAX) clearCache();
      cache.set(key, density);
      cacheByAlert.set(alert, density);
      return density;
    },
  };
}

/**
 * Density of a town, interpolated between the two neighbourhoods closest to its size, linear in logarithms. That is right
 * both if all alerts are at the town's centre and if they are spread over it.
 */
function perKm2OfTown(perKm2: readonly number[], radiusKm: number): number {
  const km2 = Math.PI * radiusKm ** 2;
  const next = KM2.findIndex((area) => area <= km2);
  if (next === -1) return perKm2.at(-1)!;
  if (next === 0) return perKm2[0]!;
  const share = Math.log(KM2[next - 1]! / km2) / Math.log(KM2[next - 1]! / KM2[next]!);
  return perKm2[next - 1]! ** (1 - share) * perKm2[next]! ** share;
}

/** A cell as one number: there are fewer than 2^15 rows and 2^16 columns. */
const cellOf = (row: number, column: number) => row * 2 ** 16 + column;

/** Row of a latitude; row 0 is one below the south pole. */
function rowOf(lat: number, grid: number): number {
  return Math.floor((lat + 90) / SIDES[grid]! + 1e-9) + 1;
}

/** Number of cells in each row: nearly square ones, and at least three so that neighbours differ. */
const COLUMNS = SIDES.map((side) =>
  Int32Array.from({ length: Math.ceil(180 / side) + 3 }, (_, row) => {
    const middle = (((row - 0.5) * side - 90) * Math.PI) / 180;
    return Math.max(3, Math.round((360 / side) * Math.cos(middle)));
  }),
);

const columnsIn = (row: number, grid: number) => COLUMNS[grid]![row]!;

function centreOf(row: number, column: number, grid: number): Point {
  return {
    lat: (row - 0.5) * SIDES[grid]! - 90,
    lng: ((column + 0.5) / columnsIn(row, grid)) * 360 - 180,
  };
}

function columnOf(row: number, lng: number, grid: number): number {
  const columns = columnsIn(row, grid);
  return Math.floor(((lng + 180) / 360) * columns + 1e-9) % columns;
}
