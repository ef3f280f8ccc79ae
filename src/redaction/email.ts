import { endsHost, isTopLevel, isWord, words } from "./domain.ts";
import type { NormalizedText, Span } from "./normalized-text.ts";

/** Email addresses with an @, or with a sign or word in its place. */
export function findEmails(normalized: NormalizedText): Span[] {
  const spans: Span[] = [];
  for (const match of normalized.text.matchAll(AT_DOMAIN)) {
    const [, at = "", first = "", rest = ""] = match;
    const end = domainEnd(normalized, atKind(at), first, match.index + at.length, rest);
    const start = end === null ? match.index : localStart(normalized.text, match.index);
    if (end !== null && start < match.index) spans.push({ start, end });
  }
  return spans;
}

/** Spelling of the @: "anna@", "anna @ ", "anna (at) ", "anna at ". */
type AtKind = "tight" | "spaced" | "marked" | "plain";

function atKind(at: string): AtKind {
  if (at === "@") return "tight";
  if (/^\s?@\s?$/.test(at)) return "spaced";
  return /^\sat\s$/.test(at) ? "plain" : "marked";
}

/** One label of a host name; a hyphen before a spelled dot ("gmail-dot-com") belongs to the dot. */
const LABEL = "[\\p{L}\\p{N}](?:[\\p{L}\\p{N}]|-(?!(?:dot|point|punto|punkt)-)){0,62}";

/** "Point info" is a tourist office. */
const DOT_WORDS = "dot|d0t|point(?!\\sinfo)|punto|ponto|punkt";

/** The ways to write the dot of a host name. Order matters: the first that fits wins. */
const DOT = `(?:\\s?[([{<*_-]\\s?(?:\\.|${DOT_WORDS}|pt)\\s?[)\\]}>*_-]\\s?|\\s(?:${DOT_WORDS})\\s|\\s?\\.\\s?)`;

/** `bracketed` occurs in host names only; the others also end sentences or are words of a sentence. */
type DotKind = "tight" | "spaced" | "spelled" | "bracketed";

function dotKind(dot: string): DotKind {
  if (dot === ".") return "tight";
  // "-.-" between two spaces is an emoticon.
  if (/[([{<]/.test(dot) || /^[*_-]+\S+[*_-]+$/.test(dot)) return "bracketed";
  return dot.includes(".") ? "spaced" : "spelled";
}

/** Label of a host name after the first, with the dot before it and its index in the normalized text. */
type Label = {
  readonly dot: DotKind;
  readonly name: string;
  readonly start: number;
  /** True if the name can end a host after a dot spelled as a word: "dot com", "punkt de", not "point de". */
  readonly isPlain: boolean;
};

/** Labels after the first; `start` is the index of `text` in the normalized text. */
function labelsIn(text: string, start: number): Label[] {
  return Array.from(text.matchAll(DOT_AND_LABEL), (match) => ({
    dot: dotKind(match[1]!),
    name: match[2]!,
    start: start + match.index + match[1]!.length,
    isPlain: isTopLevel(match[2]!) && (!isWord(match[2]!) || PLAIN_AFTER.test(match[0])),
  }));
}

/** Top-level names that are words in some language, but not in that of the dot: "dot de", not "point de". */
const PLAIN_AFTER =
  /^\s(?:d[o0]t\s(?:de|es|eu|la|se|il|si|co|io|ai|ca|me|tv)|punkt\s(?:de|at|eu|io|tv)|punto\s(?:it|eu|io|tv)|point\s(?:io|tv))$/;

const DOT_AND_LABEL = new RegExp(`(${DOT})(${LABEL})`, "gu");

const AT =
  "(?:\\s?[([{<*_-]{1,2}\\s?(?:@|at|a|aet|arobase?|arrobas?|arroba)\\s?[)\\]}>*_-]{1,2}\\s?|" +
  "\\s(?:at|at sign|arobase?|arrobas?|klammeraffe)\\s|\\s?@\\s?)";
const AT_DOMAIN = new RegExp(`(${AT})(${LABEL})((?:${DOT}${LABEL}){0,6})`, "gu");

const WORD = "[\\p{L}\\p{N}_][\\p{L}\\p{N}._%+'-]*";
const WORD_END = new RegExp(`${WORD}$`, "u");
const DOTTED_WORD_END = new RegExp(
  `${WORD}(?:\\s?[([{]\\s?(?:${DOT_WORDS}|\\.)\\s?[)\\]}]\\s?|\\s(?:${DOT_WORDS}|underscore)\\s)$`,
  "u",
);
const WORD_LENGTH_MAX = 64;
/** Dots in a local part that are spelled as words: "anna dot smith". */
const SPELLED_DOTS_MAX = 3;

/** Start of the local part that ends at an index, read backwards; the same index if there is none. */
function localStart(text: string, end: number): number {
  let start = end;
  for (let dots = 0; dots <= SPELLED_DOTS_MAX; dots += 1) {
    const before = text.slice(Math.max(0, start - WORD_LENGTH_MAX), start);
    start -= (dots === 0 ? WORD_END : DOTTED_WORD_END).exec(before)?.[0].length ?? 0;
  }
  return start;
}

/** End index of the host name after an @; null if there is none. */
function domainEnd(
  normalized: NormalizedText,
  at: AtKind,
  first: string,
  start: number,
  rest: string,
) {
  let end = endsBare(at, first) ? start + first.length : null;
  let before = first;
  for (const label of labelsIn(rest, start + first.length)) {
    const goesOn = end !== null && normalized.isCapital(label.start);
    if (!goesOn && endsAddress(normalized, at, before, label))
      end = label.start + label.name.length;
    before = label.name;
  }
  return end;
}

/** "anna@somewhere" is an address in any case, "anna at gmail" by its provider. */
function endsBare(at: AtKind, host: string): boolean {
  return PROVIDERS.has(host) || (at === "tight" && /\p{L}{2}/u.test(host));
}

/** The vaguer the @ is, the plainer the dot and the top-level name have to be. */
function endsAddress(
  normalized: NormalizedText,
  at: AtKind,
  before: string,
  label: Label,
): boolean {
  const isProvider = PROVIDERS.has(before) || PROVIDER_WORDS.has(before);
  const isPlain = label.isPlain || (isProvider && isTopLevel(label.name));
  switch (label.dot) {
    case "tight":
      if (at === "tight") return /\p{L}{2}/u.test(label.name);
      return at === "plain" ? isProvider && isPlain : endsHost(normalized, before, label);
    case "spaced":
      return isPlain;
    case "spelled":
      return at === "plain" ? isPlain : isTopLevel(label.name);
    case "bracketed":
      return isTopLevel(label.name);
  }
}

/** Providers named so clearly that "anna at gmail" is an address. */
const PROVIDERS: ReadonlySet<string> = new Set(
  words("gmail googlemail hotmail icloud protonmail gmx wanadoo laposte yahoo outlook tutanota"),
);

/** Providers whose names are words: they need a top-level name. */
const PROVIDER_WORDS: ReadonlySet<string> = new Set(
  words("web free orange live mail proton sfr aol msn me freenet posteo terra yandex neuf bbox"),
);
