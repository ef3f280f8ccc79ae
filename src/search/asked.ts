import type { Filter } from "./filter.ts";
import type { Circle } from "./grid.ts";
import type { Shelf } from "./shelf.ts";
import { signOf } from "./sign.ts";
import type { WordSet } from "./vocabulary.ts";

/** A filter laid on a shelf. */
export type Search = {
  readonly shelf: Shelf;
  readonly limit: number;
  /** Slots in [from, to) are old and new enough. */
  readonly from: number;
  readonly to: number;
  /** As in the filter. */
  readonly kinds: number;
  readonly circle: Circle | null;
  /** The bits that a sign must have. */
  readonly signs: number;
  /** Which part of all alerts is of the kinds, about. */
  readonly kindShare: number;
  /** Which part has a sign that looks right, about. */
  readonly signShare: number;
  /** Which part would fit if place and time did not matter, about. */
  readonly share: number;
  /** For each word of the query the words that begin with it; the rarest first. */
  readonly asked: readonly Asked[];
};

export type Asked = {
  readonly set: WordSet;
  /** How many alerts have a word of the set, one with two of them counted twice; no more than all. */
  readonly count: number;
  /** Which part of all alerts has such a word, about. */
  readonly share: number;
  /** Which part has a sign that says so, about. */
  readonly signShare: number;
};

/** This part of the alerts without a word has its bit in the sign for another word. */
const ALIKE = 1 / 5;

/** Kinds and words are taken to be independent of each other. */
export function searchFor(shelf: Shelf, filter: Filter, limit: number): Search {
  const asked = filter.words.map((begin) => {
    const set = shelf.vocabulary.beginningWith(begin);
    let count = 0;
    set.each((word) => {
      count += shelf.slotsByWord.count(word);
      return count < shelf.length;
    });
    count = Math.min(count, shelf.length);
    const share = count / Math.max(1, shelf.length);
    return { set, count, share, signShare: signOf(begin) === 0 ? 1 : share + (1 - share) * ALIKE };
  });
  const kindShare = shelf.atlas.share(filter.kinds);
  return {
    shelf,
    limit,
    from: shelf.slotFrom(filter.since),
    to: shelf.slotFrom(filter.before),
    kinds: filter.kinds,
    circle: filter.circle,
    signs: filter.words.reduce((signs, word) => signs | signOf(word), 0),
    kindShare,
    signShare: asked.reduce((product, { signShare }) => product * signShare, kindShare),
    share: asked.reduce((product, { share }) => product * share, kindShare),
    asked: asked.sort((a, b) => a.count - b.count),
  };
}
