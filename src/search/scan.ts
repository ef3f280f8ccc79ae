import { KINDS } from "./filter.ts";
import { type Circle, eastingOf, WHOLE_EARTH } from "./grid.ts";
import { type VisitRun, WIDTH } from "./lists.ts";
import type { Newest } from "./newest.ts";
import type { Asked, Search } from "./asked.ts";
import type { Columns } from "./shelf.ts";
import { kindIn } from "./sign.ts";
import type { WordSet } from "./vocabulary.ts";

/** Where fewer signs than this look right, it pays to foretell that the next one does not. */
const NARROW = 1 / 10;

/**
 * Offers the alerts of a run whose slots lie in `span` and that fit. `isOrdered`: slots rise in each run; false then
 * tells that older ones cannot enter.
 *
 * Nearly all the time of a search goes into this loop. Its first questions are sums, not branches: nobody can
 * foretell their answers, the processor neither, and a wrong guess costs it more than all the sums. A sum is negative
 * where the answer is no. Only where the sign of nearly every alert tells that it does not fit, that is asked alone.
 */
export function scanner(
  search: Search,
  span: { readonly from: number; readonly to: number },
  found: Newest,
  fits: (slot: number, place: number) => boolean,
  isOrdered: boolean,
): VisitRun {
  const { faces } = search.shelf.columns;
  const [box, otherBox = box] = search.circle?.boxes ?? [WHOLE_EARTH];
  const isNarrow = search.signShare < NARROW;

  return (numbers, begin, end) => {
    // Of the scan's own, so that the loop keeps them in registers.
    const { from, to } = span;
    const { kinds, signs } = search;
    const south = box.south << 16;
    const north = (box.north << 16) | 0xffff;
    const { west, east } = box;
    const { west: otherWest, east: otherEast } = otherBox;
    let floor = Math.max(from, found.floor());
    for (let at = end - WIDTH; at >= begin; at -= WIDTH) {
      const sign = numbers[at + 1]!;
      const missing = signs & ~sign;
      const unlike = (((kinds >> kindIn(sign)) & 1) - 1) | missing | -missing;
      if (isNarrow && unlike < 0) continue;
      const slot = numbers[at]!;
      const place = numbers[at + 2]!;
      const easting = eastingOf(place);
      const besideBox = (easting - west) | (east - easting);
      const besideOtherBox = (easting - otherWest) | (otherEast - easting);
      const beside = (place - south) | (north - place) | (besideBox & besideOtherBox);
      if ((unlike | beside | (to - 1 - slot) | (slot - floor)) < 0) continue;
      // A list and a sheet still have the sign of an alert that has gone.
      if (!fits(slot, place) || kindIn(faces[WIDTH * slot + 1]!) >= KINDS) continue;
      found.offer(slot);
      floor = Math.max(from, found.floor());
      if (isOrdered && slot <= floor) return false;
    }
    return !isOrdered || numbers[begin]! >= floor;
  };
}

/** What is left to ask of a slot whose sign and place look right; the cheapest first. */
export function rest(
  { shelf }: Search,
  asked: readonly Asked[],
  circle: Circle | null,
): (slot: number, place: number) => boolean {
  const sets = asked.map(({ set }) => set);
  return (slot, place) =>
    (circle === null || circle.covers(place)) &&
    sets.every((set) => firstWordIn(shelf.columns, slot, set) !== null);
}

/** The first of a slot's words that is in a set; null when none is. */
export function firstWordIn(
  { wordEnds, words }: Pick<Columns, "wordEnds" | "words">,
  slot: number,
  set: WordSet,
): number | null {
  const end = wordEnds[slot]!;
  for (let at = slot === 0 ? 0 : wordEnds[slot - 1]!; at < end; at++) {
    const word = words[at]!;
    if (set.has(word)) return word;
  }
  return null;
}
