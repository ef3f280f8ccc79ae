import { countryNamed, motherCountry } from "./country-names.ts";
import { distanceKm, TOWN_REACH_KM } from "../values/point.ts";
import { postcodeName } from "./place-name.ts";
import type { Within } from "./similar-towns.ts";
import { folded } from "../text/tokenize.ts";
import type { Gazetteer, Town } from "./town.ts";

/** Characters of a text that are read. */
export const TOWN_TEXT_MAX = 100;
/** Namesakes considered. */
const NAMESAKES_MAX = 50;
/** Most words of a country or region that follows a town without a comma. */
const COUNTRY_WORDS_MAX = 3;
/** Towns of one name that a part of the text before the comma may be a district of. */
const CITIES_MAX = 5;
/** Population from which a city is recognised as the first or last words of a text without a comma. */
const CITY_PEOPLE_MIN = 10_000;
/** The same for words joined by hyphens, which many names of villages are: "München-Schwabing". */
const HYPHENATED_CITY_PEOPLE_MIN = 100_000;
/** Most words in such a text that are split off as a city or a district. */
const CITY_WORDS_MAX = 6;
/** Distance from the centre of a city up to which a district of it is looked for. */
const DISTRICT_KM = 25;
/** Parts between commas: "Clifton, Bristol, England, UK". */
const PARTS_MAX = 4;
/** Words of a text with a postcode. */
const POSTCODE_WORDS_MAX = 6;

/** Places that a text names. */
export type Named = {
  readonly places: readonly Town[];
  /** Part of the text that named nothing. */
  readonly unread: string | null;
  readonly isPostcode?: boolean;
  /** True if the text names a city nearby that tells the place from its namesakes. */
  readonly isBesideCity?: boolean;
  /**
   * Evidence in the text of where that is: the country or region; the city, or a postcode as one country writes it; nothing
   * besides a name, or besides digits; or a country in which there is no such place.
   */
  readonly says: "country" | "city" | "name" | "digits" | "elsewhere";
};
const NOTHING: Named = { places: [], unread: null, says: "name" };

/** Places that a text names by postcode or name, within a country or circle, most populous first. */
export function placesNamed(gazetteer: Gazetteer, text: string, within: Within = {}): Named {
  const short = text.slice(0, TOWN_TEXT_MAX).split(",", PARTS_MAX).join(",");
  const coded = byPostcode(gazetteer, short, within);
  if (coded.places.length > 0) return coded;
  const named = byName(gazetteer, short, within);
  const [, remark] = REMARK.exec(short) ?? [];
  return remark === undefined ? named : (nearCity(gazetteer, named, remark) ?? named);
}

/** Places of a name near the city at the end of a text, which answers and pages add to tell them apart; null if none is. */
function nearCity(gazetteer: Gazetteer, named: Named, text: string): Named | null {
  const places = named.places.filter((place) =>
    folded(text).endsWith(folded(gazetteer.cityNear(place).name)),
  );
  return places.length === 0 ? null : { ...named, places, says: "country", isBesideCity: true };
}

function byName(gazetteer: Gazetteer, text: string, within: Within = {}): Named {
  const exact = findFirst(gazetteer, readings(text), within);
  if (exact.places.length > 0) return exact;
  const [head, tail] = atComma(withoutRemark(text));
  if (tail === null) return byPart(gazetteer, head.trim(), within);
  const countryCode = countryNamed(tail);
  const inCountry =
    countryCode === undefined || !isCompatible({ countryCode }, within)
      ? NOTHING
      : byName(gazetteer, head, { ...within, countryCode });
  return inCountry.places.length > 0
    ? { ...inCountry, says: "country" }
    : byCity(gazetteer, head, tail, within);
}

/** "Clifton, Bristol": the district near the city; else whichever of the two is known and more populous. */
function byCity(gazetteer: Gazetteer, head: string, tail: string, within: Within): Named {
  const cities = findFirst(gazetteer, readings(tail), within);
  const districts = districtsOf(gazetteer, cities.places, head, within);
  if (districts.length > 0) return { ...asDistrict(cities), places: districts };
  const named = byName(gazetteer, head, within);
  const isCity = (cities.places[0]?.population ?? -1) > (named.places[0]?.population ?? -1);
  return isCity ? { ...cities, unread: head } : { ...named, unread: named.unread ?? tail };
}

/** The same, said by a city. */
function asDistrict(city: Named): Named {
  return city.says === "country" ? city : { ...city, says: "city" };
}

function districtsOf(
  gazetteer: Gazetteer,
  cities: readonly Town[],
  name: string,
  within: Within,
): readonly Town[] {
  for (const city of cities.slice(0, CITIES_MAX)) {
    const near = { point: city.point, radiusKm: DISTRICT_KM };
    // Of "Zürich 8" the part is Kreis 8.
    const numbered = /^\d{1,2}$/.test(name) ? [{ name: `Kreis ${name}` }] : [];
    const { places } = findFirst(gazetteer, [...readings(name), ...numbered], { ...within, near });
    const parts = places.filter(({ population }) => population < city.population);
    const ofCity = parts.filter((part) => part.city === city.name);
    if (parts.length > 0) return ofCity.length > 0 ? ofCity : parts;
  }
  return [];
}

/** A text without commas that is no name: "Springfield near Hartford", "Clifton Bristol", "München-Schwabing". */
function byPart(gazetteer: Gazetteer, text: string, within: Within): Named {
  const [, name, city] = NEAR_CITY.exec(text) ?? [];
  if (name !== undefined && city !== undefined) {
    const near = nearCity(gazetteer, byName(gazetteer, name, within), city);
    if (near !== null) return near;
  }
  const bySpaces = byWords(gazetteer, text.split(/\s+/), within, CITY_PEOPLE_MIN);
  return bySpaces.places.length > 0 || !text.includes("-")
    ? bySpaces
    : byWords(gazetteer, text.split(/[\s-]+/), within, HYPHENATED_CITY_PEOPLE_MIN);
}

/** A town and the city that tells it from its namesakes, as answers of tools name both. */
const NEAR_CITY = /^(.+) near (.+)$/i;

/** "Clifton Bristol", "Zürich Kreis 4", "Boston Lincolnshire": a city first or last, with a district of it if known. */
function byWords(
  gazetteer: Gazetteer,
  words: readonly string[],
  within: Within,
  cityPeopleMin: number,
): Named {
  let best = NOTHING;
  const join = (from: number, to?: number) => words.slice(from, to).join(" ");
  for (let at = 1; at < Math.min(words.length, CITY_WORDS_MAX); at++) {
    const splits = [
      [join(0, -at), join(-at)],
      [join(at), join(0, at)],
    ] as const;
    const read = splits
      .map(([rest, name]) => {
        const found = findFirst(gazetteer, readings(name), within);
        const cities = found.places.filter(({ population }) => population >= cityPeopleMin);
        return { rest, found, cities };
      })
      .filter(({ cities }) => cities.length > 0)
      .toSorted((a, b) => b.cities[0]!.population - a.cities[0]!.population);
    for (const { rest, found, cities } of read) {
      const places = districtsOf(gazetteer, cities, rest, within);
      if (places.length > 0) return { ...asDistrict(found), places };
    }
    // A longer name says more, and leaves less unread.
    const [{ rest, found, cities } = { rest: "", found: NOTHING, cities: [] }] = read;
    if (cities.length > 0) best = { ...found, places: cities, unread: rest };
  }
  return best;
}

/**
 * Postcodes in a text, as places named after their town: alone, or with a town or country that they agree with. Those of
 * the most populous town first.
 */
export function byPostcode(gazetteer: Gazetteer, text: string, within: Within = {}): Named {
  if (!/\d/.test(text)) return NOTHING;
  const words = [...withoutRemark(text).matchAll(/[^\s,]+/g)].slice(0, POSTCODE_WORDS_MAX);
  for (const length of [2, 1]) {
    for (let at = 0; at + length <= words.length; at++) {
      const [first, last] = [words[at]!, words[at + length - 1]!];
      const end = last.index + last[0].length;
      const code = text.slice(first.index, end).toUpperCase();
      const rest = (text.slice(0, first.index) + text.slice(end)).replace(/^[\s,]+|[\s,]+$/g, "");
      const coded = codedPlaces(gazetteer, code, withoutRemark(rest), within);
      if (coded.places.length > 0) return coded;
    }
  }
  return NOTHING;
}

/** Areas of a postcode that the rest of the text agrees with, each with the population of the town nearest to it. */
function codedPlaces(gazetteer: Gazetteer, code: string, rest: string, within: Within): Named {
  const areas = gazetteer.postcodes(code);
  if (areas.length === 0) return NOTHING;
  const country = countryNamed(rest);
  const named = rest === "" ? NOTHING : byName(gazetteer, rest);
  const agreeing = areas.filter(
    ({ countryCode, point }) =>
      isWithin({ countryCode, point }, within) &&
      (rest === "" ||
        motherCountry(countryCode) === country ||
        named.places.some((place) => distanceKm(place.point, point) <= TOWN_REACH_KM)),
  );
  const places = agreeing.map(({ written = code, ...area }): Town => {
    const { countryCode, point } = area;
    const { population } = gazetteer.nearest(point);
    const { city, district } = postcodeName(gazetteer, area);
    const place = { name: `${written} ${city}`, city, countryCode, point, population };
    return district === null ? place : { ...place, district };
  });
  const isCountrySaid =
    country !== undefined ||
    named.says === "country" ||
    areas.every(({ says }) => says === "country");
  const isDigits = rest === "" && areas.some(({ says }) => says === "digits");
  return {
    places: mostPopulousFirst(places),
    unread: null,
    isPostcode: true,
    says: isCountrySaid ? "country" : isDigits ? "digits" : "city",
  };
}

/** Territories have the postcodes of their mother country. */
function isWithin(
  place: Pick<Town, "countryCode" | "point">,
  { countryCode, near }: Within,
): boolean {
  return (
    (countryCode === undefined ||
      [place.countryCode, motherCountry(place.countryCode)].includes(countryCode)) &&
    (near === undefined || distanceKm(near.point, place.point) <= near.radiusKm)
  );
}

/** Interpretation of a text: a name, and its country or region if given. */
export type PlaceReading = {
  readonly name: string;
  readonly countryCode?: string;
  readonly region?: string;
};

/** Places of the first reading that names a town, or else a village or district. */
function findFirst(gazetteer: Gazetteer, all: readonly PlaceReading[], within: Within): Named {
  let villages = NOTHING;
  for (const { name, ...more } of all) {
    if (!isCompatible(more, within)) continue;
    const places = gazetteer.find(name, { ...within, ...more, limit: NAMESAKES_MAX });
    const isCountrySaid = more.countryCode !== undefined || more.region !== undefined;
    // A district that has its city in its name: "Lyon 4", "Wien, Hernals".
    const says = isCountrySaid ? "country" : /[\d,]/.test(name) ? "city" : "name";
    const found: Named = { places, unread: null, says };
    if (places.some(({ population }) => population > 0)) return found;
    if (villages.places.length === 0) villages = found;
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

/** "Springfield, United States (near Peoria)" without the remark that tells it from its namesakes. */
function withoutRemark(text: string): string {
  return text.replace(REMARK, "");
}

const REMARK = /\s*\(([^()]*)\)?\s*$/;

/** Text before and after the last comma; null if there is none. */
export function atComma(text: string): readonly [head: string, tail: string | null] {
  const at = text.lastIndexOf(",");
  return at < 0 ? [text, null] : [text.slice(0, at), text.slice(at + 1).trim()];
}

/**
 * Interpretations of a text, the likeliest first: "Lyon" unchanged, "Lyon, France" and "Lyon France" in that country,
 * "Portland, ME" in that state, which can share its letters with a country; then the same in other spellings.
 */
export function readings(text: string): PlaceReading[] {
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

/** French arrondissement: "Lyon 4", "Paris 11e", "Paris XI", "Marseille 8ème arrondissement". */
const NUMBERED = /^(.*\S) (\d{1,2}|[xvi]{1,5}) ?(?:er|e|è|ème|eme)?(?: arr\w*\.?)?$/iu;
/** "8e arrondissement de Marseille". */
const NUMBER_FIRST = /^(\d{1,2}) ?(?:er|e|è|ème|eme)? arr\w*\.?,? (?:de )?(.*\S)$/iu;
const ROMAN = "I II III IV V VI VII VIII IX X XI XII XIII XIV XV XVI XVII XVIII XIX XX".split(" ");

/** The gazetteer's name for it: "Lyon 4e". */
function numbered(city: string, number: string): string {
  const arabic = ROMAN.indexOf(number.toUpperCase()) + 1 || Number(number);
  return `${city} ${arabic}${arabic === 1 ? "er" : "e"}`;
}

/** The reading with "St" written out, with German umlauts typed with an e, and with "Lyon 4" as "Lyon 4e". */
function spelledOut(reading: PlaceReading): PlaceReading[] {
  const { name } = reading;
  const spellings = [
    name.replace(/\bst\b\.?/giu, "saint").replace(/\bste\b\.?/giu, "sainte"),
    name.replace(/\b(?:st|saint)\b\.?/giu, "sankt"),
    name.replace(/\b(?:saint|sankt)\b/giu, "st"),
    name.replace(/([aou])e/giu, "$1"),
    name.trim().replace(NUMBERED, (_, city, number) => numbered(city, number)),
    name.trim().replace(NUMBER_FIRST, (_, number, city) => numbered(city, number)),
  ];
  return spellings.flatMap((spelling) =>
    spelling === name ? [] : [{ ...reading, name: spelling }],
  );
}
