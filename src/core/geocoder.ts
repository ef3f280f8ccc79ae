import { LRUCache } from "lru-cache";
import { LANGUAGES } from "./alerts/alert.ts";
import { badInput } from "./input.ts";
import { distanceKm, type Point, snap } from "./place.ts";
import { inTown, nameOf, placeAt, type PlaceName, placeName, postcodeName } from "./place-name.ts";
import type { Gazetteer, Ports, PostcodeArea, Town } from "./ports.ts";
import { similarTowns, type Within } from "./similar-towns.ts";
import { folded } from "../text/tokenize.ts";

/** Town, district or postcode with enough detail to tell it from its namesakes. */
export type TownChoice = {
  /** Name as searched for: "München" or "Munich"; for a postcode with its town: "69004 Lyon". */
  readonly name: string;
  /** Town of a quarter, village or postcode. */
  readonly city?: string;
  /** Quarter or village in that town. */
  readonly district?: string;
  /** ISO 3166-1 alpha-2. */
  readonly countryCode: string;
  /** Nearby city, if a more populous town of its country has the same name; else null. */
  readonly near: string | null;
  /** On the public grid. */
  readonly point: Point;
};

/** Location by a name or postcode as people write it, by position, or both. */
export type LocationInput = {
  readonly place?: string | undefined;
  readonly point?: Point | undefined;
  /** Reader's country (ISO 3166-1 alpha-2): a namesake there is preferred, unless another is far more populous. */
  readonly country?: string | undefined;
};

export type Located =
  /**
   * `town` is the named one, or the one at the position, and `called` what the position is called; `others` have the same name, and `rivals` are those of them
   * populous enough to be meant instead. `unread` is the part of the text that named nothing: of "Croix-Rousse, Lyon"
   * only Lyon is known.
   */
  | {
      readonly kind: "known";
      readonly point: Point;
      readonly town: TownChoice;
      readonly called: PlaceName;
      readonly others: readonly TownChoice[];
      readonly rivals: readonly TownChoice[];
      readonly unread: string | null;
    }
  /** No town has that name; `alike` have similar names. */
  | { readonly kind: "unknown"; readonly alike: readonly TownChoice[] };

/** Grid cells whose town is cached: looking it up takes some 20 µs, and most searches are around the same towns. */
const NEAREST_CACHED_MAX = 1_000;
/** Letters needed for completion: fewer match too many names. */
const TOWN_LETTERS_MIN = 2;
/** Towns offered at once. */
export const TOWNS_MAX = 8;
/** Characters of a text that are read. */
export const TOWN_TEXT_MAX = 100;
/** Longest text that is looked up; no place has a longer name. */
export const PLACE_MAX = 200;
/** Distance from its centre up to which a position agrees with the town named with it. */
const TOWN_REACH_KM = 40;
/** Namesakes considered. */
const NAMESAKES_MAX = 50;
/** A namesake may be meant instead if the likeliest one has at most this many times its population. */
const RIVAL_FACTOR = 5;
/** Factor by which the population of a town in the reader's country is multiplied. */
const OWN_COUNTRY_FACTOR = 20;
/** Most words of a country or region that follows a town without a comma. */
const COUNTRY_WORDS_MAX = 3;
/** People assumed in a village or district of unknown population. */
const VILLAGE_PEOPLE = 500;
/** Towns of one name that a part of the text before the comma may be a district of. */
const CITIES_MAX = 5;
/** Letters per typing error at which a misspelt town is preferred to a city that is only part of the text. */
const SURE_LETTERS_PER_TYPO = 6;
/** Population from which a city is recognised as the first or last words of a text without a comma. */
const CITY_PEOPLE_MIN = 10_000;
/** Most words in such a text that are split off as a city or a district. */
const CITY_WORDS_MAX = 6;
/** Distance from the centre of a city up to which a district of it is looked for. */
const DISTRICT_KM = 25;
/** Parts between commas: "Clifton, Bristol, England, UK". */
const PARTS_MAX = 4;
/** Words of a text with a postcode. */
const POSTCODE_WORDS_MAX = 6;

/**
 * Finds places by what people write: towns, districts and villages by name, postcodes, with or without country, state or
 * city. `homeCountry` stands in for a reader's country that is unknown. Nothing entered here is stored.
 */
export function createGeocoder(
  { gazetteer: unlimited }: Pick<Ports, "gazetteer">,
  homeCountry: () => string | undefined = () => undefined,
) {
  const nearestTowns = new LRUCache<string, TownChoice>({ max: NEAREST_CACHED_MAX });

  /** Quarter or town that a point on the public grid belongs to. */
  function nearestTown(point: Point): TownChoice {
    const key = `${point.lat} ${point.lng}`;
    const known = nearestTowns.get(key);
    if (known !== undefined) return known;
    const [town] = townsOf(unlimited, [placeAt(unlimited, point)]);
    nearestTowns.set(key, town!);
    return town!;
  }

  function at(point: Point, town?: TownChoice): Located {
    const here = snap(point.lat, point.lng);
    return {
      kind: "known",
      point: here,
      town: town ?? nearestTown(here),
      called: town === undefined ? nameOf(nearestTown(here)) : placeName(unlimited, here, town),
      others: [],
      rivals: [],
      unread: null,
    };
  }

  return {
    /**
     * Places for a text being typed: a postcode, else towns of that name, then towns whose names begin with it, each most
     * populous first, then villages; at most `TOWNS_MAX`. None for fewer than `TOWN_LETTERS_MIN` letters.
     */
    completeTown(text: string, country = homeCountry()): TownChoice[] {
      const gazetteer = limitFinds(unlimited);
      if ([...folded(text.trim())].length < TOWN_LETTERS_MIN) return [];
      const short = text.slice(0, TOWN_TEXT_MAX);
      const postcodes = ownFirst(postcodesIn(gazetteer, short), country);
      if (postcodes.length > 0) return townsOf(gazetteer, postcodes).slice(0, TOWNS_MAX);
      const isKnown = ({ name, ...within }: PlaceReading) =>
        gazetteer.find(name, { ...within, prefix: true, limit: 1 }).length > 0;
      const { name, ...within } = readings(short).find(isKnown) ?? { name: short };
      const [exact = [], completed = []] = [false, true].map((prefix) =>
        likeliestFirst(gazetteer.find(name, { ...within, prefix, limit: TOWNS_MAX }), country),
      );
      const [towns = [], villages = []] = [true, false].map((isTown) =>
        exact.filter(({ population }) => population > 0 === isTown),
      );
      return townsOf(gazetteer, [...towns, ...completed, ...villages]).slice(0, TOWNS_MAX);
    },

    /**
     * Location of a text and a position. The position wins unless the text names a place elsewhere: then the text was
     * typed over the position of another place. Null if both are missing. Throws `bad_input` for more than `PLACE_MAX`
     * characters.
     */
    locate({ place = "", point, country = homeCountry() }: LocationInput): Located | null {
      const gazetteer = limitFinds(unlimited);
      const text = place.trim();
      if (text.length > PLACE_MAX)
        throw badInput([{ field: "place", reason: { kind: "longest", limit: PLACE_MAX } }]);
      if (text === "") return point === undefined ? null : at(point);
      const { places, unread, isPostcode } = placesNamed(gazetteer, text);
      const named = (isPostcode ? ownFirst : likeliestFirst)(places, country);
      // A pin says more than a text that is only read in part.
      const towns = point !== undefined && unread !== null ? [] : townsOf(gazetteer, named);
      if (point !== undefined) {
        const there = towns.find((town) => distanceKm(town.point, point) <= TOWN_REACH_KM);
        if (there !== undefined || towns.length === 0) return at(point, there);
      }
      const [town, ...others] = towns;
      if (town === undefined) return { kind: "unknown", alike: townsAlike(gazetteer, text) };
      // "Allice Springs" is Alice Springs rather than a Springs elsewhere.
      const misspelt =
        unread === null || text.includes(",")
          ? []
          : townsAlike(gazetteer, text, SURE_LETTERS_PER_TYPO);
      if (misspelt.length > 0) return { kind: "unknown", alike: misspelt };
      return {
        kind: "known",
        point: town.point,
        town,
        called: placeName(unlimited, town.point, town),
        others: others.slice(0, TOWNS_MAX),
        rivals: townsOf(gazetteer, rivalsOf(named, country)).slice(1),
        unread,
      };
    },
  };
}

/** Look-ups by name for one text, which ends the work that commas and postcodes multiply; beyond them nothing is found. */
const FINDS_MAX = 500;

function limitFinds(gazetteer: Gazetteer): Gazetteer {
  let left = FINDS_MAX;
  return {
    ...gazetteer,
    find: (name, options) => (left-- > 0 ? gazetteer.find(name, options) : []),
  };
}

/** Places that a text names, and the part of it that named nothing. */
type Named = {
  readonly places: readonly Town[];
  readonly unread: string | null;
  readonly isPostcode?: boolean;
};
const NOTHING: Named = { places: [], unread: null };

/** Places that a text names by postcode or name, within a country or circle, most populous first. */
export function placesNamed(gazetteer: Gazetteer, text: string, within: Within = {}): Named {
  const short = text.slice(0, TOWN_TEXT_MAX).split(",", PARTS_MAX).join(",");
  const postcodes = postcodesIn(gazetteer, short).filter(isWithin(within));
  return postcodes.length > 0
    ? { places: postcodes, unread: null, isPostcode: true }
    : byName(gazetteer, short, within);
}

function isWithin({ countryCode, near }: Within): (place: Town) => boolean {
  return (place) =>
    (countryCode === undefined || place.countryCode === countryCode) &&
    (near === undefined || distanceKm(near.point, place.point) <= near.radiusKm);
}

function byName(gazetteer: Gazetteer, text: string, within: Within = {}): Named {
  const exact = findFirst(gazetteer, readings(text), within);
  if (exact.length > 0) return { places: exact, unread: null };
  const [head, tail] = atComma(withoutRemark(text));
  if (tail === null) return byWords(gazetteer, head.trim().split(/\s+/), within);
  const countryCode = countryNamed(tail);
  const inCountry =
    countryCode === undefined || !isCompatible({ countryCode }, within)
      ? NOTHING
      : byName(gazetteer, head, { ...within, countryCode });
  return inCountry.places.length > 0 ? inCountry : byCity(gazetteer, head, tail, within);
}

/** "Clifton, Bristol": the district near the city; else whichever of the two is known and more populous. */
function byCity(gazetteer: Gazetteer, head: string, tail: string, within: Within): Named {
  const cities = findFirst(gazetteer, readings(tail), within);
  const districts = districtsOf(gazetteer, cities, head, within);
  if (districts.length > 0) return { places: districts, unread: null };
  const { places, unread } = byName(gazetteer, head, within);
  const isCity = (cities[0]?.population ?? -1) > (places[0]?.population ?? -1);
  return isCity ? { places: cities, unread: head } : { places, unread: unread ?? tail };
}

function districtsOf(
  gazetteer: Gazetteer,
  cities: readonly Town[],
  name: string,
  within: Within,
): Town[] {
  for (const { point, population } of cities.slice(0, CITIES_MAX)) {
    const near = { point, radiusKm: DISTRICT_KM };
    const found = findFirst(gazetteer, readings(name), { ...within, near });
    // Of "Berlin Köpenick", Berlin is no district of Köpenick.
    const districts = found.filter((district) => district.population <= population);
    if (districts.length > 0) return districts;
  }
  return [];
}

/** "Clifton Bristol", "Zürich Kreis 4", "Boston Lincolnshire": a city first or last, with a district of it if known. */
function byWords(gazetteer: Gazetteer, words: readonly string[], within: Within): Named {
  let best = NOTHING;
  const join = (from: number, to?: number) => words.slice(from, to).join(" ");
  for (let at = 1; at < Math.min(words.length, CITY_WORDS_MAX); at++) {
    const splits = [
      [join(0, -at), join(-at)],
      [join(at), join(0, at)],
    ] as const;
    for (const [rest, name] of splits) {
      const found = findFirst(gazetteer, readings(name), within);
      const cities = found.filter(({ population }) => population >= CITY_PEOPLE_MIN);
      const places = districtsOf(gazetteer, cities, rest, within);
      if (places.length > 0) return { places, unread: null };
      if ((cities[0]?.population ?? 0) > (best.places[0]?.population ?? 0))
        best = { places: cities, unread: rest };
    }
  }
  return best;
}

/**
 * Postcodes in a text, as places named after their town: alone, or with a town or country that they agree with. Those of
 * the most populous town first.
 */
function postcodesIn(gazetteer: Gazetteer, text: string): Town[] {
  if (!/\d/.test(text)) return [];
  const words = [...withoutRemark(text).matchAll(/[^\s,]+/g)].slice(0, POSTCODE_WORDS_MAX);
  for (const length of [2, 1]) {
    for (let at = 0; at + length <= words.length; at++) {
      const [first, last] = [words[at]!, words[at + length - 1]!];
      const end = last.index + last[0].length;
      const code = text.slice(first.index, end).toUpperCase();
      const rest = (text.slice(0, first.index) + text.slice(end)).replace(/^[\s,]+|[\s,]+$/g, "");
      const areas = agreeing(gazetteer, gazetteer.postcodes(code), withoutRemark(rest));
      if (areas.length > 0) return mostPopulousFirst(areas.map(placeOf(gazetteer, code)));
    }
  }
  return [];
}

/** An area as a place named after code and town, with the population of the town nearest to it. */
function placeOf(gazetteer: Gazetteer, code: string): (area: PostcodeArea) => Town {
  return (area) => {
    const { countryCode, point } = area;
    const { population } = gazetteer.nearest(point);
    const { city, district } = postcodeName(gazetteer, area);
    const place = { name: `${code} ${city}`, city, countryCode, point, population };
    return district === null ? place : { ...place, district };
  };
}

/** Areas of a postcode that the rest of the text agrees with. */
function agreeing(
  gazetteer: Gazetteer,
  areas: readonly PostcodeArea[],
  rest: string,
): PostcodeArea[] {
  if (rest === "" || areas.length === 0) return [...areas];
  const country = countryNamed(rest);
  const { places } = byName(gazetteer, rest);
  return areas.filter(
    ({ countryCode, point }) =>
      countryCode === country ||
      places.some((place) => distanceKm(place.point, point) <= TOWN_REACH_KM),
  );
}

/** Interpretation of a text: a name, and its country or region if given. */
type PlaceReading = {
  readonly name: string;
  readonly countryCode?: string;
  readonly region?: string;
};

/** Places of the first reading that names a town, or else a village or district. */
function findFirst(gazetteer: Gazetteer, all: readonly PlaceReading[], within: Within): Town[] {
  let villages: Town[] = [];
  for (const { name, ...more } of all) {
    if (!isCompatible(more, within)) continue;
    const found = gazetteer.find(name, { ...within, ...more, limit: NAMESAKES_MAX });
    if (found.some(({ population }) => population > 0)) return found;
    if (villages.length === 0) villages = found;
  }
  return villages;
}

/** False for a country named in a text that is not the only one looked in. */
function isCompatible({ countryCode }: Omit<PlaceReading, "name">, within: Within): boolean {
  return [undefined, countryCode].includes(within.countryCode) || countryCode === undefined;
}

function mostPopulousFirst(towns: readonly Town[]): Town[] {
  return towns.toSorted((one, other) => other.population - one.population);
}

/** Population, larger in the reader's country: people mean the Birmingham of their own, but not its village London. */
function likelihood({ population, countryCode }: Town, country: string | undefined): number {
  return Math.max(population, VILLAGE_PEOPLE) * (countryCode === country ? OWN_COUNTRY_FACTOR : 1);
}

/** Postcodes of the reader's country first: one number is often a postcode in several. */
function ownFirst(areas: readonly Town[], country: string | undefined): Town[] {
  return areas.toSorted(
    (a, b) => Number(b.countryCode === country) - Number(a.countryCode === country),
  );
}

function likeliestFirst(towns: readonly Town[], country: string | undefined): Town[] {
  return towns.toSorted((a, b) => likelihood(b, country) - likelihood(a, country));
}

/** Likeliest of the namesakes, and those nearly as likely. */
function rivalsOf(namesakes: readonly Town[], country: string | undefined): Town[] {
  const least = namesakes[0] === undefined ? 0 : likelihood(namesakes[0], country) / RIVAL_FACTOR;
  return namesakes.filter((town) => likelihood(town, country) >= least).slice(0, TOWNS_MAX);
}

function townsAlike(gazetteer: Gazetteer, text: string, lettersPerTypo?: number): TownChoice[] {
  const [head, tail] = atComma(text.slice(0, TOWN_TEXT_MAX));
  const countryCode = tail === null ? undefined : countryNamed(tail);
  const within = countryCode === undefined ? {} : { countryCode };
  return townsOf(gazetteer, similarTowns(gazetteer, head, within, lettersPerTypo));
}

/** "Springfield, United States (near Peoria)" without the remark that tells it from its namesakes. */
function withoutRemark(text: string): string {
  return text.split("(")[0] ?? "";
}

/** Text before and after the last comma; null if there is none. */
function atComma(text: string): readonly [head: string, tail: string | null] {
  const at = text.lastIndexOf(",");
  return at < 0 ? [text, null] : [text.slice(0, at), text.slice(at + 1).trim()];
}

/**
 * Interpretations of a text, the likeliest first: "Lyon" unchanged, "Lyon, France" and "Lyon France" in that country,
 * "Portland, ME" in that state, which can share its letters with a country; then the same in other spellings.
 */
function readings(text: string): PlaceReading[] {
  const name = withoutRemark(text);
  const comma = name.lastIndexOf(",");
  const split = comma < 0 ? splitAtSpaces(name) : splitAt(name, comma);
  const names: PlaceReading[] = [{ name: text }, { name }, ...split];
  return [...names, ...names.flatMap(spelledOut)];
}

function splitAt(text: string, at: number): PlaceReading[] {
  const name = text.slice(0, at);
  const region = text.slice(at + 1).trim();
  const countryCode = countryNamed(region);
  const inRegion = region === "" ? [] : [{ name, region }];
  return countryCode === undefined ? inRegion : [...inRegion, { name, countryCode }];
}

function splitAtSpaces(text: string): PlaceReading[] {
  const spaces = [...text.trimEnd().matchAll(/ +/g)].map(({ index }) => index);
  return spaces.slice(-COUNTRY_WORDS_MAX).flatMap((at) => (at === 0 ? [] : splitAt(text, at)));
}

/** Number of a French arrondissement: "Lyon 4", "Paris 11e", "Marseille 8ème arrondissement". */
const ARRONDISSEMENT = /^(.*\S) (\d{1,2}) ?(?:er|e|è|ème|eme)?(?: arr\w*\.?)?$/iu;

/** The reading with "St" written out, with German umlauts typed with an e, and with "Lyon 4" as "Lyon 4e". */
function spelledOut(reading: PlaceReading): PlaceReading[] {
  const { name } = reading;
  const spellings = [
    name.replace(/\bst\b\.?/giu, "saint").replace(/\bste\b\.?/giu, "sainte"),
    name.replace(/\b(?:st|saint)\b\.?/giu, "sankt"),
    name.replace(/\bsaint\b/giu, "st"),
    name.replace(/([aou])e/giu, "$1"),
    name
      .trim()
      .replace(
        ARRONDISSEMENT,
        (_, city, nth) => `${city} ${Number(nth)}${nth === "1" ? "er" : "e"}`,
      ),
  ];
  return spellings.flatMap((spelling) =>
    spelling === name ? [] : [{ ...reading, name: spelling }],
  );
}

/** Code of the country with this name in one of our languages, or with this code. */
function countryNamed(name: string): string | undefined {
  countries ??= createCountries();
  return countries.get(folded(name));
}

/** Built on first use. */
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
/** Names of countries that Intl lacks: abbreviations, and the countries of the United Kingdom. */
const SHORT_NAMES = [
  ["usa", "US"],
  ["u.s.a.", "US"],
  ["u.s.", "US"],
  ["america", "US"],
  ["uk", "GB"],
  ["u.k.", "GB"],
  ["great britain", "GB"],
  ["england", "GB"],
  ["scotland", "GB"],
  ["wales", "GB"],
  ["holland", "NL"],
] as const;

/** Towns without duplicates. One that shares name, city and country with an earlier one gets a nearby city. */
function townsOf(gazetteer: Gazetteer, towns: readonly Town[]): TownChoice[] {
  const taken = new Set<string>();
  const seen = new Set<string>();
  return towns.flatMap((found) => {
    const { population: _population, ...town } = inTown(gazetteer, found);
    const { name, city, countryCode, point } = town;
    if (seen.size === seen.add(`${point.lat} ${point.lng}`).size) return [];
    const key = (near: string | null) => `${name}|${city}|${countryCode}|${near}`;
    const near = taken.has(key(null)) ? gazetteer.cityNear(found).name : null;
    // Two namesakes near the same city cannot be told apart; the more populous one is close enough.
    if (taken.has(key(near))) return [];
    taken.add(key(near));
    return [{ ...town, near, point: snap(point.lat, point.lng) }];
  });
}
