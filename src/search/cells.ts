import RBush from "rbush";
import { eastingOf, type GridBox, northingOf } from "./grid.ts";
import { createLists, type VisitRun, withRoom } from "./lists.ts";

/**
 * Which alerts lie in which cell of the public grid. A cell here is of one kind of alert, and each kind has an R-tree
 * over its cells: alerts that share a place take one leaf, and a search sees no cell without what it looks for.
 */
export type Cells = {
  /** Slots must come in rising order. */
  add(kind: number, place: number, slot: number, sign: number): void;
  /** To be called after slots were added, once for many: only then are new cells in the tree. */
  settle(): void;
  /** Shows the cells of a kind in a box until `visit` answers false. */
  within(kind: number, box: GridBox, visit: (cell: number, place: number) => boolean): void;
  /** The alerts of a cell, as `runs` of lists. */
  runs(cell: number, to: number, visit: VisitRun): void;
};

export function createCells(kinds: number): Cells {
  const alerts = createLists();
  // Cells are numbered from 1: 0 is no cell in the hash table, and no item to RBush.
  let count = 0;
  let places = new Int32Array(64);
  let kindOfCell = new Uint8Array(64);
  /** Open addressing with a power of two of places, at most half of them taken. */
  let table = new Uint32Array(128);
  const trees = Array.from({ length: kinds }, () => new CellTree((cell) => places[cell]!));
  let fresh: number[][] = trees.map(() => []);

  /** Where in the table a cell is, or the free place where it belongs. */
  function entryOf(kind: number, place: number): number {
    const mask = table.length - 1;
    const mixed = Math.imul(place ^ (kind << 28), 0x9e3779b1);
    let entry = (mixed ^ (mixed >>> 15)) & mask;
    for (;;) {
      const cell = table[entry]!;
      if (cell === 0 || (places[cell] === place && kindOfCell[cell] === kind)) return entry;
      entry = (entry + 1) & mask;
    }
  }

  function newCell(kind: number, place: number): number {
    const cell = ++count;
    places = withRoom(places, cell + 1);
    kindOfCell = withRoom(kindOfCell, cell + 1);
    places[cell] = place;
    kindOfCell[cell] = kind;
    fresh[kind]!.push(cell);
    if (2 * count > table.length) widenTable();
    else table[entryOf(kind, place)] = cell;
    return cell;
  }

  function widenTable(): void {
    table = new Uint32Array(table.length * 2);
    for (let cell = 1; cell <= count; cell++) {
      table[entryOf(kindOfCell[cell]!, places[cell]!)] = cell;
    }
  }

  return {
    add(kind, place, slot, sign) {
      const known = table[entryOf(kind, place)]!;
      alerts.add(known === 0 ? newCell(kind, place) : known, slot, sign, place);
    },

    settle() {
      trees.forEach((tree, kind) => tree.load(fresh[kind]!));
      fresh = trees.map(() => []);
    },

    within(kind, box, visit) {
      const waiting = [trees[kind]!.root()];
      for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
        if (!meets(box, node)) continue;
        if (!node.leaf) {
          for (const child of node.children) waiting.push(child);
          continue;
        }
        for (const cell of node.children) {
          const place = places[cell]!;
          const northing = northingOf(place);
          const easting = eastingOf(place);
          if (northing < box.south || northing > box.north) continue;
          if (easting < box.west || easting > box.east) continue;
          if (!visit(cell, place)) return;
        }
      }
    },

    runs: alerts.runs,
  };
}

/** What RBush keeps, as its `toJSON` gives it out. */
type TreeNode = {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
} & (
  | { readonly leaf: true; readonly children: readonly number[] }
  | { readonly leaf: false; readonly children: readonly TreeNode[] }
);

function meets(box: GridBox, node: TreeNode): boolean {
  return (
    node.minX <= box.east &&
    node.maxX >= box.west &&
    node.minY <= box.north &&
    node.maxY >= box.south
  );
}

/** An R-tree whose items are numbers, so that a leaf is an array of numbers and nothing more. */
class CellTree extends RBush<number> {
  constructor(placeOf: (cell: number) => number) {
    super(16);
    // Set here and not as methods: RBush calls `toBBox` without `this`.
    this.toBBox = (cell) => {
      const y = northingOf(placeOf(cell));
      const x = eastingOf(placeOf(cell));
      return { minX: x, minY: y, maxX: x, maxY: y };
    };
    this.compareMinX = (a, b) => eastingOf(placeOf(a)) - eastingOf(placeOf(b));
    this.compareMinY = (a, b) => northingOf(placeOf(a)) - northingOf(placeOf(b));
  }

  /** The whole tree, to be walked without gathering every hit first as `search` does. */
  root(): TreeNode {
    return this.toJSON();
  }
}
