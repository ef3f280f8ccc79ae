import { distanceKm, type Point } from "../core/place.ts";
import type { Row } from "./filter.ts";
import { circleAround, pointOf } from "./grid.ts";
import { type VisitRun, WIDTH } from "./lists.ts";
import type { Shelf } from "./shelf.ts";
import { kindIn } from "./sign.ts";

/** The first circle that is looked through, in km; each further one is twice as wide. */
const FIRST_KM = 2;

/** What is asked for: alerts of one kind around a point. */
export type Neighbourhood = {
  readonly centre: Point;
  readonly radiusKm: number;
  readonly kind: number;
  readonly limit: number;
};

/**
 * The keys of the alerts of a kind nearest to a point, nearest first; at one distance the newer first. Circles widen
 * until enough alerts lie inside, so that the cost goes with the answer and not with the crowd.
 */
export function nearestKeys(shelf: Shelf, aside: Iterable<Row>, asked: Neighbourhood): number[] {
  const { centre, radiusKm, kind, limit } = asked;
  const others = [...aside].filter((row) => row.kind === kind);
  for (let km = Math.min(FIRST_KM, radiusKm); ; km = Math.min(2 * km, radiusKm)) {
    const found = [...keysWithin(shelf, centre, km, kind), ...rowsWithin(others, centre, km)];
    if (found.length < limit && km < radiusKm) continue;
    found.sort((a, b) => a.km - b.km || b.key - a.key);
    return found.slice(0, limit).map(({ key }) => key);
  }
}

type Neighbour = { readonly key: number; readonly km: number };

function keysWithin(shelf: Shelf, centre: Point, radiusKm: number, kind: number): Neighbour[] {
  const circle = circleAround(centre, radiusKm);
  const { atlas, columns } = shelf;
  const found: Neighbour[] = [];
  const visit: VisitRun = (numbers, begin, end) => {
    for (let at = begin; at < end; at += WIDTH) {
      const place = numbers[at + 2]!;
      if (kindIn(numbers[at + 1]!) !== kind || !circle.covers(place)) continue;
      const slot = numbers[at]!;
      if (shelf.isEmpty(slot)) continue;
      found.push({ key: columns.keys[slot]!, km: distanceKm(centre, pointOf(place)) });
    }
    return true;
  };
  for (const sheet of atlas.sheets) {
    for (const box of circle.boxes) sheet.within(box, 1 << kind, visit);
  }
  visit(columns.faces, WIDTH * (atlas.sheets.at(-1)?.to ?? 0), WIDTH * shelf.length);
  return found;
}

function rowsWithin(rows: readonly Row[], centre: Point, radiusKm: number): Neighbour[] {
  return rows
    .map((row) => ({ key: row.key, km: distanceKm(centre, pointOf(row.place)) }))
    .filter(({ km }) => km <= radiusKm);
}
