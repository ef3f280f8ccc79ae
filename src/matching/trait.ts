import type { Species } from "../values/animal.ts";

/**
 * Trait of an animal as described by two people. The animal has one true value from a short list; each person's
 * description may be vague or wrong. Coat, breed group, size, sex and age all use this model.
 */
export type Trait = {
  readonly species: Species;
  readonly name: string;
  /** Share of each value before anything is learned; the sum is 1. */
  readonly prior: readonly number[];
};

/** Description of a trait in one alert. Equal descriptions may share an object, so it must not be changed. */
export type Observation = {
  readonly trait: Trait;
  /** For each value, the chance that an animal with that value is described like this. */
  readonly likelihoods: readonly number[];
  /** For each value, the chance that the animal has it before anything else is known. */
  readonly posterior: readonly number[];
};

/** Builds an observation; `likelihoods` gives the chance of the description for each value if nobody makes a mistake. */
export function observe(trait: Trait, likelihoods: readonly number[]): Observation {
  const overall = sum(likelihoods.map((chance, value) => chance * (trait.prior[value] ?? 0)));
  const withMistakes = likelihoods.map(
    (chance) => (1 - MISTAKE_CHANCE) * chance + MISTAKE_CHANCE * overall,
  );
  const posterior = withMistakes.map(
    (chance, value) => (chance * (trait.prior[value] ?? 0)) / overall,
  );
  return { trait, likelihoods: withMistakes, posterior };
}

/** Share of descriptions that are unrelated to the animal: a wrong list entry, a mix-up. No field alone excludes. */
const MISTAKE_CHANCE = 0.02;

/**
 * Natural logarithm of P(both observations | one animal) / P(both observations | two animals). `weights` are the
 * frequencies of the values, on any scale. Vague observations and common values give a figure near 0.
 */
export function logLikelihoodRatio(
  a: Observation,
  b: Observation,
  weights: ArrayLike<number>,
): number {
  let total = 0;
  let totalA = 0;
  let totalB = 0;
  let totalBoth = 0;
  for (let value = 0; value < weights.length; value++) {
    const weight = weights[value]!;
    const ofA = a.likelihoods[value]!;
    const ofB = b.likelihoods[value]!;
    total += weight;
    totalA += weight * ofA;
    totalB += weight * ofB;
    totalBoth += weight * ofA * ofB;
  }
  return Math.log((totalBoth * total) / (totalA * totalB));
}

/** Weights of any scale as shares of 1. */
export function normalize(weights: readonly number[]): number[] {
  const total = sum(weights);
  return weights.map((weight) => weight / total);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/**
 * Frequency of each value of a trait, on any scale: a black cat says little where half the cats are black.
 */
export type Frequency = (trait: Trait) => ArrayLike<number>;
