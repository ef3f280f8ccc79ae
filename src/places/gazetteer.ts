import { readFileSync } from "node:fs";
import { cellRadiusKm, distanceKm, type Point, snap, type TownArea } from "../values/point.ts";
import { memoize } from "../text/memoize.ts";
import { COUNTRY_DENSITY, townPeoplePerKm2, townRadiusKm } from "./extent.ts";
import {
  countryCodeAt,
  foldName,
  HEADER_BYTES,
  nameAt,
  type Places,
  readHeader,
  viewPlaces,
} from "./format.ts";
import { inhabitedBox } from "./inhabited-box.ts";
import otherNamesByCountry from "./other-names.json" with { type: "json" };
import { openPostcodes, type PostcodeTable } from "./postcode-table.ts";
import { regionsNamed } from "./regions.ts";
import path from "./places.bin" with { type: "file" };
import { UNITS_PER_DEGREE, walkTree } from "./kd-tree.ts";
import type { Gazetteer, Town } from "./town.ts";

/** Default limit of `find`. */
const FOUND_PLACES_DEFAULT = 20;
/** More than there are countries. */
const COUNTRIES_MEMOIZED_MAX = 300;
/** Population from which a city is known well enough to tell namesakes apart by it. */
const NEARBY_CITY_PEOPLE_MIN = 100_000;

/**
 * Embedded gazetteer: the towns of the world with 1,000 people and more, and the seats of its administrations. Names,
 * positions and populations are those of GeoNames (https://www.geonames.org/, CC BY 4.0), packed by pack.ts.
 *
 * `nearest` answers with a town, not a quarter: it takes the place with the least distance minus reach, and if that is a
 * quarter answers with its city (extent.ts has both rules). `find` also knows quarters, and large cities by their names in
 * other languages (other-names.json); a place carries the name it was found by. `townCentredAt` knows quarters, too. `draw`
 * never draws a quarter: its people are counted in the city.
 *
 * Rejects if the file does not fit this program. The rest of it is read when a place is first requested, in about 5 ms:
 * until then a process saves 9 MB.
 */
export async function openGazetteer(table: PostcodeTable = openPostcodes()): Promise<Gazetteer> {
  const file = Bun.file(path);
  const { count } = readHeader(await file.slice(0, HEADER_BYTES).arrayBuffer(), file.size);
  const places = once(() => viewPlaces(readFileSync(path).buffer));
  const others = once(() => otherNames(places()));
  const peopleUpTo = once(() => cumulativePopulation(places()));
  return {
    size: count,
    nearest: (point) => toTown(places(), townIndex(places(), point)),
    quarter: (point) => {
      const quarter = quarterIndex(places(), point);
      return quarter < 0 ? null : toTown(places(), quarter);
    },
    townAround: (point) => townAround(places(), point),
    cityNear: ({ point }) =>
      toTown(places(), nearestIndex(places(), point, isOtherCity(places(), point))),
    find(name, options = {}) {
      const towns = findTowns(places(), others(), name, options);
      const { limit = FOUND_PLACES_DEFAULT } = options;
      if (options.prefix || towns.length >= limit) return towns;
      const villages = villagesOf(places(), table, name, options);
      return [...towns, ...villages.filter(isApartFrom(towns))].slice(0, limit);
    },
    postcodes: (text) =>
      table.postcodes(text).map(({ town, ...area }) => ({
        ...area,
        town: town ?? nameAt(places(), townIndex(places(), area.point)),
      })),
    townCentredAt: (point) => townAreaAt(places(), point),
    peoplePerKm2: (point, spreadKm) => peoplePerKm2(places(), point, spreadKm),
    inhabitedBox: memoize(COUNTRIES_MEMOIZED_MAX, (countryCode) => {
      const country = countryIndex(places(), countryCode);
      return country < 0 ? null : inhabitedBox(places(), country);
    }),
    draw: (random) => toTown(places(), drawIndex(peopleUpTo(), random)),
  };
}

/** Computes a value at the first call and returns it at every call. */
function once<Value extends object>(compute: () => Value): () => Value {
  let value: Value | undefined;
  return () => (value ??= compute());
}

function toTown(places: Places, index: number): Town {
  const name = nameAt(places, index);
  const parent = places.parent[index]!;
  return {
    name,
    ...(parent !== index && {
      city: nameAt(places, parent),
      district: name.replace(/ \(.*\)$/, ""),
    }),
    countryCode: countryCodeAt(places, index),
    point: pointAt(places, index),
    population: places.population[index]!,
  };
}

function pointAt(places: Places, index: number): Point {
  return {
    lat: places.lat[index]! / UNITS_PER_DEGREE,
    lng: places.lng[index]! / UNITS_PER_DEGREE,
  };
}

/** Town that a point belongs to. */
function townIndex(places: Places, point: Point): number {
  return places.parent[nearestIndex(places, point, () => true)]!;
}

/** Radii in km that quarters are given: by population within limits, and if that is unknown. */
const QUARTER_KM_MIN = 1;
const QUARTER_KM_MAX = 4;
const UNKNOWN_QUARTER_KM = 1.5;
/** Radii within which a second quarter shows that those around a point are known. */
const COVERED_RADII = 2;
/** Radii up to which a point lies in the nearest quarter, where others around it are known, and where none is. */
const RADII_MAX = 1;
const LONE_RADII_MAX = 0.7;

/**
 * Quarter of the town that a point belongs to whose centre is nearest, in its radii, or -1 if the point lies in none that
 * is known. Of 163 spots in 29 cities whose quarter we know 126 get it, 23 none, 12 another and 2 another city; these figures
 * were chosen with the spots in view. With the nearest centre in km it is 115, 18, 28 and 2. Of 86 more in 64 cities 30,
 * 40, 12 and 4.
 */
function quarterIndex(places: Places, point: Point): number {
  const town = townIndex(places, point);
  let [best, bestRadii, count] = [-1, Infinity, 0];
  walkTree(
    places,
    point,
    (index) => {
      if (index === town || places.parent[index] !== town) return;
      const km = distanceKm(point, pointAt(places, index));
      const radii = km / quarterRadiusKm(places.population[index]!);
      if (radii <= COVERED_RADII) count++;
      // Two quarters in one cell of the postcode table cannot be told apart.
      if (radii === bestRadii) best = -1;
      if (radii < bestRadii) [best, bestRadii] = [index, radii];
    },
    (planeKm) => planeKm <= COVERED_RADII * QUARTER_KM_MAX,
  );
  return bestRadii <= (count > 1 ? RADII_MAX : LONE_RADII_MAX) ? best : -1;
}

function quarterRadiusKm(population: number): number {
  if (population === 0) return UNKNOWN_QUARTER_KM;
  return Math.min(QUARTER_KM_MAX, Math.max(QUARTER_KM_MIN, townRadiusKm(population)));
}

function townAround(places: Places, point: Point): Town | null {
  const town = toTown(places, townIndex(places, point));
  return distanceKm(point, town.point) <= townRadiusKm(town.population) ? town : null;
}

/** Place with the least distance minus reach among those that count; of equals the more populous, then the first. */
function nearestIndex(places: Places, point: Point, counts: (index: number) => boolean): number {
  let best = -1;
  let bestKm = Infinity;
  walkTree(
    places,
    point,
    (index) => {
      if (!counts(index)) return;
      const km = distanceKm(point, pointAt(places, index)) - places.reach[index]! / 10;
      if (km < bestKm || (km === bestKm && isGreater(places, index, best))) {
        best = index;
        bestKm = km;
      }
    },
    (planeKm, root) => planeKm - places.reachMax[root]! / 10 <= bestKm + ROUNDING_KM,
  );
  return best;
}

/** True for a city other than the town that a point belongs to. */
function isOtherCity(places: Places, point: Point): (index: number) => boolean {
  const own = townIndex(places, point);
  return (index) =>
    places.parent[index] === index &&
    index !== own &&
    places.population[index]! >= NEARBY_CITY_PEOPLE_MIN;
}

/** More than the error of any distance on Earth in double precision. */
const ROUNDING_KM = 1e-6;

function isGreater(places: Places, a: number, b: number): boolean {
  const difference = places.population[a]! - places.population[b]!;
  return difference > 0 || (difference === 0 && a < b);
}

/** More than the distance from the centre of a cell to its corners: half of 0.01 and 0.05 degrees at 70 degrees of latitude. */
const CELL_KM_MAX = 1.2;

function townAreaAt(places: Places, point: Point): TownArea | null {
  let town = -1;
  walkTree(
    places,
    point,
    (index) => {
      const centre = pointAt(places, index);
      const { lat, lng } = snap(centre.lat, centre.lng);
      const isHere = lat === point.lat && lng === point.lng;
      if (isHere && (town === -1 || isGreater(places, index, town))) town = index;
    },
    (planeKm) => planeKm <= CELL_KM_MAX,
  );
  if (town === -1) return null;
  const radiusKm = townRadiusKm(places.population[town]!);
  return radiusKm <= cellRadiusKm(point) ? null : { town: nameAt(places, town), radiusKm };
}

function peoplePerKm2(places: Places, point: Point, spreadKm: number): number {
  let perKm2 = COUNTRY_DENSITY;
  walkTree(
    places,
    point,
    (index) => {
      // The people of a quarter are counted in its city.
      if (places.parent[index] !== index) return;
      const km = distanceKm(point, pointAt(places, index));
      const countryCode = countryCodeAt(places, index);
      perKm2 += townPeoplePerKm2(places.population[index]!, km, spreadKm, countryCode);
    },
    // Nearly all people of a town are within three standard deviations, which is at most three times its reach.
    (planeKm, root) => planeKm <= 3 * spreadKm + (3 * places.reachMax[root]!) / 10,
  );
  return perKm2;
}

type FindOptions = NonNullable<Parameters<Gazetteer["find"]>[1]>;

/** Places with a name, as `Gazetteer.find` returns them. */
function findTowns(
  places: Places,
  others: readonly OtherName[],
  name: string,
  options: FindOptions,
): Town[] {
  const byName = mostPopulous(places, matchesOf(places, name, options), options.limit);
  const byOther = otherMatchesOf(places, others, name, options);
  const found = mostPopulous(places, new Set([...byName, ...byOther.keys()]), options.limit);
  return found.map((index) => {
    const other = byName.includes(index) ? undefined : byOther.get(index);
    return { ...toTown(places, index), ...(other === undefined ? {} : { name: other }) };
  });
}

/** Indexes of the places with a name, in the order of their names. */
function* matchesOf(places: Places, name: string, options: FindOptions): Generator<number> {
  const wanted = foldName(name);
  if (wanted === "") return;

  const first = firstByName(places, (folded) => folded >= wanted);
  const last = firstByName(places, (folded) =>
    options.prefix ? folded > wanted && !folded.startsWith(wanted) : folded > wanted,
  );
  const isWithin = within(places, options);
  for (const index of places.byName.subarray(first, last)) {
    if (isWithin(index)) yield index;
  }
}

/** True for a place in the requested country, region and circle. */
function within(
  places: Places,
  { countryCode, region, near }: FindOptions,
): (index: number) => boolean {
  const country = countryCode === undefined ? null : countryIndex(places, countryCode);
  const regions = region === undefined ? null : regionsNamed(region);
  return (index) =>
    (country === null || places.country[index] === country) &&
    (regions === null || regions.includes(places.region[index]!)) &&
    (near === undefined || distanceKm(near.point, pointAt(places, index)) <= near.radiusKm);
}

/** Villages and districts of the postcode table; the region of each is that of the town nearest to it. */
function villagesOf(
  places: Places,
  table: PostcodeTable,
  name: string,
  { countryCode, region, near }: FindOptions,
): Town[] {
  const isInRegion = within(places, region === undefined ? {} : { region });
  return table
    .villages(name)
    .filter(
      (village) =>
        (countryCode === undefined || village.countryCode === countryCode.toUpperCase()) &&
        (near === undefined || distanceKm(near.point, village.point) <= near.radiusKm) &&
        (region === undefined || isInRegion(nearestIndex(places, village.point, () => true))),
    )
    .map((village) => ({ ...village, population: 0 }));
}

/** True for a village that is no post office on the rim of a town of its name. */
function isApartFrom(towns: readonly Town[]): (village: Town) => boolean {
  return (village) =>
    towns.every(
      ({ countryCode, point, population }) =>
        countryCode !== village.countryCode ||
        distanceKm(point, village.point) > 2 * townRadiusKm(population),
    );
}

/**
 * Other names of large cities, in their own language and script or in English, French, Spanish, Italian, Dutch or German:
 * country, the gazetteer's name, other names. Names that differ only in case, accents or hyphens are left out. Written from
 * general knowledge.
 */
export const OTHER_NAMES = Object.entries(otherNamesByCountry).flatMap(([countryCode, cities]) =>
  Object.entries(cities).map(([name, others]): readonly [string, string, readonly string[]] => [
    countryCode,
    name,
    others,
  ]),
);

/** Name of a place besides the one in the gazetteer. */
type OtherName = { readonly index: number; readonly name: string; readonly folded: string };

/**
 * Other names by place: parts of its own, and those of the table, a row of which stands for the most populous place with its
 * name and country.
 */
function otherNames(places: Places): OtherName[] {
  const inTable = OTHER_NAMES.flatMap(([countryCode, name, others]) => {
    const [index] = mostPopulous(places, matchesOf(places, name, { countryCode }), 1);
    return index === undefined ? [] : others.map((other) => ({ index, name: other }));
  });
  const inNames = namesWith(places, "/", "(").flatMap((index) =>
    partsOf(nameAt(places, index), places.parent[index] !== index).map((name) => ({ index, name })),
  );
  return [...inTable, ...inNames].map((other) => ({ ...other, folded: foldName(other.name) }));
}

/** Both names in "Biel/Bienne", "Halle" in "Halle (Saale)", and "Kreis 4", too, in the quarter "Aussersihl (Kreis 4)". */
function partsOf(name: string, isQuarter: boolean): readonly string[] {
  const sides = name.split("/").map((side) => side.trim());
  if (sides.length > 1) return sides;
  const [, head = name, remark = ""] = /^(.*?)\s*\((.*)\)/.exec(name) ?? [];
  return isQuarter ? [head, remark] : [head];
}

/** Places whose names have one of these ASCII signs. */
function namesWith({ names, nameStart, count }: Places, ...signs: readonly string[]): number[] {
  const found = new Set<number>();
  for (const sign of signs) {
    const code = sign.charCodeAt(0);
    for (let at = names.indexOf(code); at >= 0; at = names.indexOf(code, at + 1))
      found.add(firstIndex(count, (index) => nameStart[index + 1]! > at));
  }
  return [...found];
}

/** Places with a matching other name, each with the first that matches. */
function otherMatchesOf(
  places: Places,
  others: readonly OtherName[],
  name: string,
  options: FindOptions,
): Map<number, string> {
  const wanted = foldName(name);
  const found = new Map<number, string>();
  if (wanted === "") return found;
  const isWithin = within(places, options);
  for (const other of others) {
    const fits = options.prefix ? other.folded.startsWith(wanted) : other.folded === wanted;
    if (fits && !found.has(other.index) && isWithin(other.index))
      found.set(other.index, other.name);
  }
  return found;
}

/** First position in the order of names at which a test holds. */
function firstByName(places: Places, holds: (folded: string) => boolean): number {
  return firstIndex(places.count, (position) =>
    holds(foldName(nameAt(places, places.byName[position]!))),
  );
}

/** Index of a country, or -1 if it has no places. */
function countryIndex(places: Places, countryCode: string): number {
  const [first, second] = new TextEncoder().encode(countryCode.toUpperCase());
  for (let at = 0; at < places.countryCodes.length; at += 2) {
    if (places.countryCodes[at] === first && places.countryCodes[at + 1] === second) return at / 2;
  }
  return -1;
}

/** The `limit` most populous of many places, most populous first; holds at most twice as many at a time. */
function mostPopulous(
  places: Places,
  indexes: Iterable<number>,
  limit = FOUND_PLACES_DEFAULT,
): number[] {
  let kept: number[] = [];
  const trim = () => kept.sort((a, b) => (isGreater(places, a, b) ? -1 : 1)).slice(0, limit);
  for (const index of indexes) {
    kept.push(index);
    if (kept.length >= 2 * limit) kept = trim();
  }
  return trim();
}

/** Total population of the places up to and including each one; a quarter adds none. */
function cumulativePopulation(places: Places): Float64Array {
  const totals = new Float64Array(places.count);
  let people = 0;
  for (const index of totals.keys()) {
    if (places.parent[index] === index) people += places.population[index]!;
    totals[index] = people;
  }
  return totals;
}

function drawIndex(peopleUpTo: Float64Array, random: number): number {
  const drawn = random * peopleUpTo.at(-1)!;
  return firstIndex(peopleUpTo.length, (index) => peopleUpTo[index]! > drawn);
}

/** First index at which a test holds, `count` if none; it must hold for all later ones (binary search). */
function firstIndex(count: number, holds: (index: number) => boolean): number {
  let from = 0;
  let to = count;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (holds(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}
