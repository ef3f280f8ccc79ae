import type { Nearby, NearestQuery } from "../core/ports.ts";
import { distanceKm } from "../core/place.ts";
import { kindOf, type Row } from "./filter.ts";
import { circleAround, pointOf } from "./grid.ts";
import { type VisitRun, WIDTH } from "./lists.ts";
import type { Shelf } from "./shelf.ts";
import { kindIn } from "./sign.ts";

/** The first circle that is looked through, in km. */
const FIRST_KM = 2;
/** Each further one is as many times as wide as should do, going by how many the last one held, within these bounds. */
const WIDER_MIN = 1.5;
const WIDER_MAX = 4;
/** It should hold this many times as many as are wanted: alerts lie thinner further out. */
const SPARE = 1.5;

/**
 * The nearest alerts that fit, nearest first; at one distance those of nearer days first, and of these the newer.
 * Circles widen until enough alerts lie inside, so that the cost goes with the answer and not with the crowd.
 */
export function nearestThatFit(shelf: Shelf, aside: Iterable<Row>, query: NearestQuery): Nearby[] {
  const { radiusKm, limit, days } = query;
  const apart = ({ day }: Nearby) => Math.abs(day - days.own);
  const kind = kindOf(query.species, query.type);
  const others = [...aside].filter((row) => row.kind === kind);
  for (let km = Math.min(FIRST_KM, radiusKm); ;) {
    const found = thoseWithin(km, shelf, others, query);
    if (found.length >= limit || km === radiusKm) {
      found.sort((a, b) => a.km - b.km || apart(a) - apart(b) || b.publishedAt - a.publishedAt);
      return found.slice(0, limit);
    }
    const wider = Math.sqrt((SPARE * limit) / found.length);
    km = Math.min(radiusKm, km * Math.min(WIDER_MAX, Math.max(WIDER_MIN, wider)));
  }
}

/** `aside`: only of the kind asked for. */
function thoseWithin(
  radiusKm: number,
  { atlas, columns, isEmpty, length }: Shelf,
  aside: readonly Row[],
  { point, species, type, days: { first, last } }: NearestQuery,
): Nearby[] {
  const circle = circleAround(point, radiusKm);
  const kind = kindOf(species, type);
  const found: Nearby[] = [];
  const look = (publishedAt: number, place: number, day: number) => {
    if (day < first || day > last) return;
    const there = pointOf(place);
    found.push({ publishedAt, point: there, km: distanceKm(point, there), day });
  };
  const visit: VisitRun = (numbers, begin, end) => {
    for (let at = begin; at < end; at += WIDTH) {
      const place = numbers[at + 2]!;
      if (kindIn(numbers[at + 1]!) !== kind || !circle.covers(place)) continue;
      const slot = numbers[at]!;
      if (!isEmpty(slot)) look(columns.keys[slot]!, place, columns.days[slot]!);
    }
    return true;
  };

  for (const sheet of atlas.sheets) sheet.within(circle.boxes, 1 << kind, visit);
  visit(columns.faces, WIDTH * (atlas.sheets.at(-1)?.to ?? 0), WIDTH * length);
  for (const { key, place, day } of aside) if (circle.covers(place)) look(key, place, day);
  return found;
}
