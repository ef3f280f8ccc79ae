import { filesNamed } from "./files.ts" with { type: "macro" };
import { byLanguage, PAGE_LANGUAGES } from "./languages.ts";
import { textsIn } from "./texts.ts";

/** Words that are read in texts, without case and accents; several are separated by spaces. */
export type Vocabulary = {
  /** Words without a meaning for a search. */
  readonly fillers: readonly string[];
  /** "And". */
  readonly conjunctions: string;
  /** Words for the two types of alerts. */
  readonly lost: string;
  readonly found: string;
  /** Today, yesterday and the day before. */
  readonly days: readonly string[];
  /** Part of a day that is also the word for tomorrow when it stands alone. */
  readonly tomorrow: string;
  readonly dayParts: Readonly<Record<"morning" | "afternoon" | "evening" | "night", string>>;
  /** "This", and other words, before a part of a day. */
  readonly thisPart: readonly string[];
  readonly beforePart: readonly string[];
  /** Names of the months, and abbreviations that do not begin them. */
  readonly months: readonly string[];
  /** Names that would pass for a moderator's, an authority's or a shelter's, as people write them. */
  readonly officialNames: readonly string[];
  /** Names of the species, separated by commas. */
  readonly species: Readonly<Record<"dog" | "cat" | "bird", string>>;
  /** Words between the breeds of a cross. */
  readonly breedSeparators: string;
  /** Words that people leave out of the name of a breed, and that add nothing to it. */
  readonly breedConnectives: string;
  readonly coat: {
    /** Names of each colour and pattern; after "|" those of its shades. */
    readonly terms: Readonly<Record<string, string>>;
    /** Things that have a colour but are not coat, and where their colour stands. */
    readonly objects: string;
    readonly colorPosition: "before" | "after";
    /** Endings of each form of a word, by the ending that they replace; "-" is none. The first that fits counts. */
    readonly endings: Readonly<Record<string, string>>;
    /** Degrees of a colour in a compound, such as "hell"; none where colours are not compounded. */
    readonly compoundDegrees: string;
    /** Parts of compounds that add no colour: dunkelgrau, sandfarben, blackandwhite. */
    readonly compoundFillers: string;
    /** "Black and white" in two letters. */
    readonly blackAndWhite: string;
    /** Negations of the colour that follows, and words allowed between the two: "no white", "pas de blanc". */
    readonly negations: string;
    readonly afterNegation: string;
  };
};

const FILES = filesNamed("vocabulary");

export const VOCABULARIES = byLanguage(PAGE_LANGUAGES, (language) =>
  textsIn<Vocabulary>(FILES, language),
);

/** Words of one kind in all languages. */
export function wordsOfAll(of: (vocabulary: Vocabulary) => string): readonly string[] {
  return PAGE_LANGUAGES.flatMap((language) =>
    of(VOCABULARIES[language])
      .split(" ")
      .filter((word) => word !== ""),
  );
}
