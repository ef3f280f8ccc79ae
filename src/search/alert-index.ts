import type { AlertIndex, IndexChange, IndexedAlert } from "../core/ports.ts";
import { faceOf, filterOf, fits, type Row, rowOf } from "./filter.ts";
import { nearestThatFit } from "./nearest.ts";
import { BUDGET, type Budget, newestThatFit, type Way } from "./plan.ts";
import { type Move, startMove } from "./moving.ts";
import { createShelf } from "./shelf.ts";

/** A new shelf is begun when beside the old one lie more alerts than the square root of all, and than this many ... */
const ASIDE_MIN = 64;
/** ... or when this part of it is empty, and that is at least this much. */
const EMPTY_SHARE = 1 / 4;
const EMPTY_MIN = 1024;
/**
 * Each call that brings changes moves so many rows to the new shelf, and so many for each change: some 10 ms, and some
 * 15 more where a large sheet is laid out.
 */
const MOVED_AT_ONCE = 4_000;
const MOVED_FOR_EACH = 32;

/**
 * An index of no alerts; their points must be snapped. `budget` and `movedAtOnce` are for tests: with them a search can
 * be made to go one way or the other, and be made in the middle of a move.
 *
 * Nearly all alerts stand on the shelf, in order. The few that come out of order (reopened, edited, or read from the
 * store in another order) lie aside, where each search tries them one by one, until the shelf is made anew with them.
 */
export function createAlertIndex({
  budget = BUDGET,
  movedAtOnce = MOVED_AT_ONCE,
}: {
  readonly budget?: Budget;
  readonly movedAtOnce?: number;
} = {}): AlertIndex & {
  /** How many searches each way answered. */
  readonly answered: Readonly<Record<Way, number>>;
} {
  const answered = { newest: 0, words: 0, together: 0, box: 0 };
  let shelf = createShelf(0);
  let isSettled = true;
  /** By key. No alert is here and on the shelf. */
  let aside = new Map<number, Row>();
  let move: Move | null = null;

  function put(alert: IndexedAlert): void {
    if (alert.publishedAt <= shelf.lastKey) {
      putRow(rowOf(alert));
      return;
    }
    // Nearly all come so, a million at a start: the vocabulary numbers their words without making each one anew.
    move?.touch(alert.publishedAt);
    shelf.add(faceOf(alert), shelf.vocabulary.idsIn(alert.texts));
  }

  function putRow(row: Row): void {
    move?.touch(row.key);
    aside.delete(row.key);
    if (row.key > shelf.lastKey) {
      shelf.add(row, row.words.map(shelf.vocabulary.idOf));
      return;
    }
    const slot = shelf.slotOf(row.key);
    if (slot !== null) {
      if (shelf.restore(slot, row)) return;
      shelf.take(slot);
    }
    aside.set(row.key, row);
  }

  function drop(key: number): void {
    move?.touch(key);
    aside.delete(key);
    const slot = shelf.slotOf(key);
    if (slot !== null) shelf.take(slot);
  }

  function settle(): void {
    if (!isSettled) shelf.settle();
    isSettled = true;
  }

  /** Makes the shelf anew, step by step, once there is reason to. */
  function tidy(rows: number): void {
    const isFarAside = aside.size > Math.max(ASIDE_MIN, Math.sqrt(shelf.length));
    const isSparse = shelf.empty >= EMPTY_MIN && shelf.empty >= shelf.length * EMPTY_SHARE;
    if (move === null && (isFarAside || isSparse)) move = startMove(shelf, aside.values());
    if (move?.step(rows) === true) moveOver(move);
  }

  /** Takes the new shelf into use, and does there what changed while it was made. */
  function moveOver({ shelf: next, touched }: Move): void {
    const changed = [...touched].sort((a, b) => a - b).map((key) => [key, rowNow(key)] as const);
    shelf = next;
    aside = new Map();
    move = null;
    for (const [key, row] of changed) {
      if (row === null) drop(key);
      else putRow(row);
    }
    shelf.settle();
  }

  function rowNow(key: number): Row | null {
    const slot = shelf.slotOf(key);
    const isThere = slot !== null && !shelf.isEmpty(slot);
    return aside.get(key) ?? (isThere ? shelf.row(slot) : null);
  }

  return {
    answered,
    get size() {
      return shelf.length - shelf.empty + aside.size;
    },

    has(key) {
      if (aside.has(key)) return true;
      const slot = shelf.slotOf(key);
      return slot !== null && !shelf.isEmpty(slot);
    },

    nearest(query) {
      settle();
      return nearestThatFit(shelf, aside.values(), query);
    },

    apply(changes, { more } = { more: false }) {
      for (const change of inOrder(changes)) {
        if (change.kind === "put") put(change.alert);
        else drop(change.publishedAt);
      }
      isSettled = false;
      tidy(Math.max(movedAtOnce, MOVED_FOR_EACH * changes.length));
      if (!more) settle();
    },

    search(query) {
      if (query.limit < 1) return [];
      settle();
      const filter = filterOf(query);
      const { slots, way } = newestThatFit(shelf, filter, query.limit, budget);
      answered[way]++;
      const keys = slots.map((slot) => shelf.columns.keys[slot]!);
      if (aside.size === 0) return keys;
      for (const row of aside.values()) if (fits(row, filter)) keys.push(row.key);
      return keys.sort((a, b) => b - a).slice(0, query.limit);
    },
  };
}

/** The last change of each key, by rising key: what comes in order can go straight on the shelf. */
function inOrder(changes: readonly IndexChange[]): readonly IndexChange[] {
  const rises = changes.every(
    (change, nth) => nth === 0 || keyOf(changes[nth - 1]!) < keyOf(change),
  );
  if (rises) return changes;
  const lastOfEach = new Map(changes.map((change) => [keyOf(change), change]));
  return [...lastOfEach.values()].sort((a, b) => keyOf(a) - keyOf(b));
}

function keyOf(change: IndexChange): number {
  return change.kind === "put" ? change.alert.publishedAt : change.publishedAt;
}
