import { distanceKm, type Point } from "../core/place.ts";
import type { Row } from "./filter.ts";
import { circleAround, pointOf } from "./grid.ts";
import { WIDTH } from "./lists.ts";
import type { Shelf } from "./shelf.ts";

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
  const found: Neighbour[] = [];
  for (const box of circle.boxes) {
    shelf.cells.within(kind, box, (cell, place) => {
      if (!circle.covers(place)) return true;
      const km = distanceKm(centre, pointOf(place));
      shelf.cells.runs(cell, shelf.length, (numbers, begin, end) => {
        for (let at = begin; at < end; at += WIDTH) {
          const slot = numbers[at]!;
          if (!shelf.isEmpty(slot)) found.push({ key: shelf.columns.keys[slot]!, km });
        }
        return true;
      });
      return true;
    });
  }
  return found;
}

function rowsWithin(rows: readonly Row[], centre: Point, radiusKm: number): Neighbour[] {
  return rows
    .map((row) => ({ key: row.key, km: distanceKm(centre, pointOf(row.place)) }))
    .filter(({ km }) => km <= radiusKm);
}
