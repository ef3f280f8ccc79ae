import { type LatLngBounds, latLng } from "leaflet/dist/leaflet-src.esm.js";
import type { Point } from "../../../../core/place.ts";

/** The radius of the circle that stands for a place: as wide as all that anybody is told of it. */
export const AREA_METRES = 1000;

/** The view that holds a circle. */
export function boundsAround(point: Point, radiusMetres: number): LatLngBounds {
  return latLng(point).toBounds(2 * radiusMetres);
}
