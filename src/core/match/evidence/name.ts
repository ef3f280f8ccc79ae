import { wordsOf } from "../../words.ts";
import type { Evidence } from "./evidence.ts";

/**
 * Name. A finder reads it from a tag or makes one up, so equal names say much and different ones little. Two animals
 * share a name once in 340 pairs (the sum of squared shares among the 32,042 named dogs and cats licensed in Seattle);
 * that a finder's name is the owner's once in two is a guess.
 */
export const name: Evidence<readonly string[], { readonly is: "same" | "different" }> = {
  read(alert) {
    const words = alert.name === null ? [] : wordsOf(alert.name);
    return words.length === 0 ? null : words;
  },
  weigh(lost, found) {
    const shared = lost.some((word) => found.includes(word));
    return shared
      ? { logRatio: Math.log(SHARED_BY_SAME / SHARED_BY_CHANCE), said: { is: "same" } }
      : {
          logRatio: Math.log((1 - SHARED_BY_SAME) / (1 - SHARED_BY_CHANCE)),
          said: { is: "different" },
        };
  },
};

const SHARED_BY_SAME = 0.5;
const SHARED_BY_CHANCE = 1 / 340;
