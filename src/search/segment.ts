import { createPostingLists, POSTING_WIDTH, type PostingLists } from "./posting-lists.ts";
import { DELETED, isDeleted, kindOf, prefixBit } from "./signature.ts";
import { createSpatialIndex, type SpatialIndex } from "./spatial-index.ts";
import {
  createTermDictionary,
  ensureCapacity,
  type TermDictionary,
  type TermRange,
} from "./terms.ts";

/** Indexed form of an alert. */
export type Row = {
  /** `publishedAt`. */
  readonly key: number;
  readonly cell: number;
  readonly kind: number;
  /** Day of the event, in days since 1970. */
  readonly day: number;
  /** Base colours and breed groups, as in `Looks`. */
  readonly colors: number;
  readonly groups: number;
  readonly terms: readonly string[];
};

/**
 * Segment: rows as columns, ordered by key, with an index of their terms and one of their cells. A greater row id is a
 * newer alert. Rows are appended only; a deleted row stays, marked, and can be restored.
 */
export type Segment = {
  readonly columns: Columns;
  readonly spatialIndex: SpatialIndex;
  readonly terms: TermDictionary;
  /** Postings by term id. They include deleted rows. */
  readonly postingLists: PostingLists;
  /** Number of rows, deleted ones included. */
  readonly length: number;
  readonly deletedCount: number;
  /** Key of the last row; -Infinity if there is none. */
  readonly lastKey: number;
  /** Appends a row with a key greater than `lastKey` and distinct term ids. */
  append(row: Omit<Row, "terms">, termIds: readonly number[]): void;
  /** Completes the indexes. Call it once after a batch of appended rows, before a search. */
  flush(): void;
  /** First row with this key or a greater one; `length` if there is none. */
  lowerBound(key: number): number;
  /** Row with exactly this key, deleted or not, or null. */
  find(key: number): number | null;
  isDeleted(rowId: number): boolean;
  delete(rowId: number): void;
  /** Restores a row if it was deleted. Returns false, and does nothing, if the row has other contents. */
  restore(rowId: number, row: Row): boolean;
  /** Cell and kind of a row, deleted or not. */
  placeAndKind(rowId: number): Pick<Row, "cell" | "kind">;
  /** Contents of a row, deleted or not. */
  read(rowId: number): Row;
};

export type Columns = {
  keys: Float64Array;
  /** Days of the events, from 1970 to 2149. */
  days: Uint16Array;
  /** Bits of the base colours, and of the breed groups of the row's species. */
  colors: Uint16Array;
  groups: Uint32Array;
  /** Row id, signature and cell of every row: a posting list of all rows. */
  postings: Int32Array;
  /** The terms of a row are `termIds` from `termEnds[rowId - 1]` (or 0) to `termEnds[rowId]`. */
  termEnds: Uint32Array;
  termIds: Uint32Array;
};

/** `capacity`: number of rows to allocate at once. */
export function createSegment(capacity: number): Segment {
  const columns: Columns = {
    keys: new Float64Array(capacity),
    days: new Uint16Array(capacity),
    colors: new Uint16Array(capacity),
    groups: new Uint32Array(capacity),
    postings: new Int32Array(POSTING_WIDTH * capacity),
    termEnds: new Uint32Array(capacity),
    termIds: new Uint32Array(capacity),
  };
  const spatialIndex = createSpatialIndex();
  const terms = createTermDictionary();
  const postingLists = createPostingLists();
  /** Bit of each term id, 0 until it is computed. */
  let prefixBits = new Int32Array(64);
  let length = 0;
  let deletedCount = 0;

  function allocate(rows: number, termIds: number): void {
    columns.keys = ensureCapacity(columns.keys, rows);
    columns.days = ensureCapacity(columns.days, rows);
    columns.colors = ensureCapacity(columns.colors, rows);
    columns.groups = ensureCapacity(columns.groups, rows);
    columns.postings = ensureCapacity(columns.postings, POSTING_WIDTH * rows);
    columns.termEnds = ensureCapacity(columns.termEnds, rows);
    columns.termIds = ensureCapacity(columns.termIds, termIds);
  }

  function prefixBitOf(termId: number): number {
    prefixBits = ensureCapacity(prefixBits, termId + 1);
    return (prefixBits[termId] ||= prefixBit(terms.term(termId)));
  }

  function lowerBound(key: number): number {
    const { keys } = columns;
    let low = 0;
    let high = length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (keys[middle]! < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  const signatureAt = (rowId: number) => columns.postings[POSTING_WIDTH * rowId + 1]!;
  const cellAt = (rowId: number) => columns.postings[POSTING_WIDTH * rowId + 2]!;
  const kindAt = (rowId: number) => kindOf(signatureAt(rowId) & ~DELETED);
  const isDeletedAt = (rowId: number) => isDeleted(signatureAt(rowId));

  function contains(rowId: number, row: Row): boolean {
    const begin = termsBegin(columns, rowId);
    return (
      cellAt(rowId) === row.cell &&
      kindAt(rowId) === row.kind &&
      columns.days[rowId] === row.day &&
      columns.colors[rowId] === row.colors &&
      columns.groups[rowId] === row.groups >>> 0 &&
      columns.termEnds[rowId]! - begin === row.terms.length &&
      row.terms.every((term, nth) => terms.find(term) === columns.termIds[begin + nth])
    );
  }

  return {
    columns,
    spatialIndex,
    terms,
    postingLists,
    get length() {
      return length;
    },
    get deletedCount() {
      return deletedCount;
    },
    get lastKey() {
      return columns.keys[length - 1] ?? -Infinity;
    },

    append({ key, cell, kind, day, colors, groups }, termIds) {
      const rowId = length++;
      let termsEnd = termsBegin(columns, rowId);
      allocate(length, termsEnd + termIds.length);
      let signature = kind;
      for (const id of termIds) {
        columns.termIds[termsEnd++] = id;
        signature |= prefixBitOf(id);
      }
      for (const id of termIds) postingLists.add(id, rowId, signature, cell);
      columns.termEnds[rowId] = termsEnd;
      columns.keys[rowId] = key;
      columns.days[rowId] = day;
      columns.colors[rowId] = colors;
      columns.groups[rowId] = groups;
      columns.postings[POSTING_WIDTH * rowId] = rowId;
      columns.postings[POSTING_WIDTH * rowId + 1] = signature;
      columns.postings[POSTING_WIDTH * rowId + 2] = cell;
    },

    flush() {
      spatialIndex.flush(columns.postings, length);
      terms.flush();
    },

    lowerBound,
    find(key) {
      const rowId = lowerBound(key);
      return rowId < length && columns.keys[rowId] === key ? rowId : null;
    },
    isDeleted: isDeletedAt,

    delete(rowId) {
      if (isDeletedAt(rowId)) return;
      columns.postings[POSTING_WIDTH * rowId + 1] = signatureAt(rowId) | DELETED;
      deletedCount++;
    },

    restore(rowId, row) {
      if (!contains(rowId, row)) return false;
      if (isDeletedAt(rowId)) deletedCount--;
      columns.postings[POSTING_WIDTH * rowId + 1] = signatureAt(rowId) & ~DELETED;
      return true;
    },

    placeAndKind: (rowId) => ({ cell: cellAt(rowId), kind: kindAt(rowId) }),

    read(rowId) {
      const found: string[] = [];
      for (let at = termsBegin(columns, rowId); at < columns.termEnds[rowId]!; at++) {
        found.push(terms.term(columns.termIds[at]!));
      }
      return {
        key: columns.keys[rowId]!,
        cell: cellAt(rowId),
        kind: kindAt(rowId),
        day: columns.days[rowId]!,
        colors: columns.colors[rowId]!,
        groups: columns.groups[rowId]!,
        terms: found,
      };
    },
  };
}

function termsBegin({ termEnds }: Pick<Columns, "termEnds">, rowId: number): number {
  return rowId === 0 ? 0 : termEnds[rowId - 1]!;
}

/** First term id of a row that is in a range; null if there is none. */
export function firstTermIn(columns: Columns, rowId: number, range: TermRange): number | null {
  const { termEnds, termIds } = columns;
  const end = termEnds[rowId]!;
  for (let at = termsBegin(columns, rowId); at < end; at++) {
    const id = termIds[at]!;
    if (range.has(id)) return id;
  }
  return null;
}

export function hasTerm({ termEnds, termIds }: Columns, rowId: number, id: number): boolean {
  const end = termEnds[rowId]!;
  for (let at = termsBegin({ termEnds }, rowId); at < end; at++)
    if (termIds[at] === id) return true;
  return false;
}

/**
 * Compaction: builds a segment without deleted rows, and with the overflow rows in their place, a few rows at a time. It
 * takes seconds for a million alerts, and requests must not wait for it.
 */
export type Compaction = {
  /** Copies up to `rows` more rows; true once all rows of the old segment and the overflow are in the new one. */
  step(rows: number): boolean;
  /** Records a key that changed since the start: its row may have been copied already. */
  markChanged(key: number): void;
  readonly segment: Segment;
  readonly changedKeys: ReadonlySet<number>;
};

export function startCompaction(old: Segment, overflow: Iterable<Row>): Compaction {
  /** Newest first. */
  const pending = [...overflow].sort((a, b) => b.key - a.key);
  const segment = createSegment(old.length - old.deletedCount + pending.length);
  const changedKeys = new Set<number>();
  let nextRowId = 0;

  const append = (row: Row) => segment.append(row, row.terms.map(segment.terms.idOf));

  function copyNext(): void {
    const rowId = nextRowId++;
    if (old.isDeleted(rowId)) return;
    const row = old.read(rowId);
    while (pending.length > 0 && pending.at(-1)!.key < row.key) append(pending.pop()!);
    // The row was restored after the compaction started.
    if (pending.at(-1)?.key === row.key) pending.pop();
    append(row);
  }

  return {
    segment,
    changedKeys,
    markChanged: (key) => changedKeys.add(key),
    step(rows) {
      const end = Math.min(old.length, nextRowId + rows);
      while (nextRowId < end) copyNext();
      const isDone = nextRowId === old.length;
      while (isDone && pending.length > 0) append(pending.pop()!);
      segment.flush();
      return isDone;
    },
  };
}
