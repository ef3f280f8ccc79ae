/**
 * Trait of an animal as described by two people. The animal has one true value from a short list; each person's
 * description may be vague or wrong. Coat, breed group, size, sex and age all use this model.
 */
export type Trait = {
  /** Share of each value among animals of the species; the sum is 1. */
  readonly prior: readonly number[];
};

/** Description of a trait in one alert. Equal descriptions may share an object, so it must not be changed. */
export type Observation = {
  readonly trait: Trait;
  /** For each value, the chance that an animal with that value is described like this. */
  readonly likelihoods: readonly number[];
};

/** Builds an observation; `likelihoods` gives the chance of the description for each value if nobody makes a mistake. */
export function observe(trait: Trait, likelihoods: readonly number[]): Observation {
  const overall = sum(likelihoods.map((chance, value) => chance * (trait.prior[value] ?? 0)));
  const withMistakes = likelihoods.map(
    (chance) => (1 - MISTAKE_CHANCE) * chance + MISTAKE_CHANCE * overall,
  );
  return { trait, likelihoods: withMistakes };
}

/** Share of descriptions that are unrelated to the animal: a wrong list entry, a mix-up. No field alone excludes. */
const MISTAKE_CHANCE = 0.02;

/**
 * Natural logarithm of P(both observations | one animal) / P(both observations | two animals), of one trait. Vague
 * observations and common values give a figure near 0.
 */
export function logLikelihoodRatio(a: Observation, b: Observation): number {
  let totalA = 0;
  let totalB = 0;
  let totalBoth = 0;
  for (const [value, share] of a.trait.prior.entries()) {
    const ofA = a.likelihoods[value]!;
    const ofB = b.likelihoods[value]!;
    totalA += share * ofA;
    totalB += share * ofB;
    totalBoth += share * ofA * ofB;
  }
  return Math.log(totalBoth / (totalA * totalB));
}

/** Weights of any scale as shares of 1. */
export function normalize(weights: readonly number[]): number[] {
  const total = sum(weights);
  return weights.map((weight) => weight / total);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
