import type { AlertIndex, IndexChange, IndexedAlert } from "../core/ports.ts";
import { filterOf, fits, kindOf, type Row, rowOf } from "./filter.ts";
import { nearestKeys } from "./nearest.ts";
import { BUDGET, type Budget, newestThatFit, type Way } from "./plan.ts";
import { createShelf, type Shelf } from "./shelf.ts";

/** Beside the shelf lie at most as many alerts as the square root of all, or this many, when a search is made. */
const ASIDE_MIN = 64;
/** Changes make a new shelf when of the old one this part is empty, or as much lies beside it ... */
const SPARE_SHARE = 1 / 4;
/** ... and that is at least this much. */
const SPARE_MIN = 1024;

/**
 * An index of no alerts; their points must be snapped. `budget` is for tests: with it a search can be made to go one
 * way or the other.
 *
 * Nearly all alerts stand on the shelf, in order. The few that come out of order (reopened, edited, or read from the
 * store in another order) lie aside, where each search tries them one by one, until the shelf is made anew with them.
 */
export function createAlertIndex({
  budget = BUDGET,
}: {
  readonly budget?: Budget;
} = {}): AlertIndex & {
  /** How many searches each way answered. */
  readonly answered: Readonly<Record<Way, number>>;
} {
  const answered = { newest: 0, words: 0, box: 0 };
  let shelf = createShelf(0);
  /** By key. No alert is here and on the shelf. */
  let aside = new Map<number, Row>();

  function put(alert: IndexedAlert): void {
    const row = rowOf(alert);
    aside.delete(row.key);
    if (row.key > shelf.lastKey) {
      shelf.add(row);
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
    aside.delete(key);
    const slot = shelf.slotOf(key);
    if (slot !== null) shelf.take(slot);
  }

  function tidy(): void {
    shelf = shelfOf(shelf, [...aside.values()]);
    aside = new Map();
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

    nearest(centre, radiusKm, species, type, limit) {
      const kind = kindOf(species, type);
      return nearestKeys(shelf, aside.values(), { centre, radiusKm, kind, limit });
    },

    apply(changes) {
      for (const change of inOrder(changes)) {
        if (change.kind === "put") put(change.alert);
        else drop(change.publishedAt);
      }
      shelf.settle();
      const spare = Math.max(shelf.empty, aside.size);
      if (spare >= SPARE_MIN && spare >= shelf.length * SPARE_SHARE) tidy();
    },

    search(query) {
      if (query.limit < 1) return [];
      if (aside.size > Math.max(ASIDE_MIN, Math.sqrt(shelf.length))) tidy();
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

/** A new shelf with what the old one holds and the rows that lay aside. */
function shelfOf(old: Shelf, aside: readonly Row[]): Shelf {
  const shelf = createShelf(old.length - old.empty + aside.length);
  const waiting = aside.toSorted((a, b) => b.key - a.key);
  for (let slot = 0; slot < old.length; slot++) {
    if (old.isEmpty(slot)) continue;
    const row = old.row(slot);
    while (waiting.length > 0 && waiting.at(-1)!.key < row.key) shelf.add(waiting.pop()!);
    shelf.add(row);
  }
  while (waiting.length > 0) shelf.add(waiting.pop()!);
  shelf.settle();
  return shelf;
}
