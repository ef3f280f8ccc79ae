import { distanceKm, type Point } from "../values/point.ts";
import { type Matches, runBox, runPostings, runScan } from "./executor.ts";
import { boxInside, type Circle, circleAround, pointOf } from "./grid.ts";
import { BOX_ROW, chooseOrderedPlan } from "./plan.ts";
import { POSTING_WIDTH } from "./posting-lists.ts";
import { matches, type PreparedQuery, prepareQuery, toFilter } from "./prepared-query.ts";
import type { Row, Segment } from "./segment.ts";
import type { AlertDistance, DistanceQuery } from "./indexes.ts";

/** Radius of the first circle in km, and, on further pages, its ratio to the distance of the last alert. */
const FIRST_KM = 2;
const FIRST_RATIO = 1.1;
/** Each next ring has the area that should suffice, given the count in the last one, within these factors. */
const GROWTH_MIN = 2;
const GROWTH_MAX = 16;
/** The next ring should hold this many times the limit: alerts are sparser further out. */
const SPARE = 1.5;
/** A ring is narrowed once the page is full within this fraction of its width. */
const NARROWER = 0.8;
/** Relative margin around a distance, far above its rounding error. */
const MARGIN = 1e-9;

/**
 * The nearest matches after `query.after`, nearest first; at equal distance the newest first.
 *
 * Rings around the alerts of the pages before grow until one holds a page. Where few alerts match, they would read
 * nearly all rows of the circle; once a ring has cost as much as reading all rows of the period, or the posting lists of
 * the rarest prefix, that is done instead.
 */
export function searchByDistance(
  segment: Segment,
  overflow: Iterable<Row>,
  { near, after, ...rest }: DistanceQuery,
): readonly AlertDistance[] {
  const filter = toFilter({ ...rest, near });
  const query = prepareQuery(segment, filter, rest.limit);
  const nearest = searchRings(query, near, after) ?? searchInOrder(query, near, after);
  for (const row of overflow)
    if (matches(row, filter)) nearest.add(distanceKm(near.point, pointOf(row.cell)), row.key);
  return nearest.alerts;
}

/** Null if a ring costs too much. */
function searchRings(
  query: PreparedQuery,
  { point, radiusKm }: DistanceQuery["near"],
  after: AlertDistance | null,
): Nearest | null {
  const stepsMax = chooseOrderedPlan(query).length / BOX_ROW;
  const passedKm = after?.km ?? 0;
  for (let km = Math.min(radiusKm, Math.max(FIRST_KM, passedKm * FIRST_RATIO)); ;) {
    const nearest = createNearest(query, point, after);
    const ring = ringAround(point, km, passedKm, nearest);
    if (!runBox({ ...query, circle: ring }, ring, nearest, stepsMax)) return null;
    const { length } = nearest.alerts;
    if (length === query.limit || km === radiusKm) return nearest;
    const growth = Math.min(GROWTH_MAX, Math.max(GROWTH_MIN, (SPARE * query.limit) / length));
    km = Math.min(radiusKm, Math.sqrt(passedKm ** 2 + growth * (km ** 2 - passedKm ** 2)));
  }
}

function searchInOrder(
  query: PreparedQuery,
  { point, radiusKm }: DistanceQuery["near"],
  after: AlertDistance | null,
): Nearest {
  const nearest = createNearest(query, point, after);
  const ring = ringAround(point, radiusKm, after?.km ?? 0, nearest);
  const run = chooseOrderedPlan(query).plan === "postings" ? runPostings : runScan;
  run({ ...query, circle: ring }, nearest, Infinity);
  return nearest;
}

/** Circle without those cells that are certainly nearer than `passedKm`, or farther than a page that is full. */
function ringAround(point: Point, radiusKm: number, passedKm: number, nearest: Nearest): Circle {
  const circle = circleAround(point, radiusKm);
  const innerKm = passedKm * (1 - MARGIN);
  const inner = innerKm > 0 ? circleAround(point, innerKm) : null;
  let outerKm = radiusKm;
  let outer = circle;
  return {
    boxes: circle.boxes,
    hole: innerKm > 0 ? boxInside(point, innerKm) : null,
    covers(cell) {
      const lastKm = nearest.lastKm() * (1 + MARGIN);
      if (lastKm < passedKm + (outerKm - passedKm) * NARROWER) {
        outerKm = lastKm;
        outer = circleAround(point, outerKm);
      }
      return outer.covers(cell) && inner?.covers(cell) !== true;
    },
  };
}

type Nearest = Matches & {
  add(km: number, publishedAt: number): void;
  /** Distance beyond which no alert can enter. */
  lastKm(): number;
  /** Nearest first. */
  readonly alerts: readonly AlertDistance[];
};

/** The nearest of the rows offered that come after an alert, as many as the query's limit. */
function createNearest(
  { segment: { columns }, limit, from }: PreparedQuery,
  point: Point,
  after: AlertDistance | null,
): Nearest {
  // Insertion sort, as for the newest.
  const alerts: AlertDistance[] = [];
  const lastKm = () => (alerts.length < limit ? Infinity : alerts.at(-1)!.km);

  function add(km: number, publishedAt: number): void {
    const alert = { km, publishedAt };
    if (after !== null && !isBefore(after, alert)) return;
    if (alerts.length >= limit) {
      if (!isBefore(alert, alerts.at(-1)!)) return;
      alerts.pop();
    }
    let at = alerts.length;
    for (; at > 0 && isBefore(alert, alerts[at - 1]!); at--) alerts[at] = alerts[at - 1]!;
    alerts[at] = alert;
  }

  return {
    offer(rowId) {
      const cell = columns.postings[POSTING_WIDTH * rowId + 2]!;
      add(distanceKm(point, pointOf(cell)), columns.keys[rowId]!);
    },
    // A row of any age may be nearer than all others.
    isFull: () => false,
    threshold: () => from,
    add,
    lastKm,
    alerts,
  };
}

function isBefore(a: AlertDistance, b: AlertDistance): boolean {
  return a.km < b.km || (a.km === b.km && a.publishedAt > b.publishedAt);
}
