import { ensureCapacity } from "./terms.ts";

/**
 * Integers in a posting: row id, signature and cell of a row. Signature and cell are copies, so that most rows are
 * rejected without a second memory access. Copies do not say if the row was deleted since.
 */
export const POSTING_WIDTH = 3;

/** Receives consecutive postings, `numbers` from `begin` to before `end`, oldest first. False ends the iteration. */
export type PostingVisitor = (numbers: Int32Array, begin: number, end: number) => boolean;

/** Posting lists, numbered from 0, in a few typed arrays instead of many objects. */
export type PostingLists = {
  /** Appends a posting; `rowId` must be greater than the last one of the list. */
  add(list: number, rowId: number, signature: number, cell: number): void;
  /** Length of a list. */
  count(list: number): number;
  /** Visits the chunks of a list that contain row ids below `to`, newest chunk first. */
  visitChunks(list: number, to: number, visit: PostingVisitor): void;
};

/** Postings in the largest chunks. A power of two. */
const CHUNK_MAX = 1024;
/** Integers in a list's header: its length, the address of its last chunk, and its first posting. */
const HEADER = 2 + POSTING_WIDTH;
/** Integers in a slab: 2^18, a megabyte. */
const SLAB_BITS = 18;
const SLAB_MAX = 2 ** SLAB_BITS;

/**
 * Slab allocator. The first posting of a list is in its header, the others are in chunks of 2, 4, 8, ... up to
 * `CHUNK_MAX` postings, so that the length of a list gives the position in its last chunk. Each chunk begins with the
 * address of the chunk before it. Slabs are added and never copied: copying the lists of a million alerts would take
 * time, and memory for both copies.
 */
export function createPostingLists(): PostingLists {
  let headers = new Int32Array(HEADER * 16);
  let lastSlab = new Int32Array(64);
  const slabs = [lastSlab];
  let used = 0;

  function allocateChunk(header: number, size: number): void {
    const length = 1 + POSTING_WIDTH * size;
    if (used + length > SLAB_MAX) {
      lastSlab = new Int32Array(SLAB_MAX);
      slabs.push(lastSlab);
      used = 0;
    }
    // Only the first slab starts small.
    if (used + length > lastSlab.length) {
      lastSlab = ensureCapacity(lastSlab, used + length);
      slabs[slabs.length - 1] = lastSlab;
    }
    lastSlab[used] = headers[header + 1]!;
    headers[header + 1] = (slabs.length - 1) * SLAB_MAX + used;
    used += length;
  }

  const slabOf = (chunk: number) => slabs[chunk >>> SLAB_BITS]!;
  const offsetOf = (chunk: number) => chunk & (SLAB_MAX - 1);

  return {
    add(list, rowId, signature, cell) {
      const header = HEADER * list;
      headers = ensureCapacity(headers, header + HEADER);
      const nth = headers[header]! + 1;
      headers[header] = nth;
      let numbers = headers;
      let at = header + 2;
      if (nth > 1) {
        const index = indexInChunk(nth);
        if (index === 0) allocateChunk(header, Math.min(nth, CHUNK_MAX));
        const chunk = headers[header + 1]!;
        numbers = slabOf(chunk);
        at = offsetOf(chunk) + 1 + POSTING_WIDTH * index;
      }
      numbers[at] = rowId;
      numbers[at + 1] = signature;
      numbers[at + 2] = cell;
    },

    count: (list) => headers[HEADER * list] ?? 0,

    visitChunks(list, to, visit) {
      const header = HEADER * list;
      let left = headers[header] ?? 0;
      if (left === 0) return;
      let chunk = headers[header + 1]!;
      while (left > 1) {
        const length = indexInChunk(left) + 1;
        const numbers = slabOf(chunk);
        const begin = offsetOf(chunk) + 1;
        if (numbers[begin]! < to && !visit(numbers, begin, begin + POSTING_WIDTH * length)) return;
        left -= length;
        chunk = numbers[begin - 1]!;
      }
      if (headers[header + 2]! < to) visit(headers, header + 2, header + HEADER);
    },
  };
}

/** Index within its chunk of a list's `nth` posting, from 2. */
function indexInChunk(nth: number): number {
  return nth < CHUNK_MAX ? nth - (1 << (31 - Math.clz32(nth))) : nth & (CHUNK_MAX - 1);
}
