import { comparedWords, isLikeText } from "../../text/like-text.ts";
import { TEXTS } from "../alerts/fields.ts";
import { tokenize } from "../../text/tokenize.ts";
import type { Alert, AlertDraft } from "../alerts/alert.ts";

/** Fewest words of a text that two people do not choose alike. */
const OWN_WORDS_MIN = 4;

/** Alert, or the draft of one that is not public yet. */
type Comparable = AlertDraft & Partial<Pick<Alert, "publishedAt" | "updatedAt">>;

/**
 * True for a find that was published or changed after a loss and repeats its public alert: the name, the description, any
 * longer text, or all five traits. Whoever read the alert could have written it, so that its score is no proof.
 */
export function isCopied(one: Comparable, other: Comparable): boolean {
  const [lost, found] = one.type === "lost" ? [one, other] : [other, one];
  const { publishedAt = Infinity, updatedAt = publishedAt } = found;
  if ((lost.publishedAt ?? Infinity) >= Math.max(publishedAt, updatedAt)) return false;
  return (
    sharesName(lost, found) ||
    LONGER_TEXTS.some((text) => repeatsText(lost[text], found[text], OWN_WORDS_MIN)) ||
    isLikeText(comparedWords(lost.description), comparedWords(found.description)) ||
    TRAITS.every((trait) => found[trait] !== "unknown" && repeatsText(lost[trait], found[trait], 1))
  );
}

const LONGER_TEXTS = TEXTS.filter((name) => name !== "name");
const TRAITS = ["color", "breed", "size", "sex", "age"] as const;

/** True if the names have a word in common, which is how the score compares them. */
function sharesName(lost: Comparable, found: Comparable): boolean {
  const words = tokenize(lost.name ?? "");
  return tokenize(found.name ?? "").some((word) => words.includes(word));
}

/** True for texts of the same words, at least so many. */
function repeatsText(lost: string | null, found: string | null, wordsMin: number): boolean {
  const [one, other] = [comparedWords(lost), comparedWords(found)];
  return other.size >= wordsMin && one.size === other.size && one.isSubsetOf(other);
}
