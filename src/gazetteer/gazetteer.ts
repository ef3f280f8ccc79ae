import { distanceKm, type Point } from "../core/place.ts";
import type { Gazetteer, Place } from "../core/ports.ts";
import { countryCodeAt, foldName, nameAt, viewPlaces, type Places } from "./format.ts";
import path from "./places.bin" with { type: "file" };
import { UNITS_PER_DEGREE, walkTree } from "./tree.ts";

/** How many places `find` gives when the caller names no limit. */
const FOUND_PLACES_DEFAULT = 20;

/**
 * The embedded gazetteer: the world's towns of 1000 people and more, and the seats of its administrations.
 * Names, positions and populations are those of GeoNames (https://www.geonames.org/, CC BY 4.0), packed by pack.ts.
 *
 * `nearest` answers with a town, not a quarter: it takes the named point that a position is nearest to by distance
 * less the point's reach, and where that point is a quarter answers with its city. extent.ts has both rules.
 * `find` knows quarters by their names too. `draw` never draws one: their people are counted in the city.
 */
export async function openGazetteer(): Promise<Gazetteer> {
  const places = viewPlaces(await Bun.file(path).arrayBuffer());
  let ladder: Float64Array | undefined;
  return {
    nearest: (point) => placeAt(places, places.whole[nearestIndex(places, point)]!),
    find: (name, options = {}) =>
      mostPopulous(places, matchesOf(places, name, options), options.limit).map((index) =>
        placeAt(places, index),
      ),
    draw: (random) => placeAt(places, drawIndex((ladder ??= populationLadder(places)), random)),
    size: places.count,
  };
}

function placeAt(places: Places, index: number): Place {
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

/** The index with the least distance less reach; of two alike the more populous, then the lower one. */
function nearestIndex(places: Places, point: Point): number {
  let best = -1;
  let bestKm = Infinity;
  walkTree(
    places,
    point,
    (index) => {
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

/** More than the error of any distance on Earth in double precision. */
const ROUNDING_KM = 1e-6;

function isGreater(places: Places, a: number, b: number): boolean {
  const difference = places.population[a]! - places.population[b]!;
  return difference > 0 || (difference === 0 && a < b);
}

type FindOptions = NonNullable<Parameters<Gazetteer["find"]>[1]>;

/** The indexes of the places with a name, in the order of their names. */
function* matchesOf(places: Places, name: string, options: FindOptions): Generator<number> {
  const { countryCode, near } = options;
  const wanted = foldName(name);
  if (wanted === "") return;

  const first = firstByName(places, (folded) => folded >= wanted);
  const last = firstByName(places, (folded) =>
    options.prefix ? folded > wanted && !folded.startsWith(wanted) : folded > wanted,
  );
  const country = countryCode === undefined ? null : countryIndex(places, countryCode);
  for (const index of places.byName.subarray(first, last)) {
    if (country !== null && places.country[index] !== country) continue;
    if (near && distanceKm(near.point, pointAt(places, index)) > near.radiusKm) continue;
    yield index;
  }
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
    if (places.whole[index] === index) people += places.population[index]!;
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
