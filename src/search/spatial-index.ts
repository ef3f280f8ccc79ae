import RBush from "rbush";
import { type Circle, eastingOf, type GridBox, northingOf } from "./grid.ts";
import { POSTING_WIDTH, type PostingVisitor } from "./posting-lists.ts";
import { DELETED, kindOf, KINDS } from "./signature.ts";

/**
 * Spatial index of a segment: immutable R-trees, each over a range of rows. All rows are in a tree except the newest
 * few. Small trees are merged into larger ones (the logarithmic method of J. L. Bentley and J. B. Saxe, 1980).
 */
export type SpatialIndex = {
  /** Oldest first; their ranges are consecutive from row 0. */
  readonly trees: readonly RTree[];
  /** Estimated fraction of the rows that have one of these kinds; 1 if there is no tree. */
  kindSelectivity(kinds: number): number;
  /** Indexes the new rows. Call it once after a batch of additions, with the postings of all `length` rows. */
  flush(rows: Int32Array, length: number): void;
};

/** R-tree over the rows in [from, to). */
type RTree = {
  readonly from: number;
  readonly to: number;
  /** Number of rows of each kind. */
  readonly kindCounts: Uint32Array;
  /** Estimated number of rows in a box; the rows of a node are taken to be spread evenly over it. */
  estimateCount(box: GridBox): number;
  /**
   * Visits every row of these kinds in the boxes and outside the hole once, and some other rows, in no particular order,
   * until `visit` returns false.
   */
  visitBoxes(area: Pick<Circle, "boxes" | "hole">, kinds: number, visit: PostingVisitor): void;
};

/** Fewer rows than this are scanned instead. */
const TREE_MIN = 32;
/** A power of two. A search visits the trees one by one; a tree of this size is built in about 15 ms on a Xeon. */
const TREE_MAX = 2 ** 17;
/** A tree is rebuilt together with the rows after it while it is less than this many times as large as they are. */
const GROWTH = 2;

export function createSpatialIndex(): SpatialIndex {
  const trees: RTree[] = [];
  return {
    trees,

    kindSelectivity(kinds) {
      let matching = 0;
      let all = 0;
      for (const { kindCounts } of trees) {
        for (let kind = 0; kind < KINDS; kind++) {
          all += kindCounts[kind]!;
          matching += ((kinds >> kind) & 1) * kindCounts[kind]!;
        }
      }
      return all === 0 ? 1 : matching / all;
    },

    flush(rows, length) {
      for (;;) {
        let from = trees.at(-1)?.to ?? 0;
        if (length - from < TREE_MIN) return;
        const to = Math.min(length, from + TREE_MAX);
        for (let last = trees.at(-1); last !== undefined; last = trees.at(-1)) {
          const isLarge = last.to - last.from >= GROWTH * (to - from);
          if (isLarge || to - last.from > TREE_MAX) break;
          from = last.from;
          trees.pop();
        }
        trees.push(buildTree(rows, from, to));
      }
    },
  };
}

/** Postings in a block, and children of a node. */
export const FANOUT = 16;
/** Integers in a block, as in a posting: its southwestern and northeastern cell, and a bit for each kind in it. */
const BLOCK_WIDTH = POSTING_WIDTH;
/** Integers in a node: those of a block, then the range of its children. */
const NODE_WIDTH = 5;

/** Postings are sorted along a space-filling curve and cut into blocks; RBush builds the R-tree of the blocks. */
function buildTree(rows: Int32Array, from: number, to: number): RTree {
  const postings = sortAlongCurve(rows, from, to);
  const blocks = blocksOf(postings);
  const { nodes, leavesFrom, blockIds } = flatten(rbushRoot(blocks), blocks);

  return {
    from,
    to,
    kindCounts: countKinds(postings),

    estimateCount(box) {
      let count = 0;

      function visitNode(node: number): void {
        const southwest = nodes[node]!;
        const northeast = nodes[node + 1]!;
        if (!intersects(box, southwest, northeast)) return;
        const begin = nodes[node + 3]!;
        const end = nodes[node + 4]!;
        if (node >= leavesFrom)
          count += (end - begin) * FANOUT * overlapFraction(box, southwest, northeast);
        else for (let child = begin; child < end; child++) visitNode(NODE_WIDTH * child);
      }

      visitNode(0);
      return count;
    },

    visitBoxes({ boxes: [box, otherBox = box], hole = null }, kinds, visit) {
      // Adjacent blocks are visited as one range.
      let rangeBegin = 0;
      let rangeEnd = 0;
      let goesOn = true;

      function addBlock(block: number): void {
        const begin = block * FANOUT * POSTING_WIDTH;
        if (begin !== rangeEnd) {
          if (rangeBegin < rangeEnd) goesOn = visit(postings, rangeBegin, rangeEnd);
          rangeBegin = begin;
        }
        rangeEnd = Math.min(postings.length, begin + FANOUT * POSTING_WIDTH);
      }

      function visitNode(node: number): void {
        const isLeaf = node >= leavesFrom;
        const bounds = isLeaf ? blocks : nodes;
        const end = nodes[node + 4]!;
        for (let nth = nodes[node + 3]!; nth < end && goesOn; nth++) {
          const child = isLeaf ? BLOCK_WIDTH * blockIds[nth]! : NODE_WIDTH * nth;
          if ((bounds[child + 2]! & kinds) === 0) continue;
          const southwest = bounds[child]!;
          const northeast = bounds[child + 1]!;
          if (
            !intersects(box, southwest, northeast) &&
            !intersects(otherBox, southwest, northeast)
          ) {
            continue;
          }
          if (hole !== null && contains(hole, southwest, northeast)) continue;
          if (isLeaf) addBlock(blockIds[nth]!);
          else visitNode(child);
        }
      }

      visitNode(0);
      if (goesOn && rangeBegin < rangeEnd) visit(postings, rangeBegin, rangeEnd);
    },
  };
}

/** Bounds and kinds of every `FANOUT` postings. */
function blocksOf(postings: Int32Array): Int32Array {
  const blocks = new Int32Array(
    BLOCK_WIDTH * Math.ceil(postings.length / (POSTING_WIDTH * FANOUT)),
  );
  for (let block = 0; block < blocks.length; block += BLOCK_WIDTH) {
    let south = 0xffff;
    let west = 0xffff;
    let north = 0;
    let east = 0;
    let kinds = 0;
    const end = Math.min(postings.length, (block + BLOCK_WIDTH) * FANOUT);
    for (let posting = block * FANOUT; posting < end; posting += POSTING_WIDTH) {
      const cell = postings[posting + 2]!;
      south = Math.min(south, northingOf(cell));
      west = Math.min(west, eastingOf(cell));
      north = Math.max(north, northingOf(cell));
      east = Math.max(east, eastingOf(cell));
      kinds |= 1 << kindOf(postings[posting + 1]!);
    }
    blocks[block] = (south << 16) | west;
    blocks[block + 1] = (north << 16) | east;
    blocks[block + 2] = kinds;
  }
  return blocks;
}

/** A node of RBush as its `toJSON` returns it. All leaves have the same depth; their children are block ids plus 1. */
type RBushNode = {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
} & (
  | { readonly leaf: true; readonly children: readonly number[] }
  | { readonly leaf: false; readonly children: readonly RBushNode[] }
);

/** R-tree of the blocks. Block ids count from 1 in it: 0 is no item to RBush. */
function rbushRoot(blocks: Int32Array): RBushNode {
  const southwest = (id: number) => blocks[BLOCK_WIDTH * (id - 1)]!;
  const northeast = (id: number) => blocks[BLOCK_WIDTH * (id - 1) + 1]!;
  const tree = new RBush<number>(FANOUT);
  tree.toBBox = (id) => ({
    minX: eastingOf(southwest(id)),
    minY: northingOf(southwest(id)),
    maxX: eastingOf(northeast(id)),
    maxY: northingOf(northeast(id)),
  });
  tree.compareMinX = (a, b) => eastingOf(southwest(a)) - eastingOf(southwest(b));
  tree.compareMinY = (a, b) => northingOf(southwest(a)) - northingOf(southwest(b));
  tree.load(Array.from({ length: blocks.length / BLOCK_WIDTH }, (_, block) => block + 1));
  return tree.toJSON();
}

/**
 * The R-tree as integers, level by level: objects would take several times the memory, and RBush's own search collects
 * every hit before it returns. From `leavesFrom` on, the children of a node are a range of `blockIds`; before, of nodes.
 */
function flatten(root: RBushNode, blocks: Int32Array) {
  const queue = [root];
  const blockIds: number[] = [];
  const ranges: [number, number][] = [];
  let firstLeaf = Infinity;
  // The queue grows while it is read.
  for (const [nth, node] of queue.entries()) {
    const begin = node.leaf ? blockIds.length : queue.length;
    ranges.push([begin, begin + node.children.length]);
    if (node.leaf) {
      firstLeaf = Math.min(firstLeaf, nth);
      // Sorted, so that adjacent blocks are visited together.
      blockIds.push(...node.children.map((id) => id - 1).toSorted((a, b) => a - b));
    } else queue.push(...node.children);
  }
  const nodes = new Int32Array(NODE_WIDTH * queue.length);
  for (let nth = queue.length - 1; nth >= 0; nth--) {
    const { minX, minY, maxX, maxY } = queue[nth]!;
    const [begin, end] = ranges[nth]!;
    let kinds = 0;
    for (let at = begin; at < end; at++)
      kinds |=
        nth < firstLeaf ? nodes[NODE_WIDTH * at + 2]! : blocks[BLOCK_WIDTH * blockIds[at]! + 2]!;
    nodes.set([(minY << 16) | minX, (maxY << 16) | maxX, kinds, begin, end], NODE_WIDTH * nth);
  }
  return { nodes, leavesFrom: NODE_WIDTH * firstLeaf, blockIds: Int32Array.from(blockIds) };
}

function countKinds(postings: Int32Array): Uint32Array {
  const counts = new Uint32Array(KINDS);
  for (let at = 0; at < postings.length; at += POSTING_WIDTH) counts[kindOf(postings[at + 1]!)]!++;
  return counts;
}

/** True if a box and the box between two corner cells share a cell. */
function intersects(box: GridBox, southwest: number, northeast: number): boolean {
  return (
    ((northingOf(northeast) - box.south) |
      (box.north - northingOf(southwest)) |
      (eastingOf(northeast) - box.west) |
      (box.east - eastingOf(southwest))) >=
    0
  );
}

/** True if the box between two corner cells is inside another box. */
function contains(box: GridBox, southwest: number, northeast: number): boolean {
  return (
    northingOf(southwest) >= box.south &&
    northingOf(northeast) <= box.north &&
    eastingOf(southwest) >= box.west &&
    eastingOf(northeast) <= box.east
  );
}

/** Fraction of the box between two corner cells that is inside another box, which intersects it. */
function overlapFraction(box: GridBox, southwest: number, northeast: number): number {
  const width = eastingOf(northeast) - eastingOf(southwest) + 1;
  const height = northingOf(northeast) - northingOf(southwest) + 1;
  const sharedWidth =
    Math.min(box.east, eastingOf(northeast)) - Math.max(box.west, eastingOf(southwest)) + 1;
  const sharedHeight =
    Math.min(box.north, northingOf(northeast)) - Math.max(box.south, northingOf(southwest)) + 1;
  return (sharedWidth * sharedHeight) / (width * height);
}

/** Copies the postings of a range of rows in curve order. Deleted rows keep their kind: they may be restored. */
function sortAlongCurve(rows: Int32Array, from: number, to: number): Int32Array {
  // Sort key: 32 bits of curve position and 17 bits of offset fit exactly into a double's 53 bits.
  const keys = Float64Array.from({ length: to - from }, (_, offset) => {
    return curvePosition(rows[POSTING_WIDTH * (from + offset) + 2]!) * TREE_MAX + offset;
  }).sort();
  const postings = new Int32Array(POSTING_WIDTH * keys.length);
  for (let nth = 0; nth < keys.length; nth++) {
    const row = POSTING_WIDTH * (from + (keys[nth]! % TREE_MAX));
    postings[POSTING_WIDTH * nth] = rows[row]!;
    postings[POSTING_WIDTH * nth + 1] = rows[row + 1]! & ~DELETED;
    postings[POSTING_WIDTH * nth + 2] = rows[row + 2]!;
  }
  return postings;
}

/** Position of a cell on the Morton curve (G. M. Morton, 1966): the bits of northing and easting interleaved. */
function curvePosition(cell: number): number {
  return ((spreadBits(northingOf(cell)) << 1) | spreadBits(eastingOf(cell))) >>> 0;
}

/** The low 16 bits, each preceded by a 0. */
function spreadBits(bits: number): number {
  bits = (bits | (bits << 8)) & 0x00ff00ff;
  bits = (bits | (bits << 4)) & 0x0f0f0f0f;
  bits = (bits | (bits << 2)) & 0x33333333;
  return (bits | (bits << 1)) & 0x55555555;
}
