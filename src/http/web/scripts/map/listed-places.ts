import type { Point } from "../../../../values/point.ts";
import { lngNear, readPosition } from "../dom/position.ts";
import type { MarkType } from "./mark.ts";

/** Item of a list with a position: `<li data-lat="45.77" data-lng="4.83" data-type="lost|found">`. */
export type ListedPlace = {
  readonly item: HTMLElement;
  readonly type: MarkType;
  readonly point: Point;
};

/** Most items of a list that a map reads: more than any page lists. */
const PLACES_MAX = 200;

/**
 * Places of a list, given by its selector; none for an empty one. Longitudes are near a reference, or else near the first
 * one, even across the date line.
 */
export function listedPlaces(list: string, reference?: number): ListedPlace[] {
  if (list === "") return [];
  const items = [...document.querySelectorAll<HTMLElement>(`${list} [data-lat][data-lng]`)];
  let near = reference;
  return items.slice(0, PLACES_MAX).flatMap((item): ListedPlace[] => {
    const read = readPosition(item.dataset.lat!, item.dataset.lng!);
    if (read === null) return [];
    const point = { lat: read.lat, lng: lngNear(read.lng, (near ??= read.lng)) };
    return [{ item, point, type: item.dataset.type === "found" ? "found" : "lost" }];
  });
}
