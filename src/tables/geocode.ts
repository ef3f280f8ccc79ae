import { distanceKm, type Point } from "../values/point.ts";
import {
  type Gazetteer,
  inTown,
  nameOf,
  placeName,
  type PlaceName,
  placesNamed,
  postcodeName,
  similarTowns,
  type Town,
  type Within,
} from "../places/places.ts";
import { folded } from "../text/tokenize.ts";
import { Fault } from "../core/fault.ts";
import { createYield } from "./event-loop.ts";
import type { MappingCircle, MappingPlace } from "./mapping.ts";
import type { ImportEntry, Rejection } from "./rows.ts";

/** Position and town of an entry. */
export type Place = {
  readonly lat: number;
  readonly lng: number;
  /** Null: publishing uses the nearest town. */
  readonly city: string | null;
  /** Null: publishing uses the quarter of the position, if it is in that town. */
  readonly district?: string | null;
  /** True if it is only the place of last resort. */
  readonly isLastResort?: true;
  /** Reason why the town was not used, if the row names one. */
  readonly unknownTown?: string;
};

/** Place of an entry, or the reason why there is none. */
export type Geocoded = Place | { readonly why: string };

/** Row that can be published. */
export type PlacedRow = Pick<
  ImportEntry,
  "line" | "id" | "type" | "eventDate" | "hasUnreadableChip"
> & { readonly place: Place };

/** Rows whose place is the place of last resort. */
export type LastResorts = {
  readonly count: number;
  /** The first of those that name a town, with the reason why it is not taken. */
  readonly unknownTowns: readonly Pick<Rejection, "line" | "id" | "why">[];
};

const UNKNOWN_TOWNS_MAX = 100;

export function lastResortsOf(rows: readonly PlacedRow[]): LastResorts {
  const atLastResort = rows.filter(({ place }) => place.isLastResort === true);
  const unknownTowns = atLastResort.flatMap(({ line, id, place: { unknownTown: why } }) =>
    why === undefined ? [] : [{ line, id, why }],
  );
  return { count: atLastResort.length, unknownTowns: unknownTowns.slice(0, UNKNOWN_TOWNS_MAX) };
}

/** A town farther than this from the row's coordinates is another town of that name. */
const OWN_TOWN_KM = 40;
/** Search radius for towns around the centre of the table's coordinates, when the mapping has no circle. */
const TABLE_RADIUS_KM = 100;
/** Shortest prefix of a town's name that is looked up. */
const PREFIX_LETTERS_MIN = 4;

/**
 * Geocodes entries by their coordinates, or else by their postcode or town, or else by the mapping's place of last resort.
 * Towns are searched for within the mapping's circle, or else around the centre of the rows with coordinates, or else around
 * the places of last resort, or else in the whole country. Throws `bad_input` if a place of last resort is not known.
 */
export async function createGeocoder(
  gazetteer: Gazetteer,
  entries: Iterable<ImportEntry>,
  options: {
    /** Takes the town that a misspelled one resembles most. */
    readonly acceptTowns?: boolean;
    /** Place of last resort for entries that have none by the mapping. */
    readonly place?: MappingPlace | null;
  } = {},
): Promise<(entry: ImportEntry) => Geocoded> {
  const places = placesOfLastResort(gazetteer, options.place ?? null);
  const ofPoints = createCentroid();
  const ofPlaces = createCentroid();
  const yieldToOthers = createYield();
  for (const entry of entries) {
    await yieldToOthers();
    if (entry.point !== null) ofPoints.add(entry.point);
    const place = places(entry);
    if (place !== null) ofPlaces.add(place);
  }
  const centre = ofPoints.value() ?? ofPlaces.value();
  const region = centre === null ? null : { point: centre, radiusKm: TABLE_RADIUS_KM };

  return (entry) => {
    const circle = entry.near === null ? region : aroundPoint(entry.near);
    const { point } = entry;
    if (point !== null) {
      // Only the mapping's circle rules a point out; the one computed from the table may be too small.
      const isOutside = entry.near !== null && distanceKm(entry.near, point) > entry.near.radiusKm;
      if (!isOutside) return { ...point, ...townNear(gazetteer, entry, point) };
    }
    const found =
      geocodeByPostcode(gazetteer, entry, circle) ??
      geocodeByTown(gazetteer, entry, circle, options.acceptTowns ?? false);
    if (!("why" in found)) return found;
    const place = places(entry);
    if (place === null) return found;
    return entry.towns.length === 0 ? place : { ...place, unknownTown: found.why };
  };
}

/** Places of last resort, each looked up once. */
function placesOfLastResort(
  gazetteer: Gazetteer,
  general: MappingPlace | null,
): (entry: ImportEntry) => Place | null {
  const known = new Map<string, Place>();
  return (entry) => {
    const place = entry.place ?? general;
    if (place === null) return null;
    const key = JSON.stringify(place);
    const found = known.get(key) ?? lastResort(gazetteer, place, entry.countryCode);
    known.set(key, found);
    return found;
  };
}

function lastResort(gazetteer: Gazetteer, place: MappingPlace, countryCode: string | null): Place {
  const isLastResort = true;
  if (typeof place === "object") return { ...place, city: place.city ?? null, isLastResort };
  const { places, unread } = placesNamed(gazetteer, place, within(countryCode, null));
  const [first] = townsBeforeVillages(places);
  if (first === undefined || unread !== null)
    throw new Fault(
      "bad_input",
      `The place "${place}", for rows without one, is not known: write a town, a postcode, or its coordinates.`,
    );
  return { ...placeOf(gazetteer, first), isLastResort };
}

function within(countryCode: string | null, near: TownSearchArea | null): Within {
  return {
    ...(countryCode === null ? {} : { countryCode }),
    ...(near === null ? {} : { near }),
  };
}

type TownSearchArea = { readonly point: Point; readonly radiusKm: number };

function aroundPoint({ lat, lng, radiusKm }: MappingCircle): TownSearchArea {
  return { point: { lat, lng }, radiusKm };
}

/** Centroid of points on the sphere, which also works across the date line; null without any. */
function createCentroid() {
  const radians = Math.PI / 180;
  let [x, y, z] = [0, 0, 0];
  return {
    add({ lat, lng }: Point): void {
      x += Math.cos(lat * radians) * Math.cos(lng * radians);
      y += Math.cos(lat * radians) * Math.sin(lng * radians);
      z += Math.sin(lat * radians);
    },
    value(): Point | null {
      const length = Math.hypot(x, y, z);
      if (length < 1e-6) return null;
      return { lat: Math.asin(z / length) / radians, lng: Math.atan2(y, x) / radians };
    },
  };
}

/** Town that a row names besides its position. */
function townNear(gazetteer: Gazetteer, entry: ImportEntry, point: Point): Called {
  const near = { point, radiusKm: OWN_TOWN_KM };
  const [found] = entry.towns.flatMap((town) => gazetteer.find(town, { near, limit: 1 }));
  if (found === undefined) return { city: null };
  return called(placeName(gazetteer, point, inTown(gazetteer, found)));
}

type Called = Pick<Place, "city" | "district">;

function called({ city, district }: PlaceName): Called {
  return { city, district };
}

/** Characters of an address in which its last part is looked for. */
const ADDRESS_MAX = 300;

/** American postcodes with their four digits more, which name a few houses. */
const ZIP_PLUS_4 = /^(\d{5})-?\d{4}$/;

function geocodeByPostcode(
  gazetteer: Gazetteer,
  entry: ImportEntry,
  region: TownSearchArea | null,
): Geocoded | null {
  if (entry.postcode === null) return null;
  const text = entry.postcode.replace(ZIP_PLUS_4, "$1");
  const area = within(entry.countryCode, region);
  const found = gazetteer
    .postcodes(text)
    .filter(
      ({ countryCode, point }) =>
        (area.countryCode === undefined || countryCode === area.countryCode) &&
        (region === null || distanceKm(region.point, point) <= region.radiusKm),
    );
  // In several countries, any of them may be meant.
  if (found.length !== 1) return null;
  const [own] = found;
  const named = townNear(gazetteer, entry, own!.point);
  if (named.city !== null) return { ...own!.point, ...named };
  return { ...own!.point, ...called(postcodeName(gazetteer, own!)) };
}

function geocodeByTown(
  gazetteer: Gazetteer,
  entry: ImportEntry,
  region: TownSearchArea | null,
  acceptTowns: boolean,
): Geocoded {
  const problem =
    entry.point === null ? "no coordinates" : "coordinates outside the mapping's circle";
  let why = `${problem} and no town`;
  const area = within(entry.countryCode, region);
  for (const town of entry.towns) {
    const [first, ...others] = townsBeforeVillages(placesIn(gazetteer, town, area));
    if (first !== undefined && (others.length === 0 || region !== null))
      return placeOf(gazetteer, first);
    if (region !== null) {
      const byPrefix = findByPrefix(gazetteer, town, area);
      if (byPrefix.length === 1) return placeOf(gazetteer, byPrefix[0]!);
    }
    // The message names the first town; the others are fallbacks.
    if (town === entry.towns[0])
      why =
        first !== undefined
          ? `${problem}, and several towns are called "${town}": add "place" or a circle (near) to the mapping`
          : `${problem}, and there is no town "${town}"${hint(gazetteer, town, area)}`;
  }
  const [town] = entry.towns;
  const suggested =
    acceptTowns && town !== undefined ? similarTowns(gazetteer, town, area)[0] : undefined;
  return suggested === undefined ? { why } : placeOf(gazetteer, suggested);
}

/** Words of streets, which are named after other towns: "York Road", "Route de Vienne". */
const STREET =
  /\b(?:road|rd|street|st|avenue|ave?|lane|ln|drive|dr|boulevard|blvd|way|highway|hwy|court|ct|parkway|pkwy|close|crescent|route|rue|chemin|impasse|quai|calle|c|avda?|avenida|carretera|camino|paseo|\w*stra(?:ss|s)e|\w*str|\w*weg|allee|platz)\b/;
/** State and ZIP code at the end of an American address. */
const STATE = /[,\s]+(?:[A-Z]{2}[.,]?(?:\s+\d{5}(?:-\d{4})?)?|\([A-Z]{2}\))$/;
/** Last part of an address, without a postcode before it. */
const LAST_PART = /(?:,|\sin\s)\s*(?:\d{4,5}\s+)?([^,]{3,})$/i;

/** Places that a text names: as a whole, by the last part of an address, or by a part of it that is no street. */
function placesIn(gazetteer: Gazetteer, text: string, area: Within): readonly Town[] {
  const { places, unread } = placesNamed(gazetteer, text, area);
  if (places.length > 0 && unread === null) return places;
  const end = LAST_PART.exec(text.slice(0, ADDRESS_MAX).replace(STATE, ""))?.[1];
  const last = end === undefined ? null : placesNamed(gazetteer, end, area);
  if (last !== null && last.places.length > 0 && last.unread === null) return last.places;
  return unread !== null && STREET.test(folded(unread)) ? [] : places;
}

/** Towns, or villages if there are no towns among the places. */
function townsBeforeVillages(places: readonly Town[]): readonly Town[] {
  const towns = places.filter(({ population }) => population > 0);
  return towns.length > 0 ? towns : places;
}

function placeOf(gazetteer: Gazetteer, town: Town): Place {
  return { ...town.point, ...called(nameOf(inTown(gazetteer, town))) };
}

/** Towns whose names begin with a truncated name. */
function findByPrefix(gazetteer: Gazetteer, town: string, area: Within): Town[] {
  if (town.length < PREFIX_LETTERS_MIN) return [];
  return gazetteer.find(town, { ...area, prefix: true, limit: 2 });
}

function hint(gazetteer: Gazetteer, town: string, area: Within): string {
  const similar = similarTowns(gazetteer, town, area)[0];
  return similar === undefined ? "" : ` (did you mean ${similar.name}?)`;
}
