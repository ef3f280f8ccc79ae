import { type Coat, readCoat } from "./coat-parser.ts";
import { memoize } from "../text/memoize.ts";
import commonCoats from "./data/common-coats.json" with { type: "json" };
import { bySpecies } from "./subject.ts";
import { normalize, type Observation, observe, type Trait } from "./trait.ts";
import { type Similarity, traitEvidence } from "./evidence.ts";
import type { Species } from "../values/animal.ts";
import { BASE_COLORS, type BaseColor } from "./coat-lexicon.ts";

/**
 * Colours and pattern. An animal has one of `COMMON_COATS`; each observer names its colours, leaves some
 * out, and mistakes some for similar ones. We know of no measurement of how often: the chances below are guesses, the
 * general ones fitted on the benchmark's training cities (`score.ts`), whose phrases are ours too. White spotting needs
 * no pattern besides the colours (`readCoat` derives one from the other), so only markings that colours do not show are
 * counted.
 */
export const coat = traitEvidence<ObservedCoat, CoatDetails>({
  read: ({ color, species }) => observedCoat[species](color),
  details: ({ coat: lost }, { coat: found }) => ({
    lost,
    found,
    similarity: similarity(lost, found),
  }),
});

/** Texts cached for each species. */
const TEXTS_MAX = 1_000;

/** Coat described by a text; null if it describes none. */
export const observedCoat = bySpecies((species) =>
  memoize(TEXTS_MAX, (color): ObservedCoat | null => {
    const coat = readCoat(color, species);
    const marking = markingOf(coat);
    if (coat.colors.length === 0 && marking === "plain") return null;
    return { coat, observation: observationOf(coat, marking, species) };
  }),
);

type ObservedCoat = { readonly coat: Coat; readonly observation: Observation };
type CoatDetails = {
  readonly lost: Coat;
  readonly found: Coat;
  readonly similarity: Similarity;
};

function markingOf({ pattern }: Coat): Marking {
  switch (pattern) {
    case "calico":
    case "tortie":
      return "patched";
    case "pointed":
    case "merle":
    case "brindle":
    case "tabby":
    case "spotted":
      return pattern;
    case "tricolor":
    case "bicolor":
    case "solid":
    case null:
      return "plain";
  }
}

function similarity(one: Coat, other: Coat): Similarity {
  const shared = one.colors.filter((color) => other.colors.includes(color)).length;
  const sameMarking = markingOf(one) === markingOf(other);
  const all = Math.max(one.colors.length, other.colors.length);
  if (sameMarking && shared === all) return "same";
  return shared > 0 || (sameMarking && markingOf(one) !== "plain") ? "similar" : "different";
}

/** Coat that an animal can have, and its share among animals of its species. */
type TrueCoat = {
  readonly colors: readonly BaseColor[];
  readonly marking: Marking;
  readonly share: number;
};

/** The part of a pattern that colours do not show. */
type Marking = "plain" | "tabby" | "patched" | "pointed" | "merle" | "brindle" | "spotted";

const FUR: readonly BaseColor[] = ["black", "white", "grey", "brown", "orange", "tan"];
const FEATHERS: readonly BaseColor[] = [...FUR, "green", "blue", "yellow", "red", "pink"];
const MARKINGS: readonly Marking[] = ["tabby", "patched", "pointed", "merle", "brindle", "spotted"];
/** Weight of all unlisted coats together, in percent of the listed ones. */
const REST_PERCENT = 8;

/**
 * Coats of each species: the listed ones, and any one or two colours for the rest. The weights are set by hand, in about
 * the order of the colours of the 106 dogs and cats with a colour in the lost and found records of King County,
 * Washington, 2017 (data.kingcounty.gov/d/yaai-7frk): black and white, black, brown tabby and orange tabby lead among
 * cats; white, black, black and white, black and tan among dogs.
 */
const COMMON_COATS = bySpecies((species: Species): readonly TrueCoat[] => {
  const colors = species === "dog" || species === "cat" ? FUR : FEATHERS;
  const listed = Object.entries(commonCoats[species]).map(([text, weight]) => {
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

const TRAITS = bySpecies((species): Trait => ({
  prior: COMMON_COATS[species].map(({ share }) => share),
}));

/** Cached observations. Sets of few colours by markings: some 16,000 are possible, hundreds occur. */
const observations = new Map<string, Observation>();
const CACHED_COLORS_MAX = 4;

function observationOf({ colors }: Coat, marking: Marking, species: Species): Observation {
  const key = `${species} ${marking} ${colors.join(" ")}`;
  const cached = observations.get(key);
  if (cached !== undefined) return cached;
  const observation = observe(
    TRAITS[species],
    COMMON_COATS[species].map(
      (truth) => chanceOfColors(colors, marking, truth) * MARKING_CHANCES[truth.marking](marking),
    ),
  );
  if (colors.length <= CACHED_COLORS_MAX) observations.set(key, observation);
  return observation;
}

/**
 * Chance that exactly these colours are named of a coat: each of its colours is named, mistaken for another or left out,
 * and a stray colour may be added. A marking without other colours ("tabby", "tabby and white") omits them for brevity,
 * which is not a mistake.
 */
function chanceOfColors(
  described: readonly BaseColor[],
  marking: Marking,
  truth: TrueCoat,
): number {
  const isBrief =
    marking !== "plain" && (described[0] ?? "white") === "white" && described.length <= 1;
  if (isBrief) {
    const white = truth.colors.includes("white") ? 1 - LEFT_OUT : strayChance("white", truth);
    return described.length === 1 ? white : 1 - white;
  }
  return BASE_COLORS.filter((color) => !described.includes(color)).reduce(
    (chance, color) => chance * (1 - strayChance(color, truth)),
    chanceNamed(described, truth.colors, [], truth),
  );
}

/** Chance that the colours `left` to name, those `named` already, and stray ones add up to exactly `described`. */
function chanceNamed(
  described: readonly BaseColor[],
  left: readonly BaseColor[],
  named: readonly BaseColor[],
  truth: TrueCoat,
): number {
  const [own, ...rest] = left;
  if (own === undefined) {
    const strays = described.filter((color) => !named.includes(color));
    return strays.reduce((chance, color) => chance * strayChance(color, truth), 1);
  }
  const mistakes = described
    .filter((color) => color !== own)
    .map((color) => [color, mistakenFor(own, color, truth)] as const);
  const omitted = LEFT_OUT * chanceNamed(described, rest, named, truth);
  const correct = described.includes(own)
    ? ownNamed(own, truth) * chanceNamed(described, rest, [...named, own], truth)
    : 0;
  return mistakes.reduce(
    (sum, [color, chance]) =>
      chance === 0 ? sum : sum + chance * chanceNamed(described, rest, [...named, color], truth),
    omitted + correct,
  );
}

function ownNamed(own: BaseColor, truth: TrueCoat): number {
  const mistaken = BASE_COLORS.reduce((sum, color) => sum + mistakenFor(own, color, truth), 0);
  return Math.max(0.3, 1 - LEFT_OUT - mistaken);
}

function strayChance(color: BaseColor, { colors, marking }: TrueCoat): number {
  if (color === "white") return WHITE_SPOT_NAMED;
  if (colors.includes(color)) return STRAY_NAMED;
  return STRAY_NAMED + (marking === "tabby" && STRIPES.includes(color) ? STRIPE_NAMED : 0);
}

const LEFT_OUT = 0.04;
const STRAY_NAMED = 0.02;
/** Many dark animals have a white chest that only one observer mentions. */
const WHITE_SPOT_NAMED = 0.07;
/** One observer calls a brown tabby grey, another black and brown. */
const STRIPES: readonly BaseColor[] = ["black", "brown", "grey"];
const STRIPE_NAMED = 0.25;

/** Chance that one colour is mistaken for the other, in either direction. */
const MISTAKEN: readonly (readonly [BaseColor, BaseColor, chance: number])[] = [
  ["tan", "brown", 0.11],
  ["tan", "orange", 0.06],
  ["tan", "white", 0.05],
  ["tan", "yellow", 0.1],
  ["tan", "pink", 0.05],
  ["brown", "black", 0.06],
  ["brown", "orange", 0.075],
  ["brown", "red", 0.05],
  ["grey", "black", 0.03],
  ["grey", "brown", 0.05],
  ["grey", "white", 0.02],
  ["grey", "tan", 0.02],
  ["grey", "blue", 0.08],
  ["orange", "yellow", 0.08],
  ["orange", "red", 0.1],
  ["green", "yellow", 0.06],
  ["green", "blue", 0.06],
  ["white", "yellow", 0.03],
  ["red", "pink", 0.05],
];
/** Next to another colour, many do not distinguish tan and brown: black and tan, black and brown. */
const TAN_FOR_BROWN_WITH_OTHER = 0.2;
/** Many call a tortoiseshell black and brown. */
const ORANGE_FOR_BROWN_PATCHED = 0.2;

function mistakenFor(own: BaseColor, other: BaseColor, { colors, marking }: TrueCoat): number {
  const isPair = (a: BaseColor, b: BaseColor) =>
    (own === a && other === b) || (own === b && other === a);
  if (isPair("tan", "brown") && colors.length > 1) return TAN_FOR_BROWN_WITH_OTHER;
  if (isPair("orange", "brown") && marking === "patched") return ORANGE_FOR_BROWN_PATCHED;
  // A striped orange cat is a ginger cat, which is not mistaken for a brown one.
  if (isPair("orange", "brown") && marking === "tabby") return 0;
  return MISTAKEN.find(([one, two]) => isPair(one, two))?.[2] ?? 0;
}

/** For each true marking, the chance that a marking is named. No marking reads as plain. */
const MARKING_CHANCES: Readonly<Record<Marking, (marking: Marking) => number>> = {
  plain: chances({ plain: 0.93, tabby: 0.03, brindle: 0.015, spotted: 0.01 }),
  tabby: chances({ tabby: 0.7, plain: 0.25, spotted: 0.02, patched: 0.02 }),
  patched: chances({ patched: 0.75, plain: 0.17, tabby: 0.06 }),
  pointed: chances({ pointed: 0.7, plain: 0.28 }),
  merle: chances({ merle: 0.65, plain: 0.27, spotted: 0.06 }),
  brindle: chances({ brindle: 0.68, plain: 0.28, tabby: 0.03 }),
  spotted: chances({ spotted: 0.55, plain: 0.38, tabby: 0.03, merle: 0.02 }),
};

const OTHER_MARKING_CHANCE = 0.004;

function chances(named: Readonly<Partial<Record<Marking, number>>>): (marking: Marking) => number {
  return (marking) => named[marking] ?? OTHER_MARKING_CHANCE;
}
