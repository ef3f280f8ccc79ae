/** What stands where a contact detail stood. */
export const REMOVED = "[removed]";

/**
 * Stands for `REMOVED` in a reading, and for what a finder already took. No text can bring it along (control
 * characters are not read), no pattern matches it, so nothing is ever found across it.
 */
export const BARRIER = "\0";

/** Half-open, in UTF-16 units. */
export type Span = { readonly start: number; readonly end: number };

/**
 * A text the way an eye reads it: lower case, without accents, compatibility forms, look-alikes and invisible
 * characters, digits of every script as 0 to 9, any white space as one blank or one line feed.
 */
export type Reading = {
  readonly text: string;
  /** Where a span of the reading stands in the text as it was written. */
  readonly written: (span: Span) => Span;
  /** Whether the letter at this place of the reading was written as a capital. */
  readonly isCapital: (at: number) => boolean;
};

export function read(original: string): Reading {
  const units: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  let at = 0;
  while (at < original.length) {
    const sign = signAt(original, at);
    const end = at + sign.length;
    const folded = fold(sign);
    const last = units.length - 1;
    if (last >= 0 && (folded === "" || (isBlank(folded) && isBlank(units[last]!)))) {
      // What is not read (an accent, a joiner, a second blank) belongs to what stands before it.
      ends[last] = end;
      if (folded === "\n") units[last] = folded;
    } else {
      for (const unit of folded.split("")) {
        units.push(unit);
        starts.push(at);
        ends.push(end);
      }
    }
    at = end;
  }
  return {
    text: unmaskDigits(unmaskLetters(units.join(""))),
    written: ({ start, end }) => ({ start: starts[start]!, end: ends[end - 1]! }),
    isCapital: (at) => at < starts.length && /^\p{Lu}/u.test(original.slice(starts[at], ends[at])),
  };
}

/** The same reading with these spans taken out of every finder's sight. */
export function blank(reading: Reading, spans: readonly Span[]): Reading {
  return spans.length === 0 ? reading : { ...reading, text: blankText(reading.text, spans) };
}

/** `blank` for a bare text: its length, and so every place in it, stays. */
export function blankText(text: string, spans: readonly Span[]): string {
  const units = text.split("");
  for (const { start, end } of spans) units.fill(BARRIER, start, end);
  return units.join("");
}

/** Where a pattern (global) matches; `group` names the part that counts, by default all of it (pattern needs `d`). */
export function spansOf(text: string, pattern: RegExp, group = 0): Span[] {
  const spans: Span[] = [];
  for (const match of text.matchAll(pattern)) {
    if (group === 0) spans.push({ start: match.index, end: match.index + match[0].length });
    else if (match.indices?.[group]) {
      const [start, end] = match.indices[group];
      spans.push({ start, end });
    }
  }
  return spans;
}

/** One code point, or a whole mark of an earlier removal. */
function signAt(text: string, at: number): string {
  if (text.startsWith(REMOVED, at)) return REMOVED;
  return String.fromCodePoint(text.codePointAt(at)!);
}

/** Compatibility forms may say up to this much (U+33C2 is "a.m."); U+FDFA is a sentence and stays one sign. */
const FOLDED_LENGTH_MAX = 4;

/** Zero or more units that stand for one sign of the original. */
function fold(sign: string): string {
  if (sign === REMOVED) return BARRIER;
  if (/^[!-~]$/.test(sign)) return sign.toLowerCase();
  const known = SIGNS.get(sign);
  if (known !== undefined) return known;
  if (/^[\s\u0085\u2800]$/.test(sign))
    return /^[\n\r\v\f\u0085\u2028\u2029]$/.test(sign) ? "\n" : " ";
  if (UNREAD.test(sign)) return "";
  const plain = dropMarks(dropMarks(sign.normalize("NFKD")).toLowerCase().normalize("NFKD"));
  const folded = Array.from(
    plain.normalize("NFC"),
    (part) => SIGNS.get(part) ?? digit(part) ?? part,
  );
  const joined = folded.join("");
  return joined.length > FOLDED_LENGTH_MAX ? sign : joined;
}

const UNREAD = /^[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cs}\uFFF9-\uFFFB]$/u;

function dropMarks(text: string): string {
  return text.replace(/\p{M}/gu, "");
}

function isBlank(unit: string): boolean {
  return unit === " " || unit === "\n";
}

/** Signs whose Unicode folding is not what they are used for in numbers and addresses. */
const SIGNS = new Map<string, string>(
  Object.entries({
    "°": "º˚",
    "'": "’‘‛′ʹʼ´`",
    '"': "”“„″",
    "-": "‐‑‒–—―−﹣",
    "/": "⁄∕⧸",
    ".": "。٫۔",
    ",": "،٬、",
    0: "〇⓿",
  })
    .flatMap(([plain, signs]) => Array.from(signs, (sign): [string, string] => [sign, plain]))
    .concat(
      Array.from("❶❷❸❹❺❻❼❽❾", (sign, index) => [sign, `${index + 1}`]),
      [["ß", "ss"]],
    ),
);

/** The decimal digits of a script stand in a row from zero to nine; a few scripts have two rows in a row. */
function digit(sign: string): string | null {
  if (!/^\p{Nd}$/u.test(sign)) return null;
  const point = sign.codePointAt(0)!;
  let first = point;
  while (first > 0 && point - first < 50 && /^\p{Nd}$/u.test(String.fromCodePoint(first - 1))) {
    first -= 1;
  }
  return `${(point - first) % 10}`;
}

/** Cyrillic and Greek letters drawn like Latin ones, and the Latin ones, pairwise. */
const LOOKALIKES = new Map([
  ...pairs("аеорсухіјѕԁһкмтԛԝ", "aeopcyxijsdhkmtqw"),
  ...pairs("αεικνορτυχ", "aeikvoptux"),
]);

/** A word that mixes alphabets is written to be read as Latin; a word in one alphabet is left alone. */
function unmaskLetters(text: string): string {
  return text.replace(/[\p{L}\p{N}@.]+/gu, (word) =>
    /[a-z0-9]/.test(word) && /[^\x20-\x7e]/.test(word)
      ? word.replace(/[^\x20-\x7e]/g, (letter) => LOOKALIKES.get(letter) ?? letter)
      : word,
  );
}

/** "o6 l2": letters drawn like digits, in a word that is otherwise digits. */
function unmaskDigits(text: string): string {
  return text.replace(/(?<![\p{L}\p{N}])[\doil]+(?![\p{L}\p{N}])/gu, (word) =>
    /\d/.test(word) ? word.replaceAll("o", "0").replace(/[il]/g, "1") : word,
  );
}

function pairs(from: string, to: string): [string, string][] {
  return Array.from(from, (letter, index) => [letter, to[index]!]);
}
