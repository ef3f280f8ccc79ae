import { type Language, LANGUAGES } from "../messages/languages.ts";
import { tokenize } from "../text/tokenize.ts";
import {
  AFTER_NEGATION,
  BASE_COLORS,
  type BaseColor,
  type CoatTerm,
  COLOR_STEP,
  COMPOUND_FILLERS,
  foldUmlauts,
  INITIALS,
  NEGATIONS,
  OBJECTS,
  type Pattern,
  PATTERNS,
  TERMS,
} from "./coat-lexicon.ts";
import type { Species } from "../values/animal.ts";

/** Colours in the order of `BASE_COLORS`, each once, and the pattern. Empty and null if the text describes no coat. */
export type Coat = { readonly colors: readonly BaseColor[]; readonly pattern: Pattern | null };

/**
 * Coat described by a free text in English, French, Spanish or German. Different words for one coat give the same result:
 * "tuxedo" and "black and white" are both black, white, bicolor. A pattern may thus follow from colours alone, and the two
 * are not independent evidence. Some words depend on the species: a blue dog or cat is grey, a blue bird is blue;
 * tricolour is calico on a cat; stripes are tabby on a cat and brindle on a dog. Without a species the words mean fur.
 */
export function readCoat(text: string, species?: Species): Coat {
  const terms = new Set(clausesOf(text).flatMap(clauseTerms));
  const { colors, patterns } = onSpecies(terms, species);
  const whole = PATTERNS.filter((pattern) => patterns.has(pattern)).reduceRight(
    (known, pattern) => completed(known, pattern, terms.has("tuxedo")),
    colors,
  );
  return {
    colors: BASE_COLORS.filter((color) => whole.has(color)),
    pattern: statedPattern(patterns, colors) ?? impliedPattern(whole, species),
  };
}

/** Words of each clause, repetitions included: "black, no white" is two clauses. */
function clausesOf(text: string): string[][] {
  return text
    .replace(LETTER_PAIR, "$1$2")
    .split(/[,;.()]/, CLAUSES_MAX)
    .map((clause) => clause.split(/\s+/, CLAUSE_RUNS_MAX).flatMap((run) => tokenize(run)))
    .map((words) => words.map(foldUmlauts));
}

const CLAUSES_MAX = 20;
/** Limit of runs between white space; one can hold several words: "black/white". */
const CLAUSE_RUNS_MAX = 40;
const LETTER_PAIR = /(?<![\p{L}\p{M}\p{N}])(\p{L})\s?[&/+]\s?(\p{L})(?![\p{L}\p{M}\p{N}])/gu;

function clauseTerms(words: readonly string[]): readonly CoatTerm[] {
  const terms = words.map((word, at) => (isNegated(words, at) ? [] : wordTerms(word)));
  for (const [at, word] of words.entries()) {
    for (const language of LANGUAGES.filter((each) => OBJECTS[each].has(word))) {
      const color = at + COLOR_STEP[language];
      if (isColorWord(words[color] ?? "", language)) terms[color] = [];
    }
  }
  return terms.flat();
}

function isColorWord(word: string, language: Language): boolean {
  return isColor(TERMS[language].get(word) ?? compoundTerms(word)?.[0]);
}

function isNegated(words: readonly string[], at: number): boolean {
  const before = words[at - 1] ?? "";
  return (
    NEGATIONS.has(before) || (AFTER_NEGATION.has(before) && NEGATIONS.has(words[at - 2] ?? ""))
  );
}

/** Terms of a word, or of the parts of a compound that is fully understood: "schwarzweiss", "redtabby". */
function wordTerms(word: string): readonly CoatTerm[] {
  return knownTerms(word) ?? compoundTerms(word) ?? [];
}

const PART_LENGTH_MIN = 3;

function compoundTerms(word: string): readonly CoatTerm[] | null {
  for (let cut = PART_LENGTH_MIN; cut <= word.length - PART_LENGTH_MIN; cut++) {
    const head = knownTerms(word.slice(0, cut));
    if (head === null) continue;
    const tail = knownTerms(word.slice(cut)) ?? compoundTerms(word.slice(cut));
    if (tail !== null) return [...head, ...tail];
  }
  return null;
}

function knownTerms(word: string): readonly CoatTerm[] | null {
  if (COMPOUND_FILLERS.has(word)) return [];
  const initials = INITIALS.get(word);
  if (initials !== undefined) return initials;
  for (const terms of Object.values(TERMS)) {
    const term = terms.get(word);
    if (term !== undefined) return [term];
  }
  return null;
}

/** Colours and patterns that the terms mean on a species. */
function onSpecies(
  terms: ReadonlySet<CoatTerm>,
  species: Species | undefined,
): { readonly colors: ReadonlySet<BaseColor>; readonly patterns: ReadonlySet<Pattern> } {
  const colors = new Set<BaseColor>();
  const patterns = new Set<Pattern>();
  for (const term of terms) {
    if (isColor(term)) colors.add(species === "bird" ? term : (FUR[term] ?? term));
    else if (term === "tuxedo") patterns.add("bicolor");
    else if (term === "three") patterns.add(species === "cat" ? "calico" : "tricolor");
    else if (term === "tabby") patterns.add(species === "dog" ? "brindle" : "tabby");
    else if (term === "brindle") patterns.add(species === "cat" ? "tabby" : "brindle");
    else if (term !== "dilute") patterns.add(term);
  }
  if (patterns.has("tortie") && colors.has("white")) patterns.add("calico");
  if (terms.has("dilute") && (patterns.has("tortie") || patterns.has("calico"))) colors.add("grey");
  return { colors, patterns };
}

/** Colours of feathers as they are meant of fur. */
const FUR: Readonly<Partial<Record<BaseColor, BaseColor>>> = {
  blue: "grey",
  yellow: "tan",
  red: "orange",
};

/** Most specific pattern named; "all" and "solid" need a single colour: "black, all paws white" is not solid. */
function statedPattern(
  patterns: ReadonlySet<Pattern>,
  colors: ReadonlySet<BaseColor>,
): Pattern | null {
  const first = PATTERNS.find((pattern) => patterns.has(pattern)) ?? null;
  return first === "solid" && colors.size !== 1 ? null : first;
}

/** The colours plus those that the pattern implies: a calico is white, orange and one dark colour. */
function completed(
  colors: ReadonlySet<BaseColor>,
  pattern: Pattern,
  isTuxedo: boolean,
): ReadonlySet<BaseColor> {
  switch (pattern) {
    case "calico":
    case "tricolor":
      return filled(colors, 3, ["white", pattern === "calico" ? "orange" : "tan", "black"]);
    case "tortie":
      return filled(colors, 2, ["orange", "black"]);
    case "bicolor":
      return isTuxedo ? filled(colors, 2, ["white", "black"]) : colors;
    case "pointed":
      return colors.has("white") ? colors : new Set([...colors, "tan" as const]);
    case "merle":
    case "brindle":
    case "tabby":
    case "spotted":
    case "solid":
      return colors;
  }
}

function filled(
  colors: ReadonlySet<BaseColor>,
  count: number,
  certain: readonly BaseColor[],
): ReadonlySet<BaseColor> {
  const missing = certain.filter((color) => !colors.has(color));
  return new Set([...colors, ...missing.slice(0, Math.max(0, count - colors.size))]);
}

/** Pattern implied by colours: white with one colour is bicolor in mammals; orange with black or grey is a tortie cat. */
function impliedPattern(
  colors: ReadonlySet<BaseColor>,
  species: Species | undefined,
): Pattern | null {
  const isTortie =
    species === "cat" && colors.has("orange") && (colors.has("black") || colors.has("grey"));
  if (isTortie && colors.size === 2) return "tortie";
  if (!colors.has("white") || species === "bird") return null;
  if (colors.size === 2) return "bicolor";
  if (colors.size !== 3) return null;
  if (isTortie) return "calico";
  return species === "dog" ? "tricolor" : null;
}

function isColor(term: CoatTerm | undefined): term is BaseColor {
  return IS_COLOR.has(term);
}

const IS_COLOR: ReadonlySet<CoatTerm | undefined> = new Set(BASE_COLORS);
