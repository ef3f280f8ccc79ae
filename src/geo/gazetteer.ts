import { readFileSync } from "node:fs";
import { cellRadiusKm, distanceKm, type Point, snap, type TownArea } from "../core/place.ts";
import type { Gazetteer, Town } from "../core/ports.ts";
import { townRadiusKm } from "./extent.ts";
import {
  countryCodeAt,
  foldName,
  HEADER_BYTES,
  nameAt,
  type Places,
  readHeader,
  viewPlaces,
} from "./format.ts";
import { OTHER_NAMES } from "./other-names.ts";
import path from "./places.bin" with { type: "file" };
import { UNITS_PER_DEGREE, walkTree } from "./kd-tree.ts";

/** Default limit of `find`. */
const FOUND_PLACES_DEFAULT = 20;
/** People of a town that others are told apart by. */
const CITY_PEOPLE_MIN = 100_000;

/**
 * The embedded gazetteer: the world's towns of 1000 people and more, and the seats of its administrations.
 * Names, positions and populations are those of GeoNames (https://www.geonames.org/, CC BY 4.0), packed by pack.ts.
 *
 * `nearest` answers with a town, not a quarter: it takes the named point that a position is nearest to by distance
 * less the point's reach, and where that point is a quarter answers with its city. extent.ts has both rules.
 * `find` knows quarters by their names too, and large cities by their names in other languages (other-names.ts): a
 * place is given under the name it was found by. `townCentredAt` knows quarters, too. `draw` never draws a quarter: their
 * people are counted in the city.
 *
 * Rejects when the file does not fit this program. Its bulk is read when a place is first asked for, in some 5 ms:
 * until then a process does without 9 MB.
 */
export async function openGazetteer(): Promise<Gazetteer> {
  const file = Bun.file(path);
  const { count } = readHeader(await file.slice(0, HEADER_BYTES).arrayBuffer(), file.size);
  let read: PlacesRead | undefined;
  const places = () => (read ??= lookInto(viewPlaces(readFileSync(path).buffer)));
  return {
    nearest: (point) => places().nearest(point),
    cityNear: (place) => places().cityNear(place),
    find: (name, options) => places().find(name, options),
    townCentredAt: (point) => places().townCentredAt(point),
    draw: (random) => places().draw(random),
    size: count,
  };
}

type PlacesRead = Omit<Gazetteer, "size">;

function lookInto(places: Places): PlacesRead {
  let others: readonly OtherName[] | undefined;
  let ladder: Float64Array | undefined;
  return {
    nearest: (point) => placeAt(places, places.parent[nearestIndex(places, point, () => true)]!),
    cityNear: ({ point }) =>
      placeAt(places, nearestIndex(places, point, isOtherCity(places, point))),
    find(name, options = {}) {
      const byName = mostPopulous(places, matchesOf(places, name, options), options.limit);
      others ??= otherNames(places);
      const foundBy = otherMatchesOf(places, others, name, options);
      const found = mostPopulous(places, new Set([...byName, ...foundBy.keys()]), options.limit);
      return found.map((index) => {
        const other = byName.includes(index) ? undefined : foundBy.get(index);
        return { ...placeAt(places, index), ...(other === undefined ? {} : { name: other }) };
      });
    },
    townCentredAt: (point) => somewhereAt(places, point),
    draw: (random) => placeAt(places, drawIndex((ladder ??= populationLadder(places)), random)),
  };
}

function placeAt(places: Places, index: number): Town {
  return {
    name: nameAt(places, index),
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

/** Of the places that count, the index with the least distance less reach; of two alike the more populous, then the lower one. */
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

/** True for a city other than the town at a point, or the parent of the quarter there. */
function isOtherCity(places: Places, point: Point): (index: number) => boolean {
  const itself = places.parent[nearestIndex(places, point, () => true)];
  return (index) =>
    places.parent[index] === index &&
    index !== itself &&
    places.population[index]! >= CITY_PEOPLE_MIN;
}

/** More than the error of any distance on Earth in double precision. */
const ROUNDING_KM = 1e-6;

function isGreater(places: Places, a: number, b: number): boolean {
  const difference = places.population[a]! - places.population[b]!;
  return difference > 0 || (difference === 0 && a < b);
}

/** No corner of a cell lies farther from its middle: half of 0.01 and 0.05 degrees at 70 degrees of latitude. */
const CELL_KM_MAX = 1.2;

function somewhereAt(places: Places, point: Point): TownArea | null {
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

type FindOptions = NonNullable<Parameters<Gazetteer["find"]>[1]>;

/** The indexes of the places with a name, in the order of their names. */
function* matchesOf(places: Places, name: string, options: FindOptions): Generator<number> {
  const wanted = foldName(name);
  if (wanted === "") return;

  const first = firstByName(places, (folded) => folded >= wanted);
  const last = firstByName(places, (folded) =>
    options.prefix ? folded > wanted && !folded.startsWith(wanted) : folded > wanted,
  );
  const lies = within(places, options);
  for (const index of places.byName.subarray(first, last)) {
    if (lies(index)) yield index;
  }
}

/** True for a place in the requested country and circle. */
function within(places: Places, { countryCode, near }: FindOptions): (index: number) => boolean {
  const country = countryCode === undefined ? null : countryIndex(places, countryCode);
  return (index) =>
    (country === null || places.country[index] === country) &&
    (near === undefined || distanceKm(near.point, pointAt(places, index)) <= near.radiusKm);
}

/** A name of a place that is not the gazetteer's own. */
type OtherName = { readonly index: number; readonly name: string; readonly folded: string };

/** Each row of the table means the most populous place of its name and country. */
function otherNames(places: Places): OtherName[] {
  return OTHER_NAMES.flatMap(([countryCode, name, others]) => {
    const [index] = mostPopulous(places, matchesOf(places, name, { countryCode }), 1);
    if (index === undefined) return [];
    return others.map((other) => ({ index, name: other, folded: foldName(other) }));
  });
}

/** The places that have such another name, each with the first of them that fits. */
function otherMatchesOf(
  places: Places,
  others: readonly OtherName[],
  name: string,
  options: FindOptions,
): Map<number, string> {
  const wanted = foldName(name);
  const found = new Map<number, string>();
  if (wanted === "") return found;
  const lies = within(places, options);
  for (const other of others) {
    const fits = options.prefix ? other.folded.startsWith(wanted) : other.folded === wanted;
    if (fits && !found.has(other.index) && lies(other.index)) found.set(other.index, other.name);
  }
  return found;
}

/** The first position in the order of names from which on a test holds. */
function firstByName(places: Places, holds: (folded: string) => boolean): number {
  return firstIndex(places.count, (position) =>
    holds(foldName(nameAt(places, places.byName[position]!))),
  );
}

/** The index a country has in the column, or -1 for one without places. */
function countryIndex(places: Places, countryCode: string): number {
  const [first, second] = new TextEncoder().encode(countryCode.toUpperCase());
  for (let at = 0; at < places.countryCodes.length; at += 2) {
    if (places.countryCodes[at] === first && places.countryCodes[at + 1] === second) return at / 2;
  }
  return -1;
}

/** The most populous first, at most `limit`; keeps no more than twice as many at a time. */
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

/** For every place the people in all places up to it; a quarter adds none. */
function populationLadder(places: Places): Float64Array {
  const ladder = new Float64Array(places.count);
  let people = 0;
  for (const index of ladder.keys()) {
    if (places.parent[index] === index) people += places.population[index]!;
    ladder[index] = people;
  }
  return ladder;
}

function drawIndex(ladder: Float64Array, random: number): number {
  const rung = random * ladder.at(-1)!;
  return firstIndex(ladder.length, (index) => ladder[index]! > rung);
}

/** The first index below `count` for which a test holds that, once it holds, holds for all later ones. */
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
