import { BREED_GROUPS, type BreedGroup } from "./breed-group.ts";
import { observedBreed } from "./breed-evidence.ts";
import { observedCoat } from "./color-evidence.ts";
import { type Species, SPECIES } from "../values/animal.ts";
import { BASE_COLORS, type BaseColor } from "./coat-lexicon.ts";

/**
 * Looks of an animal as bit masks: its base colours, and its breed groups in the order of its species. They are what
 * matching reads from colour and breed, so a dog called Rusty is not brown.
 */
export type Looks = { readonly colors: number; readonly groups: number };

const UNKNOWN = "unknown";

/** Looks of an animal by its texts; unknown or absent ones set no bit. */
export function looksOf({
  species,
  color = UNKNOWN,
  breed = UNKNOWN,
}: {
  readonly species: Species;
  readonly color?: string;
  readonly breed?: string;
}): Looks {
  let colors = 0;
  let groups = 0;
  const observed = color === UNKNOWN ? null : observedCoat[species](color);
  for (const one of observed?.coat.colors ?? []) colors |= colorBit(one);
  const named = breed === UNKNOWN ? null : observedBreed[species](breed);
  for (const one of named?.groups ?? []) groups |= groupBit(one);
  return { colors, groups };
}

export function colorBit(color: BaseColor): number {
  return 1 << BASE_COLORS.indexOf(color);
}

/** Bit of a group among those of its species. */
export function groupBit(group: BreedGroup): number {
  return PLACES.get(group)!.bit;
}

export function speciesOf(group: BreedGroup): Species {
  return PLACES.get(group)!.species;
}

/** Groups of all species. Their names differ. */
export const ALL_BREED_GROUPS = SPECIES.flatMap((species) => BREED_GROUPS[species]);

const PLACES: ReadonlyMap<BreedGroup, { readonly species: Species; readonly bit: number }> =
  new Map(
    SPECIES.flatMap((species) =>
      BREED_GROUPS[species].map((group, at) => [group, { species, bit: 1 << at }] as const),
    ),
  );

/** Colours that an animal of a species can have. Blue, yellow and red fur is grey, tan and orange. */
export function colorsOf(species: Species | null): readonly BaseColor[] {
  switch (species) {
    case "dog":
    case "cat":
      return BASE_COLORS.filter((color) => !FEATHERS.includes(color) && !SKIN.includes(color));
    case "other":
      return BASE_COLORS.filter((color) => !FEATHERS.includes(color));
    case "bird":
    case null:
      return BASE_COLORS;
  }
}

const FEATHERS: readonly BaseColor[] = ["blue", "yellow", "red"];
const SKIN: readonly BaseColor[] = ["green", "pink"];
