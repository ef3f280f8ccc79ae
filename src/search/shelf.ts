import { type Atlas, createAtlas } from "./atlas.ts";
import { type Beginnings, createBeginnings } from "./beginnings.ts";
import type { Face, Row } from "./filter.ts";
import { createLists, type Lists, WIDTH, withRoom } from "./lists.ts";
import { firstWordIn } from "./scan.ts";
import { EMPTY, kindIn, signOf } from "./sign.ts";
import { createVocabulary, type Vocabulary } from "./vocabulary.ts";

/**
 * Alerts in the order of their keys, as columns: an alert is a slot, a greater slot is a newer alert. Rows are only
 * added at the newer end; an alert that goes leaves its slot empty behind, for itself to come back to.
 */
export type Shelf = {
  readonly columns: Columns;
  readonly atlas: Atlas;
  readonly vocabulary: Vocabulary;
  /** For each word of the vocabulary the alerts that have or had it. */
  readonly slotsByWord: Lists;
  readonly beginnings: Beginnings;
  /** How many slots there are, in use or left empty. */
  readonly length: number;
  readonly empty: number;
  /** The key of the last slot; -Infinity when there is none. */
  readonly lastKey: number;
  /** Adds an alert with a key greater than `lastKey` and its words, by their numbers, each once. */
  add(face: Face, words: readonly number[]): void;
  /** To be called after rows were added, once for many, before anything is searched. */
  settle(): void;
  /** The first slot whose key is at least this one, or `length`. */
  slotFrom(key: number): number;
  /** The slot of exactly this key, in use or empty, or null. */
  slotOf(key: number): number | null;
  isEmpty(slot: number): boolean;
  /** Leaves a slot empty. */
  take(slot: number): void;
  /** Puts a row back into its empty slot or keeps it in its full one. False when it is not what the slot held. */
  restore(slot: number, row: Row): boolean;
  /** What a slot holds or held. */
  row(slot: number): Row;
};

export type Columns = {
  keys: Float64Array;
  /** The day of the event, from 1970 to 2149. */
  days: Uint16Array;
  /** `WIDTH` numbers for each slot, as in a list: slot, sign, place. */
  faces: Int32Array;
  /** A slot's words are `words` from `wordEnds[slot - 1]` (or 0) to `wordEnds[slot]`. */
  wordEnds: Uint32Array;
  words: Uint32Array;
};

/** `capacity`: how many rows to make room for at once. */
export function createShelf(capacity: number): Shelf {
  const columns: Columns = {
    keys: new Float64Array(capacity),
    days: new Uint16Array(capacity),
    faces: new Int32Array(WIDTH * capacity),
    wordEnds: new Uint32Array(capacity),
    words: new Uint32Array(capacity),
  };
  const atlas = createAtlas();
  const vocabulary = createVocabulary();
  const slotsByWord = createLists();
  const beginnings = createBeginnings(
    slotsByWord,
    (slot, words) => firstWordIn(columns, slot, words) !== null,
  );
  /** Of each word, once it was worked out. */
  let signs = new Int32Array(64);
  let length = 0;
  let empty = 0;

  function makeRoom(slots: number, words: number): void {
    columns.keys = withRoom(columns.keys, slots);
    columns.days = withRoom(columns.days, slots);
    columns.faces = withRoom(columns.faces, WIDTH * slots);
    columns.wordEnds = withRoom(columns.wordEnds, slots);
    columns.words = withRoom(columns.words, words);
  }

  function signOfWord(id: number): number {
    signs = withRoom(signs, id + 1);
    return (signs[id] ||= signOf(vocabulary.word(id)));
  }

  function slotFrom(key: number): number {
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

  const signAt = (slot: number) => columns.faces[WIDTH * slot + 1]!;
  const placeAt = (slot: number) => columns.faces[WIDTH * slot + 2]!;
  const kindAt = (slot: number) => kindIn(signAt(slot)) % EMPTY;
  const isEmpty = (slot: number) => kindIn(signAt(slot)) >= EMPTY;
  const wordsFrom = (slot: number) => (slot === 0 ? 0 : columns.wordEnds[slot - 1]!);

  function holds(slot: number, row: Row): boolean {
    const from = wordsFrom(slot);
    return (
      placeAt(slot) === row.place &&
      kindAt(slot) === row.kind &&
      columns.days[slot] === row.day &&
      columns.wordEnds[slot]! - from === row.words.length &&
      row.words.every((word, nth) => vocabulary.known(word) === columns.words[from + nth])
    );
  }

  return {
    columns,
    atlas,
    vocabulary,
    slotsByWord,
    beginnings,
    get length() {
      return length;
    },
    get empty() {
      return empty;
    },
    get lastKey() {
      return columns.keys[length - 1] ?? -Infinity;
    },

    add({ key, place, kind, day }, words) {
      const slot = length++;
      let wordsEnd = wordsFrom(slot);
      makeRoom(length, wordsEnd + words.length);
      let sign = kind;
      for (const id of words) {
        columns.words[wordsEnd++] = id;
        sign |= signOfWord(id);
      }
      for (const id of words) slotsByWord.add(id, slot, sign, place);
      columns.wordEnds[slot] = wordsEnd;
      columns.keys[slot] = key;
      columns.days[slot] = day;
      columns.faces[WIDTH * slot] = slot;
      columns.faces[WIDTH * slot + 1] = sign;
      columns.faces[WIDTH * slot + 2] = place;
    },

    settle() {
      atlas.settle(columns.faces, length);
      vocabulary.settle();
    },

    slotFrom,
    slotOf(key) {
      const slot = slotFrom(key);
      return slot < length && columns.keys[slot] === key ? slot : null;
    },
    isEmpty,

    take(slot) {
      if (isEmpty(slot)) return;
      columns.faces[WIDTH * slot + 1] = signAt(slot) | EMPTY;
      empty++;
    },

    restore(slot, row) {
      if (!holds(slot, row)) return false;
      if (isEmpty(slot)) empty--;
      columns.faces[WIDTH * slot + 1] = signAt(slot) & ~EMPTY;
      return true;
    },

    row(slot) {
      const words: string[] = [];
      for (let at = wordsFrom(slot); at < columns.wordEnds[slot]!; at++) {
        words.push(vocabulary.word(columns.words[at]!));
      }
      return {
        key: columns.keys[slot]!,
        place: placeAt(slot),
        kind: kindAt(slot),
        day: columns.days[slot]!,
        words,
      };
    },
  };
}
