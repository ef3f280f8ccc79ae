import { BARRIER, fold, REMOVED } from "./fold.ts";
import { isTopLevel, isWord } from "./domain.ts";

/** Half-open, in UTF-16 units. */
export type Span = { readonly start: number; readonly end: number };

/**
 * Text normalised to what a reader sees: lower case, without accents, compatibility forms, look-alikes and invisible
 * characters; digits of every script as 0 to 9, white space as one space or line feed.
 */
export type Reading = {
  readonly text: string;
  /** Span in the original text of a span in the reading. */
  readonly toOriginal: (span: Span) => Span;
  /** True if the letter at this index of the reading was a capital. */
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
      // Skipped characters (an accent, a joiner, a second space) belong to the character before them.
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
    text: unmaskDots(unmaskDigits(unmaskLetters(units.join("")))),
    toOriginal: ({ start, end }) => ({ start: starts[start]!, end: ends[end - 1]! }),
    isCapital: (at) => at < starts.length && /^\p{Lu}/u.test(original.slice(starts[at], ends[at])),
  };
}

/**
 * Reading without the spaces between single characters, for words spelled "l i k e  t h i s"; null if there are none.
 */
export function closeUp(reading: Reading): Reading | null {
  const { text } = reading;
  const dropped = new Set<number>();
  for (const { start, end } of spansOf(text, SPELLED_OUT))
    for (let at = start; at < end; at += 1) if (text[at] === " ") dropped.add(at);
  if (dropped.size === 0) return null;
  const kept = Array.from({ length: text.length }, (_, at) => at).filter((at) => !dropped.has(at));
  return {
    text: kept.map((at) => text[at]).join(""),
    toOriginal: ({ start, end }) =>
      reading.toOriginal({ start: kept[start]!, end: kept[end - 1]! + 1 }),
    isCapital: (at) => at < kept.length && reading.isCapital(kept[at]!),
  };
}

const SINGLE = "[\\p{L}\\p{N}.@/:_-]";
/** At least four single characters separated by spaces. */
const SPELLED_OUT = new RegExp(`(?<!${SINGLE})${SINGLE}(?: ${SINGLE}(?!${SINGLE})){3,}`, "gu");

/** Reading with these spans hidden from all finders. */
export function blank(reading: Reading, spans: readonly Span[]): Reading {
  return spans.length === 0 ? reading : { ...reading, text: blankText(reading.text, spans) };
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

/** One code point, or a whole "[removed]". */
function signAt(text: string, at: number): string {
  if (text.startsWith(REMOVED, at)) return REMOVED;
  return String.fromCodePoint(text.codePointAt(at)!);
}

function isBlank(unit: string): boolean {
  return unit === " " || unit === "\n";
}

/** Pairs of a look-alike letter and its Latin letter. */
const LOOKALIKES = new Map([
  ...pairs("аеорсухіјѕԁһкмтԛԝ", "aeopcyxijsdhkmtqw"),
  ...pairs("αεικνορτυχ", "aeikvoptux"),
  // Armenian and Latin
  ...pairs("օսɡıɑɩ", "ougiai"),
]);

/**
 * Replaces look-alikes in words that mix alphabets; words in one alphabet are left alone. Parts of "example.рф" are separate
 * words unless all their letters are look-alikes.
 */
function unmaskLetters(text: string): string {
  return text.replace(/[\p{L}\p{N}@.]+/gu, (word) =>
    /[a-z0-9]/.test(word) && /[^\x20-\x7e]/.test(word)
      ? word.replace(/[^@.]+/g, (part) => (isNativeTop(part) ? part : unmaskPart(part)))
      : word,
  );
}

function isNativeTop(part: string): boolean {
  return !/[a-z0-9]/.test(part) && isTopLevel(part);
}

function unmaskPart(part: string): string {
  return part.replace(/[^\x20-\x7e]/g, (letter) => LOOKALIKES.get(letter) ?? letter);
}

/**
 * Characters that can be the dot of a host name but also have another use: the Chinese and Japanese full stop, bullets, and
 * the middle dot.
 */
function unmaskDots(text: string): string {
  return text
    .replace(/(?<=[!-~])。|。(?=[!-~])/g, ".")
    .replace(/(?<=\d)[·•・](?=\d)/g, ".")
    .replace(/(?<=[\p{L}\p{N}] ?)[·•・](?= ?([\p{L}\p{N}-]{2,63})(\/?))/gu, (dot, label, path) =>
      isTopLevel(label) && (path !== "" || !isWord(label)) ? "." : dot,
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
