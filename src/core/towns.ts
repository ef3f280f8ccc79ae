import { LANGUAGES } from "./alert.ts";
import { distanceKm, type Point, snap } from "./place.ts";
import { placesAlike } from "./places-alike.ts";
import type { Gazetteer, Place, Ports } from "./ports.ts";
import { folded } from "./words.ts";

/** A town as readers tell it from others. */
export type Town = {
  /** As it was asked for: "München" or "Munich". */
  readonly name: string;
  /** ISO 3166-1 alpha-2. */
  readonly countryCode: string;
  /** A city it lies near, where a more populous town of its country has the same name; else null. */
  readonly near: string | null;
  /** On the public grid. */
  readonly point: Point;
};

/** Where somebody means: by a town's name as people write it, by a position, or by both. */
export type Whereabouts = {
  readonly place?: string | undefined;
  readonly point?: Point | undefined;
};

export type Located =
  /**
   * `town` is the one that was named, or the one the position belongs to; `others` have its name, too, and `rivals`
   * of them so many people that they may as well have been meant.
   */
  | {
      readonly kind: "known";
      readonly point: Point;
      readonly town: Town;
      readonly others: readonly Town[];
      readonly rivals: readonly Town[];
    }
  /** No town has that name; `alike` have one that may have been meant. */
  | { readonly kind: "unknown"; readonly alike: readonly Town[] };

/** Letters a completion needs: fewer begin too many names. */
const TOWN_LETTERS_MIN = 2;
/** Towns that are offered at once. */
export const TOWNS_MAX = 8;
/** A longer text names no town. */
export const TOWN_TEXT_MAX = 100;
/** A position belongs to the town that was named with it up to this far from its middle. */
const TOWN_REACH_KM = 40;
/** Towns of one name that are looked through. */
const NAMESAKES_MAX = 50;
/** A namesake with more people than one in this many of the greatest one's may have been meant. */
const RIVAL_FACTOR = 5;
/** Words a country's name has at most, where no comma parts it from the town's. */
const COUNTRY_WORDS_MAX = 3;

/** Towns by their names. Nothing here is kept. */
export function createTowns({ gazetteer }: Pick<Ports, "gazetteer">) {
  return {
    /**
     * Towns for a text that is being typed: those it names, then those whose names begin so, the most populous
     * first, at most `TOWNS_MAX`. None for fewer letters than a completion needs.
     */
    townsBegun(text: string): Town[] {
      if ([...folded(text.trim())].length < TOWN_LETTERS_MIN) return [];
      const { name, ...within } = readings(text).find(isKnown(gazetteer, true)) ?? { name: text };
      const [named, begun] = [false, true].map((prefix) =>
        gazetteer.find(name, { ...within, prefix, limit: TOWNS_MAX }),
      );
      return townsOf(gazetteer, [...named!, ...begun!]).slice(0, TOWNS_MAX);
    },

    /**
     * Where somebody means. A position wins, as long as the text names a town there or no town at all: a text that
     * was typed over another town's position means what it says. Null where there is neither.
     */
    locate({ place = "", point }: Whereabouts): Located | null {
      const text = place.trim();
      const named = text === "" ? [] : placesNamed(gazetteer, text);
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
        rivals: townsOf(gazetteer, rivalsAmong(named)).slice(1),
      };
    },
  };
}

/** Where a town may be sought: its name, and its country where the text names one. */
type Reading = { readonly name: string; readonly countryCode?: string };

function isKnown(gazetteer: Gazetteer, prefix: boolean): (reading: Reading) => boolean {
  return ({ name, ...within }) => gazetteer.find(name, { ...within, prefix, limit: 1 }).length > 0;
}

function placesNamed(gazetteer: Gazetteer, text: string): Place[] {
  const reading = readings(text).find(isKnown(gazetteer, false));
  if (reading === undefined) return [];
  const { name, ...within } = reading;
  return gazetteer.find(name, { ...within, limit: NAMESAKES_MAX });
}

/** The greatest of them, and those nearly as great. */
function rivalsAmong(namesakes: readonly Place[]): Place[] {
  const peopleMin = (namesakes[0]?.population ?? 0) / RIVAL_FACTOR;
  return namesakes.filter(({ population }) => population >= peopleMin).slice(0, TOWNS_MAX);
}

function townsAlike(gazetteer: Gazetteer, text: string): Town[] {
  const [name = text] = text.slice(0, TOWN_TEXT_MAX).split(",");
  return townsOf(gazetteer, placesAlike(gazetteer, name));
}

/**
 * What a text can mean, the likeliest first: "Lyon" as it stands, "Lyon, France" and "Lyon France" in that country,
 * "Portland, ME" without what follows the comma, which can be a state that shares its letters with a country;
 * then the same with "St" written out and German umlauts that were typed with an e.
 */
function readings(text: string): Reading[] {
  const [beforeRemark = ""] = text.slice(0, TOWN_TEXT_MAX).split("(");
  const comma = beforeRemark.lastIndexOf(",");
  const parted = comma < 0 ? [] : partedAt(beforeRemark, comma);
  const names: Reading[] = [
    { name: text.slice(0, TOWN_TEXT_MAX) },
    { name: beforeRemark },
    ...parted,
    ...(comma < 0 ? partedAtSpaces(beforeRemark) : [{ name: beforeRemark.slice(0, comma) }]),
  ];
  return [...names, ...names.flatMap(spelledOut)];
}

function partedAt(text: string, at: number): Reading[] {
  const countryCode = COUNTRIES().get(folded(text.slice(at + 1).trim()));
  return countryCode === undefined ? [] : [{ name: text.slice(0, at), countryCode }];
}

function partedAtSpaces(text: string): Reading[] {
  const spaces = [...text.trimEnd().matchAll(/ +/g)].map(({ index }) => index);
  return spaces.slice(-COUNTRY_WORDS_MAX).flatMap((at) => (at === 0 ? [] : partedAt(text, at)));
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

/** Countries by their names in our languages, and by their two letters; drawn up when first needed. */
const COUNTRIES = lazily(() => {
  const codes = LETTERS.flatMap((first) => LETTERS.map((second) => `${first}${second}`)).filter(
    (code) => !FORMER_CODES.has(code),
  );
  const countries = new Map<string, string>();
  for (const language of LANGUAGES) {
    const names = new Intl.DisplayNames([language], { type: "region", fallback: "none" });
    for (const code of codes) {
      const name = names.of(code);
      if (name !== undefined) countries.set(folded(name), code).set(folded(code), code);
    }
  }
  for (const [name, code] of SHORT_NAMES) countries.set(name, code);
  return countries;
});
const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
/** Codes that were withdrawn (ISO 3166-3), or reserved for another's country, and still have that country's name. */
const FORMER_CODES = new Set("AN BU CS DD DY FX HV NH RH SU TP UK VD YD YU ZR".split(" "));
/** What people write for countries beside their names. */
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

function lazily<Value>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => (made ??= make());
}

/** Places as towns, each once, and told apart from the ones of its name and country before it. */
function townsOf(gazetteer: Gazetteer, places: readonly Place[]): Town[] {
  const taken = new Set<string>();
  const seen = new Set<string>();
  return places.flatMap((place) => {
    const { name, countryCode } = place;
    if (seen.size === seen.add(`${place.point.lat} ${place.point.lng}`).size) return [];
    const key = (near: string | null) => `${name}|${countryCode}|${near}`;
    const near = taken.has(key(null)) ? gazetteer.cityNear(place).name : null;
    // Two of one name near one city: nobody could tell them apart, and the greater one is near enough.
    if (taken.has(key(near))) return [];
    taken.add(key(near));
    return [{ name, countryCode, near, point: snap(place.point.lat, place.point.lng) }];
  });
}
