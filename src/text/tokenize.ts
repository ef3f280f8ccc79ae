/** Distinct words of a query that are used, and of an alert that are indexed. */
const QUERY_WORDS_MAX = 10;
export const ALERT_WORDS_MAX = 60;
/** Length in characters at which words are cut, in queries and alerts alike. */
const WORD_LENGTH_MAX = 40;

/**
 * Distinct words of a text as search compares them: without case and accents, in the order of the text, at most `max`,
 * none longer than 40 characters. A word is a run of letters, marks and digits that begins with a letter or digit; in a
 * script without spaces each run is one word.
 */
export function tokenize(text: string, max: number = QUERY_WORDS_MAX): string[] {
  const words: string[] = [];
  const runs = ASCII.test(text)
    ? text.toLowerCase().match(ASCII_WORD)
    : folded(text).match(ANY_WORD);
  for (const run of runs ?? []) {
    if (words.length >= max) break;
    const word = run.length <= WORD_LENGTH_MAX ? run : cut(run);
    if (!words.includes(word)) words.push(word);
  }
  return words;
}

// oxlint-disable-next-line no-control-regex
const ASCII = /^[\x00-\x7f]*$/;
const ASCII_WORD = /[a-z0-9]+/g;
const ANY_WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu;

/** Length at which text is cut: decomposing thousands of stacked accents takes quadratic time. */
const FOLDED_MAX = 4_000;

/**
 * Text folded for comparison: lower case, without accents, ligatures spelled out. Composed again at the end, so that a
 * Korean syllable or Japanese letter stays one character and is a prefix only of words that begin with it.
 */
export function folded(text: string): string {
  return text
    .slice(0, FOLDED_MAX)
    .normalize("NFKD")
    .replace(OMITTED, "")
    .toLowerCase()
    .replace(UNDECOMPOSED, (letter) => PLAIN_LETTERS[letter] ?? letter)
    .normalize("NFC");
}

/**
 * Characters that people leave out when typing: the accents of Latin, Greek and Cyrillic, the vowel points of Arabic and
 * Hebrew, and invisible characters (soft hyphens, joiners, variation selectors), except the zero-width space,
 * which separates words. The vowel signs of Indic scripts are letters to their readers and stay.
 */
const OMITTED =
  /[\u0300-\u036f]|[\p{M}&&[\p{scx=Arab}\p{scx=Hebr}]]|[\p{Default_Ignorable_Code_Point}--\u200b]/gv;

/** Letters that Unicode does not decompose, and what people type for them; ς is σ at the end of a Greek word. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ħ: "h",
  ŧ: "t",
  ı: "i",
  ə: "e",
  ς: "σ",
};
const UNDECOMPOSED = new RegExp(`[${Object.keys(PLAIN_LETTERS).join("")}]`, "g");

/** Cuts between characters, not UTF-16 units: half a character would match as a prefix of unrelated words. */
function cut(run: string): string {
  return [...run].slice(0, WORD_LENGTH_MAX).join("");
}
