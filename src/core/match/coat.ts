import { type Language, LANGUAGES, type Species } from "../alert.ts";
import { wordsOf } from "../words.ts";
import {
  AFTER_NEGATION,
  COAT_WORDS,
  COMPOUND_FILLERS,
  formsOf,
  INITIALS,
  NEGATIONS,
  NOT_COAT,
  type CoatSign,
} from "./coat-words.ts";

/** The colours lay observers tell apart. From `green` on they are those of feathers and scales, but for pink skin. */
export const BASE_COLORS = [
  "black",
  "white",
  "grey",
  "brown",
  "orange",
  "tan",
  "green",
  "blue",
  "yellow",
  "red",
  "pink",
] as const;
export type BaseColor = (typeof BASE_COLORS)[number];

/** From the pattern that says most to the one that says least: where a text names two, the first counts. */
export const PATTERNS = [
  "pointed",
  "calico",
  "tortie",
  "merle",
  "brindle",
  "tabby",
  "spotted",
  "tricolor",
  "bicolor",
  "solid",
] as const;
export type Pattern = (typeof PATTERNS)[number];

/** Colours in the order of `BASE_COLORS`, each once. Empty and null: the text tells nothing. */
export type Coat = { readonly colors: readonly BaseColor[]; readonly pattern: Pattern | null };

/**
 * The coat that a free text tells of in English, French, Spanish or German. Two ways to say one coat read alike:
 * "tuxedo" and "black and white" are both black, white, bicolor, and so a pattern may follow from colours alone; the
 * two are not independent evidence. The species settles what depends on it: a blue dog or cat is grey, a blue bird is
 * blue; tricolour is calico on a cat; stripes are tabby on a cat and brindle on a dog. Without a species, as of fur.
 */
export function readCoat(text: string, species?: Species): Coat {
  const signs = new Set(clausesOf(text).flatMap(signsOfClause));
  const { colors, patterns } = onSpecies(signs, species);
  const whole = PATTERNS.filter((pattern) => patterns.has(pattern)).reduceRight(
    (known, pattern) => completed(known, pattern, signs.has("tuxedo")),
    colors,
  );
  return {
    colors: BASE_COLORS.filter((color) => whole.has(color)),
    pattern: statedPattern(patterns, colors) ?? impliedPattern(whole, species),
  };
}

/** The words of each clause, as often as they are said: "black, no white" is two clauses. */
function clausesOf(text: string): string[][] {
  return text
    .replace(LETTER_PAIR, "$1$2")
    .split(/[,;.()]/, CLAUSES_MAX)
    .map((clause) => clause.split(/\s+/, CLAUSE_RUNS_MAX).flatMap((run) => wordsOf(run)))
    .map((words) => words.map(typedUmlaut));
}

const CLAUSES_MAX = 20;
/** Words between white space, some of which are several: "black/white". */
const CLAUSE_RUNS_MAX = 40;
const LETTER_PAIR = /(?<![\p{L}\p{M}\p{N}])(\p{L})\s?[&/+]\s?(\p{L})(?![\p{L}\p{M}\p{N}])/gu;

/** "Gruen" is typed for "grün", which folds to "grun". Other words lose a letter too, here and in the tables. */
function typedUmlaut(word: string): string {
  return word.replace(/([aou])e/g, "$1");
}

function signsOfClause(words: readonly string[]): readonly CoatSign[] {
  const spoken = words.map((word, at) => (isNegated(words, at) ? [] : signsOfWord(word)));
  for (const [at, word] of words.entries()) {
    for (const language of LANGUAGES.filter((each) => THINGS[each].has(word))) {
      const beside = NOT_COAT[language].colour === "before" ? at - 1 : at + 1;
      if (isColorWord(words[beside] ?? "", language)) spoken[beside] = [];
    }
  }
  return spoken.flat();
}

function isColorWord(word: string, language: Language): boolean {
  return isColor(WORDS[language].get(word) ?? signsOfCompound(word)?.[0]);
}

function isNegated(words: readonly string[], at: number): boolean {
  const before = words[at - 1] ?? "";
  return (
    IS_NEGATION.has(before) ||
    (IS_AFTER_NEGATION.has(before) && IS_NEGATION.has(words[at - 2] ?? ""))
  );
}

/** What a word tells, or the parts of a compound that is told to its last letter: "schwarzweiss", "redtabby". */
function signsOfWord(word: string): readonly CoatSign[] {
  return knownSigns(word) ?? signsOfCompound(word) ?? [];
}

const PART_LENGTH_MIN = 3;

function signsOfCompound(word: string): readonly CoatSign[] | null {
  for (let cut = PART_LENGTH_MIN; cut <= word.length - PART_LENGTH_MIN; cut++) {
    const head = knownSigns(word.slice(0, cut));
    if (head === null) continue;
    const tail = knownSigns(word.slice(cut)) ?? signsOfCompound(word.slice(cut));
    if (tail !== null) return [...head, ...tail];
  }
  return null;
}

function knownSigns(word: string): readonly CoatSign[] | null {
  if (IS_FILLER.has(word)) return [];
  const initials = INITIALS.get(word);
  if (initials !== undefined) return initials;
  for (const words of Object.values(WORDS)) {
    const sign = words.get(word);
    if (sign !== undefined) return [sign];
  }
  return null;
}

/** Each sign as the colour or pattern it is on that species. */
function onSpecies(
  signs: ReadonlySet<CoatSign>,
  species: Species | undefined,
): { readonly colors: ReadonlySet<BaseColor>; readonly patterns: ReadonlySet<Pattern> } {
  const colors = new Set<BaseColor>();
  const patterns = new Set<Pattern>();
  for (const sign of signs) {
    if (isColor(sign)) colors.add(species === "bird" ? sign : (FUR[sign] ?? sign));
    else if (sign === "tuxedo") patterns.add("bicolor");
    else if (sign === "three") patterns.add(species === "cat" ? "calico" : "tricolor");
    else if (sign === "tabby") patterns.add(species === "dog" ? "brindle" : "tabby");
    else if (sign === "brindle") patterns.add(species === "cat" ? "tabby" : "brindle");
    else if (sign !== "dilute") patterns.add(sign);
  }
  if (patterns.has("tortie") && colors.has("white")) patterns.add("calico");
  if (signs.has("dilute") && (patterns.has("tortie") || patterns.has("calico"))) colors.add("grey");
  return { colors, patterns };
}

/** What the words for feathers mean when said of fur. */
const FUR: Readonly<Partial<Record<BaseColor, BaseColor>>> = {
  blue: "grey",
  yellow: "tan",
  red: "orange",
};

/** "All" and "solid" go with one colour only: "black, all paws white" is not solid. */
function statedPattern(
  patterns: ReadonlySet<Pattern>,
  colors: ReadonlySet<BaseColor>,
): Pattern | null {
  const first = PATTERNS.find((pattern) => patterns.has(pattern)) ?? null;
  return first === "solid" && colors.size !== 1 ? null : first;
}

/** The colours with those that the pattern has for certain: a calico is white, orange and one dark colour. */
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

/** White with one colour is white spotting in any mammal; orange with black or grey is tortie in cats. */
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

function isColor(sign: CoatSign | undefined): sign is BaseColor {
  return IS_COLOR.has(sign);
}

const IS_COLOR: ReadonlySet<CoatSign | undefined> = new Set(BASE_COLORS);
const IS_FILLER = typed(COMPOUND_FILLERS);
const IS_NEGATION = typed(NEGATIONS);
const IS_AFTER_NEGATION = typed(AFTER_NEGATION);

const WORDS: Readonly<Record<Language, ReadonlyMap<string, CoatSign>>> = {
  en: signsByWord("en"),
  fr: signsByWord("fr"),
  es: signsByWord("es"),
  de: signsByWord("de"),
};

/** What has a colour of its own. */
const THINGS: Readonly<Record<Language, ReadonlySet<string>>> = {
  en: typed(NOT_COAT.en.things),
  fr: typed(NOT_COAT.fr.things),
  es: typed(NOT_COAT.es.things),
  de: typed(NOT_COAT.de.things),
};

function signsByWord(language: Language): ReadonlyMap<string, CoatSign> {
  const signs = new Map<string, CoatSign>();
  for (const [sign, words] of Object.entries(COAT_WORDS[language])) {
    for (const word of words.flatMap((base) => formsOf(base, language))) {
      const key = typedUmlaut(word);
      if (!signs.has(key)) signs.set(key, sign as CoatSign);
    }
  }
  return signs;
}

function typed(words: readonly string[]): ReadonlySet<string> {
  return new Set(words.map(typedUmlaut));
}
