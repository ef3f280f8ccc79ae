import { LANGUAGES } from "./alert.ts";
import { distanceKm, type Point, snap } from "../place.ts";
import { similarTowns } from "../similar-towns.ts";
import type { Gazetteer, Town, Ports } from "../ports.ts";
import { folded } from "../tokenize.ts";

/** Town with enough detail to tell it from its namesakes. */
export type TownChoice = {
  /** Name as searched for: "München" or "Munich". */
  readonly name: string;
  /** ISO 3166-1 alpha-2. */
  readonly countryCode: string;
  /** Nearby city, if a more populous town of its country has the same name; else null. */
  readonly near: string | null;
  /** On the public grid. */
  readonly point: Point;
};

/** Location by a town's name as people write it, by position, or both. */
export type LocationInput = {
  readonly place?: string | undefined;
  readonly point?: Point | undefined;
};

export type Located =
  /**
   * `town` is the named one, or the one at the position; `others` have the same name, and `rivals` are those of them
   * populous enough to be meant instead.
   */
  | {
      readonly kind: "known";
      readonly point: Point;
      readonly town: TownChoice;
      readonly others: readonly TownChoice[];
      readonly rivals: readonly TownChoice[];
    }
  /** No town has that name; `alike` have similar names. */
  | { readonly kind: "unknown"; readonly alike: readonly TownChoice[] };

/** Letters needed for completion: fewer match too many names. */
const TOWN_LETTERS_MIN = 2;
export const TOWNS_MAX = 8;
export const TOWN_TEXT_MAX = 100;
/** Distance from its centre up to which a position agrees with the town named with it. */
const TOWN_REACH_KM = 40;
const NAMESAKES_MAX = 50;
/** A namesake may be meant instead if the most populous one has at most this many times its population. */
const RIVAL_FACTOR = 5;
/** Words of a country name that follows a town without a comma. */
const COUNTRY_WORDS_MAX = 3;

/** Lookup of towns by name. Nothing entered here is stored. */
export function createLocationLookup({ gazetteer }: Pick<Ports, "gazetteer">) {
  return {
    /**
     * Towns for a text being typed: exact names, then names with that prefix, each most populous first, at most
     * `TOWNS_MAX`. None for fewer than `TOWN_LETTERS_MIN` letters.
     */
    completeTown(text: string): TownChoice[] {
      if ([...folded(text.trim())].length < TOWN_LETTERS_MIN) return [];
      const { name, ...within } = readings(text).find(isKnown(gazetteer, true)) ?? { name: text };
      const [exact, completed] = [false, true].map((prefix) =>
        gazetteer.find(name, { ...within, prefix, limit: TOWNS_MAX }),
      );
      return townsOf(gazetteer, [...exact!, ...completed!]).slice(0, TOWNS_MAX);
    },

    /**
     * Location of a text and a position. The position wins unless the text names a town elsewhere: then the text was typed
     * over the position of another town. Null if both are missing.
     */
    locate({ place = "", point }: LocationInput): Located | null {
      const text = place.trim();
      const named = text === "" ? [] : townsNamed(gazetteer, text);
      const towns = townsOf(gazetteer, named);
      if (point !== undefined) {
        const there = towns.find((town) => distanceKm(town.point, point) <= TOWN_REACH_KM);
        if (there !== undefined || towns.length === 0) {
          const here = snap(point.lat, point.lng);
          const [nearest] = townsOf(gazetteer, [gazetteer.nearest(here)]);
          return { kind: "known", point: here, town: there ?? nearest!, others: [], rivals: [] };
        }
      }
      if (text === "") return null;
      const [town, ...others] = towns;
      if (town === undefined) return { kind: "unknown", alike: townsAlike(gazetteer, text) };
      return {
        kind: "known",
        point: town.point,
        town,
        others: others.slice(0, TOWNS_MAX),
        rivals: townsOf(gazetteer, rivalsOf(named)).slice(1),
      };
    },
  };
}

/** Interpretation of a text: a town's name, and its country if given. */
type Reading = { readonly name: string; readonly countryCode?: string };

function isKnown(gazetteer: Gazetteer, prefix: boolean): (reading: Reading) => boolean {
  return ({ name, ...within }) => gazetteer.find(name, { ...within, prefix, limit: 1 }).length > 0;
}

function townsNamed(gazetteer: Gazetteer, text: string): Town[] {
  const reading = readings(text).find(isKnown(gazetteer, false));
  if (reading === undefined) return [];
  const { name, ...within } = reading;
  return gazetteer.find(name, { ...within, limit: NAMESAKES_MAX });
}

/** Most populous of the namesakes, and those nearly as populous. */
function rivalsOf(namesakes: readonly Town[]): Town[] {
  const peopleMin = (namesakes[0]?.population ?? 0) / RIVAL_FACTOR;
  return namesakes.filter(({ population }) => population >= peopleMin).slice(0, TOWNS_MAX);
}

function townsAlike(gazetteer: Gazetteer, text: string): TownChoice[] {
  const [name = text] = text.slice(0, TOWN_TEXT_MAX).split(",");
  return townsOf(gazetteer, similarTowns(gazetteer, name));
}

/**
 * Interpretations of a text, the likeliest first: "Lyon" unchanged, "Lyon, France" and "Lyon France" in that country,
 * "Portland, ME" without the part after the comma, which can be a state that shares its code with a country; then the
 * same with "St" written out and with German umlauts typed with an e.
 */
function readings(text: string): Reading[] {
  const [beforeRemark = ""] = text.slice(0, TOWN_TEXT_MAX).split("(");
  const comma = beforeRemark.lastIndexOf(",");
  const split = comma < 0 ? [] : splitAt(beforeRemark, comma);
  const names: Reading[] = [
    { name: text.slice(0, TOWN_TEXT_MAX) },
    { name: beforeRemark },
    ...split,
    ...(comma < 0 ? splitAtSpaces(beforeRemark) : [{ name: beforeRemark.slice(0, comma) }]),
  ];
  return [...names, ...names.flatMap(spelledOut)];
}

function splitAt(text: string, at: number): Reading[] {
  countries ??= createCountries();
  const countryCode = countries.get(folded(text.slice(at + 1).trim()));
  return countryCode === undefined ? [] : [{ name: text.slice(0, at), countryCode }];
}

function splitAtSpaces(text: string): Reading[] {
  const spaces = [...text.trimEnd().matchAll(/ +/g)].map(({ index }) => index);
  return spaces.slice(-COUNTRY_WORDS_MAX).flatMap((at) => (at === 0 ? [] : splitAt(text, at)));
}

function spelledOut(reading: Reading): Reading[] {
  const { name } = reading;
  const spellings = [
    name.replace(/\bst\b\.?/giu, "saint").replace(/\bste\b\.?/giu, "sainte"),
    name.replace(/\bst\b\.?/giu, "sankt"),
    name.replace(/([aou])e/giu, "$1"),
  ];
  return spellings.flatMap((spelling) =>
    spelling === name ? [] : [{ ...reading, name: spelling }],
  );
}

/** Country codes by name in our languages and by code; built on first use. */
let countries: ReadonlyMap<string, string> | undefined;

function createCountries(): ReadonlyMap<string, string> {
  const codes = LETTERS.flatMap((first) => LETTERS.map((second) => `${first}${second}`));
  const byName = new Map<string, string>();
  for (const language of LANGUAGES) {
    const names = new Intl.DisplayNames([language], { type: "region", fallback: "none" });
    for (const code of codes) {
      const name = FORMER_CODES.has(code) ? undefined : names.of(code);
      if (name !== undefined) byName.set(folded(name), code).set(folded(code), code);
    }
  }
  for (const [name, code] of SHORT_NAMES) byName.set(name, code);
  return byName;
}
const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
/** Withdrawn (ISO 3166-3) or reserved codes that Intl still names after a country with another code. */
const FORMER_CODES = new Set("AN BU CS DD DY FX HV NH RH SU TP UK VD YD YU ZR".split(" "));
const SHORT_NAMES = [
  ["usa", "US"],
  ["u.s.a.", "US"],
  ["uk", "GB"],
  ["great britain", "GB"],
  ["england", "GB"],
  ["scotland", "GB"],
  ["wales", "GB"],
  ["holland", "NL"],
] as const;

/** Towns without duplicates. One that shares name and country with an earlier one gets a nearby city. */
function townsOf(gazetteer: Gazetteer, towns: readonly Town[]): TownChoice[] {
  const taken = new Set<string>();
  const seen = new Set<string>();
  return towns.flatMap((town) => {
    const { name, countryCode, point } = town;
    if (seen.size === seen.add(`${point.lat} ${point.lng}`).size) return [];
    const key = (near: string | null) => `${name}|${countryCode}|${near}`;
    const near = taken.has(key(null)) ? gazetteer.cityNear(town).name : null;
    // Two namesakes near the same city cannot be told apart; the more populous one is close enough.
    if (taken.has(key(near))) return [];
    taken.add(key(near));
    return [{ name, countryCode, near, point: snap(point.lat, point.lng) }];
  });
}
