import { distanceKm, type Point } from "../values/point.ts";

/**
 * K-d tree of points on the unit sphere, stored as their order alone: the root of a range is its middle, with the smaller
 * points on the axis before it and the larger ones after it; the axes x, y, z alternate by level. In three dimensions the
 * date line and the poles need no special case.
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
 * Visits the points near `point`. A subtree beyond a dividing plane is visited only if `isWorthCrossing`: its root is
 * `root`, and all its points are at least `planeKm` away.
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
    // An arc is at least as long as its chord, and a chord at least as long as its part along one axis.
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

/** Order that makes a tree of these points: the index of the point at each position in the tree. */
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

/** Greatest value in the subtree below each point, itself included. */
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
