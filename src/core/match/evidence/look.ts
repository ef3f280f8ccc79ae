import type { Species } from "../../alert.ts";
import { type Look, lookNearness, readLooks } from "../looks.ts";
import { remembering } from "../../remembering.ts";
import { type Account, accountOf, agreement, bySpecies, sharesOf, type Trait } from "../trait.ts";
import type { Evidence, Likeness } from "./evidence.ts";

/**
 * Breed, as the look it names. Two people who see one dog agree on its breed little better than by chance (alpha 0.23,
 * Voith et al. 2013), but a wrong breed is mostly one that looks alike: so an equal look is weak evidence, a near one
 * weaker, and a different one little. How often people name a dog's look, a near look or any other is set so that two
 * accounts agree about as often as there; kinds of cats, birds and others are told more surely.
 */
export const look: Evidence<SeenLook, { readonly is: Likeness }> = {
  read: ({ breed, species }) => seenIn[species](breed),
  weigh: (lost, found, { commonness }) => ({
    logRatio: agreement(lost.account, found.account, commonness.weights(lost.account.trait)),
    said: { is: likeness(lost.looks, found.looks) },
  }),
  account: (seen) => seen.account,
};

/** Of each species. */
const TEXTS_KEPT = 1_000;

const seenIn = bySpecies((species) =>
  remembering(TEXTS_KEPT, (breed): SeenLook | null => {
    const looks = readLooks(species, breed).filter((one) => TOLD[species].has(one));
    return looks.length === 0 ? null : { looks, account: accountOfLooks(looks, species) };
  }),
);

export type SeenLook = { readonly looks: readonly Look[]; readonly account: Account };

const ALIKE_MIN = 0.3;

function likeness(one: readonly Look[], other: readonly Look[]): Likeness {
  const nearest = Math.max(...one.flatMap((a) => other.map((b) => lookNearness(a, b))));
  if (nearest === 1) return "same";
  return nearest >= ALIKE_MIN ? "alike" : "different";
}

/** Each account is worked out once. Single looks and pairs are kept (some 500 for dogs), longer lists are rare. */
const accounts = new Map<string, Account>();
const LOOKS_KEPT_MAX = 2;

/** Several looks mean that it could be any of them. */
function accountOfLooks(looks: readonly Look[], species: Species): Account {
  const key = `${species} ${looks.join(" ")}`;
  const known = accounts.get(key);
  if (known !== undefined) return known;
  const told = looks.map((one) => TOLD[species].get(one) ?? []);
  const account = accountOf(
    TRAITS[species],
    TRAITS[species].prior.map((_, truth) =>
      told.reduce((sum, chances) => sum + (chances[truth] ?? 0) / told.length, 0),
    ),
  );
  if (looks.length <= LOOKS_KEPT_MAX) accounts.set(key, account);
  return account;
}

/**
 * How common each look is. Dogs and cats: percent of the animals licensed in Seattle by the look of their first breed
 * (data.seattle.gov, "Seattle Pet Licenses": 31,835 dogs, 16,819 cats). Birds and others: guesses.
 */
const COMMON: Readonly<Record<Species, Readonly<Partial<Record<Look, number>>>>> = {
  dog: {
    labrador: 15.6,
    "golden-setter": 6.9,
    "wire-terrier": 6.7,
    chihuahua: 6.5,
    collie: 6.5,
    poodle: 4,
    doodle: 3,
    "flat-face": 4.6,
    shepherd: 4.5,
    "toy-longhair": 4.4,
    bull: 3.8,
    bichon: 3.5,
    spaniel: 3.5,
    hound: 3.4,
    dachshund: 2.6,
    spitz: 2.5,
    "cattle-dog": 2.4,
    mastiff: 2.3,
    "smooth-terrier": 2.1,
    "toy-spitz": 2,
    husky: 1.7,
    pointer: 1.7,
    corgi: 1.6,
    shaggy: 1.5,
    mountain: 1.5,
    hairless: 0.6,
    sighthound: 1.1,
    rottweiler: 1,
  },
  cat: {
    shorthair: 65.3,
    mediumhair: 12.7,
    longhair: 11.3,
    siamese: 5.2,
    "rex-hairless": 1,
    british: 1.1,
    spotted: 0.9,
    bobtail: 0.6,
    persian: 0.5,
    fold: 0.2,
  },
  bird: {
    budgerigar: 30,
    cockatiel: 20,
    parrot: 20,
    cockatoo: 3,
    songbird: 6,
    pigeon: 8,
    fowl: 6,
    waterfowl: 3,
    raptor: 2,
    crow: 2,
  },
  other: {
    rabbit: 35,
    "guinea-pig": 6,
    rodent: 5,
    chinchilla: 1,
    ferret: 10,
    hedgehog: 2,
    tortoise: 20,
    snake: 6,
    lizard: 4,
    horse: 4,
    goat: 4,
    pig: 2,
    cow: 1,
  },
};

/** Of 100 accounts: how many name the look itself and how many one that is near; the rest name any, by commonness. */
const NAMED: Readonly<Record<Species, { readonly own: number; readonly near: number }>> = {
  dog: { own: 58, near: 22 },
  cat: { own: 72, near: 18 },
  bird: { own: 85, near: 10 },
  other: { own: 92, near: 4 },
};

const TRAITS = bySpecies((species): Trait => ({
  name: `look ${species}`,
  prior: sharesOf(Object.values(COMMON[species])),
}));

/** For each look that may be named, the chance of it for each true look. */
const TOLD = bySpecies((species): ReadonlyMap<Look, readonly number[]> => {
  const looks = Object.keys(COMMON[species]) as Look[];
  const common = TRAITS[species].prior;
  const { own, near } = NAMED[species];
  const byTruth = looks.map((truth) => {
    const others = looks.map((named) => (named === truth ? 0 : lookNearness(truth, named)));
    const nearAll = others.reduce((sum, nearness) => sum + nearness, 0);
    return looks.map((named, nth) => {
      const asNear = nearAll === 0 ? 0 : (near * (others[nth] ?? 0)) / nearAll;
      return (named === truth ? own : 0) + asNear + (100 - own - near) * (common[nth] ?? 0);
    });
  });
  return new Map(
    looks.map((named, nth) => [named, byTruth.map((row) => sharesOf(row)[nth] ?? 0)] as const),
  );
});
