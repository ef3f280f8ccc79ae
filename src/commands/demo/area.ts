import { Fault } from "../../core/fault.ts";
import { distanceKm, type Point, snap } from "../../core/place.ts";
import type { Gazetteer, Place } from "../../core/ports.ts";
import { placeLabel, placesAlike } from "../../core/places-alike.ts";
import type { Random } from "./random.ts";

/** Where made-up alerts lie. */
export type Area = {
  /** `Lyon, FR`, or `the world`. */
  readonly label: string;
  /** The middle, or null for the world. */
  readonly centre: Point | null;
  /** What was asked for, where its name only begins so. */
  readonly guessedFrom: string | null;
  /** Draws a town by its population. */
  draw(random: Random): Place;
};

/** How far from a place its area reaches. */
const AREA_KM = 30;
/** Towns of an area are found by asking for the nearest one this often on the way over it. */
const STEP_KM = 1;
/** A name that was not written to its end stands for the only place of this many people that begins so… */
const LARGE_PEOPLE = 100_000;
/** … or for the most populous one, where that has more people than this. */
const VERY_LARGE_PEOPLE = 1_000_000;
/** Fewer letters begin too many names. */
const BEGINNING_LETTERS_MIN = 3;
const KM_PER_DEGREE = 111.2;

/**
 * The area a person names: `world`, a town, or a town and its country (`Lyon, FR`). Of several towns with the name
 * the most populous; where none has it, the large place whose name begins so (`New York`). Throws `not_found` with names alike.
 */
export function areaNamed(gazetteer: Gazetteer, text: string): Area {
  if (text.toLowerCase() === "world") {
    return {
      label: "the world",
      centre: null,
      guessedFrom: null,
      draw: (random) => gazetteer.draw(random.next()),
    };
  }
  const [, name = text, countryCode] = /^(.+?),\s*([A-Za-z]{2})$/.exec(text) ?? [];
  const place = gazetteer.find(name, { ...within(countryCode), limit: 1 })[0];
  if (place !== undefined) return areaAround(gazetteer, place, null);
  const begun = largeBeginningWith(gazetteer, name, countryCode);
  if (begun === null) throw unknownPlace(gazetteer, text, name, countryCode);
  return areaAround(gazetteer, begun, name);
}

function largeBeginningWith(
  gazetteer: Gazetteer,
  name: string,
  countryCode: string | undefined,
): Place | null {
  if (name.length < BEGINNING_LETTERS_MIN) return null;
  const [first, second] = gazetteer.find(name, { ...within(countryCode), prefix: true, limit: 2 });
  if (first === undefined || first.population < LARGE_PEOPLE) return null;
  const isOnlyOne = second === undefined || second.population < LARGE_PEOPLE;
  return isOnlyOne || first.population > VERY_LARGE_PEOPLE ? first : null;
}

function within(countryCode: string | undefined) {
  return countryCode === undefined ? {} : { countryCode };
}

function unknownPlace(
  gazetteer: Gazetteer,
  text: string,
  name: string,
  countryCode: string | undefined,
): Fault {
  const there = placesAlike(gazetteer, name, within(countryCode));
  const alike = (there.length > 0 ? there : placesAlike(gazetteer, name)).map(placeLabel);
  const hint = alike.length === 0 ? "" : ` Did you mean ${alike.join(" or ")}?`;
  return new Fault("not_found", `The gazetteer knows no place called "${text}".${hint}`);
}

function areaAround(gazetteer: Gazetteer, place: Place, guessedFrom: string | null): Area {
  const towns = townsAround(gazetteer, place).map(
    (town) => [town, Math.max(1, town.population)] as const,
  );
  return {
    label: placeLabel(place),
    centre: snap(place.point.lat, place.point.lng),
    guessedFrom,
    draw: (random) => random.weighted(towns),
  };
}

function townsAround(gazetteer: Gazetteer, place: Place): Place[] {
  const towns = new Map([[keyOf(place), place]]);
  for (let north = -AREA_KM; north <= AREA_KM; north += STEP_KM) {
    for (let east = -AREA_KM; east <= AREA_KM; east += STEP_KM) {
      const town = gazetteer.nearest(pointBeside(place.point, north, east));
      if (distanceKm(place.point, town.point) <= AREA_KM) towns.set(keyOf(town), town);
    }
  }
  return [...towns.values()];
}

function keyOf({ point }: Place): string {
  return `${point.lat} ${point.lng}`;
}

/** The point so many km north and east of another; near enough over the tens of km it is used for. */
export function pointBeside(point: Point, northKm: number, eastKm: number): Point {
  const lat = Math.min(89, Math.max(-89, point.lat + northKm / KM_PER_DEGREE));
  const lng = point.lng + eastKm / (KM_PER_DEGREE * Math.cos((lat * Math.PI) / 180));
  return { lat, lng: ((lng + 540) % 360) - 180 };
}
