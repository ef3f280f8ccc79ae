import { folded } from "../../text/tokenize.ts";
import vocabulary from "./words.json" with { type: "json" };

// Words in the tables of shelters and councils, in our four languages, as `plainWords` writes them: words.json, in which
// each word is an alternative of a regular expression.

const { fields, columns, values, meanings } = vocabulary;
const patterns = new Map<readonly string[], RegExp>();

function holds(text: string, words: readonly string[]): boolean {
  const pattern = patterns.get(words) ?? new RegExp(words.join("|"));
  patterns.set(words, pattern);
  return pattern.test(text);
}

/** Text folded, with spaces between the words of `names_like_this` and `NamesLikeThis`. */
export function plainWords(text: string): string {
  return folded(text.replace(/(\p{Ll})(?=\p{Lu})/gu, "$1 ").replace(/(?<=.)_/g, " "));
}

/** True for the name of a column, or for several, with such a word. */
export function isNamed(label: string, kind: keyof typeof columns): boolean {
  return holds(label, columns[kind]);
}

/** Headings of columns for a field of a mapping, the likeliest first. */
export function headingsOf(field: keyof typeof fields): readonly RegExp[] {
  return fields[field].map((words) => new RegExp(words.join("|")));
}

/** True for a value with such a word. */
export function says(value: string, kind: keyof typeof values): boolean {
  return holds(plainWords(value), values[kind]);
}

export type Kind = keyof typeof meanings;

/** Meaning of a value; undefined if it has no known word. */
export function meaningOf(value: string, kind: Kind): unknown {
  const text = plainWords(value);
  return meanings[kind].words.find(({ words }) => holds(text, words))?.meaning;
}

/** Meanings of values as a mapping has them. Those without a meaning are left out if their kind has none for the rest. */
export function meaningsOf(
  texts: readonly string[],
  kind: Kind,
): Readonly<Record<string, unknown>> {
  const { rest } = meanings[kind];
  const known = texts.flatMap((text): [string, unknown][] => {
    const meaning = meaningOf(text, kind);
    if (meaning !== undefined) return [[text, meaning]];
    return rest === null ? [[text, { skip: text.toLowerCase().slice(0, 60) }]] : [];
  });
  return Object.fromEntries(rest === null ? known : [...known, ["*", rest]]);
}

export function isDead(value: string): boolean {
  return says(value, "dead") && !says(value, "owner died");
}

/** True for a value that says that an animal is gone, false for one that says it is still missing or there; otherwise null. */
export function isGone(value: string): boolean | null {
  if (says(value, "dead") || says(value, "no longer")) return true;
  if (says(value, "negated")) return false;
  if (says(value, "left")) return true;
  if (says(value, "there")) return false;
  return says(value, "outcome") ? true : null;
}

/** Words for yes that fit the values of a column; none if its values are not only yes and no. */
export function yesWords(texts: readonly string[]): readonly string[] {
  const lower = texts.map((text) => text.toLowerCase());
  const pairs = vocabulary.yesAndNo.filter((pair) => pair.some((word) => lower.includes(word)));
  const words = new Set(pairs.flat());
  return lower.every((text) => words.has(text)) ? pairs.map(([yes]) => yes!) : [];
}

/** True for texts that programs write into empty fields. */
export function isBlankWord(value: string): boolean {
  return vocabulary.blank.includes(value.toLowerCase()) || /^-{1,20}$/.test(value);
}
