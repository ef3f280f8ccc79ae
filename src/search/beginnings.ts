import { type Lists, type VisitRun, WIDTH, withRoom } from "./lists.ts";
import type { WordSet } from "./vocabulary.ts";

/** A bit for each slot, the lowest of a number first. */
export type Bits = Int32Array;

/** Which alerts have a word with a certain beginning, of the beginnings asked for lately. */
export type Beginnings = {
  /** `set`: the words that begin so now; `length`: how many slots there are. Good until slots are added. */
  alertsWith(begin: string, set: WordSet, length: number): Bits;
};

/** A million alerts take 125 KB each. */
const KEPT = 32;

/**
 * Put together from the words' lists when it is first asked for, and from what stands new in them later: lists only
 * grow at their newer end.
 */
export function createBeginnings(slotsByWord: Lists): Beginnings {
  /** The one asked for last is the last one. `to`: the slots before it have their bits. */
  const kept = new Map<string, { readonly bits: Bits; readonly to: number }>();

  return {
    alertsWith(begin, set, length) {
      const known = kept.get(begin);
      const from = known?.to ?? 0;
      const bits = withRoom(known?.bits ?? new Int32Array(0), (length + 31) >>> 5);
      const mark: VisitRun = (numbers, first, last) => {
        for (let at = last - WIDTH; at >= first; at -= WIDTH) {
          const slot = numbers[at]!;
          if (slot < from) return false;
          bits[slot >>> 5]! |= 1 << (slot & 31);
        }
        return true;
      };
      if (from < length) {
        set.each((word) => {
          slotsByWord.runs(word, length, mark);
          return true;
        });
      }
      kept.delete(begin);
      kept.set(begin, { bits, to: length });
      if (kept.size > KEPT) kept.delete(kept.keys().next().value!);
      return bits;
    },
  };
}
