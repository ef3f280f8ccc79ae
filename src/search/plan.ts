import { type Matches, runBox, runPostings, runScan } from "./executor.ts";
import type { Circle } from "./grid.ts";
import type { PreparedQuery } from "./prepared-query.ts";
import { FANOUT } from "./spatial-index.ts";

/**
 * Query plans. Each gives the same answer; they differ in cost.
 *
 *   scan      read all rows, newest first, until enough match
 *   postings  read the posting lists of the rarest prefix, newest first, until enough match
 *   box       read all rows in the circle's bounding box, tree by tree, and keep the newest
 *
 * Scan and postings are the ordered plans.
 */
type OrderedPlan = "scan" | "postings";

/** Estimated costs with a circle, in row steps of a scan: as far as a plan should have to go, and to its end. */
export type Costs = {
  readonly ordered: number;
  readonly orderedMax: number;
  readonly box: number;
  readonly boxMax: number;
};

/** Limits on what a plan may cost, with a circle, before the next one is tried. */
export type Budget = {
  ordered(costs: Costs): number;
  box(costs: Costs): number;
};

/**
 * The plan with the higher estimate is tried once the other has cost as much as it would at most; if both estimates were
 * wrong, an ordered plan runs to its end.
 */
export const DEFAULT_BUDGET: Budget = {
  ordered: ({ boxMax }) => boxMax,
  box: ({ orderedMax }) => orderedMax,
};

/**
 * Finds the newest `query.limit` matches. Each plan that is tried offers its matches to a new receiver: those of a plan
 * that is given up are not all there.
 *
 * An ordered plan is fast if much matches, the box plan if little does: when f of n rows match, an ordered plan to the
 * newest k takes about n k / f steps and the box plan about f, so the cheaper one takes at most about sqrt(n k).
 */
export function searchSegment<Found extends Matches>(
  query: PreparedQuery,
  budget: Budget,
  createFound: (k: number, from: number) => Found,
): Found {
  const { circle } = query;
  const newFound = () => createFound(query.limit, query.from);
  const { plan: orderedPlan, length } = chooseOrderedPlan(query);
  if (circle !== null) {
    const costs = estimateCosts(query, circle, length);
    const runOrdered = orderedPlan === "postings" ? runPostings : runScan;
    const attempts = [
      (found: Found) => runOrdered(query, found, budget.ordered(costs)),
      (found: Found) => runBox(query, circle, found, budget.box(costs) / BOX_ROW),
    ];
    if (costs.ordered > costs.box) attempts.reverse();
    for (const run of attempts) {
      const found = newFound();
      if (run(found)) return found;
    }
  }
  return searchWithoutBox(query, orderedPlan, newFound);
}

/** The posting list of one term is read if it has fewer than one in this many rows ... */
const RARE_TERM = 2;
/** ... and the lists of several terms, which are scattered in memory, if together they do. */
const RARE_TERMS = 16;

/** The ordered plan to use, and an estimate of the rows that it reads at most. */
export function chooseOrderedPlan({ segment, from, to, prefixes: [rarest] }: PreparedQuery): {
  plan: OrderedPlan;
  length: number;
} {
  const length = Math.max(0, to - from);
  if (rarest === undefined) return { plan: "scan", length };
  const isRare = rarest.count * (rarest.terms.size === 1 ? RARE_TERM : RARE_TERMS) < segment.length;
  return isRare
    ? { plan: "postings", length: (length * rarest.count) / segment.length }
    : { plan: "scan", length };
}

// Costs in row steps of a scan: a row of the box in a range of matching blocks, or in a lone block, ...
export const BOX_ROW = 3;
const BOX_ROW_IN_LONE_BLOCK = 6;
/** ... reading the terms of a row whose signature matches ... */
const CANDIDATE = 30;
/** ... and searching a tree. */
const TREE = 50;
/** Area of a circle as a fraction of its bounding box. */
const CIRCLE_IN_BOX = Math.PI / 4;

/**
 * Estimates from the newest trees, as many as it takes to find `limit` matches. Kinds, prefixes and cells are taken to
 * be independent of each other, and of time.
 */
function estimateCosts(
  { segment, limit, from, to, kindSelectivity, signatureSelectivity, selectivity }: PreparedQuery,
  circle: Circle,
  length: number,
): Costs {
  let rowsInBox = 0;
  let trees = 0;
  let seenFrom = to;
  for (const tree of segment.spatialIndex.trees.toReversed()) {
    if (rowsInBox * selectivity * CIRCLE_IN_BOX >= limit || tree.to <= from) break;
    if (tree.from >= to) continue;
    for (const box of circle.boxes) rowsInBox += tree.estimateCount(box);
    trees++;
    seenFrom = Math.max(from, tree.from);
  }
  const seenFraction = seenFrom < to ? (to - seenFrom) / (to - from) : 1;
  // A block without any of the kinds is skipped.
  const blocksRead = 1 - (1 - kindSelectivity) ** FANOUT;
  const perRow = blocksRead * (blocksRead * BOX_ROW + (1 - blocksRead) * BOX_ROW_IN_LONE_BLOCK);
  const box = rowsInBox * (perRow + signatureSelectivity * CANDIDATE) + trees * TREE;
  return {
    ordered: length * seenFraction * Math.min(1, limit / (rowsInBox * selectivity * CIRCLE_IN_BOX)),
    orderedMax: length,
    box,
    boxMax: box / seenFraction,
  };
}

/** Tries the scan, until it has cost as much as the postings plan, and then that. */
function searchWithoutBox<Found extends Matches>(
  query: PreparedQuery,
  orderedPlan: OrderedPlan,
  newFound: () => Found,
): Found {
  const {
    from,
    to,
    prefixes: [rarest],
  } = query;
  const found = newFound();
  if (orderedPlan === "scan") {
    const stepsMax = rarest === undefined ? Infinity : rarest.selectivity * (to - from);
    if (runScan(query, found, stepsMax)) return found;
  }
  const inPostings = newFound();
  runPostings(query, inPostings, Infinity);
  return inPostings;
}
