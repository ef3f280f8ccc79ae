import { closestByEditDistance } from "../text/edit-distance.ts";
import { wordsOfAll } from "../messages/vocabulary.ts";
import { tokenize } from "../text/tokenize.ts";
import birds from "./data/birds.json" with { type: "json" };
import cats from "./data/cats.json" with { type: "json" };
import dogs from "./data/dogs.json" with { type: "json" };
import others from "./data/others.json" with { type: "json" };
import { bySpecies } from "./subject.ts";
import type { Species } from "../values/animal.ts";

/**
 * Group of breeds that look alike to a lay person; for birds and other animals, a kind. A breed named by sight is wrong
 * more often than right (Voith 2009, 2013; Olson 2015), so an owner and a finder agree on a group at best.
 */
export type BreedGroup =
  | keyof typeof dogs.groups
  | keyof typeof cats.groups
  | keyof typeof birds.groups
  | keyof typeof others.groups;

/** The breeds of a species. A breed that looks like two groups, such as a cross, is listed in both. */
type BreedTable = {
  readonly groups: Readonly<
    Record<
      string,
      {
        /**
         * One breed each: its names in English, French, Spanish and German, short forms and common misspellings. Case,
         * accents, word order, spaces and one wrong letter in a long word do not matter, so such variants are left out.
         */
        readonly breeds: readonly string[];
      }
    >
  >;
  /** Similarity of two groups to a lay eye, each pair listed once, 0 if absent. Judged by hand, in tenths. */
  readonly similarity: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /**
   * Share of each group. Dogs and cats: animals licensed in Seattle by their first breed (data.seattle.gov, "Seattle Pet
   * Licenses": 31,835 dogs, 16,819 cats). Birds and others: guesses.
   */
  readonly percent: Readonly<Record<string, number>>;
};

export const BREED_TABLES: Readonly<Record<Species, BreedTable>> = {
  dog: dogs,
  cat: cats,
  bird: birds,
  other: others,
};

/** Groups of each species, in the order of its table. */
export const BREED_GROUPS = bySpecies(
  (species): readonly BreedGroup[] => Object.keys(BREED_TABLES[species].groups) as BreedGroup[],
);

/**
 * Breed groups named in a free text in English, French, Spanish or German, in the order of the tables: several for a
 * cross ("labrador / pit bull"), none for a bare "mix", "unknown" or an unknown name. Separators such as "/", "x" and
 * "and" split the text into parts. Within a part word order does not matter, and a longer name hides the shorter ones
 * it contains: "Retriever, Labrador" is a Labrador, "Boston terrier" is not a terrier.
 */
export function readBreedGroups(species: Species, text: string): readonly BreedGroup[] {
  const found = groupsIn(text, LEXICONS[species]);
  return BREED_GROUPS[species].filter((group) => found.has(group));
}

/** Groups of animals that no small hiding place holds. */
export const LARGE_ANIMALS: readonly BreedGroup[] = ["horse", "goat", "pig", "cow"];

/** Animals of the species "other" named in a text, each by the first name in the table. */
export function readOtherAnimals(text: string): readonly string[] {
  return [...groupsIn(text, OTHER_ANIMALS)];
}

/** Groups of the names in a text. */
function groupsIn(text: string, lexicon: Lexicon): ReadonlySet<string> {
  const found = new Set<string>();
  for (const part of text.split(BREED_SEPARATOR, PARTS_MAX)) {
    const words = new Set(
      tokenize(part, PART_WORDS_MAX).flatMap((word) => knownForm(word, lexicon) ?? []),
    );
    for (const { groups } of longest(namesAmong(words, lexicon))) {
      for (const group of groups) found.add(group);
    }
  }
  return found;
}

/** Similarity of two groups to a lay eye: 1 for the same group, 0 if people do not confuse them. Symmetric. */
export function breedGroupSimilarity(a: BreedGroup, b: BreedGroup): number {
  return a === b ? 1 : (SIMILARITY.get(`${a} ${b}`) ?? 0);
}

const PARTS_MAX = 10;
const PART_WORDS_MAX = 20;
/** Separator of the breeds of a cross. A comma is not one: registries write "Retriever, Labrador". */
const BREED_SEPARATOR = new RegExp(
  `[/&+;|()]|(?<![\\p{L}\\p{M}\\p{N}])(?:${["x", "×", ...wordsOfAll((words) => words.breedSeparators)].join("|")})(?![\\p{L}\\p{M}\\p{N}])`,
  "iu",
);

/** Names of the breeds of a species, by the words in them. */
type Lexicon = {
  readonly words: ReadonlySet<string>;
  /** Words that may be misspelt, by their first letter, which is rarely wrong. */
  readonly longWords: ReadonlyMap<string, readonly string[]>;
  /** Names by their first word. */
  readonly names: ReadonlyMap<string, readonly BreedName[]>;
};
/** Name that stands for one group or several; a text must contain all its words. */
type BreedName = { readonly words: readonly string[]; readonly groups: readonly string[] };

/** The lexicon's form of a written word: the word itself, its stem, or the word it misspells by one letter. */
function knownForm(word: string, lexicon: Lexicon): string | null {
  if (lexicon.words.has(word)) return word;
  for (const [ending, replacement, stemLengthMin] of ENDINGS) {
    const stem = word.slice(0, -ending.length) + replacement;
    if (word.endsWith(ending) && stem.length >= stemLengthMin && lexicon.words.has(stem)) {
      return stem;
    }
  }
  const similar = lexicon.longWords.get(word[0] ?? "") ?? [];
  return closestByEditDistance(word, similar, (known) => known, Infinity)[0] ?? null;
}

/** Endings to strip, their replacement, and the shortest stem allowed: "chien" is not "chi". */
const ENDINGS: readonly (readonly [ending: string, replacement: string, stemLengthMin: number])[] =
  [
    // German compounds: "Labradormischling", "Schäferhündin", "Pudeldame".
    ["mischling", "", 3],
    ["mix", "", 3],
    ["hundin", "hund", 3],
    ["hundin", "", 3],
    ["hund", "", 5],
    ["rude", "", 5],
    ["welpe", "", 5],
    ["dame", "", 5],
    ["kater", "", 4],
    ["katze", "", 4],
    // Plurals and feminines.
    ["s", "", 3],
    ["es", "", 5],
    ["en", "", 5],
    ["e", "", 5],
    ["n", "", 5],
    ["a", "", 5],
  ];

function namesAmong(words: ReadonlySet<string>, lexicon: Lexicon): readonly BreedName[] {
  return [...words]
    .flatMap((word) => lexicon.names.get(word) ?? [])
    .filter((name) => name.words.every((word) => words.has(word)));
}

function longest(names: readonly BreedName[]): readonly BreedName[] {
  const contains = (longer: BreedName, name: BreedName) =>
    longer.words.length > name.words.length &&
    name.words.every((word) => longer.words.includes(word));
  return names.filter((name) => !names.some((other) => contains(other, name)));
}

/** Both directions of each listed pair. */
const SIMILARITY: ReadonlyMap<string, number> = new Map(
  Object.values(BREED_TABLES).flatMap(({ similarity }) =>
    Object.entries(similarity).flatMap(([one, others]) =>
      Object.entries(others).flatMap(([other, value]): [string, number][] => [
        [`${one} ${other}`, value],
        [`${other} ${one}`, value],
      ]),
    ),
  ),
);

/** Shorter words have too many ordinary neighbours: poodle and paddle, setter and sitter. */
const MISSPELT_LENGTH_MIN = 7;
const CONNECTIVES = new Set(wordsOfAll(({ breedConnectives }) => breedConnectives));

const LEXICONS = bySpecies((species) => lexiconOf(BREED_TABLES[species]));
/** The other animals, each breed a group of its own. */
const OTHER_ANIMALS = lexiconOf({
  groups: Object.fromEntries(
    Object.values(others.groups)
      .flatMap(({ breeds }) => breeds)
      .map((names) => [names.split(",")[0]!, { breeds: [names] }]),
  ),
});

function lexiconOf(table: Pick<BreedTable, "groups">): Lexicon {
  const groupsByName = new Map<string, string[]>();
  for (const [group, { breeds }] of Object.entries(table.groups)) {
    for (const key of breeds.flatMap((names) => names.split(",")).flatMap(nameKeys)) {
      const groups = groupsByName.get(key) ?? [];
      if (!groups.includes(group)) groupsByName.set(key, [...groups, group]);
    }
  }
  const names = [...groupsByName].map(([key, groups]) => ({ words: key.split(" "), groups }));
  const words = new Set(names.flatMap((name) => name.words));
  const longWords = [...words].filter((word) => word.length >= MISSPELT_LENGTH_MIN);
  return {
    words,
    longWords: Map.groupBy(longWords, (word) => word[0] ?? ""),
    names: Map.groupBy(names, (name) => name.words[0] ?? ""),
  };
}

/** The words of a name in sorted order, and the name written as one word. */
function nameKeys(name: string): string[] {
  const words = tokenize(name);
  if (words.length === 0) return [];
  return [significantWords(words).toSorted().join(" "), words.join("")];
}

/** Words of a breed's name without connectives such as "de". */
export function significantWords(words: readonly string[]): readonly string[] {
  return words.filter((word) => !CONNECTIVES.has(word));
}
