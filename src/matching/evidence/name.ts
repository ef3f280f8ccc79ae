import { tokenize } from "../../text/tokenize.ts";
import type { Evidence } from "./evidence.ts";

/**
 * Name. A finder reads it from a tag or invents one, so equal names say much and different ones little. Two animals
 * share a name once in 340 pairs (sum of squared shares among the 32,042 named dogs and cats licensed in Seattle). That
 * a finder's name is the owner's in one case of two is a guess.
 */
export const name: Evidence<readonly string[], { readonly similarity: "same" | "different" }> = {
  read(alert) {
    const words = alert.name === null ? [] : tokenize(alert.name);
    return words.length === 0 ? null : words;
  },
  compare(lost, found) {
    return lost.some((word) => found.includes(word))
      ? {
          logRatio: Math.log(SHARED_BY_SAME / SHARED_BY_CHANCE),
          details: { similarity: "same" },
        }
      : {
          logRatio: Math.log((1 - SHARED_BY_SAME) / (1 - SHARED_BY_CHANCE)),
          details: { similarity: "different" },
        };
  },
};

const SHARED_BY_SAME = 0.5;
const SHARED_BY_CHANCE = 1 / 340;
