import type { Species } from "../../alert.ts";
import { type BaseColor, BASE_COLORS, type Coat, readCoat } from "../coat.ts";
import { remembering } from "../../remembering.ts";
import { type Account, accountOf, agreement, bySpecies, type Trait } from "../trait.ts";
import { commonCoats, type Marking, type TrueCoat } from "./common-coats.ts";
import type { Evidence, Likeness } from "./evidence.ts";

/**
 * Colours and pattern. An animal has one of the coats of `common-coats.ts`; each observer names its colours, leaves
 * some out, and takes some for their neighbours. How often was never measured, as far as we know: the chances below
 * are guesses, the general ones adjusted on the benchmark's training cities (`score.ts`), whose phrases are ours too.
 * White spotting needs no pattern beside the colours (`readCoat` derives one from the other), so only markings that
 * colours cannot tell are counted.
 */
export const coat: Evidence<SeenCoat, SaidOfCoats> = {
  read: ({ color, species }) => seenIn[species](color),
  weigh: (lost, found, { commonness }) => ({
    logRatio: agreement(lost.account, found.account, commonness.weights(lost.account.trait)),
    said: { lost: lost.coat, found: found.coat, is: likeness(lost.coat, found.coat) },
  }),
  account: (seen) => seen.account,
};

/** Of each species. */
const TEXTS_KEPT = 1_000;

const seenIn = bySpecies((species) =>
  remembering(TEXTS_KEPT, (color): SeenCoat | null => {
    const told = readCoat(color, species);
    const marking = markingOf(told);
    if (told.colors.length === 0 && marking === "plain") return null;
    return { coat: told, account: accountOfCoat(told, marking, species) };
  }),
);

export type SeenCoat = { readonly coat: Coat; readonly account: Account };
export type SaidOfCoats = { readonly lost: Coat; readonly found: Coat; readonly is: Likeness };

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

function likeness(one: Coat, other: Coat): Likeness {
  const shared = one.colors.filter((color) => other.colors.includes(color)).length;
  const sameMarking = markingOf(one) === markingOf(other);
  const all = Math.max(one.colors.length, other.colors.length);
  if (sameMarking && shared === all) return "same";
  return shared > 0 || (sameMarking && markingOf(one) !== "plain") ? "alike" : "different";
}

const TRAITS = bySpecies((species): Trait => ({
  name: `coat ${species}`,
  prior: commonCoats(species).map(({ share }) => share),
}));

/** Each account is worked out once. Sets of few colours by markings: some 16,000 could be kept, hundreds are. */
const accounts = new Map<string, Account>();
const COLORS_KEPT_MAX = 4;

function accountOfCoat(told: Coat, marking: Marking, species: Species): Account {
  const key = `${species} ${marking} ${told.colors.join(" ")}`;
  const known = accounts.get(key);
  if (known !== undefined) return known;
  const account = accountOf(
    TRAITS[species],
    commonCoats(species).map(
      (truth) => chanceOfColors(told.colors, marking, truth) * MARKING_TOLD[truth.marking](marking),
    ),
  );
  if (told.colors.length <= COLORS_KEPT_MAX) accounts.set(key, account);
  return account;
}

/**
 * Chance that just these colours are named of a coat: each colour of its own is named, or taken for another, or left
 * out, and a colour it has not may stray in. A marking with no colour beside ("tabby", "tabby and white") leaves out
 * the others for brevity, which is no mistake.
 */
function chanceOfColors(told: readonly BaseColor[], marking: Marking, truth: TrueCoat): number {
  const isBrief = marking !== "plain" && (told[0] ?? "white") === "white" && told.length <= 1;
  if (isBrief) {
    const white = truth.colors.includes("white") ? 1 - LEFT_OUT : strayChance("white", truth);
    return told.length === 1 ? white : 1 - white;
  }
  return BASE_COLORS.filter((color) => !told.includes(color)).reduce(
    (chance, color) => chance * (1 - strayChance(color, truth)),
    chanceNamed(told, truth.colors, [], truth),
  );
}

/** Chance that what is named of the colours left, and what was named already, and strays, make up just `told`. */
function chanceNamed(
  told: readonly BaseColor[],
  left: readonly BaseColor[],
  named: readonly BaseColor[],
  truth: TrueCoat,
): number {
  const [own, ...rest] = left;
  if (own === undefined) {
    const strays = told.filter((color) => !named.includes(color));
    return strays.reduce((chance, color) => chance * strayChance(color, truth), 1);
  }
  const mistakes = told
    .filter((color) => color !== own)
    .map((color) => [color, mistakenFor(own, color, truth)] as const);
  const leftOut = LEFT_OUT * chanceNamed(told, rest, named, truth);
  const rightly = told.includes(own)
    ? ownNamed(own, truth) * chanceNamed(told, rest, [...named, own], truth)
    : 0;
  return mistakes.reduce(
    (sum, [color, chance]) =>
      chance === 0 ? sum : sum + chance * chanceNamed(told, rest, [...named, color], truth),
    leftOut + rightly,
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
/** Many a dark animal has a white chest that one observer mentions and the other does not. */
const WHITE_SPOT_NAMED = 0.07;
/** A brown tabby is grey to one, black and brown to another. */
const STRIPES: readonly BaseColor[] = ["black", "brown", "grey"];
const STRIPE_NAMED = 0.25;

/** Chance that one colour is taken for the other, either way. */
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
/** Beside another colour tan and brown are one to many: black and tan, black and brown. */
const TAN_FOR_BROWN_BESIDE = 0.2;
/** A tortoiseshell is black and brown to many. */
const ORANGE_FOR_BROWN_PATCHED = 0.2;

function mistakenFor(own: BaseColor, other: BaseColor, { colors, marking }: TrueCoat): number {
  const isPair = (a: BaseColor, b: BaseColor) =>
    (own === a && other === b) || (own === b && other === a);
  if (isPair("tan", "brown") && colors.length > 1) return TAN_FOR_BROWN_BESIDE;
  if (isPair("orange", "brown") && marking === "patched") return ORANGE_FOR_BROWN_PATCHED;
  // Orange fur with a tabby's stripes is a ginger cat, which nobody takes for a brown one.
  if (isPair("orange", "brown") && marking === "tabby") return 0;
  return MISTAKEN.find(([one, two]) => isPair(one, two))?.[2] ?? 0;
}

/** Chance that a marking is told of a coat with a marking. A marking left out reads as plain. */
const MARKING_TOLD: Readonly<Record<Marking, (marking: Marking) => number>> = {
  plain: chances({ plain: 0.93, tabby: 0.03, brindle: 0.015, spotted: 0.01 }),
  tabby: chances({ tabby: 0.7, plain: 0.25, spotted: 0.02, patched: 0.02 }),
  patched: chances({ patched: 0.75, plain: 0.17, tabby: 0.06 }),
  pointed: chances({ pointed: 0.7, plain: 0.28 }),
  merle: chances({ merle: 0.65, plain: 0.27, spotted: 0.06 }),
  brindle: chances({ brindle: 0.68, plain: 0.28, tabby: 0.03 }),
  spotted: chances({ spotted: 0.55, plain: 0.38, tabby: 0.03, merle: 0.02 }),
};

const OTHER_MARKING_TOLD = 0.004;

function chances(told: Readonly<Partial<Record<Marking, number>>>): (marking: Marking) => number {
  return (marking) => told[marking] ?? OTHER_MARKING_TOLD;
}
