/** How many words a query may hold, and how many of an alert's words can be found, each counted once. */
const QUERY_WORDS_MAX = 10;
export const ALERT_WORDS_MAX = 60;
/** In characters; what is longer is cut, in a query and in an alert alike. */
const WORD_LENGTH_MAX = 40;

/**
 * The words of a text as search compares them: without case and accents, in any script, in the order of the text,
 * each once, at most `max` of them, none longer than 40 characters. A word is a run of letters, marks and digits
 * that begins with a letter or digit; a script that writes no spaces gives one word for each run.
 */
export function wordsOf(text: string, max: number = QUERY_WORDS_MAX): string[] {
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

/** Longer text is cut: taking thousands of stacked accents apart costs the square of their number. */
const FOLDED_MAX = 4_000;

/**
 * Text as it is compared: lower case, without accents and with plain letters for those that stand for two.
 * Composed again at the end, so that a Korean syllable or a Japanese letter stays one character and begins only
 * words that begin with it.
 */
export function folded(text: string): string {
  return text
    .slice(0, FOLDED_MAX)
    .normalize("NFKD")
    .replace(UNHEARD, "")
    .toLowerCase()
    .replace(UNDECOMPOSED, (letter) => PLAIN_LETTERS[letter] ?? letter)
    .normalize("NFC");
}

/**
 * What readers leave out when they type: the accents of Latin, Greek and Cyrillic, the vowel points of Arabic and
 * Hebrew, and signs that show nothing (soft hyphens, joiners, variation selectors), save the zero-width space,
 * which parts words. The vowel signs of Indic scripts are letters to their readers and stay.
 */
const UNHEARD =
  /[\u0300-\u036f]|[\p{M}&&[\p{scx=Arab}\p{scx=Hebr}]]|[\p{Default_Ignorable_Code_Point}--\u200b]/gv;

/** Letters that Unicode does not take apart, and the letters that readers type for them; ς ends a Greek word for σ. */
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

/** By characters, not by UTF-16 units: half a character would begin words it is no part of. */
function cut(run: string): string {
  return [...run].slice(0, WORD_LENGTH_MAX).join("");
}
