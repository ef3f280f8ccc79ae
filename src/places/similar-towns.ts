import { townLabel } from "./place-name.ts";
import { closestByEditDistance } from "../text/edit-distance.ts";
import type { Gazetteer, Town } from "./town.ts";

export type Within = Pick<NonNullable<Parameters<Gazetteer["find"]>[1]>, "near" | "countryCode">;

const SIMILAR_SHOWN = 3;
/** Most populous towns with the same first letter that are compared; bounds the response time. */
const CANDIDATES_MAX = 3_000;
const LETTERS_PER_TYPO = 3;

/**
 * Towns that a misspelled name may stand for: those whose name starts with it, otherwise those with the same first letter
 * and the smallest edit distance, at most one typing error for so many letters. Most populous first, one per name and
 * country.
 */
export function similarTowns(
  gazetteer: Gazetteer,
  name: string,
  within: Within = {},
  lettersPerTypo = LETTERS_PER_TYPO,
): Town[] {
  const completed = gazetteer.find(name, { ...within, prefix: true });
  const towns =
    completed.length > 0 ? completed : withTypos(gazetteer, name, within, lettersPerTypo);
  const byLabel = Map.groupBy(towns, townLabel);
  return [...byLabel.values()].map(([first]) => first!).slice(0, SIMILAR_SHOWN);
}

/** True for a town whose name begins with a text, or has at most one typing error for so many of its letters. */
export function isSpelledAs({ name }: Town, text: string, lettersPerTypo: number): boolean {
  const [letters, written] = [lettersOf(name), lettersOf(text)];
  const isClose =
    closestByEditDistance(written, [letters], (one) => one, lettersPerTypo).length > 0;
  return isClose || letters.startsWith(written);
}

function withTypos(
  gazetteer: Gazetteer,
  name: string,
  within: Within,
  lettersPerTypo: number,
): Town[] {
  const wanted = lettersOf(name);
  const first = wanted[0];
  if (first === undefined) return [];
  const candidates = gazetteer.find(first, { ...within, prefix: true, limit: CANDIDATES_MAX });
  return closestByEditDistance(wanted, candidates, ({ name }) => lettersOf(name), lettersPerTypo);
}

function lettersOf(name: string): string {
  return name
    .normalize("NFKD")
    .replace(/[^\p{L}\p{N}]/gu, "")
    .toLowerCase();
}
