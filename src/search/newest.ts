/** The greatest of the numbers offered, at most `limit`. Slots rise with publication, so of slots: the newest. */
export type Newest = {
  /** Each number may be offered once. */
  offer(slot: number): void;
  /** Whether `limit` numbers are in. */
  isFull(): boolean;
  /** The least number that can still enter. */
  floor(): number;
  /** What is in, greatest first. */
  slots(): number[];
};

/** `limit` is at least 1; `from` is the least number that may enter at all. */
export function createNewest(limit: number, from: number): Newest {
  // A binary heap, the least number on top.
  const heap: number[] = [];

  function riseFromEnd(slot: number): void {
    let at = heap.length;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (heap[parent]! <= slot) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = slot;
  }

  function sinkFromTop(slot: number): void {
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && heap[child + 1]! < heap[child]!) child++;
      if (heap[child]! >= slot) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = slot;
  }

  const isFull = () => heap.length >= limit;
  const floor = () => (isFull() ? heap[0]! + 1 : from);

  return {
    offer(slot) {
      if (slot < floor()) return;
      if (isFull()) sinkFromTop(slot);
      else riseFromEnd(slot);
    },
    isFull,
    floor,
    slots: () => heap.toSorted((a, b) => b - a),
  };
}
