import { looksOf } from "../matching/matching.ts";
import { ALERT_WORDS_MAX, tokenize } from "../text/tokenize.ts";
import { searchByDistance } from "./distance-search.ts";
import { createCounter, createNewest } from "./executor.ts";
import { cellOf, pointOf } from "./grid.ts";
import { nearestMatches } from "./nearest.ts";
import { type Budget, DEFAULT_BUDGET, searchSegment } from "./plan.ts";
import { matches, organisationTerm, prepareQuery, toFilter } from "./prepared-query.ts";
import { type Compaction, createSegment, type Row, startCompaction } from "./segment.ts";
import { KIND_NAMES, kindNumber } from "./signature.ts";
import { dayOf } from "../values/day.ts";
import type { AlertIndex, AlertMark, IndexChange, IndexedAlert, IndexQuery } from "./indexes.ts";

/** Compaction starts when the overflow is larger than the square root of the segment, and than this ... */
const OVERFLOW_MIN = 64;
/** ... or when at least this fraction of the segment, and this many rows, are deleted. */
const DELETED_FRACTION = 1 / 4;
const DELETED_MIN = 1024;
/**
 * Rows compacted in each `apply`, at least, and for each change: about 10 ms, and 15 ms more when a large R-tree is
 * built.
 */
const ROWS_PER_STEP = 4_000;
const ROWS_PER_CHANGE = 32;

/**
 * Index of alerts, empty at first; their points must be snapped. `budget` and `rowsPerStep` are for tests: they force a
 * query plan, and searches during a compaction.
 *
 * Nearly all alerts are in one segment. Alerts that arrive out of order (reopened, edited, or read from the store in
 * another order) go to the overflow, which every search tests row by row, until a compaction merges them in.
 */
export function createAlertIndex({
  budget = DEFAULT_BUDGET,
  rowsPerStep = ROWS_PER_STEP,
}: {
  readonly budget?: Budget;
  readonly rowsPerStep?: number;
} = {}): AlertIndex {
  let segment = createSegment(0);
  let isFlushed = true;
  /** By key. A key is live in the overflow or in the segment, never in both. */
  let overflow = new Map<number, Row>();
  let compaction: Compaction | null = null;

  function put(alert: IndexedAlert): void {
    if (alert.publishedAt <= segment.lastKey) {
      putRow({ ...toRow(alert), terms: [...termsIn(alert.texts), ...extraTerms(alert)] });
      return;
    }
    // The usual case, a million times at start-up: the dictionary caches the term ids of each text.
    compaction?.markChanged(alert.publishedAt);
    const ids = segment.terms.idsIn(alert.texts);
    for (const term of extraTerms(alert)) ids.push(segment.terms.idOf(term));
    segment.append(toRow(alert), ids);
  }

  function putRow(row: Row): void {
    compaction?.markChanged(row.key);
    overflow.delete(row.key);
    if (row.key > segment.lastKey) {
      segment.append(row, row.terms.map(segment.terms.idOf));
      return;
    }
    const rowId = segment.find(row.key);
    if (rowId !== null) {
      if (segment.restore(rowId, row)) return;
      segment.delete(rowId);
    }
    overflow.set(row.key, row);
  }

  function drop(key: number): void {
    compaction?.markChanged(key);
    overflow.delete(key);
    const rowId = segment.find(key);
    if (rowId !== null) segment.delete(rowId);
  }

  function flush(): void {
    if (!isFlushed) segment.flush();
    isFlushed = true;
  }

  /** Starts a compaction if one is due, and continues the current one. */
  function compact(rows: number): void {
    const isOverflowLarge = overflow.size > Math.max(OVERFLOW_MIN, Math.sqrt(segment.length));
    const isSparse =
      segment.deletedCount >= DELETED_MIN &&
      segment.deletedCount >= segment.length * DELETED_FRACTION;
    if (compaction === null && (isOverflowLarge || isSparse))
      compaction = startCompaction(segment, overflow.values());
    if (compaction?.step(rows) === true) finish(compaction);
  }

  /** Switches to the compacted segment and repeats there what changed since the compaction started. */
  function finish({ segment: compacted, changedKeys }: Compaction): void {
    const changes = [...changedKeys].sort((a, b) => a - b).map((key) => [key, find(key)] as const);
    segment = compacted;
    overflow = new Map();
    compaction = null;
    for (const [key, row] of changes) {
      if (row === null) drop(key);
      else putRow(row);
    }
    segment.flush();
  }

  function find(key: number): Row | null {
    const rowId = liveRowId(key);
    return overflow.get(key) ?? (rowId === null ? null : segment.read(rowId));
  }

  function liveRowId(key: number): number | null {
    const rowId = segment.find(key);
    return rowId === null || segment.isDeleted(rowId) ? null : rowId;
  }

  function mark(key: number): AlertMark | null {
    const rowId = liveRowId(key);
    const row = overflow.get(key) ?? (rowId === null ? null : segment.placeAndKind(rowId));
    return row === null ? null : { point: pointOf(row.cell), ...KIND_NAMES[row.kind]! };
  }

  function search(query: IndexQuery): number[] {
    if (query.limit < 1) return [];
    flush();
    const filter = toFilter(query);
    const prepared = prepareQuery(segment, filter, query.limit);
    const rowIds = searchSegment(prepared, budget, createNewest).rowIds();
    const keys: number[] = [];
    for (let at = rowIds.length - 1; at >= 0; at--) keys.push(segment.columns.keys[rowIds[at]!]!);
    if (overflow.size === 0) return keys;
    for (const row of overflow.values()) if (matches(row, filter)) keys.push(row.key);
    return keys.sort((a, b) => b - a).slice(0, query.limit);
  }

  return {
    get size() {
      return segment.length - segment.deletedCount + overflow.size;
    },

    mark,

    knownTerms(terms) {
      const inOverflow = new Set(overflow.values().flatMap((row) => row.terms));
      return terms.filter((term) => segment.terms.find(term) !== null || inOverflow.has(term));
    },

    nearest(query) {
      flush();
      return nearestMatches(segment, overflow.values(), query);
    },

    apply(changes, { more } = { more: false }) {
      // Those in the order of their keys can be appended to the segment.
      for (const change of changes.toSorted((a, b) => keyOf(a) - keyOf(b))) {
        if (change.kind === "put") put(change.alert);
        else drop(change.publishedAt);
      }
      isFlushed = false;
      compact(Math.max(rowsPerStep, ROWS_PER_CHANGE * changes.length));
      if (!more) flush();
    },

    search,

    searchByDistance(query) {
      if (query.limit < 1) return [];
      flush();
      return searchByDistance(segment, overflow.values(), query);
    },

    count(query, max) {
      flush();
      const filter = toFilter({ ...query, before: undefined });
      let { count } = searchSegment(prepareQuery(segment, filter, max), budget, createCounter);
      for (const row of overflow.values()) if (count < max && matches(row, filter)) count++;
      return count;
    },

    marks: (query) => search(query).flatMap((key) => mark(key) ?? []),
  };
}

function toRow(alert: IndexedAlert): Omit<Row, "terms"> {
  return {
    key: alert.publishedAt,
    cell: cellOf(alert.point),
    kind: kindNumber(alert.species, alert.type),
    day: dayOf(alert.eventDate),
    ...looksOf(alert),
  };
}

const NO_TERMS: readonly string[] = [];

/** Terms of an alert that are not in its texts. */
function extraTerms({ organisation }: IndexedAlert): readonly string[] {
  return organisation == null ? NO_TERMS : [organisationTerm(organisation)];
}

/** Distinct terms. */
function termsIn(texts: readonly string[]): string[] {
  const terms = new Set(texts.flatMap((text) => tokenize(text, ALERT_WORDS_MAX)));
  return [...terms].slice(0, ALERT_WORDS_MAX);
}

function keyOf(change: IndexChange): number {
  return change.kind === "put" ? change.alert.publishedAt : change.publishedAt;
}
