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
};

/** An index of no zones. The points of zones, and those asked for, must be snapped. */
export function createZoneIndex(): ZoneIndex {
  const tree = new RBush<ZoneBox>();
  const boxesById = new Map<string, readonly ZoneBox[]>();

  return {
    get size() {
      return boxesById.size;
    },

    apply(changes) {
      const fresh: ZoneBox[] = [];
      for (const [id, change] of lastOfEach(changes)) {
        for (const box of boxesById.get(id) ?? []) tree.remove(box);
        boxesById.delete(id);
        if (change.kind === "drop") continue;
        const boxes = boxesOf(change.zone);
        boxesById.set(id, boxes);
        fresh.push(...boxes);
      }
      tree.load(fresh);
    },

    covering(point, species, type) {
      const ids: string[] = [];
      const here = { minX: point.lng, minY: point.lat, maxX: point.lng, maxY: point.lat };
      for (const { zone } of tree.search(here)) {
        if (zone.species !== null && zone.species !== species) continue;
        if (zone.type !== null && zone.type !== type) continue;
        if (distanceKm(zone.point, point) <= zone.radiusKm) ids.push(zone.id);
      }
      return ids.sort();
    },
  };
}

function lastOfEach(changes: readonly ZoneChange[]): Map<string, ZoneChange> {
  return new Map(
    changes.map((change) => [change.kind === "put" ? change.zone.id : change.id, change]),
  );
}

/** The boxes do not overlap, so no zone is found twice. */
function boxesOf(zone: IndexedZone): ZoneBox[] {
  return boxesAround(zone.point, zone.radiusKm).map(({ west, south, east, north }) => ({
    minX: west,
    minY: south,
    maxX: east,
    maxY: north,
    zone,
  }));
}
