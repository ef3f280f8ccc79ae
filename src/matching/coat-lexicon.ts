import { type Language, LANGUAGES } from "../messages/languages.ts";
import { VOCABULARIES, wordsOfAll } from "../messages/vocabulary.ts";

/** Colours that lay observers distinguish. Those from `green` on are for feathers, scales and pink skin. */
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

/** Patterns from the most to the least specific; if a text names two, the first one counts. */
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

/**
 * Meaning of a word that describes a coat. `tuxedo` is black and white in two fields, `three` the tricolour of a dog or
 * the calico of a cat, `dilute` the grey that replaces black in a tortie or calico.
 */
export type CoatTerm = BaseColor | Pattern | "tuxedo" | "three" | "dilute";

/** Separator in the data between the plain names of a colour or pattern and those of its shades. */
const SHADES = "|";

/**
 * Words of each language without accents, in the form that `formsOf` inflects. Of fur, `blue`, `yellow` and `red` mean
 * grey, tan and orange. Words that are not a colour by themselves ("spot", "patch": one on the chest) are left out.
 */
export const COAT_WORDS: Readonly<Record<Language, readonly (readonly [CoatTerm, string[]])[]>> =
  byLanguage((language) =>
    Object.entries(VOCABULARIES[language].coat.terms).map(
      ([term, text]) => [term as CoatTerm, words(text).filter((word) => word !== SHADES)] as const,
    ),
  );

/** Those of the words that are plain names of the colour or pattern, not of a shade: "grey" and "gray", not "ash". */
export const PLAIN_COAT_WORDS: typeof COAT_WORDS = byLanguage((language) =>
  Object.entries(VOCABULARIES[language].coat.terms).map(([term, text]) => {
    const all = words(text);
    const shades = all.indexOf(SHADES);
    return [term as CoatTerm, shades === -1 ? all : all.slice(0, shades)] as const;
  }),
);

/** Forms of a word in a language, the word itself included. */
export function formsOf(word: string, language: Language): readonly string[] {
  const endings = Object.entries(VOCABULARIES[language].coat.endings);
  const [replaced, added] = endings.find(([ending]) => word.endsWith(ending))!;
  const stem = word.slice(0, word.length - replaced.length);
  return words(added).map((ending) => stem + (ending === "-" ? "" : ending));
}

/** Replaces a typed umlaut: "gruen" is "grün", which folds to "grun". Other words lose the "e" too, here as in texts. */
export function foldUmlauts(word: string): string {
  return word.replace(/([aou])e/g, "$1");
}

/** Term of each word in all its forms. */
export const TERMS: Readonly<Record<Language, ReadonlyMap<string, CoatTerm>>> = byLanguage(
  (language) => {
    const terms = new Map<string, CoatTerm>();
    for (const [term, bases] of COAT_WORDS[language]) {
      for (const form of bases.flatMap((base) => formsOf(base, language)).map(foldUmlauts)) {
        if (!terms.has(form)) terms.set(form, term);
      }
    }
    return terms;
  },
);

/**
 * Things that have a colour but are not coat, such as eyes and collars. Only a colour of the same language belongs to
 * them, so "collar" can be both English and Spanish.
 */
export const OBJECTS = byLanguage((language) => folded(words(VOCABULARIES[language].coat.objects)));

/** Step from an object to its colour: before it in English and German ("blue eyes"), after it in French and Spanish. */
export const COLOR_STEP = byLanguage((language) =>
  VOCABULARIES[language].coat.colorPosition === "before" ? -1 : 1,
);

/** Parts of compounds that add no colour: dunkelgrau, sandfarben, blackandwhite. */
export const COMPOUND_FILLERS = folded(wordsOfAll(({ coat }) => coat.compoundFillers));

/** Two colours in two letters, as in B/W, S/W (German) and N&B (French, Spanish), in either order. */
export const INITIALS: ReadonlyMap<string, readonly BaseColor[]> = new Map(
  wordsOfAll(({ coat }) => coat.blackAndWhite).map((letters) => [letters, ["black", "white"]]),
);

/** Negations of the colour that follows: "no white", "pas de blanc". */
export const NEGATIONS = folded(wordsOfAll(({ coat }) => coat.negations));
/** Words allowed between a negation and its colour. */
export const AFTER_NEGATION = folded(wordsOfAll(({ coat }) => coat.afterNegation));

function byLanguage<Value>(of: (language: Language) => Value): Readonly<Record<Language, Value>> {
  return Object.fromEntries(LANGUAGES.map((language) => [language, of(language)])) as Record<
    Language,
    Value
  >;
}

function folded(all: readonly string[]): ReadonlySet<string> {
  return new Set(all.map(foldUmlauts));
}

function words(text: string): string[] {
  return text.split(" ");
}
