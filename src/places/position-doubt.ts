import type { Located, LocationInput, TownChoice } from "./geocoder.ts";
import { distanceKm, type Point, TOWN_REACH_KM } from "../values/point.ts";

/** Distance from the nearest town at which a position may be a mistake: most such points lie in the sea. */
export const REMOTE_KM = 50;

/** Reason to check a position: it lies far from every town, or `km` from the city given with it. `town` is the nearest. */
export type PositionDoubt = {
  readonly kind: "remote" | "far_from_city";
  readonly town: TownChoice;
  readonly km: number;
};

/** Doubt about the position of an alert; null if there is none. A city that nobody knows agrees with every position. */
export function positionDoubt(
  locate: (input: LocationInput) => Located | null,
  point: Point,
  city?: string,
  country?: string,
): PositionDoubt | null {
  const here = locate({ point });
  if (here?.kind !== "known") throw new Error("every point has a nearest town");
  const { town } = here;
  const km = distanceKm(town.point, point);
  if (km > REMOTE_KM) return { kind: "remote", town, km };
  if (city === undefined || city === (town.city ?? town.name)) return null;
  const named = locate({ place: city, countryCode: country, point });
  if (named === null || named.kind === "unknown") return null;
  const places = named.kind === "known" ? [named] : named.choices;
  const away = Math.min(...places.map((place) => distanceKm(place.point, point)));
  return away <= TOWN_REACH_KM ? null : { kind: "far_from_city", town, km: away };
}
