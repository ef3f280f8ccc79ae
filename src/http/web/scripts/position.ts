import { type Point, snap } from "../../../core/place.ts";

/**
 * A position as people write it, in degrees, moved to the public grid; null where it is none. A decimal comma is
 * read as a point.
 */
export function readPosition(lat: string, lng: string): Point | null {
  const point = { lat: readDegrees(lat), lng: readDegrees(lng) };
  if (!(Math.abs(point.lat) <= 90 && Math.abs(point.lng) <= 180)) return null;
  return snap(point.lat, point.lng);
}

function readDegrees(text: string): number {
  const decimal = text.trim().replace(",", ".");
  return /^[+-]?\d{1,3}(?:\.\d{1,15})?$/.test(decimal) ? Number(decimal) : NaN;
}

/** A move by one cell of the public grid. */
export type Step = { readonly east: -1 | 0 | 1; readonly north: -1 | 0 | 1 };

/** The centre of the neighbouring cell of the public grid; at a pole, of the same one. */
export function neighbour(point: Point, { east, north }: Step): Point {
  const lat = Math.max(-90, Math.min(90, point.lat + north * LAT_STEP));
  const here = snap(lat, point.lng);
  if (east === 0) return here;
  // Cells grow wider towards the poles: the first hundredth of a degree that leaves this one is in the next.
  for (let hundredths = 1; hundredths <= CELL_WIDTH_MAX; hundredths++) {
    const next = snap(lat, wrap(here.lng + (east * hundredths) / 100));
    if (next.lng !== here.lng) return next;
  }
  return here;
}

/** The grid's step of latitude in degrees. */
const LAT_STEP = 0.01;
/** The widest cell of the grid in hundredths of a degree of longitude. */
const CELL_WIDTH_MAX = 5;

/** The same meridian between -180 and 180 degrees. */
export function wrap(lng: number): number {
  return lng >= -180 && lng <= 180 ? lng : lng - 360 * Math.round(lng / 360);
}

/** The same meridian written so that it is less than half a turn from another: what a flat map needs. */
export function beside(lng: number, other: number): number {
  return lng + 360 * Math.round((other - lng) / 360);
}
