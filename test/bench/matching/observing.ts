import {
  AGE_SHARES,
  AGES,
  type Animal,
  COAT_SHARES,
  KINDS,
  type KnownAge,
  type KnownSex,
  type KnownSize,
  NAMES,
  shares,
  SIZES,
} from "./animals.ts";
import { PHRASES } from "./coats.ts";
import type { AnimalKind } from "./kind.ts";
import { type BenchSpecies, OBSERVERS, VAGUE_BREEDS } from "./parameters.ts";
import type { AlertType } from "../../../src/values/animal.ts";

/** Chance of each possible value; the sum is 1. */
export type Chances<Value> = ReadonlyMap<Value, number>;

/**
 * Chances of what an observer writes about an animal, field by field, independent of each other given the animal. Cities
 * are drawn from these tables and the oracle reads the same ones. Null means blank.
 */
export type Observing = {
  breed(animal: Animal): Chances<string | null>;
  color(animal: Animal): Chances<string>;
  size(animal: Animal): Chances<KnownSize | null>;
  sex(animal: Animal): Chances<KnownSex | null>;
  age(age: KnownAge): Chances<KnownAge | null>;
  name(name: string): Chances<string | null>;
  /** Error of a date in days. */
  readonly dayOff: Chances<number>;
};

export function observing(type: AlertType, noise: number): Observing {
  const observer = OBSERVERS[type];
  const often = (chance: number, most = 0.6) => Math.min(most, chance * noise);
  const blank = (field: keyof typeof observer.blank) =>
    field === "name" ? observer.blank.name : often(observer.blank[field], 0.9);

  const breed = memoized(
    (animal: Animal) =>
      `${animal.species} ${animal.kind.key} ${animal.isMixed} ${isBullish(animal)}`,
    (animal) => withBlank(blank("breed"), breedsNamed(animal, observer, noise)),
  );
  const color = memoized(
    (animal: Animal) => `${animal.species} ${animal.coat}`,
    ({ species, coat }) => {
      const other = often(observer.otherColor);
      const any = [...COAT_SHARES[species]].flatMap(([one, share]) =>
        phrasesOf(one, noise).map(([phrase, chance]) => [phrase, other * share * chance] as const),
      );
      const own = phrasesOf(coat, noise).map(
        ([phrase, chance]) => [phrase, (1 - other) * chance] as const,
      );
      return added([...own, ...any]);
    },
  );
  const size = memoized(
    (animal: Animal) => animal.size,
    (animal) => withBlank(blank("size"), neighbours(SIZES, animal.size, often(observer.wrongSize))),
  );
  const sex = memoized(
    (animal: Animal) => `${animal.species} ${animal.sex}`,
    (animal) => {
      const wrong = often(observer.wrongSex[animal.species], 0.45);
      const other = animal.sex === "male" ? "female" : "male";
      return withBlank<KnownSex>(blank("sex"), [
        [animal.sex, 1 - wrong],
        [other, wrong],
      ]);
    },
  );
  const age = memoized(
    (one: KnownAge) => one,
    (one) => withBlank(blank("age"), neighbours(AGES, one, often(observer.wrongAge))),
  );
  const name = memoized(
    (one: string) => one,
    (one) => {
      const madeUp = observer.madeUpName;
      const any = shares(NAMES).map(([other, share]) => [other, madeUp * share] as const);
      return withBlank(blank("name"), [[one, 1 - madeUp], ...any]);
    },
  );
  const wrongDay = often(observer.wrongDay);
  const dayOff = new Map([
    [-1, wrongDay / 2],
    [0, 1 - wrongDay],
    [1, wrongDay / 2],
  ]);
  return { breed, color, size, sex, age, name, dayOff };
}

/** Breed names: a purebred's breed, or the one a mixed animal is called by; with " mix" if it looks like one. */
function breedsNamed(
  animal: Animal,
  observer: (typeof OBSERVERS)["lost"],
  noise: number,
): (readonly [string, number])[] {
  const { species, kind, isMixed } = animal;
  const naming = observer.breed[isMixed ? "mixed" : "pure"];
  const pitBull = isBullish(animal) ? Math.min(0.3, observer.callsPitBull * noise) : 0;
  const [[, own = 0], [, like = 0], [, any = 0], [, vague = 0]] = shares([
    ["own", naming.own],
    ["like", naming.like * noise],
    ["any", naming.any * noise],
    ["vague", naming.vague * noise],
  ]) as [[string, number], [string, number], [string, number], [string, number]];
  const kinds = KINDS[species];
  const alike = kind.like.flatMap((key) => kinds.find((other) => other.key === key) ?? []);
  const total = kinds.reduce((sum, one) => sum + one.pure + one.mixed, 0);
  const byKind: (readonly [AnimalKind, number])[] = [
    [kind, own],
    ...alike.map((other) => [other, like / alike.length] as const),
    ...kinds.map((other) => [other, (any * (other.pure + other.mixed)) / total] as const),
  ];
  const named = byKind.flatMap(([one, chance]) =>
    wordsOf(one).flatMap(([word, share]) => withMix(word, (1 - pitBull) * chance * share, isMixed)),
  );
  const vagueWords = VAGUE_BREEDS[species].map(
    (word, _, words) => [word, ((1 - pitBull) * vague) / words.length] as const,
  );
  const pit = kinds.find(({ key }) => key === "pit");
  const pits = pit === undefined ? [] : wordsOf(pit);
  return [
    ...named,
    ...vagueWords,
    ...pits.flatMap(([word, share]) => withMix(word, pitBull * share, isMixed)),
  ];
}

function withMix(word: string, chance: number, isMixed: boolean): (readonly [string, number])[] {
  const mix = isMixed ? 0.6 : 0.08;
  return [
    [word, chance * (1 - mix)],
    [`${word} mix`, chance * mix],
  ];
}

/** Words for a kind: the first is used half of the time, the others share the rest. */
function wordsOf({ words }: AnimalKind): (readonly [string, number])[] {
  return shares(words.map((word, nth) => [word, nth === 0 ? words.length - 1 || 1 : 1] as const));
}

/** True for smooth-coated dogs of medium size or more, which get called pit bulls. */
function isBullish({ species, kind, size }: Animal): boolean {
  return species === "dog" && size !== "small" && BULLISH.has(kind.key);
}

const BULLISH = new Set("lab boxer bulldog hound terrier heeler vizsla greyhound".split(" "));

/** Phrases for a coat; noise flattens their weights. */
function phrasesOf(coat: string, noise: number): (readonly [string, number])[] {
  const phrases = PHRASES[coat] ?? [];
  return shares(phrases.map(([phrase, weight]) => [phrase, weight ** (1 / noise)] as const));
}

function neighbours<Value>(
  values: readonly Value[],
  value: Value,
  wrong: number,
): (readonly [Value, number])[] {
  const at = values.indexOf(value);
  const beside = [values[at - 1], values[at + 1]].filter((one) => one !== undefined);
  return [[value, 1 - wrong], ...beside.map((one) => [one, wrong / beside.length] as const)];
}

function withBlank<Value>(
  blank: number,
  named: readonly (readonly [Value, number])[],
): Map<Value | null, number> {
  return added<Value | null>([
    [null, blank],
    ...shares(named).map(([value, chance]) => [value, (1 - blank) * chance] as const),
  ]);
}

function added<Value>(chances: readonly (readonly [Value, number])[]): Map<Value, number> {
  const sums = new Map<Value, number>();
  for (const [value, chance] of chances) sums.set(value, (sums.get(value) ?? 0) + chance);
  return sums;
}

function memoized<Input, Result>(
  key: (input: Input) => string,
  of: (input: Input) => Result,
): (input: Input) => Result {
  const results = new Map<string, Result>();
  return (input) => {
    const known = results.get(key(input));
    if (known !== undefined) return known;
    const result = of(input);
    results.set(key(input), result);
    return result;
  };
}

/** Age distribution. */
export const AGE_PRIOR: Chances<KnownAge> = new Map(AGE_SHARES);
export type { BenchSpecies };
