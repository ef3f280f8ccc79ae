import { type AlertType, SPECIES, type Species } from "../alert.ts";
import { EARTH_RADIUS_KM, type Point } from "../place.ts";
import type { Subject } from "./subject.ts";

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
  add(subject: Subject): void;
  /** Takes away what `add` put in. */
  remove(subject: Subject): void;
  around(subject: Subject): Around;
};

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
  const counts = new Map<number, number>();
  /** Answers since the last change: candidates share cells, and one call asks for a thousand. */
  const answers = new Map<string, Around>();

  function count({ type, species, point }: Subject, sign: 1 | -1): void {
    answers.clear();
    SIDES.forEach((side, size) => {
      const row = rowOf(point.lat, side);
      const key = keyOf(type, species, size, row, columnOf(row, point.lng, side));
      const left = (counts.get(key) ?? 0) + sign;
      if (left === 0) counts.delete(key);
      else counts.set(key, left);
    });
  }

  function total(type: AlertType, species: Species, point: Point, size: number): number {
    const side = SIDES[size]!;
    let sum = 0;
    const middle = rowOf(point.lat, side);
    for (let row = middle - 1; row <= middle + 1; row++) {
      const column = columnOf(row, point.lng, side);
      const columns = columnsIn(row, side);
      for (let near = column - 1; near <= column + 1; near++) {
        const wrapped = (near + columns) % columns;
        sum += counts.get(keyOf(type, species, size, row, wrapped)) ?? 0;
      }
    }
    return sum;
  }

  function countedAround({ type, species, point }: Subject): Around {
    const others = (of: AlertType, size: number) =>
      Math.max(0, total(of, species, point, size) - (of === type ? 1 : 0));
    const region = {
      lost: (others("lost", 0) + UNSEEN_ALERTS) / KM2[0]!,
      found: (others("found", 0) + UNSEEN_ALERTS) / KM2[0]!,
    };
    // Animals are found where they are lost: where people live. Both kinds together show better where that is.
    const alertsPerKm2 = [1, 2].reduce(
      (wider, size) =>
        (others("lost", size) + others("found", size) + WIDER_ALERTS) /
        (KM2[size]! + WIDER_ALERTS / wider),
      region.lost + region.found,
    );
    const foundShare = region.found / (region.lost + region.found);
    return { foundsPerKm2: alertsPerKm2 * foundShare, region };
  }

  return {
    add: (subject) => count(subject, 1),
    remove: (subject) => count(subject, -1),
    around(subject) {
      const { type, species, point } = subject;
      const key = `${type} ${species} ${point.lat} ${point.lng}`;
      const known = answers.get(key);
      if (known !== undefined) return known;
      const answer = countedAround(subject);
      if (answers.size < ANSWERS_MAX) answers.set(key, answer);
      return answer;
    },
  };
}

const ANSWERS_MAX = 10_000;
const ROWS_MAX = 2 ** 15;
const COLUMNS_MAX = 2 ** 16;

function keyOf(type: AlertType, species: Species, size: number, row: number, column: number) {
  const kind = (SPECIES.indexOf(species) * 2 + (type === "lost" ? 1 : 0)) * SIDES.length + size;
  return (kind * ROWS_MAX + row) * COLUMNS_MAX + column;
}

/** Counted from one row below the south pole. */
function rowOf(lat: number, side: number): number {
  return Math.floor((lat + 90) / side + 1e-9) + 1;
}

/** Squares of a row: as many as keep them about square, at least three so that neighbours differ. */
function columnsIn(row: number, side: number): number {
  const middle = (((row - 0.5) * side - 90) * Math.PI) / 180;
  return Math.max(3, Math.round((360 / side) * Math.cos(middle)));
}

function columnOf(row: number, lng: number, side: number): number {
  const columns = columnsIn(row, side);
  return Math.floor(((lng + 180) / 360) * columns + 1e-9) % columns;
}
