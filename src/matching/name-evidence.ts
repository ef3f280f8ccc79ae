import { tokenize } from "../text/tokenize.ts";
import type { Evidence } from "./evidence.ts";

/**
 * Name. A finder reads it from a tag or invents one, so equal names say much and different ones little. Two animals
 * share a name once in 340 pairs (sum of squared shares among the 32,042 named dogs and cats licensed in Seattle). That
 * a finder's name is the owner's in one case of two is a guess. A name that anybody could have copied says nothing.
 */
export const name: Evidence<Named, { readonly similarity: "same" | "different" }> = {
  read({ name, publishedAt, updatedAt }) {
    const words = name === null ? [] : tokenize(name);
    const writtenAt = publishedAt === null ? Infinity : Math.max(publishedAt, updatedAt ?? 0);
    return words.length === 0 ? null : { words, publishedAt: publishedAt ?? Infinity, writtenAt };
  },
  compare(lost, found) {
    return lost.words.some((word) => found.words.includes(word))
      ? {
          logRatio: couldBeCopied(lost, found) ? 0 : Math.log(SHARED_BY_SAME / SHARED_BY_CHANCE),
          details: { similarity: "same" },
        }
      : {
          logRatio: Math.log((1 - SHARED_BY_SAME) / (1 - SHARED_BY_CHANCE)),
          details: { similarity: "different" },
        };
  },
};

type Named = {
  readonly words: readonly string[];
  readonly publishedAt: number;
  /** Time since which it may have this name. */
  readonly writtenAt: number;
};

/** True if the name could be read in the alert of the loss before the find was published or edited. */
function couldBeCopied(lost: Named, found: Named): boolean {
  return lost.publishedAt < found.writtenAt;
}

const SHARED_BY_SAME = 0.5;
const SHARED_BY_CHANCE = 1 / 340;
