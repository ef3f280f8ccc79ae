import { memoize } from "../text/memoize.ts";

/** Text that replaces a contact detail. */
export const REMOVED = "[removed]";

/**
 * Placeholder in a normalized text for `REMOVED` and for earlier matches. Input cannot contain it (control characters are
 * dropped) and no pattern matches it, so no match spans it.
 */
const BARRIER = "\0";

/** Half-open, in UTF-16 units. */
export type Span = { readonly start: number; readonly end: number };

/**
 * Text normalised to what a reader sees: lower case, without accents, compatibility forms and invisible characters;
 * digits of every script as 0 to 9, white space as one space or line feed.
 */
export type NormalizedText = {
  readonly text: string;
  /** Span in the original text of a span in the normalized text. */
  readonly toOriginal: (span: Span) => Span;
  /** True if the letter at this index of the normalized text was a capital. */
  readonly isCapital: (at: number) => boolean;
};

export function normalize(original: string): NormalizedText {
  const units: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  for (let at = 0, end = 0; at < original.length; at = end) {
    const code = original.codePointAt(at)!;
    const isRemoved = code === 0x5b && original.startsWith(REMOVED, at);
    end = at + (isRemoved ? REMOVED.length : code > 0xffff ? 2 : 1);
    const folded = isRemoved ? BARRIER : (ASCII[code] ?? fold(String.fromCodePoint(code)));
    const last = units.length - 1;
    if (last >= 0 && (folded === "" || (isBlank(folded) && isBlank(units[last]!)))) {
      // Skipped characters (an accent, a joiner, a second space) belong to the character before them.
      ends[last] = end;
      if (folded === "\n") units[last] = folded;
    } else {
      for (let unit = 0; unit < folded.length; unit += 1) {
        units.push(folded[unit]!);
        starts.push(at);
        ends.push(end);
      }
    }
  }
  return {
    // The full stop of Chinese and Japanese is also the dot of a host name.
    text: units.join("").replace(/(?<=[!-~])。|。(?=[!-~])/g, "."),
    toOriginal: ({ start, end }) => ({ start: starts[start]!, end: ends[end - 1]! }),
    isCapital: (at) => at < starts.length && /^\p{Lu}/u.test(original.slice(starts[at], ends[at])),
  };
}

function isBlank(unit: string): boolean {
  return unit === " " || unit === "\n";
}

/** Normalized text with these spans hidden from all finders. */
export function blank(normalized: NormalizedText, spans: readonly Span[]): NormalizedText {
  return spans.length === 0
    ? normalized
    : { ...normalized, text: blankText(normalized.text, spans) };
}

/** Hides spans of plain text, keeping its length and all indexes. */
export function blankText(text: string, spans: readonly Span[]): string {
  const units = text.split("");
  for (const { start, end } of spans) units.fill(BARRIER, start, end);
  return units.join("");
}

/** Spans of a global pattern's matches, or of one of its groups (needs the flag `d`). */
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

/** A word folded as a whole, for lists that are compared with normalized texts. */
export function foldWord(word: string): string {
  return Array.from(word, fold).join("");
}

/** Characters whose folded form is remembered: those of a few alphabets. */
const FOLDED_MAX = 4_096;
/** Longest expansion of a compatibility form (U+33C2 is "a.m."); U+FDFA expands to a sentence and stays one character. */
const FOLDED_LENGTH_MAX = 4;

/** Folded form of one character: lower case, without accents or compatibility forms; may be empty. */
const fold = memoize(FOLDED_MAX, (sign) => {
  const known = SIGNS.get(sign);
  if (known !== undefined) return known;
  if (/^[\s\u0085\u2800]$/.test(sign))
    return /^[\n\r\v\f\u0085\u2028\u2029]$/.test(sign) ? "\n" : " ";
  if (UNREAD.test(sign)) return "";
  const parts = sign.normalize("NFKD");
  if (parts === sign) return foldPart(sign.toLowerCase());
  const plain = dropMarks(dropMarks(parts).toLowerCase().normalize("NFKD")).normalize("NFC");
  const folded = Array.from(plain, foldPart).join("");
  return folded.length > FOLDED_LENGTH_MAX ? sign : folded;
});

/** Invisible characters, and the marks of those before them. */
const UNREAD = /^(?:\p{Default_Ignorable_Code_Point}|\p{M}|\p{Cc}|\p{Cs}|[\uFFF9-\uFFFB])$/u;

function dropMarks(text: string): string {
  return text.replace(/\p{M}/gu, "");
}

function foldPart(part: string): string {
  return SIGNS.get(part) ?? digit(part) ?? part;
}

/** Characters used in numbers and addresses differently from their Unicode folding. */
const SIGNS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "°": "º˚",
    "'": "’‘‛′ʹʼ´",
    '"': "”“„″",
    "-": "‐‑‒–—―−﹣",
    "/": "⁄∕⧸",
    ".": "٫۔‧∙⋅ꞏ⸱᛫",
    ",": "،٬、",
    0: "〇",
    ss: "ß",
  }).flatMap(([plain, signs]) => Array.from(signs, (sign): [string, string] => [sign, plain])),
);

/** The digits of a script are ten consecutive code points, from zero to nine; a few scripts have two such runs in sequence. */
function digit(sign: string): string | null {
  if (!/^\p{Nd}$/u.test(sign)) return null;
  const point = sign.codePointAt(0)!;
  let first = point;
  while (first > 0 && point - first < 50 && /^\p{Nd}$/u.test(String.fromCodePoint(first - 1))) {
    first -= 1;
  }
  return `${(point - first) % 10}`;
}

const ASCII = Array.from({ length: 128 }, (_, code) => fold(String.fromCharCode(code)));
