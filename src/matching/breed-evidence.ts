import {
  BREED_TABLES,
  type BreedGroup,
  breedGroupSimilarity,
  readBreedGroups,
} from "./breed-group.ts";
import { memoize } from "../text/memoize.ts";
import { bySpecies } from "./subject.ts";
import { normalize, type Observation, observe, type Trait } from "./trait.ts";
import { type Similarity, traitEvidence } from "./evidence.ts";
import type { Species } from "../values/animal.ts";

/**
 * Breed, as a breed group. Two people who see one dog agree on its breed little better than by chance (alpha 0.23, Voith
 * et al. 2013), but a wrong breed is mostly one that looks alike: the same group is weak evidence, a similar one weaker,
 * and a different one says little. `NAMED` is set so that two descriptions agree about as often as in that study; cats,
 * birds and others are identified with more certainty.
 */
export const breed = traitEvidence<ObservedBreed, { readonly similarity: Similarity }>({
  read: ({ breed, species }) => observedBreed[species](breed),
  details: (lost, found) => ({ similarity: similarity(lost.groups, found.groups) }),
});

type ObservedBreed = { readonly groups: readonly BreedGroup[]; readonly observation: Observation };

/** Texts cached for each species. */
const TEXTS_MAX = 1_000;

/** Breed groups named in a text; null if it names none. */
export const observedBreed = bySpecies((species) =>
  memoize(TEXTS_MAX, (breed): ObservedBreed | null => {
    const groups = readBreedGroups(species, breed).filter((one) => LIKELIHOODS[species].has(one));
    return groups.length === 0 ? null : { groups, observation: observationOf(groups, species) };
  }),
);

const SIMILAR_MIN = 0.3;

function similarity(one: readonly BreedGroup[], other: readonly BreedGroup[]): Similarity {
  const closest = Math.max(...one.flatMap((a) => other.map((b) => breedGroupSimilarity(a, b))));
  if (closest === 1) return "same";
  return closest >= SIMILAR_MIN ? "similar" : "different";
}

/** Cached observations of single groups and pairs (some 500 for dogs); longer lists are rare. */
const observations = new Map<string, Observation>();
const CACHED_GROUPS_MAX = 2;

/** Observation of several groups: the animal may belong to any of them. */
function observationOf(groups: readonly BreedGroup[], species: Species): Observation {
  const key = `${species} ${groups.join(" ")}`;
  const cached = observations.get(key);
  if (cached !== undefined) return cached;
  const named = groups.map((one) => LIKELIHOODS[species].get(one) ?? []);
  const observation = observe(
    TRAITS[species],
    TRAITS[species].prior.map((_, truth) =>
      named.reduce((sum, likelihoods) => sum + (likelihoods[truth] ?? 0) / named.length, 0),
    ),
  );
  if (groups.length <= CACHED_GROUPS_MAX) observations.set(key, observation);
  return observation;
}

/** Of 100 descriptions, how many name the true group and how many a similar one; the rest name any, by frequency. */
const NAMED: Readonly<Record<Species, { readonly own: number; readonly similar: number }>> = {
  dog: { own: 58, similar: 22 },
  cat: { own: 72, similar: 18 },
  bird: { own: 85, similar: 10 },
  other: { own: 92, similar: 4 },
};

const TRAITS = bySpecies((species): Trait => ({
  prior: normalize(Object.values(BREED_TABLES[species].percent)),
}));

/** For each group that may be named, its chance for each true group. */
const LIKELIHOODS = bySpecies((species): ReadonlyMap<BreedGroup, readonly number[]> => {
  const groups = Object.keys(BREED_TABLES[species].percent) as BreedGroup[];
  const { prior } = TRAITS[species];
  const { own, similar } = NAMED[species];
  const byTruth = groups.map((truth) => {
    const others = groups.map((named) =>
      named === truth ? 0 : breedGroupSimilarity(truth, named),
    );
    const total = others.reduce((sum, one) => sum + one, 0);
    return groups.map((named, nth) => {
      const asSimilar = total === 0 ? 0 : (similar * (others[nth] ?? 0)) / total;
      return (named === truth ? own : 0) + asSimilar + (100 - own - similar) * (prior[nth] ?? 0);
    });
  });
  return new Map(
    groups.map((named, nth) => [named, byTruth.map((row) => normalize(row)[nth] ?? 0)] as const),
  );
});
