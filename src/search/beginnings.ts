import { type Lists, type VisitRun, WIDTH, withRoom } from "./lists.ts";
import type { WordSet } from "./vocabulary.ts";

/** Which alerts have a word with a certain beginning, of the beginnings asked for lately. */
export type Beginnings = {
  /** Whether it is known of this beginning, but for the newest alerts. */
  knows(letters: string): boolean;
  /**
   * A bit for each of so many slots, the lowest of a number first: whether its alert has or had one of these words.
   * Good until slots are added.
   */
  alertsWith(words: WordSet, length: number): Int32Array;
};

/** A million alerts take 125 to 190 KB each. */
const KEPT = 32;

/** `hasWord`: whether the alert of a slot has or had one of these words. */
export function createBeginnings(
  slotsByWord: Lists,
  hasWord: (slot: number, words: WordSet) => boolean,
): Beginnings {
  /** The one asked for last is the last one. `to`: the slots before it have their bits. */
  const kept = new Map<string, { readonly bits: Int32Array; readonly to: number }>();

  function markLists(words: WordSet, bits: Int32Array, from: number, to: number): void {
    const markRun: VisitRun = (numbers, first, last) => {
      for (let at = last - WIDTH; at >= first; at -= WIDTH) {
        const slot = numbers[at]!;
        if (slot < from) return false;
        mark(bits, slot);
      }
      return true;
    };
    words.each((word) => {
      slotsByWord.runs(word, to, markRun);
      return true;
    });
  }

  function markSlots(words: WordSet, bits: Int32Array, from: number, to: number): void {
    for (let slot = from; slot < to; slot++) if (hasWord(slot, words)) mark(bits, slot);
  }

  return {
    knows: (letters) => kept.has(letters),

    alertsWith(words, length) {
      const { letters } = words;
      const { bits: known, to } = kept.get(letters) ?? { bits: new Int32Array(0), to: 0 };
      const bits = withRoom(known, (length + 31) >>> 5);
      // Slots that are new since then may be fewer than lists to look into.
      const markNew = length - to < words.size ? markSlots : markLists;
      markNew(words, bits, to, length);
      kept.delete(letters);
      kept.set(letters, { bits, to: length });
      if (kept.size > KEPT) kept.delete(kept.keys().next().value!);
      return bits;
    },
  };
}

function mark(bits: Int32Array, slot: number): void {
  bits[slot >>> 5]! |= 1 << (slot & 31);
}
