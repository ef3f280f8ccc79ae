import { ALERT_WORDS_MAX, tokenize } from "../text/tokenize.ts";

/** Term dictionary: every distinct term of a segment with its id, searchable by prefix. */
export type TermDictionary = {
  /** Id of a term, from 0; a new term gets the next id. */
  idOf(term: string): number;
  /** Ids of the terms in an alert's texts, each once. */
  idsIn(texts: readonly string[]): number[];
  /** Id of a term, or null if no row ever had it. */
  find(term: string): number | null;
  term(id: number): string;
  /** Sorts new terms in. Call it once after a batch of additions. */
  flush(): void;
  /** Terms with a prefix. Valid until terms are added. */
  withPrefix(prefix: string): TermRange;
};

/** Ids of the terms that have a prefix. */
export type TermRange = {
  readonly size: number;
  has(id: number): boolean;
  /** Visits the ids until `visit` returns false. */
  each(visit: (id: number) => boolean): void;
};

/** New terms that may remain unsorted: sorting them in takes a pass over all terms. */
const UNSORTED_MAX = 256;
const UNSORTED = 0xffffffff;
/** Texts cached until the next flush: alerts that are loaded together share many breeds, colours and towns. */
const TEXTS_MAX = 100_000;

export function createTermDictionary(): TermDictionary {
  const ids = new Map<string, number>();
  const terms: string[] = [];
  /** Ids of the first `sorted` terms in alphabetical order, and the rank of each id in that order. */
  let sortedIds = new Uint32Array(0);
  let ranks = new Uint32Array(64);
  let sorted = 0;
  /** Term ids of each text since the last flush. */
  const idsByText = new Map<string, readonly number[]>();

  function idOf(term: string): number {
    const known = ids.get(term);
    if (known !== undefined) return known;
    const id = terms.push(term) - 1;
    ids.set(term, id);
    ranks = ensureCapacity(ranks, id + 1);
    ranks[id] = UNSORTED;
    return id;
  }

  function tokenizeAndCache(text: string): readonly number[] {
    const termIds = tokenize(text, ALERT_WORDS_MAX).map(idOf);
    if (idsByText.size === TEXTS_MAX) idsByText.clear();
    idsByText.set(text, termIds);
    return termIds;
  }

  /** Merges the new terms, sorted, into the sorted ones. */
  function mergeUnsorted(): void {
    const fresh = terms.slice(sorted).sort();
    const merged = new Uint32Array(terms.length);
    let nextOld = 0;
    let nextFresh = 0;
    for (let rank = 0; rank < merged.length; rank++) {
      const isOld =
        nextFresh === fresh.length ||
        (nextOld < sorted && terms[sortedIds[nextOld]!]! < fresh[nextFresh]!);
      const id = isOld ? sortedIds[nextOld++]! : ids.get(fresh[nextFresh++]!)!;
      merged[rank] = id;
      ranks[id] = rank;
    }
    sortedIds = merged;
    sorted = merged.length;
  }

  /** First rank at which `isBefore`, true for a leading part of the sorted terms, is false (binary search). */
  function lowerBound(isBefore: (term: string) => boolean): number {
    let low = 0;
    let high = sorted;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isBefore(terms[sortedIds[middle]!]!)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  return {
    idOf,

    idsIn(texts) {
      const found: number[] = [];
      for (const text of texts) {
        for (const id of idsByText.get(text) ?? tokenizeAndCache(text)) {
          if (found.length < ALERT_WORDS_MAX && !found.includes(id)) found.push(id);
        }
      }
      return found;
    },

    find: (term) => ids.get(term) ?? null,
    term: (id) => terms[id]!,

    flush() {
      idsByText.clear();
      if (terms.length - sorted > UNSORTED_MAX) mergeUnsorted();
    },

    withPrefix(prefix) {
      const first = lowerBound((term) => term < prefix);
      const end = lowerBound((term) => term < prefix || term.startsWith(prefix));
      const fresh: number[] = [];
      for (let id = sorted; id < terms.length; id++) {
        if (terms[id]!.startsWith(prefix)) fresh.push(id);
      }
      const currentRanks = ranks;
      return {
        size: end - first + fresh.length,
        has(id) {
          const rank = currentRanks[id]!;
          return rank === UNSORTED ? fresh.includes(id) : rank >= first && rank < end;
        },
        each(visit) {
          for (const id of fresh) if (!visit(id)) return;
          for (let rank = first; rank < end; rank++) if (!visit(sortedIds[rank]!)) return;
        },
      };
    },
  };
}

/** The same array, or a longer copy with room for `length` numbers. */
export function ensureCapacity<
  Column extends Uint8Array | Uint16Array | Int32Array | Uint32Array | Float64Array,
>(column: Column, length: number): Column {
  if (length <= column.length) return column;
  const longer = new (column.constructor as new (length: number) => Column)(
    Math.max(length, Math.ceil(column.length * 1.5)),
  );
  longer.set(column);
  return longer;
}
