import { LANGUAGES } from "../../messages/languages.ts";
import { VOCABULARIES } from "../../messages/vocabulary.ts";
import { tokenize } from "../../text/tokenize.ts";
import {
  BASE_COLORS,
  BREED_TABLES,
  foldUmlauts,
  formsOf,
  PLAIN_COAT_WORDS,
  significantWords,
} from "../../matching/matching.ts";
import { type Species, SPECIES } from "../../values/animal.ts";
import type { Alternative, Concept } from "../../search/search.ts";

/** Synonyms in English, French, Spanish and German, from the vocabularies of matching. */
type Synonyms = {
  /**
   * Meaning of a name of one word or several, in any order: a colour, a pattern, a breed, a species, or all of these that
   * it may stand for. Null for a name that the vocabularies lack.
   */
  conceptOf(words: readonly string[]): Concept | null;
  /** True if the word is part of a name. */
  hasWord(word: string): boolean;
  /** Words in the longest name. */
  readonly nameWordsMax: number;
  /** Everything that the vocabularies name. */
  readonly entries: readonly SynonymEntry[];
};
/** Names that mean one thing. Compounds contain the name of a colour: they are found by it, and mean more than it. */
type SynonymEntry = {
  /** Species that the names stand for by themselves, as "cat" does. */
  readonly species: Species | null;
  readonly names: readonly string[];
  readonly compounds: readonly string[];
  /** Species and groups of a breed. */
  readonly breedOf: Species | null;
  readonly groups: ReadonlySet<string>;
};

/** Most alternatives of a concept. */
const ALTERNATIVES_MAX = 256;

/** Built when it is first needed. */
let built: Synonyms | null = null;
export const synonyms = (): Synonyms => (built ??= buildSynonyms());

function buildSynonyms(): Synonyms {
  const entries = [...coatEntries(), ...speciesEntries(), ...breedEntries()];
  const keysOf = new Map(entries.map((entry) => [entry, distinctKeys(entry.names)]));
  const entriesByKey = new Map<string, SynonymEntry[]>();
  for (const [entry, keys] of keysOf) {
    for (const key of keys) {
      const known = entriesByKey.get(key);
      if (known === undefined) entriesByKey.set(key, [entry]);
      else known.push(entry);
    }
  }
  const longer = longerNames(entries);
  const concepts = new Map(
    entries.map((entry) => {
      const keys = keysOf.get(entry)!.filter((key) => !isAmbiguous(entriesByKey.get(key)!));
      const all = [...keys, ...distinctKeys(entry.compounds)].slice(0, ALTERNATIVES_MAX);
      const alternatives = all.map((key) => alternative(key, entry, longer));
      return [entry, { species: entry.species, alternatives }] as const;
    }),
  );
  const words = new Set(entriesByKey.keys().flatMap((key) => key.split(" ")));
  const find = (key: string) => {
    const meanings = entriesByKey.get(key)?.map((entry) => concepts.get(entry)!);
    return meanings === undefined ? null : merged(key, meanings);
  };
  return {
    conceptOf(name) {
      const key = keyOf(name);
      return find(key) ?? find(foldUmlauts(key));
    },
    hasWord: (word) => words.has(word),
    nameWordsMax: Math.max(...entriesByKey.keys().map((key) => key.split(" ").length)),
    entries,
  };
}

/**
 * True for a name that breeds of two species share, or a breed and a colour or species: DSH is a Deutscher Schäferhund and
 * a domestic shorthair cat.
 */
function isAmbiguous([first, ...others]: readonly SynonymEntry[]): boolean {
  return others.some((other) => other.breedOf !== first!.breedOf);
}

function distinctKeys(names: readonly string[]): string[] {
  return [...new Set(names.flatMap(writtenForms).flatMap(spellings))];
}

/** Key of a name: its significant words in sorted order. */
function keyOf(words: readonly string[]): string {
  return significantWords(words).toSorted().join(" ");
}

/** Keys of a name in words, and written as one word. */
function spellings(name: string): string[] {
  if (PLAIN_WORD.test(name)) return [name];
  const words = tokenize(name);
  return words.length === 0 ? [] : [keyOf(words), words.join("")].filter((key) => key !== "");
}

/** Needs no folding: most forms of colours. */
const PLAIN_WORD = /^[a-z]{2,}$/;

/** A German name, and how it is typed without umlauts. */
function writtenForms(name: string): string[] {
  const typed = name.replace(/[äöü]/gi, (letter) => `${letter.normalize("NFD")[0]}e`);
  return typed === name ? [name] : [name, typed];
}

/** Meanings of a name as one concept, which the name itself always matches. */
function merged(key: string, meanings: readonly Concept[]): Concept {
  const [first, ...others] = meanings;
  if (first !== undefined && others.length === 0) return first;
  const all = [{ all: key.split(" "), none: [] }, ...meanings.flatMap((each) => each.alternatives)];
  const distinct = new Map(all.map((each) => [`${each.all.join()}-${each.none.join()}`, each]));
  return {
    species: meanings.find(({ species }) => species !== null)?.species ?? null,
    alternatives: [...distinct.values()].slice(0, ALTERNATIVES_MAX),
  };
}

/** A colour or pattern each, in all forms of all languages. */
function coatEntries(): SynonymEntry[] {
  const names = new Map<string, Set<string>>();
  for (const language of LANGUAGES) {
    for (const [term, words] of PLAIN_COAT_WORDS[language]) {
      const known = names.get(term) ?? new Set();
      for (const form of words.flatMap((word) => formsOf(word, language))) known.add(form);
      names.set(term, known);
    }
  }
  const compounds = compoundsOf();
  return [...names]
    .filter(([, each]) => each.size > 0)
    .map(([term, each]) => ({
      ...NO_BREED,
      names: [...each],
      compounds: compounds.get(term) ?? [],
    }));
}

const NO_BREED = { species: null, compounds: [], breedOf: null, groups: new Set<string>() };

/** Compounds of each colour and of "striped", where a language has them: schwarzweiss, graugetigert, dunkelbraun. */
function compoundsOf(): ReadonlyMap<string, string[]> {
  const compounds = new Map<string, string[]>();
  for (const language of LANGUAGES) {
    const degrees = VOCABULARIES[language].coat.compoundDegrees.split(" ");
    if (degrees[0] === "") continue;
    const base = new Map(
      PLAIN_COAT_WORDS[language].map(([term, [word]]) => [term as string, word]),
    );
    const colors = BASE_COLORS.flatMap((color) => base.get(color) ?? []);
    const striped = base.get("tabby");
    const add = (term: string, words: readonly string[]) =>
      compounds.set(term, [
        ...(compounds.get(term) ?? []),
        ...words.flatMap((word) => formsOf(word, language)),
      ]);
    for (const color of BASE_COLORS) {
      const word = base.get(color);
      if (word === undefined) continue;
      const others = colors.filter((other) => other !== word);
      add(color, [
        ...degrees.map((degree) => degree + word),
        ...others.flatMap((other) => [word + other, other + word]),
        word + striped,
      ]);
    }
    add(
      "tabby",
      colors.map((color) => color + striped),
    );
  }
  return compounds;
}

function speciesEntries(): SynonymEntry[] {
  return (["dog", "cat", "bird"] as const).map((species) => ({
    ...NO_BREED,
    species,
    names: LANGUAGES.flatMap((language) => VOCABULARIES[language].species[species].split(",")),
  }));
}

/** A breed each; one that is listed in several groups is one breed. */
function breedEntries(): SynonymEntry[] {
  return SPECIES.flatMap((species) => {
    const groupsByBreed = new Map<string, Set<string>>();
    for (const [group, { breeds }] of Object.entries(BREED_TABLES[species].groups)) {
      for (const breed of breeds)
        groupsByBreed.set(breed, (groupsByBreed.get(breed) ?? new Set()).add(group));
    }
    return [...groupsByBreed].map(([breed, groups]) => ({
      ...NO_BREED,
      names: breed.split(","),
      breedOf: species,
      groups,
    }));
  });
}

/** Names of two words, by each of their words: the other word and the breed. */
type LongerNames = ReadonlyMap<
  string,
  readonly { readonly other: string; readonly breed: SynonymEntry }[]
>;

function longerNames(breeds: readonly SynonymEntry[]): LongerNames {
  const longer = new Map<string, { other: string; breed: SynonymEntry }[]>();
  for (const breed of breeds) {
    for (const name of breed.names) {
      const [one, other, ...more] = significantWords(tokenize(name));
      if (one === undefined || other === undefined || more.length > 0) continue;
      longer.set(one, [...(longer.get(one) ?? []), { other, breed }]);
      longer.set(other, [...(longer.get(other) ?? []), { other: one, breed }]);
    }
  }
  return longer;
}

/**
 * Alternative for a name. One word that is short for a longer name of its breed, as "Border" is for Border Collie, does not
 * match with a word that makes it the name of a breed that looks different, as in Border Terrier.
 */
function alternative(key: string, breed: SynonymEntry, longer: LongerNames): Alternative {
  const all = key.split(" ");
  const containing = all.length === 1 ? (longer.get(key) ?? []) : [];
  const own = containing.filter((each) => each.breed === breed).map(({ other }) => other);
  const isShort = own.length > 0;
  const none = containing.filter(
    (each) =>
      isShort &&
      each.breed.breedOf === breed.breedOf &&
      each.breed.groups.isDisjointFrom(breed.groups) &&
      !own.includes(each.other),
  );
  return { all, none: [...new Set(none.map(({ other }) => other))] };
}
