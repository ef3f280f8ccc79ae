/**
 * Shows alerts of a list that stand together, oldest first: `WIDTH` numbers each, from `begin` to before `end`.
 */
export type VisitRun = (numbers: Int32Array, begin: number, end: number) => boolean;

/** Many growing lists of alerts in few typed arrays instead of many objects. Lists are numbered from 0. */
export type Lists = {
  /** `slot` must be greater than the list's last. */
  add(list: number, slot: number, sign: number, place: number): void;
  /** How many alerts a list holds. */
  count(list: number): number;
  /** Shows the runs of a list that hold slots below `to`, newest first, until `visit` answers false. */
  runs(list: number, to: number, visit: VisitRun): void;
};

/** A power of two: how many alerts a list has room for unused at most, and how many a walk passes over at once. */
const SLICE_MAX = 1024;
/** Numbers to an alert: slot, sign, place. */
export const WIDTH = 3;
/** Numbers to a list's head: its count, where its last slice begins, and its first alert. */
const HEAD = 2 + WIDTH;
/** Numbers to an array of the pool: 2^18, a megabyte. */
const ARRAY_BITS = 18;
const ARRAY_MAX = 2 ** ARRAY_BITS;

/**
 * A list that outgrows its head goes on in slices in a common pool. A slice is a number that tells where the slice
 * before it begins, and then alerts: 2, 4, 8, ... and from then on `SLICE_MAX` of them, so that the count tells where
 * in its slice an alert lies. The pool is many arrays, so that it grows by one more: copying a million alerts' lists
 * to a longer one takes time, and room for both.
 */
export function createLists(): Lists {
  let heads = new Int32Array(HEAD * 16);
  let last = new Int32Array(64);
  const pool = [last];
  let used = 0;

  function openSlice(head: number, size: number): void {
    const length = 1 + WIDTH * size;
    if (used + length > ARRAY_MAX) {
      last = new Int32Array(ARRAY_MAX);
      pool.push(last);
      used = 0;
    }
    // Only the first array begins small.
    if (used + length > last.length) {
      last = withRoom(last, used + length);
      pool[pool.length - 1] = last;
    }
    last[used] = heads[head + 1]!;
    heads[head + 1] = (pool.length - 1) * ARRAY_MAX + used;
    used += length;
  }

  const arrayOf = (slice: number) => pool[slice >>> ARRAY_BITS]!;
  const beginIn = (slice: number) => slice & (ARRAY_MAX - 1);

  function put(into: Int32Array, at: number, slot: number, sign: number, place: number): void {
    into[at] = slot;
    into[at + 1] = sign;
    into[at + 2] = place;
  }

  return {
    add(list, slot, sign, place) {
      const head = HEAD * list;
      heads = withRoom(heads, head + HEAD);
      const nth = heads[head]! + 1;
      heads[head] = nth;
      if (nth === 1) {
        put(heads, head + 2, slot, sign, place);
        return;
      }
      const offset = offsetInSlice(nth);
      if (offset === 0) openSlice(head, Math.min(nth, SLICE_MAX));
      const slice = heads[head + 1]!;
      put(arrayOf(slice), beginIn(slice) + 1 + WIDTH * offset, slot, sign, place);
    },

    count: (list) => heads[HEAD * list] ?? 0,

    runs(list, to, visit) {
      const head = HEAD * list;
      let left = heads[head] ?? 0;
      if (left === 0) return;
      let slice = heads[head + 1]!;
      while (left > 1) {
        const length = offsetInSlice(left) + 1;
        const numbers = arrayOf(slice);
        const begin = beginIn(slice) + 1;
        if (numbers[begin]! < to && !visit(numbers, begin, begin + WIDTH * length)) return;
        left -= length;
        slice = numbers[begin - 1]!;
      }
      if (heads[head + 2]! < to) visit(heads, head + 2, head + HEAD);
    },
  };
}

/** Where in its slice a list's `nth` alert (from 2) lies. */
function offsetInSlice(nth: number): number {
  return nth < SLICE_MAX ? nth - (1 << (31 - Math.clz32(nth))) : nth & (SLICE_MAX - 1);
}

/** The same column, or a longer copy, with room for `length` numbers. */
export function withRoom<
  Column extends Uint8Array | Uint16Array | Int32Array | Uint32Array | Float64Array,
>(column: Column, length: number): Column {
  if (length <= column.length) return column;
  const longer = new (column.constructor as new (length: number) => Column)(
    Math.max(length, Math.ceil(column.length * 1.5)),
  );
  longer.set(column);
  return longer;
}
