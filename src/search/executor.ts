import { type Circle, eastingOf, WHOLE_EARTH } from "./grid.ts";
import { POSTING_WIDTH, type PostingVisitor } from "./posting-lists.ts";
import type { PreparedPrefix, PreparedQuery } from "./prepared-query.ts";
import { firstTermIn } from "./segment.ts";
import { isDeleted, kindOf } from "./signature.ts";

/** Receives the matching rows of a plan, each once, in the plan's order. */
export type Matches = {
  offer(rowId: number): void;
  /** True once no older row can enter. */
  isFull(): boolean;
  /** Least row id that can still enter; `CLOSED` if none can. */
  threshold(): number;
};

/** Threshold above all row ids. */
const CLOSED = 2 ** 31 - 1;

// The plans return false if they reached their step limit before all matches were offered that could enter.

/** Plan "scan". */
export function runScan(query: PreparedQuery, found: Matches, stepsMax: number): boolean {
  const { segment, from, to, prefixes, circle } = query;
  const collect = createCollector(query, query, found, residualTest(query, prefixes, circle), true);
  const last = Math.max(from, to - Math.ceil(stepsMax));
  collect(segment.columns.postings, POSTING_WIDTH * last, POSTING_WIDTH * to);
  return last === from || found.isFull();
}

/** Several posting lists are read in windows of row ids: the newest window holds this fraction of all rows ... */
const FIRST_WINDOW = 1 / 128;
const WINDOW_MIN = 1024;
/** ... and each further one this many times as many. */
const WINDOW_GROWTH = 4;

/** Plan "postings". Windows make it read the newest rows of the last term before the oldest rows of the first. */
export function runPostings(query: PreparedQuery, found: Matches, stepsMax: number): boolean {
  const [rarest, ...others] = query.prefixes;
  const { segment, from, to } = query;
  if (rarest === undefined) return false;
  const window = { from: to, to };
  const matchesOthers = residualTest(query, others, query.circle);
  let term = 0;
  // A row with two terms of the range is met twice and taken once.
  const matches = (rowId: number, cell: number) =>
    matchesOthers(rowId, cell) && firstTermIn(segment.columns, rowId, rarest.terms) === term;
  const collect = createCollector(query, window, found, matches, true);
  const { visit, hasSteps } = withStepLimit(collect, stepsMax);

  let size = rarest.terms.size === 1 ? Infinity : Math.max(WINDOW_MIN, (to - from) * FIRST_WINDOW);
  while (window.from > from && !found.isFull()) {
    window.to = window.from;
    window.from = Math.max(from, Math.floor(window.to - size));
    size *= WINDOW_GROWTH;
    rarest.terms.each((id) => {
      term = id;
      segment.postingLists.visitChunks(id, window.to, visit);
      return hasSteps();
    });
    if (!hasSteps()) return false;
  }
  return true;
}

/** Plan "box". */
export function runBox(
  query: PreparedQuery,
  circle: Circle,
  found: Matches,
  stepsMax: number,
): boolean {
  const { segment, from, to, kinds } = query;
  const matches = residualTest(query, query.prefixes, circle);
  const collect = createCollector(query, query, found, matches, false);
  const { visit, hasSteps } = withStepLimit(collect, stepsMax);
  const trees = segment.spatialIndex.trees.toReversed();
  const notInTree = Math.max(from, trees[0]?.to ?? 0);
  if (notInTree < to)
    visit(segment.columns.postings, POSTING_WIDTH * notInTree, POSTING_WIDTH * to);
  for (const tree of trees) {
    // The remaining rows are older than all matches so far.
    if (found.isFull() || tree.to <= from) break;
    if (tree.from >= to) continue;
    tree.visitBoxes(circle, kinds, visit);
  }
  return hasSteps();
}

/** A visitor that stops after `stepsMax` postings. */
function withStepLimit(collect: PostingVisitor, stepsMax: number) {
  let steps = 0;
  const hasSteps = () => steps <= stepsMax;
  const visit: PostingVisitor = (numbers, begin, end) => {
    steps += (end - begin) / POSTING_WIDTH;
    return hasSteps() && collect(numbers, begin, end);
  };
  return { visit, hasSteps };
}

/** Below this fraction of matching signatures, a branch on the signature alone is predictable, and pays. */
const SELECTIVE_SIGNATURE = 1 / 10;

/**
 * Visitor that offers the matching rows in `range` to `found`. `isOrdered`: row ids rise within the visited postings,
 * and further ones are older, so that it can stop once no older row can enter.
 *
 * This loop takes nearly all the time of a search. Its tests are branch-free, negative where a row does not match: they
 * are unpredictable, and a mispredicted branch costs more than the arithmetic.
 */
function createCollector(
  query: PreparedQuery,
  range: { readonly from: number; readonly to: number },
  found: Matches,
  matches: (rowId: number, cell: number) => boolean,
  isOrdered: boolean,
): PostingVisitor {
  const { postings } = query.segment.columns;
  const [box, otherBox = box] = query.circle?.boxes ?? [WHOLE_EARTH];
  const isSelective = query.signatureSelectivity < SELECTIVE_SIGNATURE;

  return (numbers, begin, end) => {
    // Local copies, so that the loop keeps them in registers.
    const { from, to } = range;
    const { kinds, prefixBits } = query;
    const south = box.south << 16;
    const north = (box.north << 16) | 0xffff;
    const { west, east } = box;
    const { west: otherWest, east: otherEast } = otherBox;
    let threshold = Math.max(from, found.threshold());
    for (let at = end - POSTING_WIDTH; at >= begin; at -= POSTING_WIDTH) {
      const signature = numbers[at + 1]!;
      const missing = prefixBits & ~signature;
      const mismatch = (((kinds >> kindOf(signature)) & 1) - 1) | missing | -missing;
      if (isSelective && mismatch < 0) continue;
      const rowId = numbers[at]!;
      const cell = numbers[at + 2]!;
      const easting = eastingOf(cell);
      const outsideBox = (easting - west) | (east - easting);
      const outsideOtherBox = (easting - otherWest) | (otherEast - easting);
      const outside = (cell - south) | (north - cell) | (outsideBox & outsideOtherBox);
      if ((mismatch | outside | (to - 1 - rowId) | (rowId - threshold)) < 0) continue;
      // Posting lists and trees do not know that a row was deleted; its column does.
      if (!matches(rowId, cell) || isDeleted(postings[POSTING_WIDTH * rowId + 1]!)) continue;
      found.offer(rowId);
      threshold = Math.max(from, found.threshold());
      if (isOrdered && rowId <= threshold) return false;
    }
    return threshold < CLOSED && (!isOrdered || numbers[begin]! >= threshold);
  };
}

/** Exact test of a row whose signature and box match; the cheapest condition first. */
function residualTest(
  { segment, exactTests }: PreparedQuery,
  prefixes: readonly PreparedPrefix[],
  circle: Circle | null,
): (rowId: number, cell: number) => boolean {
  const { postings } = segment.columns;
  const hasBits = (rowId: number, bits: number) =>
    bits === 0 || (postings[POSTING_WIDTH * rowId + 1]! & bits) !== 0;
  return (rowId, cell) =>
    (circle === null || circle.covers(cell)) &&
    prefixes.every(
      ({ terms, bits }) =>
        hasBits(rowId, bits) && firstTermIn(segment.columns, rowId, terms) !== null,
    ) &&
    exactTests.every((test) => test(rowId));
}

/** Row ids kept beyond `k` before they are sorted: as a fraction of `k`, and at least. */
const SPARE = 1 / 4;
const SPARE_MIN = 64;

/**
 * Top-k: the `k` greatest, and so newest, of the row ids offered. `k` is at least 1; row ids below `from` are rejected. They
 * are sorted when there are `k`, and again whenever there are many more.
 */
export function createNewest(
  k: number,
  from: number,
): Matches & {
  /** Oldest first. */
  rowIds(): Int32Array;
} {
  const kept = new Int32Array(k + Math.max(SPARE_MIN, Math.ceil(k * SPARE)));
  let length = 0;
  let threshold = from;

  /** Keeps the newest `k`. */
  function cut(): void {
    kept.subarray(0, length).sort();
    if (length < k) return;
    kept.copyWithin(0, length - k, length);
    length = k;
    threshold = kept[0]! + 1;
  }

  return {
    offer(rowId) {
      if (rowId < threshold) return;
      kept[length++] = rowId;
      if (length === k || length === kept.length) cut();
    },
    isFull: () => length >= k,
    threshold: () => threshold,
    rowIds() {
      cut();
      return kept.subarray(0, length);
    },
  };
}

/** Number of the row ids offered, as far as `max`; row ids below `from` are rejected. */
export function createCounter(max: number, from: number): Matches & { readonly count: number } {
  let count = 0;
  const isFull = () => count >= max;

  return {
    offer(rowId) {
      if (rowId >= from && !isFull()) count++;
    },
    isFull,
    threshold: () => (isFull() ? CLOSED : from),
    get count() {
      return count;
    },
  };
}
