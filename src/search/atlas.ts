import RBush from "rbush";
import { KINDS } from "./filter.ts";
import { type Circle, eastingOf, type GridBox, northingOf } from "./grid.ts";
import { type VisitRun, WIDTH } from "./lists.ts";
import { EMPTY, kindIn } from "./sign.ts";

/** Where alerts lie: sheets, each of a stretch of slots. All but the newest few alerts are on one. */
export type Atlas = {
  /** The oldest first; they follow on each other from slot 0. */
  readonly sheets: readonly Sheet[];
  /** Which part of the alerts on sheets is of these kinds, about; all of them when there is no sheet. */
  share(kinds: number): number;
  /** To be called after slots were added, once for many, with the faces of all that there are: `length` of them. */
  settle(faces: Int32Array, length: number): void;
};

/**
 * The alerts of the slots in [from, to), in the order of a curve through the grid: neighbours on the ground are
 * neighbours in memory. Over them stands an R-tree, whose items are runs of a few alerts that follow on each other.
 */
export type Sheet = {
  readonly from: number;
  readonly to: number;
  /** How many alerts of each kind are on it. */
  readonly counts: Uint32Array;
  /** About how many of its alerts lie in a box: those that a node holds are taken to be spread evenly over it. */
  about(box: GridBox): number;
  /**
   * Shows the alerts of these kinds in one or two boxes, and some others, each once, in no order, until `visit` answers
   * false.
   */
  within(boxes: Circle["boxes"], kinds: number, visit: VisitRun): void;
};

/** Fewer alerts than this are not worth a sheet. */
const SHEET_MIN = 32;
/** A power of two. Searches go from sheet to sheet, and one this large is laid out in some 15 ms of a Xeon. */
const SHEET_MAX = 2 ** 17;
/** Sheets grow by being laid out anew with those after them: when they are less than this many times as large. */
const GROWTH = 2;

export function createAtlas(): Atlas {
  const sheets: Sheet[] = [];
  return {
    sheets,

    share(kinds) {
      let wanted = 0;
      let all = 0;
      for (const { counts } of sheets) {
        for (let kind = 0; kind < KINDS; kind++) {
          all += counts[kind]!;
          wanted += ((kinds >> kind) & 1) * counts[kind]!;
        }
      }
      return all === 0 ? 1 : wanted / all;
    },

    settle(faces, length) {
      for (;;) {
        let from = sheets.at(-1)?.to ?? 0;
        if (length - from < SHEET_MIN) return;
        const to = Math.min(length, from + SHEET_MAX);
        for (let last = sheets.at(-1); last !== undefined; last = sheets.at(-1)) {
          const isLarge = last.to - last.from >= GROWTH * (to - from);
          if (isLarge || to - last.from > SHEET_MAX) break;
          from = last.from;
          sheets.pop();
        }
        sheets.push(layOut(faces, from, to));
      }
    },
  };
}

/** So many alerts make a run, and so many runs or nodes a node. */
export const FAN = 16;
/** Numbers to a run: the places of its southwestern and northeastern corners, and a bit for each kind in it. */
const RUN = 3;

function layOut(faces: Int32Array, from: number, to: number): Sheet {
  const alerts = alongCurve(faces, from, to);
  const runs = runsOf(alerts);
  const tree = new RunTree(runs);
  // Runs are numbered from 1: 0 is no item to RBush.
  tree.load(Array.from({ length: runs.length / RUN }, (_, nth) => nth + 1));
  const { nodes, leaves, ordered } = packed(tree.root(), runs);

  return {
    from,
    to,
    counts: countsByKind(alerts),

    about(box) {
      let count = 0;

      function look(node: number): void {
        const least = nodes[node]!;
        const most = nodes[node + 1]!;
        if (!meets(box, least, most)) return;
        const begin = nodes[node + 3]!;
        const end = nodes[node + 4]!;
        if (node >= leaves) count += (end - begin) * FAN * shareIn(box, least, most);
        else for (let nth = begin; nth < end; nth++) look(NODE * nth);
      }

      look(0);
      return count;
    },

    within([box, otherBox = box], kinds, visit) {
      // Runs that stand together are shown together, and one that lies in two boxes once.
      let begin = 0;
      let end = 0;
      let goesOn = true;

      function show(run: number): void {
        const first = (run - 1) * FAN * WIDTH;
        if (first !== end) {
          if (begin < end) goesOn = visit(alerts, begin, end);
          begin = first;
        }
        end = Math.min(alerts.length, first + FAN * WIDTH);
      }

      function look(node: number): void {
        const last = nodes[node + 4]!;
        for (let nth = nodes[node + 3]!; nth < last && goesOn; nth++) {
          const isRun = node >= leaves;
          const at = isRun ? RUN * (ordered[nth]! - 1) : NODE * nth;
          const of = isRun ? runs : nodes;
          const least = of[at]!;
          const most = of[at + 1]!;
          if ((of[at + 2]! & kinds) === 0) continue;
          if (!meets(box, least, most) && !meets(otherBox, least, most)) continue;
          if (isRun) show(ordered[nth]!);
          else look(at);
        }
      }

      look(0);
      if (goesOn && begin < end) visit(alerts, begin, end);
    },
  };
}

/** Whether a box and the one between two corners have a place in common. */
function meets({ west, south, east, north }: GridBox, least: number, most: number): boolean {
  return (
    ((northingOf(most) - south) |
      (north - northingOf(least)) |
      (eastingOf(most) - west) |
      (east - eastingOf(least))) >=
    0
  );
}

/** The part of the box between two corners that lies in another, which it meets. */
function shareIn({ west, south, east, north }: GridBox, least: number, most: number): number {
  const width = Math.min(east, eastingOf(most)) - Math.max(west, eastingOf(least)) + 1;
  const height = Math.min(north, northingOf(most)) - Math.max(south, northingOf(least)) + 1;
  const wholeWidth = eastingOf(most) - eastingOf(least) + 1;
  const wholeHeight = northingOf(most) - northingOf(least) + 1;
  return (width * height) / (wholeWidth * wholeHeight);
}

function countsByKind(alerts: Int32Array): Uint32Array {
  const counts = new Uint32Array(KINDS);
  for (let at = 0; at < alerts.length; at += WIDTH) counts[kindIn(alerts[at + 1]!)]!++;
  return counts;
}

/** Numbers to a node: its corners and kinds as a run has them, and where what is below it begins and ends. */
const NODE = 5;

/**
 * The R-tree as numbers, from the root down: many small objects would take more memory, and time to walk. From `leaves`
 * on, what is below a node are places in `ordered`, which holds the numbers of runs; before, other nodes.
 */
function packed(root: TreeNode, runs: Int32Array) {
  const queue = [root];
  const ordered: number[] = [];
  const ranges = [];
  let firstLeaf = Infinity;
  // What is added while it is gone through is gone through, too.
  for (const [nth, node] of queue.entries()) {
    const begin = node.leaf ? ordered.length : queue.length;
    ranges.push([begin, begin + node.children.length]);
    if (node.leaf) {
      firstLeaf = Math.min(firstLeaf, nth);
      // In their order, so that those that follow on each other are shown together.
      ordered.push(...node.children.toSorted((a, b) => a - b));
    } else queue.push(...node.children);
  }
  const nodes = new Int32Array(NODE * queue.length);
  for (let nth = queue.length - 1; nth >= 0; nth--) {
    const { minX, minY, maxX, maxY } = queue[nth]!;
    const [begin = 0, end = 0] = ranges[nth]!;
    let kinds = 0;
    for (let at = begin; at < end; at++)
      kinds |= nth < firstLeaf ? nodes[NODE * at + 2]! : runs[RUN * (ordered[at]! - 1) + 2]!;
    nodes.set([(minY << 16) | minX, (maxY << 16) | maxX, kinds, begin, end], NODE * nth);
  }
  return { nodes, leaves: NODE * firstLeaf, ordered: Int32Array.from(ordered) };
}

/** What RBush keeps, as its `toJSON` gives it out. All its leaves are as deep. */
type TreeNode = {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
} & (
  | { readonly leaf: true; readonly children: readonly number[] }
  | { readonly leaf: false; readonly children: readonly TreeNode[] }
);

/** An R-tree whose items are numbers of runs, so that a leaf is an array of numbers and nothing more. */
class RunTree extends RBush<number> {
  constructor(runs: Int32Array) {
    super(FAN);
    const least = (run: number) => runs[RUN * (run - 1)]!;
    const most = (run: number) => runs[RUN * (run - 1) + 1]!;
    // Set here and not as methods: RBush calls `toBBox` without `this`.
    this.toBBox = (run) => ({
      minX: eastingOf(least(run)),
      minY: northingOf(least(run)),
      maxX: eastingOf(most(run)),
      maxY: northingOf(most(run)),
    });
    this.compareMinX = (a, b) => eastingOf(least(a)) - eastingOf(least(b));
    this.compareMinY = (a, b) => northingOf(least(a)) - northingOf(least(b));
  }

  /** The whole tree, to be walked without gathering every hit first as `search` does. */
  root(): TreeNode {
    return this.toJSON();
  }
}

/** Copies the faces of a stretch in the order of the curve. An alert that has gone keeps its kind: it may come back. */
function alongCurve(faces: Int32Array, from: number, to: number): Int32Array {
  // Which alert it is stands in the low bits, exact: a curve's 32 and these 17 are fewer than a double's 53.
  const order = Float64Array.from({ length: to - from }, (_, nth) => {
    return onCurve(faces[WIDTH * (from + nth) + 2]!) * SHEET_MAX + nth;
  }).sort();
  const alerts = new Int32Array(WIDTH * order.length);
  for (let nth = 0; nth < order.length; nth++) {
    const face = WIDTH * (from + (order[nth]! % SHEET_MAX));
    alerts[WIDTH * nth] = faces[face]!;
    alerts[WIDTH * nth + 1] = faces[face + 1]! & ~EMPTY;
    alerts[WIDTH * nth + 2] = faces[face + 2]!;
  }
  return alerts;
}

/** How far along Morton's curve a place lies (G. M. Morton 1966): the bits of northing and easting by turns. */
function onCurve(place: number): number {
  return ((apart(northingOf(place)) << 1) | apart(eastingOf(place))) >>> 0;
}

/** The low 16 bits, each with a 0 before it. */
function apart(bits: number): number {
  bits = (bits | (bits << 8)) & 0x00ff00ff;
  bits = (bits | (bits << 4)) & 0x0f0f0f0f;
  bits = (bits | (bits << 2)) & 0x33333333;
  return (bits | (bits << 1)) & 0x55555555;
}

/** The runs of a sheet's alerts, each with a box around its places. */
function runsOf(alerts: Int32Array): Int32Array {
  const runs = new Int32Array(RUN * Math.ceil(alerts.length / (WIDTH * FAN)));
  for (let at = 0, begin = 0; at < runs.length; at += RUN, begin += FAN * WIDTH) {
    let south = 0xffff;
    let west = 0xffff;
    let north = 0;
    let east = 0;
    let kinds = 0;
    const end = Math.min(alerts.length, begin + FAN * WIDTH);
    for (let alert = begin; alert < end; alert += WIDTH) {
      const place = alerts[alert + 2]!;
      south = Math.min(south, northingOf(place));
      west = Math.min(west, eastingOf(place));
      north = Math.max(north, northingOf(place));
      east = Math.max(east, eastingOf(place));
      kinds |= 1 << kindIn(alerts[alert + 1]!);
    }
    runs[at] = (south << 16) | west;
    runs[at + 1] = (north << 16) | east;
    runs[at + 2] = kinds;
  }
  return runs;
}
