import type { Species } from "../../alert.ts";
import type { BaseColor } from "../coat.ts";
import { sharesOf } from "../trait.ts";

/** What colours alone do not tell. */
export type Marking = "plain" | "tabby" | "patched" | "pointed" | "merle" | "brindle" | "spotted";

/** A coat an animal can have, and its share among animals of its species. */
export type TrueCoat = {
  readonly colors: readonly BaseColor[];
  readonly marking: Marking;
  readonly share: number;
};

/** The coats of a species: the common ones by name, and any one or two colours for the rest. */
export function commonCoats(species: Species): readonly TrueCoat[] {
  return COATS[species];
}

/**
 * Weights by hand, in about the order of the colours of the 106 dogs and cats with a colour in the lost and found
 * records of King County, Washington, 2017 (data.kingcounty.gov/d/yaai-7frk): black and white, black, brown tabby and
 * orange tabby lead among cats; white, black, black and white, black and tan among dogs. An instance's own alerts soon
 * count for more.
 */
const CATS = `
  12 black | 15 black white | 7 grey | 6 grey white | 4 white | 2 tan | 1 brown | 2 orange | 2 orange white |
  9 brown tabby | 4 black brown tabby | 6 brown white tabby | 8 grey tabby | 4 grey white tabby |
  2 black grey tabby | 7 orange tabby | 3 orange white tabby | 1 brown spotted |
  4 brown tan pointed | 2 grey tan pointed | 1 orange tan pointed |
  5 black orange patched | 2 brown orange patched | 2 grey orange patched | 6 black white orange patched |
  2 grey white orange patched`;
const DOGS = `
  13 black | 12 black white | 9 black tan | 5 black brown | 8 white | 12 tan | 7 white tan | 6 brown |
  6 brown white | 3 brown tan | 3 orange | 2 white orange | 3 grey | 4 grey white | 2 black grey | 1 grey spotted | 1 black grey spotted |
  1 orange spotted |
  1 grey tan | 7 black white tan | 3 black white brown | 4 brown brindle | 2 black brown brindle |
  2 brown white brindle | 2 grey merle | 1 black white grey merle | 1 black white grey tan merle | 1 brown white merle |
  1 orange white merle | 1 black white spotted`;
const BIRDS = `
  8 green | 8 green yellow | 8 yellow | 8 blue white | 4 blue | 8 grey yellow | 6 grey | 5 white | 4 grey red |
  4 white yellow | 3 green red | 2 green orange | 2 blue yellow | 2 black white | 2 brown white | 1 red`;
const OTHERS = `
  10 white | 8 brown | 6 black | 6 grey | 8 black white | 8 brown white | 4 grey white | 4 tan | 4 white tan |
  4 green | 3 brown yellow | 3 orange white | 3 black white brown`;

const FUR: readonly BaseColor[] = ["black", "white", "grey", "brown", "orange", "tan"];
const FEATHERS: readonly BaseColor[] = [...FUR, "green", "blue", "yellow", "red", "pink"];
const MARKINGS: readonly Marking[] = ["tabby", "patched", "pointed", "merle", "brindle", "spotted"];
/** Weight of all the rest together, in percent of the named coats. */
const REST_PERCENT = 8;

const COATS: Readonly<Record<Species, readonly TrueCoat[]>> = {
  cat: coats(CATS, FUR),
  dog: coats(DOGS, FUR),
  bird: coats(BIRDS, FEATHERS),
  other: coats(OTHERS, FEATHERS),
};

function coats(named: string, colors: readonly BaseColor[]): TrueCoat[] {
  const common = named.split("|").map(parsed);
  const rest = colors.flatMap((color, nth) => [
    [color],
    ...colors.slice(nth + 1).map((other) => [color, other]),
  ]);
  const commonWeight = common.reduce((sum, { weight }) => sum + weight, 0);
  const restWeight = (commonWeight * REST_PERCENT) / 100 / rest.length;
  const all = [
    ...common,
    ...rest.map((pair) => ({ colors: pair, marking: "plain" as const, weight: restWeight })),
  ];
  const shares = sharesOf(all.map(({ weight }) => weight));
  return all.map((one, nth) => ({
    colors: one.colors,
    marking: one.marking,
    share: shares[nth] ?? 0,
  }));
}

function parsed(line: string) {
  const [weight = "", ...words] = line.trim().split(/\s+/);
  const colors = FEATHERS.filter((color) => words.includes(color));
  const marking = MARKINGS.find((one) => words.includes(one)) ?? "plain";
  return { weight: Number(weight), colors, marking };
}
