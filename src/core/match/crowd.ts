import { ALERT_TYPES, type AlertType, SPECIES, type Species } from "../alert.ts";
import { EARTH_RADIUS_KM, type Point, snap, type Somewhere } from "../place.ts";
import type { MatchSubject } from "./subject.ts";
import { createTally, type Tally } from "./tally.ts";

/** Active alerts of one species for each km² around an alert, itself left out. */
export type Around = {
  /** Found alerts: what a find at this place is one of. */
  readonly foundsPerKm2: number;
  /** In the whole region, some 60 km across: to see how many losses and finds there are of each other. */
  readonly region: Readonly<Record<AlertType, number>>;
};

/**
 * How crowded it is with active alerts, counted in squares of three sizes and kept up alert by alert, never a scan.
 * Alerts are active for weeks, so near in place is near in time.
 */
export type Crowd = {
  add(alert: Counted): void;
  /** Takes away what `add` put in. */
  remove(alert: Counted): void;
  around(alert: Placed): Around;
};
/** Where it is crowded: in an alert's cell, or, where no more is known, in its town. */
type Placed = Counted & { readonly somewhere?: Somewhere | null };
/** What the crowd reads of an alert. */
export type Counted = Pick<MatchSubject, "type" | "species" | "point">;

/** Sides of the squares in degrees of latitude; nine make a neighbourhood of about 60, 17 and 3 km. */
const SIDES = [0.18, 0.05, 0.01] as const;
const KM_PER_DEGREE = (EARTH_RADIUS_KM * Math.PI) / 180;
const KM2 = SIDES.map((side) => (3 * side * KM_PER_DEGREE) ** 2);
/**
 * A neighbourhood is taken to be as crowded as the wider one around it until it has shown otherwise: the prior is worth
 * this many alerts (the shape of a gamma law). Fitted: see `score.ts`.
 */
const WIDER_ALERTS = 0.5;
/** Stands for what has not been posted yet where a region is empty. */
const UNSEEN_ALERTS = 0.5;

export function createCrowd(): Crowd {
  /** Of each kind, one for each size of square. */
  const tallies = SPECIES.flatMap(() => ALERT_TYPES.map(() => SIDES.map(() => createTally())));
  /** Answers since the last change: candidates share cells, and one call asks for many. */
  const answers = new Map<string, Around>();

  function talliesOf(type: AlertType, species: Species): readonly Tally[] {
    return tallies[SPECIES.indexOf(species) * ALERT_TYPES.length + ALERT_TYPES.indexOf(type)]!;
  }

  function count({ type, species, point }: Counted, sign: 1 | -1): void {
    if (answers.size > 0) answers.clear();
    const { lat, lng } = snap(point.lat, point.lng);
    const ofKind = talliesOf(type, species);
    for (let size = 0; size < SIDES.length; size++) {
      const row = rowOf(lat, size);
      ofKind[size]!.add(squareOf(row, columnOf(row, lng, size)), sign);
    }
  }

  function total(type: AlertType, species: Species, point: Point, size: number): number {
    const tally = talliesOf(type, species)[size]!;
    let sum = 0;
    const middle = rowOf(point.lat, size);
    for (let row = middle - 1; row <= middle + 1; row++) {
      const column = columnOf(row, point.lng, size);
      const columns = columnsIn(row, size);
      for (let near = column - 1; near <= column + 1; near++) {
        sum += tally.times(squareOf(row, (near + columns) % columns));
      }
    }
    return sum;
  }

  function countedAround({ type, species, point, somewhere }: Placed): Around {
    const others = (of: AlertType, size: number) =>
      Math.max(0, total(of, species, point, size) - (of === type ? 1 : 0));
    const region = {
      lost: (others("lost", 0) + UNSEEN_ALERTS) / KM2[0]!,
      found: (others("found", 0) + UNSEEN_ALERTS) / KM2[0]!,
    };
    // Animals are found where they are lost: where people live. Both kinds together show better where that is.
    const perKm2 = (size: number, widerPerKm2: number) =>
      (others("lost", size) + others("found", size) + WIDER_ALERTS) /
      (KM2[size]! + WIDER_ALERTS / widerPerKm2);
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
      const known = answers.get(key);
      if (known !== undefined) return known;
      const answer = countedAround(alert);
      if (answers.size < ANSWERS_MAX) answers.set(key, answer);
      return answer;
    },
  };
}

const ANSWERS_MAX = 10_000;

/**
 * Between two neighbourhoods as large as a town: along the line through both in logarithms, which is right where all
 * alerts stand at the town's centre, and where they lie all over it.
 */
function perKm2OfTown(perKm2: readonly number[], radiusKm: number): number {
  const km2 = Math.PI * radiusKm ** 2;
  const next = KM2.findIndex((area) => area <= km2);
  if (next === -1) return perKm2.at(-1)!;
  if (next === 0) return perKm2[0]!;
  const share = Math.log(KM2[next - 1]! / km2) / Math.log(KM2[next - 1]! / KM2[next]!);
  return perKm2[next - 1]! ** (1 - share) * perKm2[next]! ** share;
}

/** One number for a square: there are fewer than 2^15 rows and 2^16 columns. */
const squareOf = (row: number, column: number) => row * 2 ** 16 + column;

/** Counted from one row below the south pole. */
function rowOf(lat: number, size: number): number {
  return Math.floor((lat + 90) / SIDES[size]! + 1e-9) + 1;
}

/** Squares of each row: as many as keep them about square, at least three so that neighbours differ. */
const COLUMNS = SIDES.map((side) =>
  Int32Array.from({ length: Math.ceil(180 / side) + 3 }, (_, row) => {
    const middle = (((row - 0.5) * side - 90) * Math.PI) / 180;
    return Math.max(3, Math.round((360 / side) * Math.cos(middle)));
  }),
);

const columnsIn = (row: number, size: number) => COLUMNS[size]![row]!;

function columnOf(row: number, lng: number, size: number): number {
  const columns = columnsIn(row, size);
  return Math.floor(((lng + 180) / 360) * columns + 1e-9) % columns;
}
