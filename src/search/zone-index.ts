import RBush from "rbush";
import { boxesAround, distanceKm } from "../values/point.ts";
import type { IndexedZone, ZoneChange, ZoneIndex } from "./indexes.ts";

/** Bounding box of a zone's circle in an R-tree; a zone that crosses the date line has two. */
type ZoneBox = {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
  readonly zone: IndexedZone;
  /** Position in the order of insertion. */
  readonly sequence: number;
};

/** Zones in an R-tree, consecutive in order of insertion. A tree of this size is searched in about 5 ms. */
const ZONES_PER_TREE = 4_096;

/**
 * Index of zones, empty at first. Points, of zones and of queries, must be snapped.
 *
 * As many as 100,000 zones can cover one point. They are returned in order of insertion, tree by tree, so that a caller
 * that takes a few at a time does not wait until all are found and sorted.
 */
export function createZoneIndex(): ZoneIndex {
  /** By `treeOf`; empty trees are removed. */
  const trees = new Map<number, RBush<ZoneBox>>();
  const boxesById = new Map<string, readonly ZoneBox[]>();
  let nextSequence = 0;

  function remove(id: string): void {
    for (const box of boxesById.get(id) ?? []) {
      const tree = trees.get(treeOf(box))!;
      tree.remove(box);
      if (tree.toJSON().children.length === 0) trees.delete(treeOf(box));
    }
    boxesById.delete(id);
  }

  return {
    get size() {
      return boxesById.size;
    },

    ids: () => boxesById.keys(),

    apply(changes) {
      const fresh: ZoneBox[] = [];
      for (const [id, change] of latestById(changes)) {
        remove(id);
        if (change.kind === "drop") continue;
        const boxes = boxesOf(change.zone, nextSequence++);
        boxesById.set(id, boxes);
        fresh.push(...boxes);
      }
      for (const [tree, boxes] of Map.groupBy(fresh, treeOf)) {
        if (!trees.has(tree)) trees.set(tree, new RBush());
        trees.get(tree)!.load(boxes);
      }
    },

    *covering(point, species, type) {
      const at = { minX: point.lng, minY: point.lat, maxX: point.lng, maxY: point.lat };
      for (const tree of trees.values()) {
        for (const { zone } of tree.search(at).sort((a, b) => a.sequence - b.sequence)) {
          if (zone.species !== null && zone.species !== species) continue;
          if (zone.type !== null && zone.type !== type) continue;
          if (distanceKm(zone.point, point) <= zone.radiusKm) yield zone;
        }
      }
    },
  };
}

/** Number of the tree that holds a box. */
function treeOf({ sequence }: ZoneBox): number {
  return Math.floor(sequence / ZONES_PER_TREE);
}

function latestById(changes: readonly ZoneChange[]): Map<string, ZoneChange> {
  return new Map(
    changes.map((change) => [change.kind === "put" ? change.zone.id : change.id, change]),
  );
}

/** The boxes are disjoint, so no zone is found twice. */
function boxesOf(zone: IndexedZone, sequence: number): ZoneBox[] {
  return boxesAround(zone.point, zone.radiusKm).map(({ west, south, east, north }) => ({
    minX: west,
    minY: south,
    maxX: east,
    maxY: north,
    zone,
    sequence,
  }));
}
