import { ALERT_TYPES, type AlertType, SPECIES, type Species } from "../alerts/alert.ts";
import { EARTH_RADIUS_KM, type Point, snap, type TownArea } from "../place.ts";
import type { MatchSubject } from "./subject.ts";

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

/** Active alerts of one species per km² around an alert, which is not counted itself. */
export type LocalDensity = {
  /** Found alerts: the rivals of a find at this place. */
  readonly foundsPerKm2: number;
  /** In the whole region, some 60 km across: the ratio of losses to finds. */
  readonly region: Readonly<Record<AlertType, number>>;
};

/** Sides of the cells in degrees of latitude; neighbourhoods of 3 x 3 cells are about 60, 17 and 3 km wide. */
const SIDES = [0.18, 0.05, 0.01] as const;
const KM_PER_DEGREE = (EARTH_RADIUS_KM * Math.PI) / 180;
const KM2 = SIDES.map((side) => (3 * side * KM_PER_DEGREE) ** 2);
/**
 * Weight in alerts of the next wider neighbourhood, whose density is the prior of the narrower one (the shape of a gamma
 * distribution). Fitted: see `score.ts`.
 */
const WIDER_ALERTS = 0.5;
/** Alerts assumed in an empty region, for those not posted yet. */
const UNSEEN_ALERTS = 0.5;

export function createDensity(): Density {
  /** Alerts of each kind in each cell of each grid; empty cells are absent. */
  const counts = SPECIES.flatMap(() =>
    ALERT_TYPES.map(() => SIDES.map(() => new Map<number, number>())),
  );
  /** Results since the last change: candidates share cells, and one call needs many. */
  const cache = new Map<string, LocalDensity>();

  function countsOf(type: AlertType, species: Species): readonly Map<number, number>[] {
    return counts[SPECIES.indexOf(species) * ALERT_TYPES.length + ALERT_TYPES.indexOf(type)]!;
  }

  function count({ type, species, point }: CountedAlert, delta: 1 | -1): void {
    if (cache.size > 0) cache.clear();
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
    const region = {
      lost: (others("lost", 0) + UNSEEN_ALERTS) / KM2[0]!,
      found: (others("found", 0) + UNSEEN_ALERTS) / KM2[0]!,
    };
    // Animals are found where they are lost: where people live. Both types together show better where that is.
    const perKm2 = (grid: number, widerPerKm2: number) =>
      (others("lost", grid) + others("found", grid) + WIDER_ALERTS) /
      (KM2[grid]! + WIDER_ALERTS / widerPerKm2);
    const wide = region.lost + region.found;
    const middle = perKm2(1, wide);
    const narrow = perKm2(2, middle);
    const alertsPerKm2 =
      somewhere == null ? narrow : perKm2OfTown([wide, middle, narrow], somewhere.radiusKm);
    const foundShare = region.found / (region.lost + region.found);
    return { foundsPerKm2: alertsPerKm2 * foundShare, region };
  }

  return {
    add: (alert) => count(alert, 1),
    remove: (alert) => count(alert, -1),
    around(alert) {
      const { type, species, point, somewhere } = alert;
      const key = `${type} ${species} ${point.lat} ${point.lng} ${somewhere?.radiusKm ?? 0}`;
      const cached = cache.get(key);
      if (cached !== undefined) return cached;
      const density = densityAround(alert);
      if (cache.size < CACHED_MAX) cache.set(key, density);
      return density;
    },
  };
}

const CACHED_MAX = 10_000;

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

function columnOf(row: number, lng: number, grid: number): number {
  const columns = columnsIn(row, grid);
  return Math.floor(((lng + 180) / 360) * columns + 1e-9) % columns;
}
