import { POSTING_WIDTH } from "./posting-lists.ts";
import { hasTerm, type Row, type Segment } from "./segment.ts";
import { DELETED, kindOf } from "./signature.ts";
import type { TermRange } from "./terms.ts";
import type { Alternative } from "./indexes.ts";

/** Concept of a query. Rows of its kinds match; other rows match if they match an alternative. */
export type ConceptFilter = {
  /** Bit mask; 0 for none. */
  readonly kinds: number;
  readonly alternatives: readonly Alternative[];
};

/** Concept in the term ids of a segment. Rows match that have one of `terms` (null: any row) and pass `test`. */
type PreparedConcept = {
  readonly terms: TermRange | null;
  readonly test: ((rowId: number) => boolean) | null;
};

/** `kinds`: bit mask of the kinds that the query accepts. */
export function prepareConcept(
  segment: Segment,
  concept: ConceptFilter,
  kinds: number,
): PreparedConcept {
  const { columns } = segment;
  const ownKinds = concept.kinds & kinds;
  if (ownKinds !== 0 && ownKinds === kinds) return { terms: null, test: null };
  const alternatives = concept.alternatives
    .map((each) => alternativeIn(segment, each))
    .filter((each) => each !== null);
  const terms = rangeOf(alternatives.map(({ rarest }) => rarest));
  const matches = (rowId: number) =>
    alternatives.some(
      ({ all, none }) =>
        all.every((id) => hasTerm(columns, rowId, id)) &&
        !none.some((id) => hasTerm(columns, rowId, id)),
    );
  if (ownKinds !== 0) {
    const kindAt = (rowId: number) =>
      kindOf(columns.postings[POSTING_WIDTH * rowId + 1]! & ~DELETED);
    return {
      terms: null,
      test: (rowId) => ((ownKinds >> kindAt(rowId)) & 1) === 1 || matches(rowId),
    };
  }
  const isSimple = alternatives.every(({ all, none }) => all.length === 1 && none.length === 0);
  return { terms, test: isSimple ? null : matches };
}

/** Tests a row outside the segment. */
export function matchesConcept(row: Row, { kinds, alternatives }: ConceptFilter): boolean {
  return (
    ((kinds >> row.kind) & 1) === 1 ||
    alternatives.some(
      ({ all, none }) =>
        all.every((term) => row.terms.includes(term)) &&
        !none.some((term) => row.terms.includes(term)),
    )
  );
}

/** Term ids of an alternative, and the rarest of those that a row must have; null if the segment lacks one of these. */
function alternativeIn({ terms, postingLists }: Segment, { all, none }: Alternative) {
  const ids: number[] = [];
  for (const term of all) {
    const id = terms.find(term);
    if (id === null) return null;
    ids.push(id);
  }
  const rarest = ids.reduce((a, b) => (postingLists.count(b) < postingLists.count(a) ? b : a));
  return { all: ids, none: none.flatMap((term) => terms.find(term) ?? []), rarest };
}

/** Range of single terms. */
function rangeOf(termIds: readonly number[]): TermRange {
  const ids = new Set(termIds);
  return {
    size: ids.size,
    has: (id) => ids.has(id),
    each(visit) {
      for (const id of ids) if (!visit(id)) return;
    },
  };
}
