import { distanceKm } from "../values/point.ts";
import type { GeoNamesTown } from "./extent.ts";
import { UNITS_PER_DEGREE } from "./kd-tree.ts";
import type { Village } from "./postcode-table.ts";

/** Town with its position in 1e-5 degrees. */
export type RawTown = GeoNamesTown & { readonly lat: number; readonly lng: number };

/**
 * Cities whose quarters the postcode table has under the name of the city ("Paris 18", "Wien, Hernals", "Praha 1-Staré
 * Město") and GeoNames' towns hardly or not at all: country, the gazetteer's name, the table's.
 */
const CITIES = [
  ["AT", "Graz", "Graz"],
  ["AT", "Vienna", "Wien"],
  ["CZ", "Brno", "Brno"],
  ["CZ", "Ostrava", "Ostrava"],
  ["CZ", "Pilsen", "Plzeň"],
  ["CZ", "Prague", "Praha"],
  ["DE", "Dresden", "Dresden"],
  ["DE", "Hamburg", "Hamburg"],
  ["DE", "Salzgitter", "Salzgitter"],
  ["DE", "Stuttgart", "Stuttgart"],
  ["FR", "Lyon", "Lyon"],
  ["FR", "Paris", "Paris"],
  ["IE", "Dublin", "Dublin"],
] as const;

/** Farther villages whose names begin with that of the city are elsewhere. */
const CITY_KM_MAX = 25;
/** Quarters whose cell in the table is that of another one. */
const MOVED = new Map([["Paris 8e", { lat: 48.87, lng: 2.31 }]]);
/** Companies and airports with a postcode of their own. */
const NO_QUARTER = /gmbh|\bag\b|flughafen/i;

/** Quarters of some cities from the postcode table, as GeoNames would list them. */
export function quartersIn(
  villages: readonly Village[],
  towns: readonly RawTown[],
): readonly RawTown[] {
  return CITIES.flatMap(([countryCode, name, written]) => {
    const cities = towns.filter((town) => town.countryCode === countryCode && town.name === name);
    const [city] = cities.toSorted((a, b) => b.population - a.population);
    if (city === undefined) return [];
    const ofCity = villages.filter(
      (village) =>
        village.countryCode === countryCode &&
        village.name.startsWith(written) &&
        kmBetween(city, village) <= CITY_KM_MAX,
    );
    const byQuarter = Map.groupBy(ofCity, ({ name }) => quarterName(countryCode, written, name));
    return [...byQuarter].flatMap(([quarter, places]) => {
      if (quarter === null) return [];
      // Some of the cells of a quarter are those of post offices elsewhere.
      const points = places.map(({ point }) => MOVED.get(quarter) ?? point);
      const lat = medianUnits(points.map((point) => point.lat));
      const lng = medianUnits(points.map((point) => point.lng));
      return [{ ...city, id: 0, name: quarter, featureCode: "PPLX", population: 0, lat, lng }];
    });
  });
}

/** Median of degrees, in units of packed coordinates. */
function medianUnits(degrees: readonly number[]): number {
  const sorted = degrees.toSorted((a, b) => a - b);
  return Math.round(sorted[Math.floor(sorted.length / 2)]! * UNITS_PER_DEGREE);
}

function kmBetween(city: RawTown, { point }: Village): number {
  return distanceKm({ lat: city.lat / UNITS_PER_DEGREE, lng: city.lng / UNITS_PER_DEGREE }, point);
}

/** "Paris 18e" for "Paris 18", "Hernals" for "Wien, Hernals"; null for a name that is no quarter's. */
function quarterName(countryCode: string, city: string, name: string): string | null {
  const rest = /^[\s,-]+(?:\d+-|\d+\.Bez\.:)?(.+)$/.exec(name.slice(city.length))?.[1];
  if (rest === undefined || NO_QUARTER.test(rest)) return null;
  if (!/^\d/.test(rest)) return countryCode === "FR" ? null : rest.split(", ").at(-1)!;
  if (countryCode === "IE") return name;
  return countryCode === "FR" ? arrondissement(city, Number(rest)) : null;
}

/** "Paris 18e", "Lyon 1er". */
function arrondissement(city: string, number: number): string {
  return `${city} ${number}${number === 1 ? "er" : "e"}`;
}

/** "Marseille 06", "Zürich (Kreis 4) / Aussersihl" and "Berlin Köpenick" as people write them. */
export function tidyName(town: RawTown, city: string | undefined): string {
  const { name, countryCode } = town;
  // GeoNames has the Centro of Madrid in English.
  if (countryCode === "ES" && name === "City Center") return "Centro";
  const [, french, number] = /^(Lyon|Marseille|Paris) (\d\d)$/.exec(name) ?? [];
  if (countryCode === "FR" && french !== undefined) return arrondissement(french, Number(number));
  const [, quarter = "", circle, part] = /^(.+) \((Kreis \d+)\)(?: \/ (.+))?$/.exec(name) ?? [];
  if (part !== undefined) return `${part} (${circle})`;
  if (circle !== undefined) return quarter === city ? circle : quarter;
  const isPrefixed = city !== undefined && name.startsWith(`${city} `);
  return isPrefixed && /^\p{Lu}\p{Ll}+/u.test(name.slice(city.length + 1))
    ? name.slice(city.length + 1)
    : name;
}
