import { type Filter, KINDS } from "./filter.ts";
import { type Circle, eastingOf, WHOLE_EARTH } from "./grid.ts";
import { type VisitRun, WIDTH } from "./lists.ts";
import { createNewest, type Newest } from "./newest.ts";
import type { Shelf } from "./shelf.ts";
import { kindIn, signOf } from "./sign.ts";
import type { WordSet } from "./vocabulary.ts";

/**
 * The ways to an answer. Each alone gives the right one; they differ in what it costs.
 * newest: walk all alerts newest first until enough fit. words: walk those that have the rarest word, newest first.
 * box: sheet by sheet, newest first, look at every alert in the circle's box and keep the newest.
 */
export type Way = "newest" | "words" | "box";

/** How far a search with a centre goes one way before it tries the next. */
export type Budget = {
  /** Steps of a walk over `length` alerts to find `limit` of them, before it is weighed against the box. */
  walk(length: number, limit: number): number;
  /** Steps in the box before the walk, with so many steps left, is taken to its end. */
  box(walkLeft: number): number;
};

/** What a step in the box costs in steps of a walk, about: with 1 or 4 searches take as long. */
const BOX_STEP = 2;

/**
 * A walk is fast where much fits, the box where little does: when f of n alerts fit, the walk to the newest k takes
 * about n k / f steps and the box about f, so that the lesser cost is at most about the square root of n k.
 */
export const BUDGET: Budget = {
  walk: (length, limit) => Math.sqrt((length * limit * BOX_STEP) / 2),
  box: (walkLeft) => walkLeft / BOX_STEP,
};

/** The slots of the newest alerts on the shelf that fit, newest first, and the way that found them. */
export function newestThatFit(
  shelf: Shelf,
  filter: Filter,
  limit: number,
  budget: Budget,
): { slots: number[]; way: Way } {
  const search = searchFor(shelf, filter, limit);
  const { way, length } = walkFor(search);
  const walk = way === "words" ? walkWords : walkNewest;

  if (search.circle !== null) {
    const steps = budget.walk(length, limit);
    const tried = walk(search, steps);
    if (tried.isSure) return { slots: tried.found.slots(), way };
    const { walkLeft, box } = foreseen(search, tried.found.size(), steps, length);
    if (walkLeft < box) {
      const further = walk(search, steps + WALK_MARGIN * walkLeft);
      if (further.isSure) return { slots: further.found.slots(), way };
    }
    const inBox = lookInBox(search, search.circle, budget.box(Math.min(length, walkLeft)));
    if (inBox.isSure) return { slots: inBox.found.slots(), way: "box" };
  }
  return { slots: walk(search, Infinity).found.slots(), way };
}

/** A walk that is expected to end may take this many times as long. */
const WALK_MARGIN = 2;
/** With each alert in the circle some are met that lie beside it. */
const BOX_STEPS_PER_ALERT = 2;

/**
 * What each way would cost, in steps of a walk, as far as its first steps tell: alerts that fit are taken to be spread
 * evenly over time, and words over places.
 */
function foreseen(
  { shelf, limit, asked }: Search,
  found: number,
  steps: number,
  length: number,
): { walkLeft: number; box: number } {
  const fitting = (found * length) / steps;
  const spoken = asked.reduce((share, { count }) => (share * count) / shelf.length, 1);
  return {
    walkLeft: found === 0 ? Infinity : ((limit - found) * steps) / found,
    box: (Math.min(fitting, limit) / spoken) * BOX_STEPS_PER_ALERT * BOX_STEP,
  };
}

/** A filter laid on a shelf. */
type Search = {
  readonly shelf: Shelf;
  readonly limit: number;
  /** Slots in [from, to) are old and new enough. */
  readonly from: number;
  readonly to: number;
  /** As in the filter. */
  readonly kinds: number;
  readonly circle: Circle | null;
  /** The bits that a sign must have. */
  readonly signs: number;
  /** For each word of the query the words that begin with it; the rarest first. */
  readonly asked: readonly Asked[];
};

type Asked = {
  readonly set: WordSet;
  /** How many alerts have a word of the set, one with two of them counted twice; no more than all. */
  readonly count: number;
};

function searchFor(shelf: Shelf, filter: Filter, limit: number): Search {
  const asked = filter.words.map((begin) => {
    const set = shelf.vocabulary.beginningWith(begin);
    let count = 0;
    set.each((word) => {
      count += shelf.slotsByWord.count(word);
      return count < shelf.length;
    });
    return { set, count: Math.min(count, shelf.length) };
  });
  return {
    shelf,
    limit,
    from: shelf.slotFrom(filter.since),
    to: shelf.slotFrom(filter.before),
    kinds: filter.kinds,
    circle: filter.circle,
    signs: filter.words.reduce((signs, word) => signs | signOf(word), 0),
    asked: asked.sort((a, b) => a.count - b.count),
  };
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
    fitsOtherwise(slot, place) && firstWordIn(shelf, slot, rarest.set) === word;
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
    for (const box of circle.boxes) sheet.within(box, kinds, visit);
  }
  return { found, isSure: hasSteps() };
}

/** A scan that stops when its steps are used up. */
function counted(scan: VisitRun, stepsMax: number) {
  let steps = 0;
  const step = (count: number) => {
    steps += count;
  };
  const hasSteps = () => steps <= stepsMax;
  const visit: VisitRun = (numbers, begin, end) => {
    step((end - begin) / WIDTH);
    return hasSteps() && scan(numbers, begin, end);
  };
  return { visit, step, hasSteps };
}

/**
 * Offers the alerts of a run whose slots lie in `span` and that fit. `isOrdered`: slots rise in each run; false then
 * tells that older ones cannot enter.
 *
 * Nearly all the time of a search goes into this loop. Its first questions are sums, not branches: nobody can
 * foretell their answers, the processor neither, and a wrong guess costs it more than all the sums. A negative
 * number shifted by 31 is -1, any other 0.
 */
function scanner(
  search: Search,
  span: { readonly from: number; readonly to: number },
  found: Newest,
  fits: (slot: number, place: number) => boolean,
  isOrdered: boolean,
): VisitRun {
  const { kinds, signs } = search;
  const { faces } = search.shelf.columns;
  const [box, otherBox = box] = search.circle?.boxes ?? [WHOLE_EARTH];
  const south = box.south << 16;
  const north = (box.north << 16) | 0xffff;
  const { west, east } = box;
  const { west: otherWest, east: otherEast } = otherBox;

  return (numbers, begin, end) => {
    const { from, to } = span;
    let floor = Math.max(from, found.floor());
    for (let at = end - WIDTH; at >= begin; at -= WIDTH) {
      const slot = numbers[at]!;
      const sign = numbers[at + 1]!;
      const place = numbers[at + 2]!;
      const easting = eastingOf(place);
      const besideBox = (easting - west) | (east - easting);
      const besideOtherBox = (easting - otherWest) | (otherEast - easting);
      const unfit =
        (((kinds >> kindIn(sign)) & 1) ^ 1) |
        ((sign & signs) ^ signs) |
        (((to - 1 - slot) | (slot - floor) | (place - south) | (north - place)) >> 31) |
        ((besideBox & besideOtherBox) >> 31);
      if (unfit !== 0) continue;
      // A list and a sheet still have the sign of an alert that has gone.
      if (kindIn(faces[WIDTH * slot + 1]!) >= KINDS || !fits(slot, place)) continue;
      found.offer(slot);
      floor = Math.max(from, found.floor());
      if (isOrdered && slot <= floor) return false;
    }
    return !isOrdered || numbers[begin]! >= floor;
  };
}

/** What is left to ask of a slot whose sign and place look right; the cheapest first. */
function rest(
  { shelf }: Search,
  asked: readonly Asked[],
  circle: Circle | null,
): (slot: number, place: number) => boolean {
  const sets = asked.map(({ set }) => set);
  return (slot, place) =>
    (circle === null || circle.covers(place)) &&
    sets.every((set) => firstWordIn(shelf, slot, set) !== null);
}

/** The first of a slot's words that is in a set; null when none is. */
function firstWordIn(shelf: Shelf, slot: number, set: WordSet): number | null {
  const { wordEnds, words } = shelf.columns;
  const end = wordEnds[slot]!;
  for (let at = slot === 0 ? 0 : wordEnds[slot - 1]!; at < end; at++) {
    const word = words[at]!;
    if (set.has(word)) return word;
  }
  return null;
}
