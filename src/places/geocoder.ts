import { LRUCache } from "lru-cache";
import { countryNamed, motherCountry } from "./country-names.ts";
import { distanceKm, type Point, snap, TOWN_REACH_KM } from "../values/point.ts";
import { inTown, nameOf, placeAt, type PlaceName, placeName, townLabel } from "./place-name.ts";
import {
  atComma,
  byPostcode,
  type Named,
  type PlaceReading,
  placesNamed,
  readings,
  TOWN_TEXT_MAX,
} from "./place-text.ts";
import { isSpelledAs, similarTowns } from "./similar-towns.ts";
import { folded } from "../text/tokenize.ts";
import type { Gazetteer, Town } from "./town.ts";

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
  /** Country that the place is said to be in (ISO 3166-1 alpha-2), as if the text named it. */
  readonly countryCode?: string | undefined;
  /** Reader's country (ISO 3166-1 alpha-2). */
  readonly country?: string | undefined;
};

export type Located =
  /**
   * `town` is the named one, or the one at the position, and `called` what the position is called; `others` have the same
   * name. `unread` is the part of the text that named nothing: of "Croix-Rousse, Lyon" only Lyon is known.
   */
  | {
      readonly kind: "known";
      readonly point: Point;
      readonly town: TownChoice;
      readonly called: PlaceName;
      readonly others: readonly TownChoice[];
      readonly unread: string | null;
    }
  /**
   * Somebody must say which of the `choices` is meant: several may be, or it is a place of a country that the text does
   * not name and that is neither the reader's nor the instance's. Those of these two countries come first.
   */
  | { readonly kind: "ask"; readonly choices: readonly TownChoice[] }
  /** No town has that name; `alike` have similar names. */
  | { readonly kind: "unknown"; readonly alike: readonly TownChoice[] };

/** Grid cells whose town is cached: looking it up takes some 20 µs, and most searches are around the same towns. */
const NEAREST_CACHED_MAX = 1_000;
/** Letters needed for completion: fewer match too many names. */
const TOWN_LETTERS_MIN = 2;
/** Towns offered at once. */
export const TOWNS_MAX = 8;
/** Longest text that is looked up; no place has a longer name. */
export const PLACE_MAX = 200;
/** A namesake may be meant instead if the likeliest one has at most this many times its population. */
const RIVAL_FACTOR = 5;
/** Factor by which the population of a town in the reader's country or the instance's is multiplied. */
const OWN_COUNTRY_FACTOR = 20;
/** Distance up to which two places of one name are taken for the same. */
const SAME_PLACE_KM = 10;
/** Population of a city that is known anywhere by its name in a text that is only read in part. */
const FAMOUS_CITY_PEOPLE_MIN = 100_000;
/** People assumed in a village or district of unknown population. */
const VILLAGE_PEOPLE = 500;
/** Letters per typing error at which a misspelt town is preferred to a city that is only part of the text. */
const SURE_LETTERS_PER_TYPO = 6;
/** Places of the reader's country and the instance's that are offered before a far more populous one elsewhere. */
const OWN_OFFERED_MAX = 4;
/** Towns of each of these countries that are offered because their names begin with the text. */
const COMPLETED_MAX = 2;

/**
 * Finds places by what people write: towns, districts and villages by name, postcodes, with or without country, state or
 * city. `homeCountry` is the country of the instance. Nothing entered here is stored.
 */
export function createGeocoder(
  { gazetteer: unlimited }: { readonly gazetteer: Gazetteer },
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

  function at(point: Point, named?: TownChoice): Located & { readonly kind: "known" } {
    const here = snap(point.lat, point.lng);
    const town = named ?? nearestTown(here);
    const called = named === undefined ? nameOf(town) : placeName(unlimited, here, named);
    return { kind: "known", point: here, town, called, others: [], unread: null };
  }

  return {
    /**
     * Places for a text being typed: a postcode, else towns of that name, then towns whose names begin with it, each most
     * populous first, then villages; at most `TOWNS_MAX`. None for fewer than `TOWN_LETTERS_MIN` letters.
     */
    completeTown(text: string, country?: string): TownChoice[] {
      const gazetteer = limitFinds(unlimited);
      const own = { reader: country, instance: homeCountry() };
      if ([...folded(text.trim())].length < TOWN_LETTERS_MIN) return [];
      const short = text.slice(0, TOWN_TEXT_MAX);
      const postcodes = byPostcode(gazetteer, short).places;
      if (postcodes.length > 0)
        return townsOf(gazetteer, ownFirst(postcodes, own)).slice(0, TOWNS_MAX);
      const isKnown = ({ name, ...within }: PlaceReading) =>
        gazetteer.find(name, { ...within, prefix: true, limit: 1 }).length > 0;
      const { name, ...within } = readings(short).find(isKnown) ?? { name: short };
      const [exact = [], completed = []] = [false, true].map((prefix) =>
        likeliestFirst(gazetteer.find(name, { ...within, prefix, limit: TOWNS_MAX }), own),
      );
      const [towns = [], villages = []] = [true, false].map((isTown) =>
        exact.filter(({ population }) => population > 0 === isTown),
      );
      return townsOf(gazetteer, [...towns, ...completed, ...villages]).slice(0, TOWNS_MAX);
    },

    /**
     * Location of a text and a position. The position wins unless the text names a place elsewhere: then the text was
     * typed over the position of another place. Null if both are missing. Of a text, `PLACE_MAX` characters are read.
     */
    locate({ place = "", point, country, countryCode }: LocationInput): Located | null {
      const gazetteer = limitFinds(unlimited);
      const text = place.trim().slice(0, PLACE_MAX);
      if (text === "") return point === undefined ? null : at(point);
      const own = { reader: country, instance: homeCountry() };
      const named = placesIn(gazetteer, text, countryCode, own);
      const { unread } = named;
      const likeliest = likeliestFirst(named.places, own);
      const shared = named.isBesideCity
        ? likeliest.map((place) => townLabel(inTown(gazetteer, place)))
        : [];
      if (point !== undefined) {
        // A pin says more than a text that is only read in part.
        const towns = unread === null ? townsOf(gazetteer, likeliest, shared) : [];
        const there = towns.find((town) => distanceKm(town.point, point) <= TOWN_REACH_KM);
        if (there !== undefined || towns.length === 0) return at(point, there);
      }
      const { meant, isClear } = placesMeant(text, { ...named, places: likeliest }, own);
      const completed = isClear || named.isPostcode ? [] : completedIn(gazetteer, text, meant, own);
      if (meant.length === 0 && completed.length === 0)
        return { kind: "unknown", alike: townsAlike(gazetteer, text, own) };
      // "Allice Springs" is Alice Springs rather than a Springs elsewhere.
      const misspelt =
        unread === null || /[,-]/.test(text)
          ? []
          : townsAlike(gazetteer, text, own, SURE_LETTERS_PER_TYPO);
      if (misspelt.length > 0) return { kind: "unknown", alike: misspelt };
      const offered =
        completed.length === 0 ? meant : likeliestFirst([...completed, ...meant], own);
      const choices = townsOf(gazetteer, offered, sharedBy(gazetteer, offered)).slice(0, TOWNS_MAX);
      if (!isClear || choices.length > 1) return { kind: "ask", choices };
      const [town, ...others] = townsOf(gazetteer, [...meant, ...likeliest], shared);
      return { ...at(town!.point, town), others: others.slice(0, TOWNS_MAX), unread };
    },
  };
}

/** Countries whose places are taken without a question. */
type OwnCountries = { readonly reader: string | undefined; readonly instance: string | undefined };

function isOwn(place: Town, { reader, instance }: OwnCountries): boolean {
  return isIn(place, reader) || isIn(place, instance);
}

function isIn({ countryCode }: Town, country: string | undefined): boolean {
  return country !== undefined && motherCountry(countryCode) === motherCountry(country);
}

/** Places that a text may mean, and whether the first of them can be taken without asking. */
type Meant = { readonly meant: readonly Town[]; readonly isClear: boolean };

/**
 * Chooses among the places of a name or postcode, likeliest first. Clear is a place
 *
 * - of a country that the text names;
 * - of the reader's country or the instance's; but digits alone only in the reader's, or the instance's where the reader's
 *   is unknown, because many countries have the same postcodes;
 * - anywhere, where neither is known, if the text names a town, a district with its city, or a city and something unknown.
 *
 * A town that is only part of a text without commas is clear if it is a city.
 */
function placesMeant(
  text: string,
  { places, unread, says, isPostcode }: Named,
  own: OwnCountries,
): Meant {
  const people = places[0]?.population ?? 0;
  // "Villa Crespo" is hardly Crespo.
  const isGuess = unread !== null && !text.includes(",") && people < FAMOUS_CITY_PEOPLE_MIN;
  if (says === "elsewhere" || isGuess) return { meant: places, isClear: false };
  const reader = own.reader ?? own.instance;
  const isNamed =
    unread === null
      ? says === "city" || (says === "name" && people > 0)
      : people >= FAMOUS_CITY_PEOPLE_MIN;
  if (says === "country" || (reader === undefined && isNamed))
    return { meant: rivalsOf(places), isClear: true };
  const ours = places.filter((place) => isOwn(place, own));
  const [first] = isPostcode ? ours : places;
  if (first === undefined || !isOwn(first, own) || (isPostcode && !isClearCode())) {
    const others = places.filter((place) => !isOwn(place, own));
    const meant = isPostcode
      ? [...ours, ...others]
      : [...rivalsOf(ours).slice(0, OWN_OFFERED_MAX), ...rivalsOf(others)];
    return { meant: ownFirst(meant, own), isClear: false };
  }
  return { meant: ownFirst(rivalsOf(ours), own), isClear: true };

  function isClearCode(): boolean {
    return ours.length === 1 && (says === "city" || isIn(ours[0]!, reader));
  }
}

/** Towns of the reader's country or the instance's whose names begin with a text that names none there: "Garmisch". */
function completedIn(
  gazetteer: Gazetteer,
  text: string,
  meant: readonly Town[],
  own: OwnCountries,
): Town[] {
  if (meant.some((place) => isOwn(place, own))) return [];
  const countries = new Set([own.reader, own.instance]);
  return [...countries].flatMap((countryCode) =>
    countryCode === undefined
      ? []
      : gazetteer.find(text, { countryCode, prefix: true, limit: COMPLETED_MAX }),
  );
}

/**
 * Places of a text: in a country that is given with it, else anywhere, or else in the reader's country or the instance's by
 * another reading, as "Saint Albans" is St Albans in Britain.
 */
function placesIn(
  gazetteer: Gazetteer,
  text: string,
  countryCode: string | undefined,
  own: OwnCountries,
): Named {
  if (countryCode === undefined) {
    const named = placesNamed(gazetteer, text);
    const isAbroad = named.says !== "country" && !named.places.some((place) => isOwn(place, own));
    if (!isAbroad || named.isPostcode === true) return named;
    const ours = [own.reader, own.instance].flatMap((country) => {
      if (country === undefined) return [];
      const { places, unread } = placesNamed(gazetteer, text, { countryCode: country });
      return unread === null ? places : [];
    });
    if (ours.length === 0) return named;
    return {
      ...named,
      places: named.unread === null ? [...ours, ...named.places] : ours,
      unread: null,
    };
  }
  const code = countryNamed(countryCode) ?? countryCode;
  const inCountry = placesNamed(gazetteer, text, { countryCode: code });
  if (inCountry.places.length > 0) return { ...inCountry, says: "country" };
  const elsewhere = placesNamed(gazetteer, text);
  return { ...elsewhere, says: "elsewhere" };
}

/**
 * Different look-ups for one text, which ends the work that commas and postcodes multiply; beyond them nothing is found. No
 * text of the bench needs more than 85.
 */
const FINDS_MAX = 150;

/** Gazetteer for one text: the readings of a text look for the same names again and again. */
function limitFinds(gazetteer: Gazetteer): Gazetteer {
  const finds = new Map<string, Town[]>();
  const cities = new Map<Town, Town>();
  return {
    ...gazetteer,
    find(name, options) {
      const key = JSON.stringify([name, options]);
      const known = finds.get(key);
      if (known !== undefined) return known;
      if (finds.size >= FINDS_MAX) return [];
      const found = gazetteer.find(name, options);
      finds.set(key, found);
      return found;
    },
    cityNear(place) {
      const city = cities.get(place) ?? gazetteer.cityNear(place);
      cities.set(place, city);
      return city;
    },
  };
}

/** Population, larger in the reader's country: people mean the Birmingham of their own, but not its village London. */
function likelihood(place: Town, own: OwnCountries): number {
  const people = Math.max(place.population, VILLAGE_PEOPLE);
  return people * (isOwn(place, own) ? OWN_COUNTRY_FACTOR : 1);
}

function likeliestFirst(towns: readonly Town[], own: OwnCountries): Town[] {
  return towns.toSorted((a, b) => likelihood(b, own) - likelihood(a, own));
}

/** Those of the reader's country first, then those of the instance's; each before those of its territories. */
function ownFirst(places: readonly Town[], { reader, instance }: OwnCountries): Town[] {
  const rank = (place: Town) =>
    [
      place.countryCode === reader,
      isIn(place, reader),
      place.countryCode === instance,
      isIn(place, instance),
      true,
    ].indexOf(true);
  return places.toSorted((a, b) => rank(a) - rank(b));
}

/** The first of some namesakes, and those elsewhere that are nearly as populous. A town is not taken for a village. */
function rivalsOf(namesakes: readonly Town[]): readonly Town[] {
  const [first] = namesakes;
  if (first === undefined) return [];
  const rivals = namesakes.filter(
    ({ population, point }) =>
      population * RIVAL_FACTOR >= first.population &&
      distanceKm(point, first.point) > SAME_PLACE_KM,
  );
  return [first, ...rivals];
}

function townsAlike(
  gazetteer: Gazetteer,
  text: string,
  own: OwnCountries,
  lettersPerTypo?: number,
): TownChoice[] {
  const [head, tail] = atComma(text.slice(0, TOWN_TEXT_MAX));
  const countryCode = tail === null ? undefined : countryNamed(tail);
  const within = countryCode === undefined ? {} : { countryCode };
  const alike = similarTowns(gazetteer, head, within, lettersPerTypo);
  const isAnywhere = countryCode !== undefined || (own.reader ?? own.instance) === undefined;
  // "Montmartre" is hardly Mount Martha in Australia.
  const likely = alike.filter(
    (town) => isAnywhere || isOwn(town, own) || isSpelledAs(town, head, SURE_LETTERS_PER_TYPO),
  );
  return townsOf(gazetteer, ownFirst(likely, own));
}

/** Labels that do not tell places from others of the same name and country: those with their city in it do. */
function sharedBy(gazetteer: Gazetteer, places: readonly Town[]): string[] {
  const byName = Map.groupBy(places, ({ name, countryCode }) => `${name}|${countryCode}`);
  return [...byName.values()].flatMap((namesakes) => {
    const named = namesakes.map((place) => inTown(gazetteer, place));
    const labels = named.map(townLabel);
    return labels.filter(
      (label, nth) =>
        labels.length > 1 &&
        (named[nth]!.city === undefined || labels.indexOf(label) !== labels.lastIndexOf(label)),
    );
  });
}

/**
 * Places without duplicates. One that shares name, city and country with an earlier one, or has one of `shared`, gets a
 * nearby city.
 */
function townsOf(
  gazetteer: Gazetteer,
  places: readonly Town[],
  shared: readonly string[] = [],
): TownChoice[] {
  const taken = new Set(shared);
  const seen = new Set<string>();
  return places.flatMap((place) => {
    const { population: _population, ...town } = inTown(gazetteer, place);
    const { point } = town;
    if (seen.size === seen.add(`${point.lat} ${point.lng}`).size) return [];
    const near = taken.has(townLabel(town)) ? gazetteer.cityNear(place).name : null;
    const label = townLabel({ ...town, near });
    // Two namesakes near the same city cannot be told apart; the more populous one is close enough.
    if (taken.has(label)) return [];
    taken.add(label);
    return [{ ...town, near, point: snap(point.lat, point.lng) }];
  });
}
