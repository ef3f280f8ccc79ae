import type { Point } from "../../../../values/point.ts";
import { wrapLng } from "../dom/position.ts";
import type { MarkType } from "./mark.ts";

/** Cell of the public grid, and its alerts. */
export type Cell = { readonly point: Point } & Readonly<Record<MarkType, number>>;

export function cellsOf(
  alerts: Iterable<{ readonly point: Point; readonly type: MarkType }>,
): Cell[] {
  const cells = new Map<string, { point: Point } & Record<MarkType, number>>();
  for (const { point, type } of alerts) {
    const key = `${point.lat},${point.lng}`;
    const cell = cells.get(key) ?? { point, lost: 0, found: 0 };
    cell[type]++;
    cells.set(key, cell);
  }
  return [...cells.values()];
}

/** True for points of one cell, also with rounding errors or on the other side of the date line. */
export function isSameCell(one: Point, other: Point): boolean {
  return (
    Math.abs(one.lat - other.lat) < EPSILON && Math.abs(wrapLng(one.lng - other.lng)) < EPSILON
  );
}
const EPSILON = 1e-6;

/** All alerts of a search; `isMore` if it has more than these. */
type Marks = { readonly cells: readonly Cell[]; readonly count: number; readonly isMore: boolean };

/** As many as the server sends; more would be slow to draw. */
const MARKS_MAX = 10_000;

/** Loads the alerts of a search (format: `PackedRow` of the server); null if that fails. */
export async function fetchMarks(address: string): Promise<Marks | null> {
  try {
    const response = await fetch(address);
    return response.ok ? readMarks(await response.json()) : null;
  } catch {
    return null;
  }
}

function readMarks({
  rows,
  more,
}: {
  rows: readonly [number, string, readonly number[]][];
  more: boolean;
}): Marks {
  const marks: { point: Point; type: MarkType }[] = [];
  for (const [lat, kinds, steps] of rows) {
    let lng = 0;
    for (const [at, step] of steps.entries()) {
      lng += step;
      // Kinds are letters, of lost and found animals in turn.
      const isFound = (kinds.charCodeAt(at) - "a".charCodeAt(0)) % 2 === 1;
      const point = { lat: lat / 100, lng: lng / 100 };
      if (isOnEarth(point)) marks.push({ point, type: isFound ? "found" : "lost" });
    }
  }
  const shown = marks.slice(0, MARKS_MAX);
  return { cells: cellsOf(shown), count: shown.length, isMore: more === true };
}

function isOnEarth({ lat, lng }: Point): boolean {
  return Math.abs(lat) <= 90 && Math.abs(lng) <= 180;
}
