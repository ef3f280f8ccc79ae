import type { Looks } from "../matching/matching.ts";
import { KINDS } from "./signature.ts";

/** Number of rows with each base colour, and of each kind with each breed group: for estimates. */
export type LookCounts = {
  add(kind: number, looks: Looks): void;
  /** Rows with the colour of this bit. */
  ofColor(bit: number): number;
  /** Rows of these kinds, a bit mask, with the group of this bit. */
  ofGroup(bit: number, kinds: number): number;
};

const BITS = 32;

export function createLookCounts(): LookCounts {
  const byColor = new Uint32Array(BITS);
  const byGroup = new Uint32Array(BITS * KINDS);

  function addBits(counts: Uint32Array, from: number, bits: number): void {
    for (let left = bits; left !== 0; left &= left - 1) counts[from + indexOf(left & -left)]!++;
  }

  return {
    add(kind, { colors, groups }) {
      addBits(byColor, 0, colors);
      addBits(byGroup, BITS * kind, groups);
    },
    ofColor: (bit) => byColor[indexOf(bit)]!,
    ofGroup(bit, kinds) {
      let count = 0;
      for (let kind = 0; kind < KINDS; kind++)
        if (((kinds >> kind) & 1) === 1) count += byGroup[BITS * kind + indexOf(bit)]!;
      return count;
    },
  };
}

/** Index of the only bit that is set. */
function indexOf(bit: number): number {
  return BITS - 1 - Math.clz32(bit);
}
