import type { Gazetteer, Place } from "./ports.ts";

type Within = Pick<NonNullable<Parameters<Gazetteer["find"]>[1]>, "near" | "countryCode">;

const ALIKE_SHOWN = 3;
/** Places of one first letter that are looked through, the most populous; a page waits for the answer. */
const CANDIDATES_MAX = 3_000;
/** One letter in this many may be wrong. */
const LETTERS_PER_SLIP = 3;

/**
 * Places whose name someone may have meant who wrote this one: those whose name goes on where it ends, else those
 * with the same first letter and the fewest slips. The most populous first, one for each name and country.
 */
export function placesAlike(gazetteer: Gazetteer, name: string, within: Within = {}): Place[] {
  const begun = gazetteer.find(name, { ...within, prefix: true });
  return eachOnce(begun.length > 0 ? begun : withSlips(gazetteer, name, within));
}

function eachOnce(places: readonly Place[]): Place[] {
  const seen = new Set<string>();
  return places
    .filter((place) => seen.size < seen.add(placeLabel(place)).size)
    .slice(0, ALIKE_SHOWN);
}

/** `Lyon, FR`. */
export function placeLabel({ name, countryCode }: Place): string {
  return `${name}, ${countryCode}`;
}

function withSlips(gazetteer: Gazetteer, name: string, within: Within): Place[] {
  const wanted = lettersOf(name);
  const first = wanted[0];
  if (first === undefined) return [];
  const slipsMax = Math.max(1, Math.floor(wanted.length / LETTERS_PER_SLIP));
  const candidates = gazetteer
    .find(first, { ...within, prefix: true, limit: CANDIDATES_MAX })
    .map((place) => ({ place, slips: slipsBetween(wanted, lettersOf(place.name), slipsMax) }));
  const slipsMin = candidates.reduce((least, { slips }) => Math.min(least, slips), Infinity);
  return candidates.flatMap(({ place, slips }) =>
    slips === slipsMin && slips <= slipsMax ? [place] : [],
  );
}

function lettersOf(name: string): string {
  return name
    .normalize("NFKD")
    .replace(/[^\p{L}\p{N}]/gu, "")
    .toLowerCase();
}

/** Letters to change, add or drop to make one word of the other (Levenshtein 1966), or Infinity past `max`. */
function slipsBetween(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) > max) return Infinity;
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const changed = above[column - 1]! + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(changed, above[column]! + 1, current[column - 1]! + 1));
    }
    above = current;
  }
  return above[b.length]!;
}
