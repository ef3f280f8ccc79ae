import { tokenize } from "./tokenize.ts";

/** Words of a text that are compared, and the fewest that say something. */
const WORDS_MAX = 200;
const WORDS_MIN = 8;
/** Least share of common words among all words of two like texts. */
const LIKE_TEXT = 0.6;

/** Distinct words by which a text is compared with others. */
export function comparedWords(text: string | null): ReadonlySet<string> {
  return new Set(text === null ? [] : tokenize(text, WORDS_MAX));
}

/** True for texts of eight words and more that share most of them. */
export function isLikeText(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const [fewer, more] = [Math.min(one.size, other.size), Math.max(one.size, other.size)];
  // Sets whose sizes differ that much cannot share enough.
  if (fewer < WORDS_MIN || fewer < more * LIKE_TEXT) return false;
  const common = one.intersection(other).size;
  return common >= LIKE_TEXT * (one.size + other.size - common);
}
