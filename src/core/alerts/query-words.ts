import { synonyms } from "./synonyms.ts";
import { tokenize } from "../../text/tokenize.ts";
import { wordsOfAll } from "../../messages/vocabulary.ts";
import { ALERT_TYPES, type AlertType } from "../../values/animal.ts";
import type { AlertIndex, Concept, IndexQuery } from "../../search/search.ts";

export const QUERY_WORDS_MAX = 10;

/** Conditions that the words of a search set on an alert. */
export type QueryWords = {
  readonly words: readonly string[];
  readonly concepts: readonly Concept[];
};

/** Word of a search and the correctly spelt one it was read as. */
export type Correction = { readonly word: string; readonly readAs: string };

/**
 * Condition without which a search that finds nothing would find `count` alerts, or more if `count` is
 * `EXCLUDED_COUNT_MAX`. `all` stands for all words of the search, or all its filters.
 */
export type Exclusion = {
  readonly by:
    | { readonly kind: "words"; readonly words: string }
    | { readonly kind: "filter"; readonly filter: SearchFilter }
    | { readonly kind: "all"; readonly of: "words" | "filters" };
  readonly count: number;
};
const FILTERS = [
  "species",
  "type",
  "since",
  "near",
  "color",
  "breedGroup",
  "organisation",
] as const;
export type SearchFilter = (typeof FILTERS)[number];

/** Explanation of a search that found nothing as it was written. */
export type Explanation = {
  readonly corrections: readonly Correction[];
  readonly exclusions: readonly Exclusion[];
};
export const NOTHING_TO_EXPLAIN: Explanation = { corrections: [], exclusions: [] };

/**
 * Reads the words of a search. A name of the vocabularies stands for all its synonyms ("berger allemand" for "Alsatian");
 * any other word must begin a word of the alert.
 */
export function readQueryWords(text: string): QueryWords {
  return conditions(partsOf(tokenize(text, QUERY_WORDS_MAX)));
}

/** Words of a text as people write one, enough to leave the meaningless ones out of it. */
const WRITTEN_WORDS_MAX = 60;

/** Words of a search as a person wrote them, and the type of alerts that is wanted. */
type Wanted = { readonly query?: string | undefined; readonly type?: AlertType | undefined };

/**
 * The same without the words that mean nothing, and with the type that a word names ("lost grey cat"). All words stay if
 * there are no others, and those of a type beside another type.
 */
export function meaningOf({ query, type }: Wanted): Wanted {
  if (query === undefined) return { query, type };
  const parts = partsOf(tokenize(query, WRITTEN_WORDS_MAX));
  const types = new Set(parts.flatMap((part) => typeNamed(part) ?? []));
  const [named = type] = types;
  const isOneType = types.size === 1 && (type === undefined || type === named);
  const kept = parts.filter(
    (part) => !isFiller(part) && !(isOneType && typeNamed(part) !== undefined),
  );
  if (kept.length === 0) return { query, type };
  const words = kept.flatMap((part) => part.words).join(" ");
  return { query: words, type: isOneType ? named : type };
}

/** Words without a meaning for a search, folded as `tokenize` folds them. */
const FILLER_WORDS = new Set(
  wordsOfAll(({ fillers }) => fillers.join(" ")).flatMap((word) => tokenize(word)),
);
/** Words for one type of alerts, folded. */
const TYPE_WORDS: ReadonlyMap<string, AlertType> = new Map(
  ALERT_TYPES.flatMap((type) =>
    wordsOfAll((vocabulary) => vocabulary[type]).flatMap((word) =>
      tokenize(word).map((folded) => [folded, type] as const),
    ),
  ),
);

function isFiller({ words, concept }: Part): boolean {
  return concept === null && words.every((word) => FILLER_WORDS.has(word));
}

function typeNamed({ words, concept }: Part): AlertType | undefined {
  return concept === null ? TYPE_WORDS.get(words.join(" ")) : undefined;
}

/** Shorter names are abbreviations, such as "br" for brown, or the beginning of another word. */
const NAME_LENGTH_MIN = 3;

/** Words of a query that belong together, and the concept they name. */
type Part = { readonly words: readonly string[]; readonly concept: Concept | null };

/** "And": not looked for between other words, as in "black and white cat". */
const CONJUNCTIONS = new Set(wordsOfAll(({ conjunctions }) => conjunctions));

/** Parts in the order of the words; of several names that begin at a word, the longest. */
function partsOf(words: readonly string[]): Part[] {
  const parts: Part[] = [];
  for (let at = 0; at < words.length;) {
    const part = longestName(words.slice(at)) ?? { words: [words[at]!], concept: null };
    parts.push(part);
    at += part.words.length;
  }
  const isBetween = (at: number) => at > 0 && at < parts.length - 1;
  return parts.filter(({ words }, at) => !(isBetween(at) && CONJUNCTIONS.has(words.join(" "))));
}

function longestName(words: readonly string[]): Part | null {
  const { conceptOf, nameWordsMax } = synonyms();
  for (let length = Math.min(nameWordsMax, words.length); length > 0; length--) {
    const name = words.slice(0, length);
    if (length === 1 && name[0]!.length < NAME_LENGTH_MIN) return null;
    const concept = conceptOf(name);
    if (concept !== null) return { words: name, concept };
  }
  return null;
}

function conditions(parts: readonly Part[]): QueryWords {
  return {
    words: parts.flatMap(({ words, concept }) => (concept === null ? words : [])),
    concepts: parts.flatMap(({ concept }) => concept ?? []),
  };
}

/** Conditions of a search, without its order and page. */
type Filters = Omit<IndexQuery, "before" | "limit">;

/** Words to search by after a search, or its page from a cursor, found nothing, and what to say about that. */
export function readAgain(
  index: Index,
  query: Filters,
  { text, isFirstPage }: { readonly text: string | null; readonly isFirstPage: boolean },
): { readonly words: QueryWords; readonly explanation: Explanation } {
  const asWritten = readQueryWords(text ?? "");
  if (!isFirstPage && count(index, query, 1) > 0)
    return { words: asWritten, explanation: NOTHING_TO_EXPLAIN };
  const other = text === null ? null : otherReading(index, query, text);
  if (other === null) {
    const exclusions = exclusionsOf(index, query, text);
    return { words: asWritten, explanation: { corrections: [], exclusions } };
  }
  const { corrections, ...words } = other;
  return { words, explanation: { corrections, exclusions: [] } };
}

type Index = Pick<AlertIndex, "search" | "knownTerms">;

/**
 * Another reading of a search whose words find nothing: names as mere beginnings of words, or words with one typing error
 * corrected. Null if there is none that finds an alert. `query` has the filters of the search.
 */
function otherReading(
  index: Index,
  query: Filters,
  text: string,
): (QueryWords & { readonly corrections: readonly Correction[] }) | null {
  const fits = (words: QueryWords) => count(index, { ...query, ...words }, 1) > 0;
  const words = tokenize(text, QUERY_WORDS_MAX);
  const asPrefixes = { words, concepts: [], corrections: [] };
  if (fits(asPrefixes)) return asPrefixes;
  for (const corrections of correctionsOf(index, words)) {
    const corrected = words.map(
      (word) => corrections.find((each) => each.word === word)?.readAs ?? word,
    );
    const reading = conditions(partsOf([...new Set(corrected)]));
    if (fits(reading)) return { ...reading, corrections };
  }
  return null;
}

/** Shorter words have too many neighbours. */
const MISSPELT_LENGTH_MIN = 4;
/** Misspelt words of a query that are corrected, and corrections of all of them that are tried. */
const MISSPELT_WORDS_MAX = 3;
const CORRECTIONS_MAX = 16;

/** Corrections of the words that no alert has and no vocabulary knows; none if one of them has no correction. */
function correctionsOf(index: Index, words: readonly string[]): Correction[][] {
  const misspelt = partsOf(words)
    .flatMap((part) => (part.concept === null ? part.words : []))
    .filter((word) => !occurs(index, word));
  if (misspelt.length === 0 || misspelt.length > MISSPELT_WORDS_MAX) return [];
  let combined: Correction[][] = [[]];
  for (const word of misspelt) {
    const variants = word.length < MISSPELT_LENGTH_MIN ? [] : neighbours(word);
    const inVocabulary = variants.filter(synonyms().hasWord);
    const known = new Set([...inVocabulary, ...index.knownTerms(variants)]);
    combined = combined
      .flatMap((before) => [...known].map((readAs) => [...before, { word, readAs }]))
      .slice(0, CORRECTIONS_MAX);
  }
  return combined;
}

/** Alert that fits a search but for some words. */
type CloseAlert = { readonly publishedAt: number; readonly missing: readonly string[] };

/** Searches made for the alerts that fit best. */
const CLOSEST_SEARCHES_MAX = 40;

/** Alerts that fit the filters of a search and as many of its words as any does, but not all; the newest of each first. */
export function closestAlerts(
  index: Index,
  query: Filters,
  text: string,
  max: number,
): CloseAlert[] {
  const parts = partsOf(tokenize(text, QUERY_WORDS_MAX));
  // A dog is not close to a cat.
  const others = parts.filter(({ concept }) => (concept?.species ?? null) === null);
  let searches = 0;
  for (let left = 1; left <= others.length && left < parts.length; left++) {
    const all = [...choices(others, left)];
    if (searches + all.length > CLOSEST_SEARCHES_MAX) continue;
    searches += all.length;
    const found = new Map<number, readonly string[]>();
    for (const missing of all) {
      const rest = conditions(parts.filter((part) => !missing.includes(part)));
      const keys = index.search({ ...query, ...rest, before: undefined, limit: max });
      const words = missing.flatMap((part) => part.words);
      for (const key of keys) if (!found.has(key)) found.set(key, words);
    }
    if (found.size > 0) {
      const newest = [...found].toSorted(([a], [b]) => b - a).slice(0, max);
      return newest.map(([publishedAt, missing]) => ({ publishedAt, missing }));
    }
  }
  return [];
}

/** Every choice of so many of the items, in their order. */
function* choices<Item>(items: readonly Item[], count: number): Generator<Item[]> {
  if (count === 0) yield [];
  else
    for (const [at, item] of items.entries())
      for (const others of choices(items.slice(at + 1), count - 1)) yield [item, ...others];
}

function occurs(index: Index, word: string): boolean {
  return count(index, { words: [word] }, 1) > 0;
}

const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const CYRILLIC = /\p{Script=Cyrillic}/u;
const CYRILLIC_LETTERS = "абвгдежзийклмнопрстуфхцчшщъыьэюя";

/** Words with one letter swapped with the next, missing, changed or added. Letters are added in Latin and Cyrillic. */
function neighbours(word: string): string[] {
  const letters = [...word];
  const alphabet = CYRILLIC.test(word) ? CYRILLIC_LETTERS : LETTERS;
  const found = new Set<string>();
  for (let at = 0; at <= letters.length; at++) {
    const before = letters.slice(0, at).join("");
    const [here = "", next = "", ...rest] = letters.slice(at);
    const after = next + rest.join("");
    if (next !== "") found.add(before + next + here + rest.join(""));
    if (here !== "") found.add(before + after);
    for (const letter of alphabet) {
      if (here !== "") found.add(before + letter + after);
      found.add(before + letter + here + after);
    }
  }
  found.delete(word);
  return [...found];
}

/** Exact up to here. */
export const EXCLUDED_COUNT_MAX = 20;
const EXCLUSIONS_MAX = 3;

/** Conditions without which a search that finds nothing would find alerts; none if there is no such condition. */
function exclusionsOf(index: Index, query: Filters, text: string | null): Exclusion[] {
  const parts = partsOf(text === null ? [] : tokenize(text, QUERY_WORDS_MAX));
  const filters = FILTERS.filter((filter) => query[filter] !== undefined);
  const exclusion = (by: Exclusion["by"], without: Partial<Filters>): Exclusion => ({
    by,
    count: count(index, { ...query, ...without }, EXCLUDED_COUNT_MAX),
  });
  const single = [
    ...parts.map((part) =>
      exclusion(
        { kind: "words", words: part.words.join(" ") },
        conditions(parts.filter((other) => other !== part)),
      ),
    ),
    ...filters.map((filter) => exclusion({ kind: "filter", filter }, { [filter]: undefined })),
  ].filter((each) => each.count > 0);
  if (single.length > 0) return single.slice(0, EXCLUSIONS_MAX);
  return [
    exclusion({ kind: "all", of: "words" }, conditions([])),
    exclusion(
      { kind: "all", of: "filters" },
      Object.fromEntries(FILTERS.map((filter) => [filter, undefined])),
    ),
  ].filter((each) => each.count > 0);
}

function count(index: Index, query: Filters, max: number): number {
  return index.search({ ...query, before: undefined, limit: max }).length;
}
