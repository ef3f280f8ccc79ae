import { ALERT_TYPES, SPECIES } from "../core/alerts/alert.ts";
import type { IndexQuery } from "../core/ports.ts";
import { type Circle, circleAround } from "./grid.ts";
import type { Row, Segment } from "./segment.ts";
import { kindNumber, prefixBit } from "./signature.ts";
import type { TermRange } from "./terms.ts";

/** Query prepared for a segment: its filter in row ids and term ids, with selectivity estimates for the planner. */
export type PreparedQuery = {
  readonly segment: Segment;
  readonly limit: number;
  /** Row ids in [from, to) have a key in the requested period. */
  readonly from: number;
  readonly to: number;
  /** As in `Filter`. */
  readonly kinds: number;
  readonly circle: Circle | null;
  /** Bits that a matching row has in its signature. */
  readonly prefixBits: number;
  /** Rarest first. */
  readonly prefixes: readonly PreparedPrefix[];
  /** Estimated fraction of all rows that have one of the kinds. */
  readonly kindSelectivity: number;
  /** Estimated fraction whose signature matches. */
  readonly signatureSelectivity: number;
  /** Estimated fraction that matches in everything but place and time. */
  readonly selectivity: number;
};

export type PreparedPrefix = {
  readonly terms: TermRange;
  /** Postings of the terms, at most the number of rows; a row with two of the terms counts twice. */
  readonly count: number;
  /** Estimated fraction of all rows that have one of the terms. */
  readonly selectivity: number;
  /** Estimated fraction of all rows whose signature has the bit of the prefix. */
  readonly signatureSelectivity: number;
};

/** False positive rate of a signature bit: rows without the prefix that have its bit for another term. */
const FALSE_POSITIVES = 1 / 5;

/** The estimates take kinds and prefixes to be independent of each other. */
export function prepareQuery(segment: Segment, filter: Filter, limit: number): PreparedQuery {
  const prefixes = filter.prefixes.map((prefix) => preparePrefix(segment, prefix));
  const kindSelectivity = segment.spatialIndex.kindSelectivity(filter.kinds);
  return {
    segment,
    limit,
    from: segment.lowerBound(filter.since),
    to: segment.lowerBound(filter.before),
    kinds: filter.kinds,
    circle: filter.circle,
    prefixBits: filter.prefixes.reduce((bits, prefix) => bits | prefixBit(prefix), 0),
    prefixes: prefixes.sort((a, b) => a.count - b.count),
    kindSelectivity,
    signatureSelectivity: prefixes.reduce(
      (product, prefix) => product * prefix.signatureSelectivity,
      kindSelectivity,
    ),
    selectivity: prefixes.reduce(
      (product, prefix) => product * prefix.selectivity,
      kindSelectivity,
    ),
  };
}

function preparePrefix({ terms, postingLists, length }: Segment, prefix: string): PreparedPrefix {
  const range = terms.withPrefix(prefix);
  let count = 0;
  range.each((term) => {
    count += postingLists.count(term);
    return count < length;
  });
  count = Math.min(count, length);
  const selectivity = count / Math.max(1, length);
  return {
    terms: range,
    count,
    selectivity,
    signatureSelectivity:
      prefixBit(prefix) === 0 ? 1 : selectivity + (1 - selectivity) * FALSE_POSITIVES,
  };
}

/** Query in the units of the index, for any segment. */
export type Filter = {
  /** Bit mask of the matching kinds. */
  readonly kinds: number;
  readonly circle: Circle | null;
  /** Each must be a prefix of one of the row's terms. */
  readonly prefixes: readonly string[];
  /** Keys in [since, before). */
  readonly since: number;
  readonly before: number;
};

export function toFilter(query: Omit<IndexQuery, "limit">): Filter {
  let kinds = 0;
  for (const species of query.species === null ? SPECIES : [query.species]) {
    for (const type of query.type === null ? ALERT_TYPES : [query.type]) {
      kinds |= 1 << kindNumber(species, type);
    }
  }
  return {
    kinds,
    circle: query.near === null ? null : circleAround(query.near.point, query.near.radiusKm),
    prefixes: query.words,
    since: query.since ?? -Infinity,
    before: query.before ?? Infinity,
  };
}

/** Tests a row without any index: for the few rows outside the segment. */
export function matches(row: Row, filter: Filter): boolean {
  return (
    row.key >= filter.since &&
    row.key < filter.before &&
    ((filter.kinds >> row.kind) & 1) === 1 &&
    (filter.circle === null || filter.circle.covers(row.cell)) &&
    filter.prefixes.every((prefix) => row.terms.some((term) => term.startsWith(prefix)))
  );
}
