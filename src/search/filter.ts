import { ALERT_TYPES, type AlertType, SPECIES, type Species } from "../core/alert.ts";
import { dayOf } from "../core/duration.ts";
import type { IndexedAlert, IndexQuery } from "../core/ports.ts";
import { ALERT_WORDS_MAX, wordsOf } from "../core/words.ts";
import { type Circle, circleAround, placeOf } from "./grid.ts";

/** What the index keeps of an alert beside its words. */
export type Face = {
  /** `publishedAt`. */
  readonly key: number;
  readonly place: number;
  /** Species and type in one number, from 0 to `KINDS` - 1. */
  readonly kind: number;
  /** Of the event, in days since 1970. */
  readonly day: number;
};

/** An alert as the index keeps it. */
export type Row = Face & { readonly words: readonly string[] };

export const KINDS = SPECIES.length * ALERT_TYPES.length;

export function faceOf(alert: IndexedAlert): Face {
  return {
    key: alert.publishedAt,
    place: placeOf(alert.point),
    kind: kindOf(alert.species, alert.type),
    day: dayOf(alert.eventDate),
  };
}

export function rowOf(alert: IndexedAlert): Row {
  return { ...faceOf(alert), words: wordsIn(alert.texts) };
}

/** Each word once. */
function wordsIn(texts: readonly string[]): string[] {
  const words: string[] = [];
  for (const text of texts) {
    for (const word of wordsOf(text, ALERT_WORDS_MAX)) {
      if (words.length < ALERT_WORDS_MAX && !words.includes(word)) words.push(word);
    }
  }
  return words;
}

/** Species and type in one number. */
export function kindOf(species: Species, type: AlertType): number {
  return SPECIES.indexOf(species) * ALERT_TYPES.length + ALERT_TYPES.indexOf(type);
}

/** A query in the terms of rows. */
export type Filter = {
  /** Bit `kind` is set for each kind that fits. */
  readonly kinds: number;
  readonly circle: Circle | null;
  readonly words: readonly string[];
  /** Keys in [since, before). */
  readonly since: number;
  readonly before: number;
};

export function filterOf(query: IndexQuery): Filter {
  let kinds = 0;
  for (const species of query.species === null ? SPECIES : [query.species]) {
    for (const type of query.type === null ? ALERT_TYPES : [query.type]) {
      kinds |= 1 << kindOf(species, type);
    }
  }
  return {
    kinds,
    circle: query.near === null ? null : circleAround(query.near.point, query.near.radiusKm),
    words: query.words,
    since: query.since ?? -Infinity,
    before: query.before ?? Infinity,
  };
}

/** Whether a row fits, by trying everything: for the few rows that no shelf holds. */
export function fits(row: Row, filter: Filter): boolean {
  return (
    row.key >= filter.since &&
    row.key < filter.before &&
    ((filter.kinds >> row.kind) & 1) === 1 &&
    (filter.circle === null || filter.circle.covers(row.place)) &&
    filter.words.every((begin) => row.words.some((word) => word.startsWith(begin)))
  );
}
