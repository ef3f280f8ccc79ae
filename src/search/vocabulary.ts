import { ALERT_WORDS_MAX, wordsOf } from "../core/words.ts";
import { withRoom } from "./lists.ts";
import { createTexts } from "./texts.ts";

/** The words of all alerts, each with a number, findable by their beginnings. */
export type Vocabulary = {
  /** The number of a word, from 0; a new word gets the next one. */
  idOf(word: string): number;
  /** The numbers of the words in an alert's texts, each once. */
  idsIn(texts: readonly string[]): number[];
  /** The number of a word, or null when no alert ever had it. */
  known(word: string): number | null;
  word(id: number): string;
  /** To be called after words were added, once for many. */
  settle(): void;
  /** The words that begin with these letters. Good until words are added. */
  beginningWith(letters: string): WordSet;
};

/** The words that begin with some letters, by their numbers. */
export type WordSet = {
  readonly letters: string;
  readonly size: number;
  has(id: number): boolean;
  /** Shows the words until `visit` answers false. */
  each(visit: (id: number) => boolean): void;
};

/** This many new words wait unsorted: sorting them in costs a pass over all words. */
const UNSORTED_MAX = 256;
const UNSORTED = 0xffffffff;
/** Texts kept until words are settled: many alerts that are read at once tell of coat, breed and town in the same ones. */
const TEXTS_MAX = 100_000;

export function createVocabulary(): Vocabulary {
  const ids = new Map<string, number>();
  const words: string[] = [];
  /** The ids of the first `sorted` words in the order of the words; for each id its place in that order, if any. */
  let inOrder = new Uint32Array(0);
  let ranks = new Uint32Array(64);
  let sorted = 0;
  /** The ids of the words in each text met since words were settled. */
  let met = createTexts();

  function idOf(word: string): number {
    const known = ids.get(word);
    if (known !== undefined) return known;
    const id = words.push(word) - 1;
    ids.set(word, id);
    ranks = withRoom(ranks, id + 1);
    ranks[id] = UNSORTED;
    return id;
  }

  function meet(text: string): number {
    const idsOfText = wordsOf(text, ALERT_WORDS_MAX).map(idOf);
    if (met.size === TEXTS_MAX) met = createTexts();
    return met.add(text, idsOfText);
  }

  function sortIn(): void {
    const fresh = words.slice(sorted).sort();
    const merged = new Uint32Array(words.length);
    let nextOld = 0;
    let nextFresh = 0;
    for (let rank = 0; rank < merged.length; rank++) {
      const isOld =
        nextFresh === fresh.length ||
        (nextOld < sorted && words[inOrder[nextOld]!]! < fresh[nextFresh]!);
      const id = isOld ? inOrder[nextOld++]! : ids.get(fresh[nextFresh++]!)!;
      merged[rank] = id;
      ranks[id] = rank;
    }
    inOrder = merged;
    sorted = merged.length;
  }

  /** How many of the sorted words `isBefore` is true of: it must be true of the first ones and of no other. */
  function rankAfter(isBefore: (word: string) => boolean): number {
    let low = 0;
    let high = sorted;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isBefore(words[inOrder[middle]!]!)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  return {
    idOf,

    idsIn(texts) {
      const found: number[] = [];
      for (const text of texts) {
        const at = met.find(text) ?? meet(text);
        const { numbers } = met;
        const end = at + 1 + numbers[at]!;
        for (let nth = at + 1; nth < end; nth++) {
          const id = numbers[nth]!;
          if (found.length < ALERT_WORDS_MAX && !found.includes(id)) found.push(id);
        }
      }
      return found;
    },

    known: (word) => ids.get(word) ?? null,
    word: (id) => words[id]!,

    settle() {
      if (met.size > 0) met = createTexts();
      if (words.length - sorted > UNSORTED_MAX) sortIn();
    },

    beginningWith(letters) {
      const first = rankAfter((word) => word < letters);
      const end = rankAfter((word) => word < letters || word.startsWith(letters));
      const fresh: number[] = [];
      for (let id = sorted; id < words.length; id++) {
        if (words[id]!.startsWith(letters)) fresh.push(id);
      }
      const ranksNow = ranks;
      return {
        letters,
        size: end - first + fresh.length,
        has(id) {
          const rank = ranksNow[id]!;
          return rank === UNSORTED ? fresh.includes(id) : rank >= first && rank < end;
        },
        each(visit) {
          for (const id of fresh) if (!visit(id)) return;
          for (let rank = first; rank < end; rank++) if (!visit(inOrder[rank]!)) return;
        },
      };
    },
  };
}
