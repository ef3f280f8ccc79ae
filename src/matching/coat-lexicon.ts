import { type Language, LANGUAGES } from "../messages/languages.ts";
import type { BaseColor, Pattern } from "./coat-parser.ts";
import data from "./data/coats.json" with { type: "json" };

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
    Object.entries(data[language].terms).map(
      ([term, text]) => [term as CoatTerm, words(text).filter((word) => word !== SHADES)] as const,
    ),
  );

/** Those of the words that are plain names of the colour or pattern, not of a shade: "grey" and "gray", not "ash". */
export const PLAIN_COAT_WORDS: typeof COAT_WORDS = byLanguage((language) =>
  Object.entries(data[language].terms).map(([term, text]) => {
    const all = words(text);
    const shades = all.indexOf(SHADES);
    return [term as CoatTerm, shades === -1 ? all : all.slice(0, shades)] as const;
  }),
);

/** Forms of a word in a language, the word itself included. */
export function formsOf(word: string, language: Language): readonly string[] {
  if (language === "es" && word.endsWith("o")) {
    return ["o", "a", "os", "as"].map((ending) => word.slice(0, -1) + ending);
  }
  return ENDINGS[language].map((ending) => word + ending);
}

const ENDINGS: Readonly<Record<Language, readonly string[]>> = {
  en: ["", "s", "ish"],
  fr: ["", "e", "s", "es"],
  es: ["", "s", "es"],
  de: ["", "e", "er", "es", "en", "em"],
};

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
export const OBJECTS = byLanguage((language) => folded(data[language].objects));

/** Step from an object to its colour: before it in English and German ("blue eyes"), after it in French and Spanish. */
export const COLOR_STEP: Readonly<Record<Language, -1 | 1>> = { en: -1, fr: 1, es: 1, de: -1 };

/** Parts of compounds that add no colour: dunkelgrau, sandfarben, blackandwhite. */
export const COMPOUND_FILLERS = folded(
  "hell dunkel mittel tief schnee pech raben asch farben farbend farbig and und light dark",
);

/** Two colours in two letters, as in B/W, S/W (German) and N&B (French, Spanish), in either order. */
export const INITIALS: ReadonlyMap<string, readonly BaseColor[]> = new Map(
  words("bw wb sw ws nb bn").map((letters) => [letters, ["black", "white"]]),
);

/** Negations of the colour that follows: "no white", "pas de blanc". */
export const NEGATIONS = folded(
  "no not without non sans pas aucun sin ni ohne kein keine keinen nicht",
);
/** Words allowed between a negation and its colour. */
export const AFTER_NEGATION = folded("any a de d du le viel much mucho trop");

function byLanguage<Value>(of: (language: Language) => Value): Readonly<Record<Language, Value>> {
  return Object.fromEntries(LANGUAGES.map((language) => [language, of(language)])) as Record<
    Language,
    Value
  >;
}

function folded(text: string): ReadonlySet<string> {
  return new Set(words(text).map(foldUmlauts));
}

function words(text: string): string[] {
  return text.split(" ");
}
