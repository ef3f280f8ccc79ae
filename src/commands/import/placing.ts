import { distanceKm, type Point } from "../../core/place.ts";
import type { Gazetteer, Place } from "../../core/ports.ts";
import { placesAlike } from "../../core/places-alike.ts";
import type { Entry } from "./entry.ts";
import type { Circle } from "./mapping.ts";

/** Where an entry lies; without a town the nearest one. */
export type Placed =
  | { readonly lat: number; readonly lng: number; readonly city: string | null }
  | { readonly why: string };

/** A town this far from the coordinates beside it is another one of that name. */
const OWN_TOWN_KM = 40;
/** How far from the middle of a table's coordinates its towns may lie, where the mapping does not say. */
const TABLE_RADIUS_KM = 100;
/** Fewer letters begin too many names. */
const CUT_LETTERS_MIN = 4;

/**
 * Finds the places of a table's entries: by their coordinates, else by their town. Towns are looked for within the
 * mapping's circle, else around the middle of the rows with coordinates, else in the whole country.
 */
export function placer(gazetteer: Gazetteer, entries: readonly Entry[]): (entry: Entry) => Placed {
  const middle = middleOf(entries.flatMap(({ spot }) => spot ?? []));
  const region = middle === null ? null : { point: middle, radiusKm: TABLE_RADIUS_KM };

  return (entry) => {
    const circle = entry.near === null ? region : aroundPoint(entry.near);
    const { spot } = entry;
    if (spot !== null) {
      // The mapping's circle is its author's word; one drawn from the table itself may be too narrow.
      const isOutside = entry.near !== null && distanceKm(entry.near, spot) > entry.near.radiusKm;
      if (!isOutside) return { ...spot, city: townBeside(gazetteer, entry, spot) };
    }
    return placedByTown(gazetteer, entry, circle);
  };
}

type Region = { readonly point: Point; readonly radiusKm: number };

function aroundPoint({ lat, lng, radiusKm }: Circle): Region {
  return { point: { lat, lng }, radiusKm };
}

/** The middle of points as seen from the Earth's, so that a table on the date line has its own there. */
function middleOf(points: readonly Point[]): Point | null {
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

function townBeside(gazetteer: Gazetteer, entry: Entry, point: Point): string | null {
  const near = { point, radiusKm: OWN_TOWN_KM };
  const found = entry.towns.flatMap((town) => gazetteer.find(town, { near, limit: 1 }));
  return found[0]?.name ?? null;
}

function placedByTown(gazetteer: Gazetteer, entry: Entry, region: Region | null): Placed {
  const lacking =
    entry.spot === null ? "no coordinates" : "coordinates outside the mapping's circle";
  let why = `${lacking} and no town`;
  for (const town of entry.towns) {
    const { countryCode } = entry;
    const found = gazetteer.find(town, {
      countryCode,
      ...(region === null ? { limit: 2 } : { near: region, limit: 1 }),
    });
    if (found.length === 1) return placeOf(found[0]!);
    if (region !== null) {
      const begun = beginningWith(gazetteer, town, countryCode, region);
      if (begun.length === 1) return placeOf(begun[0]!);
    }
    // The first town is the one to speak of: the others are there to fall back on.
    if (town === entry.towns[0])
      why =
        found.length > 1
          ? `${lacking}, and there are several towns called "${town}": the mapping needs a circle (near)`
          : `${lacking}, and no town "${town}" is known there${hint(gazetteer, town, countryCode, region)}`;
  }
  return { why };
}

function placeOf({ name, point }: Place): Placed {
  return { ...point, city: name };
}

/** Towns that a name cut off at the end can mean. */
function beginningWith(
  gazetteer: Gazetteer,
  town: string,
  countryCode: string,
  near: Region,
): Place[] {
  if (town.length < CUT_LETTERS_MIN) return [];
  return gazetteer.find(town, { countryCode, prefix: true, near, limit: 2 });
}

function hint(
  gazetteer: Gazetteer,
  town: string,
  countryCode: string,
  region: Region | null,
): string {
  const within = { countryCode, ...(region === null ? {} : { near: region }) };
  const alike = placesAlike(gazetteer, town, within)[0];
  return alike === undefined ? "" : ` (perhaps ${alike.name})`;
}
