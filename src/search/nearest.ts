import { distanceKm } from "../values/point.ts";
import type { Looks } from "../matching/matching.ts";
import { circleAround, pointOf } from "./grid.ts";
import { POSTING_WIDTH, type PostingVisitor } from "./posting-lists.ts";
import type { Row, Segment } from "./segment.ts";
import { kindNumber, kindOf } from "./signature.ts";
import type { Nearby, NearestQuery } from "./indexes.ts";

/** Radius of the first circle, in km. */
const FIRST_KM = 2;
/** Each next radius is the one that should suffice, given the count in the last circle, within these factors. */
const GROWTH_MIN = 1.5;
const GROWTH_MAX = 4;
/** The next circle should hold this many times the limit: alerts are sparser further out. */
const SPARE = 1.5;

/**
 * The nearest matching alerts, nearest first; at equal distance by difference in days, then newest first. Circles grow
 * until one holds enough matches, so that the cost depends on the limit and not on the density of alerts.
 */
export function nearestMatches(
  segment: Segment,
  overflow: Iterable<Row>,
  query: NearestQuery,
): Nearby[] {
  const { radiusKm, limit, days } = query;
  const daysApart = ({ day }: Nearby) => Math.abs(day - days.own);
  const kind = kindNumber(query.species, query.type);
  const overflowOfKind = [...overflow].filter((row) => row.kind === kind);
  for (let km = Math.min(FIRST_KM, radiusKm); ;) {
    const found = matchesWithin(km, kind, segment, overflowOfKind, query);
    if (found.length >= limit || km === radiusKm) {
      found.sort(
        (a, b) => a.km - b.km || daysApart(a) - daysApart(b) || b.publishedAt - a.publishedAt,
      );
      return found.slice(0, limit);
    }
    const growth = Math.sqrt((SPARE * limit) / found.length);
    km = Math.min(radiusKm, km * Math.min(GROWTH_MAX, Math.max(GROWTH_MIN, growth)));
  }
}

function matchesWithin(
  radiusKm: number,
  kind: number,
  { spatialIndex: { trees }, columns, isDeleted, length }: Segment,
  overflowOfKind: readonly Row[],
  { point, days: { first, last } }: NearestQuery,
): Nearby[] {
  const circle = circleAround(point, radiusKm);
  const found: Nearby[] = [];
  const add = (publishedAt: number, cell: number, day: number, { colors, groups }: Looks) => {
    if (day < first || day > last) return;
    const at = pointOf(cell);
    const looks = { colors, groups };
    found.push({ publishedAt, point: at, km: distanceKm(point, at), day, looks });
  };
  const visit: PostingVisitor = (numbers, begin, end) => {
    for (let at = begin; at < end; at += POSTING_WIDTH) {
      const cell = numbers[at + 2]!;
      if (kindOf(numbers[at + 1]!) !== kind || !circle.covers(cell)) continue;
      const rowId = numbers[at]!;
      if (isDeleted(rowId)) continue;
      const looks = { colors: columns.colors[rowId]!, groups: columns.groups[rowId]! };
      add(columns.keys[rowId]!, cell, columns.days[rowId]!, looks);
    }
    return true;
  };

  for (const tree of trees) tree.visitBoxes(circle, 1 << kind, visit);
  visit(columns.postings, POSTING_WIDTH * (trees.at(-1)?.to ?? 0), POSTING_WIDTH * length);
  for (const row of overflowOfKind)
    if (circle.covers(row.cell)) add(row.key, row.cell, row.day, row);
  return found;
}
