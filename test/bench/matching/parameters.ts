import type { AlertType } from "../../../src/values/animal.ts";

/** Species of the benchmark; there are no figures for birds and others. */
export type BenchSpecies = "dog" | "cat";

/**
 * Figures that cities are made from. Each has a source or is marked as ours. The laws have other shapes than those of
 * the score (`src/matching/*-evidence.ts`); they share only the published quantiles.
 */
export type Figures = {
  /** Distance to the find: groups of animals, each with its share and law. */
  readonly distances: Readonly<Record<BenchSpecies, readonly DistanceGroup[]>>;
  /** Days until an animal is found: log-normal. */
  readonly delays: Readonly<
    Record<BenchSpecies, { readonly median: number; readonly upper: number }>
  >;
  /** Share of the lost animals that are found and posted. */
  readonly foundAndPosted: Readonly<Record<BenchSpecies, number>>;
  /** Share of the posted finds whose owner posted the loss. */
  readonly ownerPosted: number;
  /** Share of the strays that live in the street of a lost animal and have its coat. */
  readonly lookalikes: number;
  /** Multiplies every error and blank below. */
  readonly noise: number;
};

export type DistanceGroup = DistanceLaw & { readonly share: number };
export type DistanceLaw =
  | { readonly law: "weibull"; readonly scaleKm: number; readonly shape: number }
  | { readonly law: "log-uniform"; readonly fromKm: number; readonly toKm: number };

/**
 * - Cats: indoor-only 75% within 137 m; with outdoor access median 315 m, 75% within 1,609 m; together 50% within 50 m
 *   and 75% within 500 m (Huang et al. 2018, Animals 8:5): Weibull laws through those points, half of each kind. Three in
 *   a hundred are carried off further; ours.
 * - Dogs: 42% within a block, 70% within a mile (Dallas 2019, Front. Vet. Sci. 2021, doi 10.3389/fvets.2021.669428), a
 *   tail to 20 km and more: near home, roaming, and driven. All cats and dogs together 66% within a mile (Petco 2021).
 * - Delays: dogs median 2 days, 0.5 to 21; cats 5 days, 0.5 to 81 (Lord et al. 2007, JAVMA 230:211 and 230:217), the
 *   upper end read as 97.5%.
 * - Lookalikes: a litter, or a colony that shares a coat; ours.
 * - Finders: 38% reunited (Lord et al. 2007, JAVMA 230:12). Lost animals posted as found: ours, below the 71% of dogs
 *   and 53% of cats that come back in any way (same).
 */
export const SOURCES: Figures = {
  distances: {
    cat: [
      { share: 0.485, law: "weibull", scaleKm: 0.0795, shape: 0.6 },
      { share: 0.485, law: "weibull", scaleKm: 0.746, shape: 0.425 },
      { share: 0.03, law: "log-uniform", fromKm: 2, toKm: 30 },
    ],
    dog: [
      { share: 0.4, law: "weibull", scaleKm: 0.07, shape: 1.5 },
      { share: 0.45, law: "weibull", scaleKm: 1.5, shape: 0.85 },
      { share: 0.15, law: "log-uniform", fromKm: 2, toKm: 40 },
    ],
  },
  delays: { dog: { median: 2, upper: 21 }, cat: { median: 5, upper: 81 } },
  foundAndPosted: { dog: 0.35, cat: 0.25 },
  ownerPosted: 0.38,
  lookalikes: 0.03,
  noise: 1,
};

/** Share of dogs and cats among the lost; ours. */
export const SPECIES_SHARES: Readonly<Record<BenchSpecies, number>> = { dog: 0.5, cat: 0.5 };

/**
 * Accuracy of owners (lost) and finders (found) as observers. Sources: owners know their animal; a breed named by sight
 * agrees with DNA in 4 of 16 dogs (Voith 2009), between two observers with alpha 0.23 (Voith 2013; the tables here
 * give mixed dogs 0.18 between two finders and 0.24 between owner and finder), one of a mixed dog's
 * breeds is right in 67.7% (Gunter 2018, shelter staff), and every third other dog is called a pit bull by someone
 * (Olson 2015, several observers per dog: one description in twelve here). The rest is ours.
 */
export const OBSERVERS: Readonly<Record<AlertType, Observer>> = {
  lost: {
    breed: {
      pure: { own: 0.94, like: 0.02, any: 0.01, vague: 0.03 },
      mixed: { own: 0.6, like: 0.06, any: 0.14, vague: 0.2 },
    },
    callsPitBull: 0.02,
    otherColor: 0.01,
    wrongSex: { dog: 0.01, cat: 0.02 },
    wrongSize: 0.15,
    wrongAge: 0.05,
    wrongDay: 0.05,
    blank: { breed: 0.08, size: 0.1, sex: 0.04, age: 0.1, name: 0.08 },
    madeUpName: 0,
  },
  found: {
    breed: {
      pure: { own: 0.6, like: 0.2, any: 0.08, vague: 0.12 },
      mixed: { own: 0.42, like: 0.22, any: 0.16, vague: 0.2 },
    },
    callsPitBull: 0.08,
    otherColor: 0.04,
    wrongSex: { dog: 0.07, cat: 0.2 },
    wrongSize: 0.28,
    wrongAge: 0.3,
    wrongDay: 0.05,
    blank: { breed: 0.35, size: 0.15, sex: 0.4, age: 0.4, name: 0.93 },
    madeUpName: 0.4,
  },
};

export type Observer = {
  /** Breed named: its own, a similar one, any (by frequency), or none ("mixed breed"). */
  readonly breed: Readonly<Record<"pure" | "mixed", Naming>>;
  /** Further chance that a smooth-coated dog of medium size or more is called a pit bull. */
  readonly callsPitBull: number;
  /** Chance that the phrase describes another coat, drawn by frequency. */
  readonly otherColor: number;
  readonly wrongSex: Readonly<Record<BenchSpecies, number>>;
  /** Chance of the next size up or down. */
  readonly wrongSize: number;
  readonly wrongAge: number;
  /** Chance that a date is off by a day, half of it in each direction. */
  readonly wrongDay: number;
  readonly blank: Readonly<Record<"breed" | "size" | "sex" | "age" | "name", number>>;
  /** Share of the given names that are not the animal's. */
  readonly madeUpName: number;
};

export type Naming = {
  readonly own: number;
  readonly like: number;
  readonly any: number;
  readonly vague: number;
};

/** Share of alerts that are renewed when they expire; ours. */
export const RENEWED = 0.25;

/** Percent baby, young, adult, senior; ours. */
export const AGE_WEIGHTS = [10, 22, 52, 16] as const;

/** Percent of the cats of a coat that are female where it is not half. Orange is linked to the X chromosome. */
export const FEMALE_PERCENT: Readonly<Record<string, number>> = {
  tortie: 99.9,
  dilutetortie: 99.9,
  torbie: 99.9,
  calico: 99.9,
  dilutecalico: 99.9,
  orangetabby: 20,
  orangewhite: 20,
};

export const VAGUE_BREEDS: Readonly<Record<BenchSpecies, readonly string[]>> = {
  dog: ["mixed breed", "mix", "mutt", "crossbreed"],
  cat: ["mixed breed", "domestic", "cat", "unknown mix"],
};
