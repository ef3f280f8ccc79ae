import { distanceKm, type Point } from "../core/place.ts";

/**
 * A k-d tree over points on the unit sphere, held in nothing but their order: the root of a range is its middle, what
 * lies below it on the axis stands before it, what lies above stands behind, and the axes x, y, z take turns. In three
 * dimensions the date line and the poles are places like any other.
 * Source: J. L. Bentley, "Multidimensional binary search trees", CACM 18:9, 1975.
 */
export type Tree = {
  /** Latitudes and longitudes in 1e-5 degrees, in the tree's order. */
  readonly lat: Int32Array;
  readonly lng: Int32Array;
};

/** Units of the packed coordinates in a degree. */
export const UNITS_PER_DEGREE = 1e5;

const RADIANS_PER_UNIT = Math.PI / 180 / UNITS_PER_DEGREE;
const KM_PER_RADIAN = distanceKm({ lat: 0, lng: 0 }, { lat: 0, lng: 180 }) / Math.PI;

/**
 * Visits the places that may matter to a point. Before it crosses a dividing plane it asks whether that is worth it:
 * all places beyond lie at least `planeKm` away, and `root` is the root of their subtree.
 */
export function walkTree(
  tree: Tree,
  point: Point,
  visit: (index: number) => void,
  isWorthCrossing: (planeKm: number, root: number) => boolean,
): void {
  const lat = point.lat * UNITS_PER_DEGREE;
  const lng = point.lng * UNITS_PER_DEGREE;
  const target = AXES.map((axis) => axis(lat, lng));
  walk(0, tree.lat.length, 0);

  function walk(from: number, to: number, depth: number): void {
    if (from >= to) return;
    const root = middleOf(from, to);
    visit(root);
    if (to - from === 1) return;

    const axis = depth % 3;
    const side = target[axis]! - AXES[axis]!(tree.lat[root]!, tree.lng[root]!);
    // The arc between two points is never shorter than the chord, nor the chord than its part along one axis.
    const planeKm = Math.abs(side) * KM_PER_RADIAN;
    if (side < 0) {
      walk(from, root, depth + 1);
      if (root + 1 < to && isWorthCrossing(planeKm, middleOf(root + 1, to)))
        walk(root + 1, to, depth + 1);
    } else {
      walk(root + 1, to, depth + 1);
      if (from < root && isWorthCrossing(planeKm, middleOf(from, root)))
        walk(from, root, depth + 1);
    }
  }
}

/** The order that makes a tree of these points: position in the tree -> index of the point. */
export function treeOrder({ lat, lng }: Tree): Uint32Array {
  const order = Uint32Array.from(lat, (_, index) => index);
  const coordinates = AXES.map((axis) =>
    Float64Array.from(lat, (value, i) => axis(value, lng[i]!)),
  );
  sort(0, order.length, 0);
  return order;

  function sort(from: number, to: number, depth: number): void {
    if (to - from < 2) return;
    const along = coordinates[depth % 3]!;
    order.subarray(from, to).sort((a, b) => along[a]! - along[b]! || a - b);
    const root = middleOf(from, to);
    sort(from, root, depth + 1);
    sort(root + 1, to, depth + 1);
  }
}

/** For every root the greatest value within its subtree, itself included. */
export function subtreeMax(values: Uint8Array): Uint8Array {
  const result = new Uint8Array(values.length);
  maxOf(0, values.length);
  return result;

  function maxOf(from: number, to: number): number {
    if (from >= to) return 0;
    const root = middleOf(from, to);
    result[root] = Math.max(values[root]!, maxOf(from, root), maxOf(root + 1, to));
    return result[root];
  }
}

function middleOf(from: number, to: number): number {
  return (from + to) >>> 1;
}

const AXES = [
  (lat: number, lng: number) => Math.cos(lat * RADIANS_PER_UNIT) * Math.cos(lng * RADIANS_PER_UNIT),
  (lat: number, lng: number) => Math.cos(lat * RADIANS_PER_UNIT) * Math.sin(lng * RADIANS_PER_UNIT),
  (lat: number) => Math.sin(lat * RADIANS_PER_UNIT),
] as const;
