import { FAN } from "./atlas.ts";
import type { Filter } from "./filter.ts";
import type { Circle } from "./grid.ts";
import { type VisitRun, WIDTH } from "./lists.ts";
import { createNewest, type Newest } from "./newest.ts";
import { type Search, searchFor } from "./asked.ts";
import { firstWordIn, rest, scanner } from "./scan.ts";
import type { Shelf } from "./shelf.ts";
import { kindIn } from "./sign.ts";

/**
 * The ways to an answer. Each alone gives the right one; they differ in what it costs.
 * newest: walk all alerts newest first until enough fit. words: walk those that have the rarest word, newest first.
 * together: walk those that have all words, by a bit of each alert for each word.
 * box: sheet by sheet, newest first, look at every alert in the circle's box and keep the newest.
 */
export type Way = "newest" | "words" | "together" | "box";

/** What the walk and the box cost a search, in steps of a walk: as far as it is expected to go, and to the end. */
export type Costs = {
  readonly walk: number;
  readonly walkMax: number;
  readonly box: number;
  readonly boxMax: number;
};

/** What a search spends on one way before it leaves it for another. */
export type Budget = {
  /** With a centre. */
  walk(costs: Costs): number;
  box(costs: Costs): number;
  /** Without a centre, on each walk that comes before the bits of all words; those cost as much as is given. */
  together(cost: number): number;
};

/**
 * With a centre, the way that looked dearer is taken once the other has cost as much as it is expected to at most; where
 * both expectations were wrong, the walk is made to its end. Without one, a walk may cost as much as the bits.
 */
export const BUDGET: Budget = {
  walk: ({ boxMax }) => boxMax,
  box: ({ walkMax }) => walkMax,
  together: (cost) => cost,
};

/**
 * The slots of the newest alerts on the shelf that fit, newest first, and the way that found them.
 *
 * A walk is fast where much fits, the box where little does: when f of n alerts fit, the walk to the newest k takes
 * about n k / f steps and the box about f, so that the lesser cost is at most about the square root of n k.
 */
export function newestThatFit(
  shelf: Shelf,
  filter: Filter,
  limit: number,
  budget: Budget,
): { slots: number[]; way: Way } {
  const search = searchFor(shelf, filter, limit);
  const { circle } = search;
  const { way: walkWay, length } = walkFor(search);
  const walk = walkWay === "words" ? walkWords : walkNewest;

  if (circle !== null) {
    const costs = foreseen(search, circle, length);
    const walking = { way: walkWay, look: () => walk(search, budget.walk(costs)) };
    const boxing = {
      way: "box" as const,
      look: () => lookInBox(search, circle, budget.box(costs) / BOX_STEP),
    };
    for (const { way, look } of costs.walk <= costs.box ? [walking, boxing] : [boxing, walking]) {
      const { found, isSure } = look();
      if (isSure) return { slots: found.slots(), way };
    }
  }
  return walkToEnd(search, walkWay, budget);
}

/** What it costs to look at an alert in the box, beside others or alone in its run, in steps of a walk. */
const BOX_STEP = 3;
const LONE_BOX_STEP = 6;
/** ... at the words of one whose sign looks right ... */
const CANDIDATE = 30;
/** ... and at a sheet. */
const SHEET = 50;
/** A circle's part of its box. */
const ROUND = Math.PI / 4;

/**
 * The nodes of the newest sheets tell how many alerts lie around, as many sheets as it takes to find `limit` that fit;
 * kinds, words and places are taken to be independent of each other, and of time.
 */
function foreseen(
  { shelf, limit, from, to, kindShare, signShare, share }: Search,
  circle: Circle,
  length: number,
): Costs {
  let alerts = 0;
  let sheets = 0;
  let seen = to;
  for (const sheet of shelf.atlas.sheets.toReversed()) {
    if (alerts * share * ROUND >= limit || sheet.to <= from) break;
    if (sheet.from >= to) continue;
    for (const box of circle.boxes) alerts += sheet.about(box);
    sheets++;
    seen = Math.max(from, sheet.from);
  }
  const part = seen < to ? (to - seen) / (to - from) : 1;
  // A run without any of the kinds is passed over.
  const opened = 1 - (1 - kindShare) ** FAN;
  const step = opened * (opened * BOX_STEP + (1 - opened) * LONE_BOX_STEP);
  const box = alerts * (step + signShare * CANDIDATE) + sheets * SHEET;
  return {
    walk: length * part * Math.min(1, limit / (alerts * share * ROUND)),
    walkMax: length,
    box,
    boxMax: box / part,
  };
}

/**
 * By a walk over all alerts, by the list of the rarest word or by the bits of all words: each is left for the next once
 * it has cost as much as the bits will, for many words or words that hardly ever stand together.
 */
function walkToEnd(
  search: Search,
  way: "newest" | "words",
  budget: Budget,
): { slots: number[]; way: Way } {
  const { from, to, signShare, asked, circle } = search;
  const [rarest] = asked;
  const hasBits = circle === null && asked.length > 1;
  const costMax = hasBits ? budget.together(costTogether(search)) : Infinity;
  if (way === "newest") {
    const costMaxOfOne = rarest ? rarest.share * (to - from) : Infinity;
    const stepsMax = Math.min(costMaxOfOne, costMax / (1 + signShare * CANDIDATE));
    const { found, isSure } = walkNewest(search, stepsMax);
    if (isSure) return { slots: found.slots(), way };
  }
  // Each alert in the list has the sign of its word.
  const candidates = signShare / (rarest?.signShare ?? 1);
  const { found, isSure } = walkWords(search, costMax / (1 + candidates * CANDIDATE));
  if (isSure) return { slots: found.slots(), way: "words" };
  return { slots: walkTogether(search).slots(), way: "together" };
}

/** What it costs to come to a list, in steps of a walk, to mark an alert of one, and to lay a mark on others. */
const LIST = 30;
const MARK = 1;
const LAID_MARK = 1 / 100;

/** What it costs to go through the bits of all words, and to make those that are not known. */
function costTogether({ shelf, asked }: Search): number {
  let cost = asked.length * shelf.length * LAID_MARK;
  for (const { set, count } of asked)
    if (!shelf.beginnings.knows(set.letters)) cost += count * MARK + set.size * LIST;
  return cost;
}

/** The list of one word is worth walking when it holds fewer than one alert in this many ... */
const RARE_WORD = 2;
/** ... and the lists of many, which lie all over the memory, when they do together. */
const RARE_WORDS = 16;

/** Which walk to take, and over about how many alerts it goes. */
function walkFor({ shelf, from, to, asked: [rarest] }: Search): {
  way: "newest" | "words";
  length: number;
} {
  const length = Math.max(0, to - from);
  if (rarest === undefined) return { way: "newest", length };
  const isRare = rarest.count * (rarest.set.size === 1 ? RARE_WORD : RARE_WORDS) < shelf.length;
  return isRare
    ? { way: "words", length: (length * rarest.count) / shelf.length }
    : { way: "newest", length };
}

/** What was found, and whether that is the answer: it is not when the steps ran out first. */
type Outcome = { readonly found: Newest; readonly isSure: boolean };

function walkNewest(search: Search, stepsMax: number): Outcome {
  const { shelf, from, to, limit, asked } = search;
  const found = createNewest(limit, from);
  const scan = scanner(search, search, found, rest(search, asked, search.circle), true);
  const last = Math.max(from, to - Math.ceil(stepsMax));
  scan(shelf.columns.faces, WIDTH * last, WIDTH * to);
  return { found, isSure: last === from || found.isFull() };
}

/** Many lists are walked side by side in stretches: the first holds this part of all slots ... */
const FIRST_STRETCH = 1 / 128;
const STRETCH_MIN = 1024;
/** ... and each further one this many times as many. */
const STRETCH_GROWTH = 4;

/** In stretches, so that the newest alerts of the last word are seen before the oldest of the first. */
function walkWords(search: Search, stepsMax: number): Outcome {
  const [rarest, ...others] = search.asked;
  const { shelf, from, to } = search;
  const found = createNewest(search.limit, from);
  if (rarest === undefined) return { found, isSure: false };
  const stretch = { from: to, to };
  const fitsOtherwise = rest(search, others, search.circle);
  let word = 0;
  // An alert with two words of the set is met twice and taken once.
  const fits = (slot: number, place: number) =>
    fitsOtherwise(slot, place) && firstWordIn(shelf.columns, slot, rarest.set) === word;
  const { visit, hasSteps } = counted(scanner(search, stretch, found, fits, true), stepsMax);

  let width = rarest.set.size === 1 ? Infinity : Math.max(STRETCH_MIN, (to - from) * FIRST_STRETCH);
  while (stretch.from > from && !found.isFull()) {
    stretch.to = stretch.from;
    stretch.from = Math.max(from, Math.floor(stretch.to - width));
    width *= STRETCH_GROWTH;
    rarest.set.each((id) => {
      word = id;
      shelf.slotsByWord.runs(id, stretch.to, visit);
      return hasSteps();
    });
    if (!hasSteps()) return { found, isSure: false };
  }
  return { found, isSure: true };
}

/** For a search without a circle. */
function walkTogether({ shelf, from, to, limit, kinds, asked }: Search): Newest {
  const { faces } = shelf.columns;
  const found = createNewest(limit, from);
  const all = asked.map(({ set }) => shelf.beginnings.alertsWith(set, shelf.length));
  // A number holds the bits of 32 slots; those before `from` are no news to `found`.
  const last = (to - 1) >> 5;
  for (let at = last; at >= from >> 5 && !found.isFull(); at--) {
    let left = at === last ? -1 >>> (31 - ((to - 1) & 31)) : -1;
    for (let nth = 0; nth < all.length; nth++) left &= all[nth]![at]!;
    for (; left !== 0; left ^= 1 << (31 - Math.clz32(left))) {
      const slot = at * 32 + 31 - Math.clz32(left);
      if (((kinds >> kindIn(faces[WIDTH * slot + 1]!)) & 1) === 1) found.offer(slot);
    }
  }
  return found;
}

function lookInBox(search: Search, circle: Circle, stepsMax: number): Outcome {
  const { shelf, from, to, kinds } = search;
  const found = createNewest(search.limit, from);
  const scan = scanner(search, search, found, rest(search, search.asked, circle), false);
  const { visit, hasSteps } = counted(scan, stepsMax);
  const sheets = shelf.atlas.sheets.toReversed();
  const notOnSheet = Math.max(from, sheets[0]?.to ?? 0);
  if (notOnSheet < to) visit(shelf.columns.faces, WIDTH * notOnSheet, WIDTH * to);
  for (const sheet of sheets) {
    // What follows is older than all that was found.
    if (found.isFull() || sheet.to <= from) break;
    if (sheet.from >= to) continue;
    sheet.within(circle.boxes, kinds, visit);
  }
  return { found, isSure: hasSteps() };
}

/** A scan that stops when its steps are used up. */
function counted(scan: VisitRun, stepsMax: number) {
  let steps = 0;
  const hasSteps = () => steps <= stepsMax;
  const visit: VisitRun = (numbers, begin, end) => {
    steps += (end - begin) / WIDTH;
    return hasSteps() && scan(numbers, begin, end);
  };
  return { visit, hasSteps };
}
