import { type Point, snap } from "../../../../values/point.ts";

/** Position from text in degrees, moved to the public grid; null if it is invalid. Decimal commas are accepted. */
export function readPosition(lat: string, lng: string): Point | null {
  const point = { lat: readDegrees(lat), lng: readDegrees(lng) };
  if (!(Math.abs(point.lat) <= 90 && Math.abs(point.lng) <= 180)) return null;
  return snap(point.lat, point.lng);
}

function readDegrees(text: string): number {
  const decimal = text.trim().replace(",", ".");
  return /^[+-]?\d{1,3}(?:\.\d{1,15})?$/.test(decimal) ? Number(decimal) : NaN;
}

/** Move by one cell of the public grid. */
export type Step = { readonly east: -1 | 0 | 1; readonly north: -1 | 0 | 1 };

/** Centre of the neighbouring cell of the public grid; at a pole, of the same cell. */
export function neighbour(point: Point, { east, north }: Step): Point {
  const lat = Math.max(-90, Math.min(90, point.lat + north * LAT_STEP));
  const here = snap(lat, point.lng);
  if (east === 0) return here;
  // Cells get wider towards the poles: the first hundredth of a degree outside this cell is in the next one.
  for (let hundredths = 1; hundredths <= CELL_WIDTH_MAX; hundredths++) {
    const next = snap(lat, wrapLng(here.lng + (east * hundredths) / 100));
    if (next.lng !== here.lng) return next;
  }
  return here;
}

/** Height of a cell in degrees of latitude. */
const LAT_STEP = 0.01;
/** Width of the widest cell in hundredths of a degree of longitude. */
const CELL_WIDTH_MAX = 5;

/** The same longitude between -180 and 180 degrees. */
export function wrapLng(lng: number): number {
  return lng >= -180 && lng <= 180 ? lng : lng - 360 * Math.round(lng / 360);
}

/** The same longitude within 180 degrees of a reference, so that both are close together on a flat map. */
export function lngNear(lng: number, reference: number): number {
  return lng + 360 * Math.round((reference - lng) / 360);
}
