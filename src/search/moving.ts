import type { Row } from "./filter.ts";
import { createShelf, type Shelf } from "./shelf.ts";

/**
 * A shelf made anew beside the one in use, some rows at a time: it takes seconds for a million alerts, which no request
 * shall wait for.
 */
export type Move = {
  /** Moves some more rows; true when all that the old shelf and the rows beside it hold by now is on the new shelf. */
  step(rows: number): boolean;
  /** To be told of each alert that changes meanwhile: it may have been moved already. */
  touch(key: number): void;
  readonly shelf: Shelf;
  readonly touched: ReadonlySet<number>;
};

export function startMove(old: Shelf, aside: Iterable<Row>): Move {
  const waiting = [...aside].sort((a, b) => b.key - a.key);
  const shelf = createShelf(old.length - old.empty + waiting.length);
  const touched = new Set<number>();
  let slot = 0;

  function add(row: Row): void {
    shelf.add(row, row.words.map(shelf.vocabulary.idOf));
  }

  function moveSlot(): void {
    const row = old.isEmpty(slot) ? null : old.row(slot);
    slot++;
    if (row === null) return;
    while (waiting.length > 0 && waiting.at(-1)!.key < row.key) add(waiting.pop()!);
    // It came back to its slot while it waited here.
    if (waiting.at(-1)?.key === row.key) waiting.pop();
    add(row);
  }

  return {
    shelf,
    touched,
    touch: (key) => touched.add(key),
    step(rows) {
      const end = Math.min(old.length, slot + rows);
      while (slot < end) moveSlot();
      const isDone = slot === old.length;
      while (isDone && waiting.length > 0) add(waiting.pop()!);
      shelf.settle();
      return isDone;
    },
  };
}
