import { KINDS } from "./filter.ts";

/**
 * A sign tells of an alert at a glance: in the low five bits its kind, `EMPTY` added when it is there no more, so that
 * it is no kind that a query can want; above them one bit for each of its words, drawn from the word's first letters:
 * three of them, as black is not blue nor brown a breed, or two where each is a syllable or a word.
 */
const KIND_BITS = 5;
export const EMPTY = 16;
const WORD_BITS = 32 - KIND_BITS;
const LETTERS = 3;
const SYLLABLES = 2;
/** Scripts of China, Japan and Korea come from here on in Unicode. */
const FIRST_SYLLABLE = 0x2e80;
if (KINDS > EMPTY) throw new Error("More kinds of alerts than the search index has room for");

/** The bit that the sign of an alert has when one of its words begins so; 0 when the beginning is too short to tell. */
export function signOf(begin: string): number {
  const letters = begin.charCodeAt(0) < FIRST_SYLLABLE ? LETTERS : SYLLABLES;
  if (begin.length < letters) return 0;
  let mixed = 0;
  for (let at = 0; at < letters; at++) mixed = mixed * 31 + begin.charCodeAt(at);
  mixed = Math.imul(mixed, 0x9e3779b1) >>> 16;
  return 1 << (KIND_BITS + (mixed % WORD_BITS));
}

/** The kind that a sign tells; `KINDS` or more for an alert that has gone. */
export const kindIn = (sign: number) => sign & ((1 << KIND_BITS) - 1);
