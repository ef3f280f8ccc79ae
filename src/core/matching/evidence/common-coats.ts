import type { Species } from "../../alerts/alert.ts";
import type { BaseColor } from "../coat-parser.ts";
import data from "../data/common-coats.json" with { type: "json" };
import { bySpecies, normalize } from "../trait.ts";

/** Coat that an animal can have, and its share among animals of its species. */
export type TrueCoat = {
  readonly colors: readonly BaseColor[];
  readonly marking: Marking;
  readonly share: number;
};

/** The part of a pattern that colours do not show. */
export type Marking = "plain" | "tabby" | "patched" | "pointed" | "merle" | "brindle" | "spotted";

const FUR: readonly BaseColor[] = ["black", "white", "grey", "brown", "orange", "tan"];
const FEATHERS: readonly BaseColor[] = [...FUR, "green", "blue", "yellow", "red", "pink"];
const MARKINGS: readonly Marking[] = ["tabby", "patched", "pointed", "merle", "brindle", "spotted"];
/** Weight of all unlisted coats together, in percent of the listed ones. */
const REST_PERCENT = 8;

/**
 * Coats of each species: the listed ones, and any one or two colours for the rest. The weights are set by hand, in about
 * the order of the colours of the 106 dogs and cats with a colour in the lost and found records of King County,
 * Washington, 2017 (data.kingcounty.gov/d/yaai-7frk): black and white, black, brown tabby and orange tabby lead among
 * cats; white, black, black and white, black and tan among dogs. An instance's own alerts soon outweigh them.
 */
export const COMMON_COATS = bySpecies((species: Species): readonly TrueCoat[] => {
  const colors = species === "dog" || species === "cat" ? FUR : FEATHERS;
  const listed = Object.entries(data[species]).map(([text, weight]) => {
    const words = text.split(" ");
    return {
      colors: FEATHERS.filter((color) => words.includes(color)),
      marking: MARKINGS.find((marking) => words.includes(marking)) ?? "plain",
      weight,
    };
  });
  const rest = colors.flatMap((color, nth) => [
    [color],
    ...colors.slice(nth + 1).map((other) => [color, other]),
  ]);
  const listedWeight = listed.reduce((sum, { weight }) => sum + weight, 0);
  const restWeight = (listedWeight * REST_PERCENT) / 100 / rest.length;
  const all = [
    ...listed,
    ...rest.map((pair) => ({ colors: pair, marking: "plain" as const, weight: restWeight })),
  ];
  const shares = normalize(all.map(({ weight }) => weight));
  return all.map(({ colors, marking }, nth) => ({ colors, marking, share: shares[nth] ?? 0 }));
});
