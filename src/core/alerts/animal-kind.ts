import { LARGE_ANIMALS, readBreedGroups, readOtherAnimals } from "../../matching/matching.ts";
import type { Size, Species } from "../../values/animal.ts";
import { tokenize } from "../../text/tokenize.ts";
import type { Locale } from "../../messages/locale.ts";

/** Name of a kind in one language, and its gender, "m" or "f", where words depend on it. */
type KindName = { readonly name: string; readonly gender: string };

/**
 * Name of an animal of the species "other" by its breed; null for other species, and for a breed that names none or several.
 * Of the names of a kind ("tortoise", "turtle") it is the one that was written, or else the first.
 */
export function kindName(
  { species, breed = "" }: { readonly species: Species; readonly breed?: string },
  kinds: Locale["kinds"],
): KindName | null {
  const found = species === "other" ? readOtherAnimals(breed) : [];
  const [kind] = found;
  if (kind === undefined || found.length > 1 || !isKind(kind, kinds)) return null;
  const names = kinds[kind].split("/").map((text) => {
    const [name = "", gender = ""] = text.split(":");
    return { name, gender };
  });
  const words = tokenize(breed);
  return (
    names.find(({ name }) => tokenize(name).every((word) => words.includes(word))) ?? names[0]!
  );
}

function isKind(name: string, kinds: Locale["kinds"]): name is keyof Locale["kinds"] {
  return Object.hasOwn(kinds, name);
}

/** True for horses, cattle and the like, by breed; by size if the breed is not known. */
export function isLargeAnimal({
  species,
  breed = "",
  size,
}: {
  readonly species: Species;
  readonly breed?: string | undefined;
  readonly size?: Size | undefined;
}): boolean {
  if (species !== "other") return false;
  const groups = readBreedGroups("other", breed);
  if (groups.length > 0) return groups.every((group) => LARGE_ANIMALS.includes(group));
  return size === "large" || size === "xlarge";
}
