import type { Sex, Size } from "../../../src/values/animal.ts";
import { CATS } from "./cats.ts";
import { DOGS } from "./dogs.ts";
import type { AnimalKind } from "./kind.ts";
import { AGE_WEIGHTS, type BenchSpecies, FEMALE_PERCENT } from "./parameters.ts";

/** True traits of an animal. Age and name are independent of them and drawn separately. */
export type Animal = {
  readonly species: BenchSpecies;
  readonly kind: AnimalKind;
  readonly isMixed: boolean;
  /** A key of `PHRASES`. */
  readonly coat: string;
  readonly size: KnownSize;
  readonly sex: KnownSex;
};

export type KnownSize = Exclude<Size, "unknown">;
export type KnownSex = Exclude<Sex, "unknown">;
export const SIZES: readonly KnownSize[] = ["small", "medium", "large", "xlarge"];
export const AGES = ["baby", "young", "adult", "senior"] as const;
export type KnownAge = (typeof AGES)[number];

/** Chance that a mixed dog has the coat of any kind instead of the kind it is called by. */
const COAT_OF_OTHER_PARENT = 0.4;

/** All possible animals, with their share of the species. */
export const POPULATIONS: Readonly<Record<BenchSpecies, readonly (readonly [Animal, number])[]>> = {
  dog: populationOf("dog", DOGS),
  cat: populationOf("cat", CATS),
};

export const KINDS: Readonly<Record<BenchSpecies, readonly AnimalKind[]>> = {
  dog: DOGS,
  cat: CATS,
};

/** Share of each coat over all kinds. */
export const COAT_SHARES: Readonly<Record<BenchSpecies, ReadonlyMap<string, number>>> = {
  dog: coatShares(DOGS),
  cat: coatShares(CATS),
};

/** Names by frequency: two animals share a name once in about 300 pairs, as among Seattle's licensed dogs and cats. */
export const NAMES: readonly (readonly [string, number])[] = syllabic(600).map(
  (name, rank) => [name, 1 / (rank + 20)] as const,
);

export const AGE_SHARES: readonly (readonly [KnownAge, number])[] = AGES.map(
  (age, nth) => [age, (AGE_WEIGHTS[nth] ?? 0) / 100] as const,
);

function populationOf(
  species: BenchSpecies,
  kinds: readonly AnimalKind[],
): (readonly [Animal, number])[] {
  const any = coatShares(kinds);
  const weighed = kinds.flatMap((kind) => {
    const own = new Map(shares(kind.coats));
    const mixed = new Map(
      [...any].map(([coat, share]) => [
        coat,
        COAT_OF_OTHER_PARENT * share + (1 - COAT_OF_OTHER_PARENT) * (own.get(coat) ?? 0),
      ]),
    );
    return [
      ...drawn(species, kind, false, kind.pure, own),
      // Cats of two kinds look like domestic cats.
      ...drawn(species, kind, true, kind.mixed, species === "dog" ? mixed : own),
    ];
  });
  return shares(weighed);
}

function drawn(
  species: BenchSpecies,
  kind: AnimalKind,
  isMixed: boolean,
  count: number,
  coats: ReadonlyMap<string, number>,
): (readonly [Animal, number])[] {
  return [...coats].flatMap(([coat, coatShare]) =>
    SIZES.flatMap((size, nth) => {
      const female = (species === "cat" ? (FEMALE_PERCENT[coat] ?? 50) : 50) / 100;
      const share = count * coatShare * ((kind.sizes[nth] ?? 0) / 100);
      const animal = { species, kind, isMixed, coat, size };
      return share === 0
        ? []
        : [
            [{ ...animal, sex: "female" as const }, share * female] as const,
            [{ ...animal, sex: "male" as const }, share * (1 - female)] as const,
          ];
    }),
  );
}

function coatShares(kinds: readonly AnimalKind[]): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const kind of kinds) {
    for (const [coat, share] of shares(kind.coats)) {
      weights.set(coat, (weights.get(coat) ?? 0) + share * (kind.pure + kind.mixed));
    }
  }
  return new Map(shares([...weights]));
}

/** The same values with weights that add up to 1. */
export function shares<Value>(
  weighed: readonly (readonly [Value, number])[],
): (readonly [Value, number])[] {
  const total = weighed.reduce((sum, [, weight]) => sum + weight, 0);
  return weighed.map(([value, weight]) => [value, weight / total] as const);
}

function syllabic(count: number): string[] {
  const syllables =
    "ba be bo cha co da di fe fi ga gi ja jo ka ki la le li lo lu ma mi mo na".split(" ");
  return Array.from({ length: count }, (_, nth) => {
    const first = syllables[nth % syllables.length] ?? "";
    const second = syllables[Math.floor(nth / syllables.length) % syllables.length] ?? "";
    return `${first}${second}${nth % 2 === 0 ? "" : "x"}`;
  });
}
