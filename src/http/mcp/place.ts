import { z } from "zod";
import { Fault, fieldInEnglish, type FieldReason } from "../../core/fault.ts";
import {
  type Located,
  type LocationInput,
  motherCountry,
  PLACE_MAX,
  type PlaceName,
  positionDoubt,
  REMOTE_KM,
  type TownChoice,
  townLabel,
} from "../../places/places.ts";
import { badInput, countryCodeField, latField, lngField, withReason } from "../../core/input.ts";
import { distanceKm, type Point, snap, TOWN_REACH_KM } from "../../values/point.ts";
import { tokenize } from "../../text/tokenize.ts";
import { snakeCase } from "../middleware/field-names.ts";

// Places in tool calls: by name or postcode, by coordinates, or both.

/** Name of a place in an input. */
export const placeField = z
  .string()
  .max(PLACE_MAX, { abort: true })
  .refine((text) => tokenize(text, 1).length > 0, withReason("wordless"));

/** Fields of an input for one place. */
export const placeFields = {
  place: placeField.describe("Town, district, postcode; lat and lng are more exact").optional(),
  countryCode: countryCodeField.describe("Of place").optional(),
  lat: latField.describe("Latitude").optional(),
  lng: lngField.describe("Longitude").optional(),
};

/** Place of a call. `fields` are the names of the parameters in camelCase. */
export type PlaceInput = {
  readonly place?: string | undefined;
  readonly lat?: number | undefined;
  readonly lng?: number | undefined;
  /** Country that the place is said to be in, and one whose places are taken without a question (ISO 3166-1 alpha-2). */
  readonly countryCode?: string | undefined;
  readonly country?: string | undefined;
  readonly fields?: { readonly place: string; readonly lat: string; readonly lng: string };
};
const FIELDS = { place: "place", lat: "lat", lng: "lng" };

/** Place of a call as it was understood. */
export type PlaceRead = {
  /** Coordinates given, or those of the named place on the public grid. Answers are about their grid cell only. */
  readonly point: Point;
  /** Place named, or the town that the coordinates belong to. */
  readonly town: TownChoice;
  /** Name of the place. */
  readonly called: PlaceName;
  /** Sentences for the answer: what was not understood, coordinates far from any town. */
  readonly notes: readonly string[];
};

export type Locate = (input: LocationInput) => Located | null;

/** Reads the place of a call. Throws `bad_input` if it has none. */
export function requirePlace(locate: Locate, input: PlaceInput): PlaceRead {
  const read = readPlace(locate, input);
  if (read !== null) return read;
  const { place, pair } = wireNames(input);
  throw new Fault("bad_input", `${place} is required, or ${pair}.`);
}

/**
 * Reads the place of a call, null if it has none. Throws `bad_input` for an unknown name, one that must be asked about, half
 * a position, or two places.
 */
export function readPlace(locate: Locate, input: PlaceInput): PlaceRead | null {
  const { place, country, countryCode } = input;
  const point = pointOf(input);
  const named = place === undefined ? null : locate({ place, country, countryCode });
  if (point === null) return named === null ? null : readNamed(named, input);
  const cell = snap(point.lat, point.lng);
  const here = { ...readPoint(locate, cell, input), point };
  if (named === null) return here;
  const { pair, ...names } = wireNames(input);
  if (named.kind === "unknown")
    return { ...here, notes: [...here.notes, `${names.place} is unknown; ${pair} are used.`] };
  const nearest = closest(named, cell);
  // A common name has more namesakes than are offered.
  const isPart = named.kind === "known" && named.unread !== null;
  const both = isPart ? null : locate({ place, country, countryCode, point: cell });
  const isNamesakeThere = both?.kind === "known" && distanceKm(both.point, cell) <= TOWN_REACH_KM;
  if (nearest.km <= TOWN_REACH_KM || isNamesakeThere)
    return both?.kind === "known" ? { ...here, called: both.called } : here;
  throw new Fault(
    "bad_input",
    `${names.place} is ${townLabel(nearest.town)}, ${kmText(nearest.km)} from ${pair}, which lie near ${townLabel(here.town)}. Give one of the two.`,
  );
}

/** Name of a place as fields of an input. */
export function nameFields({ district, city, countryCode }: PlaceName) {
  return { city, district: district ?? undefined, countryCode };
}

/** Note on a town given for an alert that lies elsewhere; none if it agrees, or nobody knows it. */
export function cityNotes(
  locate: Locate,
  { city, country }: { readonly city: string | undefined; readonly country: string | undefined },
  { point, town }: PlaceRead,
): string[] {
  const doubt = positionDoubt(locate, snap(point.lat, point.lng), city, country);
  if (doubt?.kind !== "far_from_city") return [];
  return [
    `city is "${city}", but the position lies near ${townLabel(town)}, ${kmText(doubt.km)} from there. The alert shows both; the position can be corrected on the confirmation page.`,
  ];
}

/** Place for an answer, rounded as alerts are; `radiusKm` where there is a circle. */
export function areaToWire({ point, town }: PlaceRead, radiusKm?: number) {
  const cell = snap(point.lat, point.lng);
  return {
    town: townLabel(town),
    town_km: Math.round(distanceKm(town.point, cell)),
    latitude: cell.lat,
    longitude: cell.lng,
    ...(radiusKm === undefined ? {} : { radius_km: radiusKm }),
  };
}

function pointOf({ lat, lng, fields = FIELDS }: PlaceInput): Point | null {
  if (lat !== undefined && lng !== undefined) return { lat, lng };
  if (lat === undefined && lng === undefined) return null;
  const field = lat === undefined ? fields.lat : fields.lng;
  throw badInput([{ field, reason: { kind: "half_position" } }]);
}

function readNamed(named: Located, input: PlaceInput): PlaceRead {
  const { place, pair } = wireNames(input);
  const exact = `If you know coordinates, ${pair} are more exact.`;
  switch (named.kind) {
    case "known": {
      const { point, town, called, unread } = named;
      const label = townLabel(town);
      const note = `Of ${place}, only ${label} was understood, not "${unread}"; its centre stands for the place. ${exact}`;
      return { point, town, called, notes: unread === null ? [] : [note] };
    }
    case "ask": {
      const { choices } = named;
      const { countryCode: country } = input;
      const isElsewhere =
        country !== undefined &&
        choices.every(
          (town) => ![town.countryCode, motherCountry(town.countryCode)].includes(country),
        );
      const ask = "Ask which one is meant, then call again with its name as written here";
      const how = isElsewhere
        ? `None of them is in ${country}: a larger town there may be known. ${ask} and its country in country_code.`
        : `${ask}, or with country_code.`;
      throw unclear({ kind: "which_town", choices }, `${how} ${exact}`, input);
    }
    case "unknown":
      throw unclear(
        named.alike.length === 0
          ? { kind: "unknown_town" }
          : { kind: "town_like", choices: named.alike },
        `A quarter may be known with its city: "Friedrichshain, Berlin". ${exact}`,
        input,
      );
  }
}

function unclear(reason: FieldReason, advice: string, { fields = FIELDS }: PlaceInput): Fault {
  const message = `${fieldInEnglish(reason)}. ${advice.replace(/\.$/, "")}`;
  return new Fault("bad_input", `${snakeCase(fields.place)} ${message}.`, {
    fields: [{ field: fields.place, reason, message }],
  });
}

function readPoint(locate: Locate, point: Point, input: PlaceInput): PlaceRead {
  const located = locate({ point });
  if (located?.kind !== "known") throw new Error("every point has a nearest town");
  const { town, called } = located;
  const km = distanceKm(town.point, point);
  const { place, pair } = wireNames(input);
  const notes =
    km <= REMOTE_KM
      ? []
      : [
          `${pair} are ${kmText(km)} from the nearest town, ${townLabel(town)}, perhaps in the sea. Check them, or give ${place}.`,
        ];
  return { point, town, called, notes };
}

function wireNames({ fields = FIELDS }: PlaceInput) {
  const [place, lat, lng] = [fields.place, fields.lat, fields.lng].map(snakeCase);
  return { place, lat, lng, pair: `${lat} and ${lng}` };
}

/** Of the places of a name, the one closest to a point. */
function closest(named: Exclude<Located, { kind: "unknown" }>, point: Point) {
  const towns = named.kind === "known" ? [named.town, ...named.others] : named.choices;
  const places = towns.map((one) => ({ town: one, km: distanceKm(one.point, point) }));
  return places.reduce((best, one) => (one.km < best.km ? one : best));
}

function kmText(km: number): string {
  return `${Math.round(km).toLocaleString("en")} km`;
}
