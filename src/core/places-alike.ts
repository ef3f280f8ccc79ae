import type { Gazetteer, Place } from "./ports.ts";
import { fewestSlips } from "./slips.ts";

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
  const candidates = gazetteer.find(first, { ...within, prefix: true, limit: CANDIDATES_MAX });
  return fewestSlips(wanted, candidates, ({ name }) => lettersOf(name), {
    lettersPerSlip: LETTERS_PER_SLIP,
  });
}

function lettersOf(name: string): string {
  return name
    .normalize("NFKD")
    .replace(/[^\p{L}\p{N}]/gu, "")
    .toLowerCase();
}
