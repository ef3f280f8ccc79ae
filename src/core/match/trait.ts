import { SPECIES, type Species } from "../alert.ts";

/**
 * A trait of an animal as two people may tell it: the animal has one true value out of a short list, and each person
 * gives an account of it that may be vague or wrong. Coat, look, size, sex and age are all judged by this one sum.
 */
export type Trait = {
  /** Names the trait and the species: what commonness is kept under. */
  readonly name: string;
  /** How common each value is before anything has been learned; adds up to 1. */
  readonly prior: readonly number[];
};

/** What one alert says of a trait. Equal accounts may share one object: they are never changed. */
export type Account = {
  readonly trait: Trait;
  /** For each value the chance that an animal with that value is described in these words. */
  readonly chances: readonly number[];
  /** How much of the account speaks for each value, in millionths of an alert; whole numbers. */
  readonly shares: readonly number[];
};

/** Millionths, so that what `commonness` adds and takes away again leaves exactly nothing behind. */
export const WHOLE_ALERT = 1_000_000;

/** `told` gives for each value the chance of the account where nobody slips. */
export function accountOf(trait: Trait, told: readonly number[]): Account {
  const ofAny = sum(told.map((chance, value) => chance * (trait.prior[value] ?? 0)));
  const chances = told.map((chance) => (1 - SLIP_CHANCE) * chance + SLIP_CHANCE * ofAny);
  const shares = chances.map((chance, value) =>
    Math.round(((chance * (trait.prior[value] ?? 0)) / ofAny) * WHOLE_ALERT),
  );
  return { trait, chances, shares };
}

/** Share of accounts that tell of no animal in particular: a slip of the list, a mix-up. No field alone excludes. */
const SLIP_CHANCE = 0.02;

/**
 * Natural logarithm of P(both accounts | one animal) / P(both accounts | two animals) with `weights` as how common
 * each value is, to any scale. Two vague accounts, or of something common, come out near 0.
 */
export function agreement(a: Account, b: Account, weights: ArrayLike<number>): number {
  let whole = 0;
  let saidA = 0;
  let saidB = 0;
  let saidBoth = 0;
  for (let value = 0; value < weights.length; value++) {
    const weight = weights[value]!;
    const ofA = a.chances[value]!;
    const ofB = b.chances[value]!;
    whole += weight;
    saidA += weight * ofA;
    saidB += weight * ofB;
    saidBoth += weight * ofA * ofB;
  }
  return Math.log((saidBoth * whole) / (saidA * saidB));
}

/** Weights of any scale as shares of 1. */
export function sharesOf(weights: readonly number[]): number[] {
  const total = sum(weights);
  return weights.map((weight) => weight / total);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** A table worked out once for each species. */
export function bySpecies<Value>(
  of: (species: Species) => Value,
): Readonly<Record<Species, Value>> {
  return Object.fromEntries(SPECIES.map((species) => [species, of(species)])) as Record<
    Species,
    Value
  >;
}
