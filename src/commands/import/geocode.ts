import { distanceKm, type Point } from "../../core/place.ts";
import type { Gazetteer, Town } from "../../core/ports.ts";
import { placesNamed } from "../../core/geocoder.ts";
import { similarTowns } from "../../core/similar-towns.ts";
import type { MappingCircle } from "./mapping.ts";
import type { ImportEntry } from "./rows.ts";

/** Position and town of an entry (null: publishing uses the nearest town), or the reason why there is none. */
export type Geocoded =
  | { readonly lat: number; readonly lng: number; readonly city: string | null }
  | { readonly why: string };

/** A town farther than this from the row's coordinates is another town of that name. */
const OWN_TOWN_KM = 40;
/** Search radius for towns around the centre of the table's coordinates, when the mapping has no circle. */
const TABLE_RADIUS_KM = 100;
/** Shortest prefix of a town's name that is looked up. */
const PREFIX_LETTERS_MIN = 4;

/**
 * Geocodes entries by their coordinates, or else by their town. Towns are searched for within the mapping's circle, or
 * else around the centre of the rows with coordinates, or else in the whole country.
 */
export function createGeocoder(
  gazetteer: Gazetteer,
  entries: readonly ImportEntry[],
): (entry: ImportEntry) => Geocoded {
  const centre = centroid(entries.flatMap(({ point }) => point ?? []));
  const region = centre === null ? null : { point: centre, radiusKm: TABLE_RADIUS_KM };

  return (entry) => {
    const circle = entry.near === null ? region : aroundPoint(entry.near);
    const { point } = entry;
    if (point !== null) {
      // Only the mapping's circle rules a point out; the one computed from the table may be too small.
      const isOutside = entry.near !== null && distanceKm(entry.near, point) > entry.near.radiusKm;
      if (!isOutside) return { ...point, city: townNear(gazetteer, entry, point) };
    }
    return geocodeByTown(gazetteer, entry, circle);
  };
}

type TownSearchArea = { readonly point: Point; readonly radiusKm: number };

function aroundPoint({ lat, lng, radiusKm }: MappingCircle): TownSearchArea {
  return { point: { lat, lng }, radiusKm };
}

/** Centroid on the sphere, which also works across the date line. */
function centroid(points: readonly Point[]): Point | null {
  const radians = Math.PI / 180;
  let [x, y, z] = [0, 0, 0];
  for (const { lat, lng } of points) {
    x += Math.cos(lat * radians) * Math.cos(lng * radians);
    y += Math.cos(lat * radians) * Math.sin(lng * radians);
    z += Math.sin(lat * radians);
  }
  const length = Math.hypot(x, y, z);
  if (length < 1e-6) return null;
  return { lat: Math.asin(z / length) / radians, lng: Math.atan2(y, x) / radians };
}

function townNear(gazetteer: Gazetteer, entry: ImportEntry, point: Point): string | null {
  const near = { point, radiusKm: OWN_TOWN_KM };
  const found = entry.towns.flatMap((town) => gazetteer.find(town, { near, limit: 1 }));
  return found[0]?.name ?? null;
}

function geocodeByTown(
  gazetteer: Gazetteer,
  entry: ImportEntry,
  region: TownSearchArea | null,
): Geocoded {
  const problem =
    entry.point === null ? "no coordinates" : "coordinates outside the mapping's circle";
  let why = `${problem} and no town`;
  for (const town of entry.towns) {
    const { countryCode } = entry;
    const { places } = placesNamed(gazetteer, town, {
      countryCode,
      ...(region === null ? {} : { near: region }),
    });
    const [first, ...others] = townsBeforeVillages(places);
    if (first !== undefined && (others.length === 0 || region !== null)) return placeOf(first);
    if (region !== null) {
      const byPrefix = findByPrefix(gazetteer, town, countryCode, region);
      if (byPrefix.length === 1) return placeOf(byPrefix[0]!);
    }
    // The message names the first town; the others are fallbacks.
    if (town === entry.towns[0])
      why =
        first !== undefined
          ? `${problem}, and several towns are called "${town}": add a circle (near) to the mapping`
          : `${problem}, and there is no town "${town}"${hint(gazetteer, town, countryCode, region)}`;
  }
  return { why };
}

/** Towns, or villages if there are no towns among the places. */
function townsBeforeVillages(places: readonly Town[]): readonly Town[] {
  const towns = places.filter(({ population }) => population > 0);
  return towns.length > 0 ? towns : places;
}

/** A postcode gives a position, but not the name of a town as people write it. */
function placeOf({ name, point }: Town): Geocoded {
  return { ...point, city: /\d/.test(name) ? null : name };
}

/** Towns whose names begin with a truncated name. */
function findByPrefix(
  gazetteer: Gazetteer,
  town: string,
  countryCode: string,
  near: TownSearchArea,
): Town[] {
  if (town.length < PREFIX_LETTERS_MIN) return [];
  return gazetteer.find(town, { countryCode, prefix: true, near, limit: 2 });
}

function hint(
  gazetteer: Gazetteer,
  town: string,
  countryCode: string,
  region: TownSearchArea | null,
): string {
  const within = { countryCode, ...(region === null ? {} : { near: region }) };
  const similar = similarTowns(gazetteer, town, within)[0];
  return similar === undefined ? "" : ` (did you mean ${similar.name}?)`;
}
