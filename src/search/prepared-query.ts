import { type BreedGroup, colorBit, groupBit, speciesOf } from "../matching/matching.ts";
import { type ConceptFilter, matchesConcept, prepareConcept } from "./concept.ts";
import { type Circle, circleAround } from "./grid.ts";
import type { Row, Segment } from "./segment.ts";
import { kindNumber, prefixBit } from "./signature.ts";
import type { TermRange } from "./terms.ts";
import { ALERT_TYPES, type AlertType, type Species, SPECIES } from "../values/animal.ts";
import type { IndexQuery } from "./indexes.ts";

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
  /** Bits that a matching row has in its signature, all of them. */
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
  /** A row with one of the terms has one of these bits in its signature; 0 if that is not known. */
  readonly bits: number;
  /** Estimated fraction of all rows whose signature has the bit, if it is one. */
  readonly signatureSelectivity: number;
};

/** False positive rate of a signature bit: rows without the prefix that have its bit for another term. */
const FALSE_POSITIVES = 1 / 5;

/** The estimates take kinds and prefixes to be independent of each other. */
export function prepareQuery(segment: Segment, filter: Filter, limit: number): PreparedQuery {
  const concepts = filter.concepts.map((concept) => prepareConcept(segment, concept, filter.kinds));
  const prefixes = [
    ...filter.prefixes.map((prefix) =>
      prepareRange(segment, segment.terms.withPrefix(prefix), prefixBit(prefix)),
    ),
    ...concepts.flatMap(({ terms }) =>
      terms === null ? [] : [prepareRange(segment, terms, bitsOf(segment, terms))],
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
    prefixBits: prefixes.reduce((all, { bits }) => (isOneBit(bits) ? all | bits : all), 0),
    prefixes: prefixes.sort((a, b) => a.count - b.count),
    exactTests: [...lookTests(segment, filter), ...concepts.flatMap(({ test }) => test ?? [])],
    kindSelectivity,
    signatureSelectivity: prefixes.reduce(
      (product, prefix) => product * prefix.signatureSelectivity,
      kindSelectivity,
    ),
    selectivity: prefixes.reduce(
      (product, prefix) => product * prefix.selectivity,
      kindSelectivity * lookSelectivity(filter),
    ),
  };
}

function lookTests({ columns }: Segment, { color, group }: Filter): ((rowId: number) => boolean)[] {
  if (color === 0 && group === 0) return [];
  return [
    (rowId) => hasBits(columns.colors[rowId]!, color) && hasBits(columns.groups[rowId]!, group),
  ];
}

/** Rough fraction of the rows that have a colour, and of those of a species that have a group. */
const COLOR_SELECTIVITY = 1 / 4;
const GROUP_SELECTIVITY = 1 / 16;

function lookSelectivity({ color, group }: Filter): number {
  return (color === 0 ? 1 : COLOR_SELECTIVITY) * (group === 0 ? 1 : GROUP_SELECTIVITY);
}

function prepareRange(
  { postingLists, length }: Segment,
  range: TermRange,
  bits: number,
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
    bits,
    signatureSelectivity: isOneBit(bits) ? selectivity + (1 - selectivity) * FALSE_POSITIVES : 1,
  };
}

/** Signature bits of single terms; 0 if one of them has none. */
function bitsOf({ terms }: Segment, range: TermRange): number {
  let bits = 0;
  range.each((id) => {
    const bit = prefixBit(terms.term(id));
    bits = bit === 0 ? 0 : bits | bit;
    return bit !== 0;
  });
  return bits;
}

const isOneBit = (bits: number) => bits !== 0 && (bits & (bits - 1)) === 0;

/** Query in the units of the index, for any segment. */
type Filter = {
  /** Bit mask of the matching kinds. */
  readonly kinds: number;
  readonly circle: Circle | null;
  /** Each must be a prefix of one of the row's terms. */
  readonly prefixes: readonly string[];
  readonly concepts: readonly ConceptFilter[];
  /** Bits of a colour and of a breed group, 0 for any. Of the group's species are all `kinds`. */
  readonly color: number;
  readonly group: number;
  /** Keys in [since, before). */
  readonly since: number;
  readonly before: number;
};

export function toFilter(query: Omit<IndexQuery, "limit">): Filter {
  return {
    kinds: kindMask(query.species, query.type) & kindsOf(query.breedGroup),
    color: query.color === undefined ? 0 : colorBit(query.color),
    group: query.breedGroup === undefined ? 0 : groupBit(query.breedGroup),
    circle: query.near === undefined ? null : circleAround(query.near.point, query.near.radiusKm),
    prefixes: query.words ?? [],
    concepts: conceptsOf(query),
    since: query.since ?? -Infinity,
    before: query.before ?? Infinity,
  };
}

function conceptsOf({ concepts = [], organisation }: Omit<IndexQuery, "limit">): ConceptFilter[] {
  const named = concepts.map(({ species, alternatives }) => ({
    kinds: species === null ? 0 : kindMask(species),
    alternatives,
  }));
  if (organisation === undefined) return named;
  return [
    ...named,
    { kinds: 0, alternatives: [{ all: [organisationTerm(organisation)], none: [] }] },
  ];
}

/** Term of the alerts of an organisation. No word of a text has its first character. */
export function organisationTerm(slug: string): string {
  return `@${slug}`;
}

/** Bit mask of the kinds that a breed group can have; all without one. */
function kindsOf(group: BreedGroup | undefined): number {
  return group === undefined ? -1 : kindMask(speciesOf(group));
}

/** Bit mask of the kinds of a species and type; absent for all. */
function kindMask(species?: Species, type?: AlertType): number {
  let kinds = 0;
  for (const one of species === undefined ? SPECIES : [species]) {
    for (const other of type === undefined ? ALERT_TYPES : [type])
      kinds |= 1 << kindNumber(one, other);
  }
  return kinds;
}

const hasBits = (bits: number, wanted: number) => (bits & wanted) === wanted;

/** Tests a row without any index: for the few rows outside the segment. */
export function matches(row: Row, filter: Filter): boolean {
  return (
    row.key >= filter.since &&
    row.key < filter.before &&
    ((filter.kinds >> row.kind) & 1) === 1 &&
    hasBits(row.colors, filter.color) &&
    hasBits(row.groups, filter.group) &&
    (filter.circle === null || filter.circle.covers(row.cell)) &&
    filter.prefixes.every((prefix) => row.terms.some((term) => term.startsWith(prefix))) &&
    filter.concepts.every((concept) => matchesConcept(row, concept))
  );
}
