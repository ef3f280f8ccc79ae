import { distanceKm, type Point, snap } from "../values/point.ts";
import type { Gazetteer, PostcodeArea, Town } from "./town.ts";

/** Name of a place: its quarter or village, if one is known, and its city. */
export type PlaceName = {
  readonly district: string | null;
  readonly city: string;
  /** ISO 3166-1 alpha-2. */
  readonly countryCode: string;
};

/** Place that a text named. */
type NamedPlace = Pick<Town, "name" | "city" | "district" | "countryCode" | "point">;

/** Distance from a named quarter up to which a position is called by it. */
const QUARTER_KM_MAX = 3;

/**
 * Name of a position on the public grid: for pins, devices, postcodes and typed text alike. A town that was named stays,
 * even where another one is nearer; the quarter is the one named, or that of the position in the same town.
 */
export function placeName(gazetteer: Gazetteer, point: Point, named?: NamedPlace): PlaceName {
  const here = nameOf(placeAt(gazetteer, point));
  if (named === undefined) return here;
  const { district, city, countryCode } = nameOf(named);
  if (district !== null && distanceKm(named.point, point) <= QUARTER_KM_MAX)
    return { district, city, countryCode };
  const isHere = city === here.city || isTownOf(gazetteer, point, named);
  return { district: isHere ? here.district : null, city, countryCode };
}

/** True for the town that a point belongs to, by whichever of its names. */
function isTownOf(gazetteer: Gazetteer, point: Point, { point: centre }: NamedPlace): boolean {
  return isInCell(gazetteer.nearest(point), snap(centre.lat, centre.lng));
}

/** Distance from a postcode up to which its town is looked for. */
const POSTCODE_TOWN_KM = 25;
/** Countries whose companies have postcodes of their own, and stand in the table as places. */
const WITH_COMPANIES: readonly string[] = ["CH", "DE"];

/**
 * Name of the area of a postcode. Its table names the town, a village in it, or the town with a quarter: "Berlin
 * Friedrichshain", "Wien, Innere Stadt".
 */
export function postcodeName(gazetteer: Gazetteer, area: PostcodeArea): PlaceName {
  const { countryCode, point } = area;
  const here = placeAt(gazetteer, point);
  const town = withoutParts(area.town);
  const near = { point, radiusKm: POSTCODE_TOWN_KM };
  const words = town.split(/[\s,]+/);
  for (let count = words.length; count > 0; count--) {
    const name = count === words.length ? town : words.slice(0, count).join(" ");
    const [found] = gazetteer.find(name, { countryCode, near, limit: 1 });
    if (found === undefined) continue;
    if (isTownOf(gazetteer, point, found)) return nameOf(here);
    // The beginning of a name may be another place.
    if (count < words.length) continue;
    const place = inTown(gazetteer, found);
    const isDoubtful = place.population === 0 && WITH_COMPANIES.includes(countryCode);
    const isLong = town.length > PART_LETTERS_MAX;
    return isDoubtful && (isLong || place.city === nameOf(here).city)
      ? nameOf(here)
      : placeName(gazetteer, point, place);
  }
  return { district: null, city: town, countryCode };
}

/** Name of a place of the gazetteer. */
export function nameOf({
  name,
  city,
  district,
  countryCode,
}: Omit<NamedPlace, "point">): PlaceName {
  return { district: district ?? null, city: city ?? name, countryCode };
}

/** Quarter in which a point lies, or its town. People who know only the town give its centre, so that is no quarter. */
export function placeAt(gazetteer: Gazetteer, point: Point): Town {
  const town = gazetteer.nearest(point);
  return isInCell(town, point) ? town : (gazetteer.quarter(point) ?? town);
}

/** The same place with its town, if it is a village or quarter in the built-up area of one. */
export function inTown(gazetteer: Gazetteer, place: Town): Town {
  if (place.population > 0 || place.city !== undefined) return place;
  const town = gazetteer.townAround(place.point);
  if (town === null || isInCell(town, place.point)) return place;
  const quarter = gazetteer.quarter(place.point);
  const isSame = quarter !== null && isInCell(quarter, place.point);
  const district = isSame ? quarter.name : partName(town, place.name);
  return { ...place, city: town.name, ...(district !== null && { district }) };
}

/** "Friedrichshain" for "Berlin Friedrichshain"; null for a list of parts, as in "Burnaby (Cascade-Schou / Gilpin)". */
function partName({ name: city }: Town, name: string): string | null {
  const whole = withoutParts(name);
  const rest = whole.startsWith(`${city} `) ? whole.slice(city.length + 1) : whole;
  if (rest === city || rest.length > PART_LETTERS_MAX) return null;
  return /^\p{L}/u.test(rest) ? rest : whole;
}
/** Longer names in the table are those of companies. */
const PART_LETTERS_MAX = 40;

function withoutParts(name: string): string {
  return name.replace(/ \(.*$/, "");
}

function isInCell({ point }: Town, cell: Point): boolean {
  const { lat, lng } = snap(point.lat, point.lng);
  return lat === cell.lat && lng === cell.lng;
}

/** Label of a place in lists: "69004 Lyon" for a postcode, else as `placeText`. */
export function placeLabel({
  name,
  city,
  district,
}: Pick<Town, "name" | "city" | "district">): string {
  if (city === undefined || name.endsWith(` ${city}`)) return name;
  return placeText({ district: district ?? null, city });
}

/**
 * "Lyon, FR", "Friedrichshain, Berlin, DE", or "Springfield near Hartford, US" beside a namesake. The geocoder reads it again
 * as the same place.
 */
export function townLabel(
  town: Omit<Town, "point" | "population"> & { readonly near?: string | null },
): string {
  const { near = null, countryCode } = town;
  return `${placeLabel(town)}${near === null ? "" : ` near ${near}`}, ${countryCode}`;
}

/** "Friedrichshain, Berlin"; "Lyon" without a quarter, and "Paris 18e" for one that has the city in its name. */
export function placeText({ district, city }: Pick<PlaceName, "district" | "city">): string {
  if (district === null) return city;
  const isWhole = district.startsWith(city) && !/^\p{L}/u.test(district.slice(city.length));
  return isWhole ? district : `${district}, ${city}`;
}
