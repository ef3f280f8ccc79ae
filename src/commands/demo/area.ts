import { Fault } from "../../core/fault.ts";
import { distanceKm, type Point, snap } from "../../core/place.ts";
import type { Gazetteer, Town } from "../../core/ports.ts";
import { townLabel } from "../../places/place-name.ts";
import { similarTowns } from "../../places/similar-towns.ts";
import type { Random } from "./random.ts";

/** Area that demo alerts are spread over. */
export type Area = {
  /** `Lyon, FR`, or `the world`. */
  readonly label: string;
  /** Null for the world. */
  readonly centre: Point | null;
  /** Text entered by the user, if it is only a prefix of the name; else null. */
  readonly guessedFrom: string | null;
  /** Draws a town, weighted by population. */
  draw(random: Random): Town;
};

/** Radius of an area. */
const AREA_KM = 30;
/** Spacing of the grid on which the nearest towns are looked up. */
const STEP_KM = 1;
/** A prefix stands for the only place of this population that begins with it… */
const LARGE_PEOPLE = 100_000;
/** … or for the most populous one, if it has more people than this. */
const VERY_LARGE_PEOPLE = 1_000_000;
const PREFIX_LETTERS_MIN = 3;
const KM_PER_DEGREE = 111.2;

/**
 * Area by name: `world`, a town, or a town and its country (`Lyon, FR`). Of several towns of that name, the most populous;
 * if there is none, the large place whose name begins with it (`New York`). Throws `not_found` with similar names.
 */
export function findArea(gazetteer: Gazetteer, text: string): Area {
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
  const guess = largePlaceByPrefix(gazetteer, name, countryCode);
  if (guess === null) throw unknownPlace(gazetteer, text, name, countryCode);
  return areaAround(gazetteer, guess, name);
}

function largePlaceByPrefix(
  gazetteer: Gazetteer,
  name: string,
  countryCode: string | undefined,
): Town | null {
  if (name.length < PREFIX_LETTERS_MIN) return null;
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
  const inCountry = similarTowns(gazetteer, name, within(countryCode));
  const similar = (inCountry.length > 0 ? inCountry : similarTowns(gazetteer, name)).map(townLabel);
  const hint = similar.length === 0 ? "" : ` Did you mean ${similar.join(" or ")}?`;
  return new Fault("not_found", `The gazetteer has no place called "${text}".${hint}`);
}

function areaAround(gazetteer: Gazetteer, place: Town, guessedFrom: string | null): Area {
  const towns = townsAround(gazetteer, place).map(
    (town) => [town, Math.max(1, town.population)] as const,
  );
  return {
    label: townLabel(place),
    centre: snap(place.point.lat, place.point.lng),
    guessedFrom,
    draw: (random) => random.weighted(towns),
  };
}

function townsAround(gazetteer: Gazetteer, place: Town): Town[] {
  const towns = new Map([[keyOf(place), place]]);
  for (let north = -AREA_KM; north <= AREA_KM; north += STEP_KM) {
    for (let east = -AREA_KM; east <= AREA_KM; east += STEP_KM) {
      const town = gazetteer.nearest(offsetPoint(place.point, north, east));
      if (distanceKm(place.point, town.point) <= AREA_KM) towns.set(keyOf(town), town);
    }
  }
  return [...towns.values()];
}

function keyOf({ point }: Town): string {
  return `${point.lat} ${point.lng}`;
}

/** Point offset by some km; accurate enough over tens of km. */
export function offsetPoint(point: Point, northKm: number, eastKm: number): Point {
  const lat = Math.min(89, Math.max(-89, point.lat + northKm / KM_PER_DEGREE));
  const lng = point.lng + eastKm / (KM_PER_DEGREE * Math.cos((lat * Math.PI) / 180));
  return { lat, lng: ((lng + 540) % 360) - 180 };
}
