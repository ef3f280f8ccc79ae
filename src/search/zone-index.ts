import RBush from "rbush";
import { boxesAround, distanceKm } from "../core/place.ts";
import type { IndexedZone, ZoneChange, ZoneIndex } from "../core/ports.ts";

/** A box of a zone's circle in the R-tree; a zone over the date line has two. */
type ZoneBox = {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
  readonly zone: IndexedZone;
  /** A later zone has a greater number. */
  readonly nth: number;
};

/** So many zones that came after each other have an R-tree of their own, which is looked through in some 5 ms. */
const TOGETHER = 4_096;

/**
 * An index of no zones. The points of zones, and those asked for, must be snapped.
 *
 * Some 100,000 zones can lie around one place. They are given out in the order in which they came, tree by tree, so
 * that nobody who takes a few at a time waits for all of them to be found and sorted.
 */
export function createZoneIndex(): ZoneIndex {
  /** By when they were begun; those that emptied go. */
  const trees = new Map<number, RBush<ZoneBox>>();
  const boxesById = new Map<string, readonly ZoneBox[]>();
  let count = 0;

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

    apply(changes) {
      const fresh: ZoneBox[] = [];
      for (const [id, change] of lastOfEach(changes)) {
        remove(id);
        if (change.kind === "drop") continue;
        const boxes = boxesOf(change.zone, count++);
        boxesById.set(id, boxes);
        fresh.push(...boxes);
      }
      for (const [tree, boxes] of Map.groupBy(fresh, treeOf)) {
        if (!trees.has(tree)) trees.set(tree, new RBush());
        trees.get(tree)!.load(boxes);
      }
    },

    *covering(point, species, type) {
      const here = { minX: point.lng, minY: point.lat, maxX: point.lng, maxY: point.lat };
      for (const tree of trees.values()) {
        for (const { zone } of tree.search(here).sort((a, b) => a.nth - b.nth)) {
          if (zone.species !== null && zone.species !== species) continue;
          if (zone.type !== null && zone.type !== type) continue;
          if (distanceKm(zone.point, point) <= zone.radiusKm) yield zone.id;
        }
      }
    },
  };
}

function treeOf({ nth }: ZoneBox): number {
  return Math.floor(nth / TOGETHER);
}

function lastOfEach(changes: readonly ZoneChange[]): Map<string, ZoneChange> {
  return new Map(
    changes.map((change) => [change.kind === "put" ? change.zone.id : change.id, change]),
  );
}

/** The boxes do not overlap, so no zone is found twice. */
function boxesOf(zone: IndexedZone, nth: number): ZoneBox[] {
  return boxesAround(zone.point, zone.radiusKm).map(({ west, south, east, north }) => ({
    minX: west,
    minY: south,
    maxX: east,
    maxY: north,
    zone,
    nth,
  }));
}
