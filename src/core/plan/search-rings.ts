import type { PlanSource } from "./steps.ts";
import type { Species } from "../../values/animal.ts";

/** Circle to search, around the place where the animal was lost. */
export type SearchRing = {
  readonly metres: number;
  /** Percentage of such animals that were found within it; null if the study has no figure. */
  readonly percent: number | null;
};

export type SearchRings = { readonly rings: readonly SearchRing[]; readonly source: PlanSource };

/**
 * Circles to search for a lost animal, the smallest first; null for species of which no study tells. Cats: Huang et al.
 * 2018. Dogs: stray dogs of Dallas in 2019, of which 42% were found within a block, here 150 m. The last circle has no
 * figure: it is where the others may be.
 */
export function searchRings(species: Species): SearchRings | null {
  switch (species) {
    case "cat":
      return { rings: ringsOf([50, 50], [500, 75], [1_600, null]), source: "huang" };
    case "dog":
      return { rings: ringsOf([150, 42], [1_600, 70], [10_000, null]), source: "dallas" };
    case "bird":
    case "other":
      return null;
  }
}

function ringsOf(...rings: readonly (readonly [number, number | null])[]): SearchRing[] {
  return rings.map(([metres, percent]) => ({ metres, percent }));
}
