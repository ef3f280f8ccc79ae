import { Fault } from "../../core/fault.ts";
import { distanceKm, type Point, snap } from "../../values/point.ts";
import { type Gazetteer, similarTowns, type Town, townLabel } from "../../places/places.ts";
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
/** Least population of a town that a prefix of its name stands for. */
const LARGE_PEOPLE = 100_000;
const PREFIX_LETTERS_MIN = 3;
const KM_PER_DEGREE = 111.2;

/**
 * Area by name: `world`, a town, or a town and its country (`Lyon, FR`). Of several towns of that name, the most populous;
 * if there is none, the large town whose name begins with it (`New York`). Throws `not_found` with similar names.
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
  const within = countryCode === undefined ? {} : { countryCode };
  const [named] = gazetteer.find(name, { ...within, limit: 1 });
  const [begun] = gazetteer.find(name, { ...within, prefix: true, limit: 1 });
  const isLarge = begun !== undefined && begun.population >= LARGE_PEOPLE;
  const place = named ?? (isLarge && name.length >= PREFIX_LETTERS_MIN ? begun : undefined);
  if (place === undefined) {
    const inCountry = similarTowns(gazetteer, name, within);
    const similar = inCountry.length > 0 ? inCountry : similarTowns(gazetteer, name);
    const hint =
      similar.length === 0 ? "" : ` Did you mean ${similar.map(townLabel).join(" or ")}?`;
    throw new Fault("not_found", `The gazetteer has no place called "${text}".${hint}`);
  }
  const towns = townsAround(gazetteer, place).map(
    (town) => [town, Math.max(1, town.population)] as const,
  );
  return {
    label: townLabel(place),
    centre: snap(place.point.lat, place.point.lng),
    guessedFrom: named === undefined ? name : null,
    draw: (random) => random.weighted(towns),
  };
}

function townsAround(gazetteer: Gazetteer, place: Town): Town[] {
  const keyOf = ({ point }: Town) => `${point.lat} ${point.lng}`;
  const towns = new Map([[keyOf(place), place]]);
  for (let north = -AREA_KM; north <= AREA_KM; north += STEP_KM) {
    for (let east = -AREA_KM; east <= AREA_KM; east += STEP_KM) {
      const town = gazetteer.nearest(offsetPoint(place.point, north, east));
      if (distanceKm(place.point, town.point) <= AREA_KM) towns.set(keyOf(town), town);
    }
  }
  return [...towns.values()];
}

/** Point offset by some km; accurate enough over tens of km. */
export function offsetPoint(point: Point, northKm: number, eastKm: number): Point {
  const lat = Math.min(89, Math.max(-89, point.lat + northKm / KM_PER_DEGREE));
  const lng = point.lng + eastKm / (KM_PER_DEGREE * Math.cos((lat * Math.PI) / 180));
  return { lat, lng: ((lng + 540) % 360) - 180 };
}
