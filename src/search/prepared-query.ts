import { ALERT_TYPES, type AlertType, SPECIES, type Species } from "../core/alerts/alert.ts";
import type { IndexQuery } from "../core/ports.ts";
import { type ConceptFilter, matchesConcept, prepareConcept } from "./concept.ts";
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
  /** Ranges of terms, each of which has a term of a matching row; rarest first. */
  readonly prefixes: readonly PreparedPrefix[];
  /** Further conditions on a row, which the ranges of the concepts leave open. */
  readonly exactTests: readonly ((rowId: number) => boolean)[];
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
  const concepts = filter.concepts.map((concept) => prepareConcept(segment, concept, filter.kinds));
  const prefixes = [
    ...filter.prefixes.map((prefix) =>
      prepareRange(segment, segment.terms.withPrefix(prefix), prefixBit(prefix) !== 0),
    ),
    ...concepts.flatMap(({ terms }) =>
      terms === null ? [] : [prepareRange(segment, terms, false)],
    ),
  ];
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
    exactTests: concepts.flatMap(({ test }) => test ?? []),
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

/** `hasBit`: all terms of the range have the bit of its prefix in their signature. */
function prepareRange(
  { postingLists, length }: Segment,
  range: TermRange,
  hasBit: boolean,
): PreparedPrefix {
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
    signatureSelectivity: hasBit ? selectivity + (1 - selectivity) * FALSE_POSITIVES : 1,
  };
}

/** Query in the units of the index, for any segment. */
export type Filter = {
  /** Bit mask of the matching kinds. */
  readonly kinds: number;
  readonly circle: Circle | null;
  /** Each must be a prefix of one of the row's terms. */
  readonly prefixes: readonly string[];
  readonly concepts: readonly ConceptFilter[];
  /** Keys in [since, before). */
  readonly since: number;
  readonly before: number;
};

export function toFilter(query: IndexQuery): Filter {
  return {
    kinds: kindMask(query.species, query.type),
    circle: query.near === null ? null : circleAround(query.near.point, query.near.radiusKm),
    prefixes: query.words,
    concepts: (query.concepts ?? []).map(({ species, alternatives }) => ({
      kinds: species === null ? 0 : kindMask(species, null),
      alternatives,
    })),
    since: query.since ?? -Infinity,
    before: query.before ?? Infinity,
  };
}

/** Bit mask of the kinds of a species and type; null for all. */
function kindMask(species: Species | null, type: AlertType | null): number {
  let kinds = 0;
  for (const one of species === null ? SPECIES : [species]) {
    for (const other of type === null ? ALERT_TYPES : [type]) kinds |= 1 << kindNumber(one, other);
  }
  return kinds;
}

/** Tests a row without any index: for the few rows outside the segment. */
export function matches(row: Row, filter: Filter): boolean {
  return (
    row.key >= filter.since &&
    row.key < filter.before &&
    ((filter.kinds >> row.kind) & 1) === 1 &&
    (filter.circle === null || filter.circle.covers(row.cell)) &&
    filter.prefixes.every((prefix) => row.terms.some((term) => term.startsWith(prefix))) &&
    filter.concepts.every((concept) => matchesConcept(row, concept))
  );
}
