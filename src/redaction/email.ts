import { DOT, endsHost, isTopLevel, LABEL, labelsIn, type Label } from "./domain.ts";
import type { Reading, Span } from "./reading.ts";

/** Email addresses with an @, or with a sign or word in its place. */
export function findEmails(reading: Reading): Span[] {
  const spans: Span[] = [];
  for (const match of reading.text.matchAll(AT_DOMAIN)) {
    const [, at = "", first = "", rest = ""] = match;
    const firstStart = match.index + at.length;
    const labels = labelsIn(rest, firstStart + first.length);
    const end = domainEnd(reading, atKind(at), { first, firstStart, labels });
    const start = end === null ? match.index : localStart(reading.text, match.index);
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

const AT =
  "(?:\\s?[([{<*_-]{1,2}\\s?(?:@|at|a|aet|arobase?|arrobas?|arroba)\\s?[)\\]}>*_-]{1,2}\\s?|" +
  "\\s(?:at|at sign|arobase?|arrobas?|klammeraffe)\\s|\\s?@\\s?)";
const AT_DOMAIN = new RegExp(`(${AT})(${LABEL})((?:${DOT}${LABEL}){0,6})`, "gu");

/** Dots in a local part that are spelled as words: "anna dot smith". */
const SPELLED_DOTS_MAX = 3;
const WORD_LENGTH_MAX = 64;

/** Start of the local part that ends at an index, read backwards; the same index if there is none. */
function localStart(text: string, end: number): number {
  let start = wordStart(text, end);
  for (let dots = 0; dots < SPELLED_DOTS_MAX && start < end; dots += 1) {
    const dot = DOT_END.exec(text.slice(Math.max(0, start - DOT_LENGTH_MAX), start));
    const before = dot === null ? start : start - dot[0].length;
    const word = wordStart(text, before);
    if (word === before) break;
    start = word;
  }
  return start;
}

function wordStart(text: string, end: number): number {
  let start = end;
  while (start > 0 && end - start < WORD_LENGTH_MAX && /[\p{L}\p{N}._%+'-]/u.test(text[start - 1]!))
    start -= 1;
  while (start < end && /[.%+'-]/.test(text[start]!)) start += 1;
  return start;
}

const DOT_LENGTH_MAX = 12;
const DOT_END =
  /(?:\s?[([{]\s?(?:dot|point|punto|punkt|\.)\s?[)\]}]\s?|\s(?:dot|point|punto|punkt|underscore)\s)$/;

type Domain = { first: string; firstStart: number; labels: readonly Label[] };

/** End index of the host name after an @; null if there is none. */
function domainEnd(reading: Reading, at: AtKind, domain: Domain): number | null {
  let end = endsBare(at, domain.first) ? domain.firstStart + domain.first.length : null;
  let before = domain.first;
  for (const label of domain.labels) {
    const goesOn = end !== null && reading.isCapital(label.start);
    if (!goesOn && endsAddress(reading, at, before, label)) end = label.start + label.name.length;
    before = label.name;
  }
  return end;
}

/** "anna@somewhere" is an address in any case, "anna at gmail" by its provider. */
function endsBare(at: AtKind, host: string): boolean {
  return PROVIDERS.has(host) || (at === "tight" && /\p{L}{2}/u.test(host));
}

/** The vaguer the @ is, the plainer the dot and the top-level name have to be. */
function endsAddress(reading: Reading, at: AtKind, before: string, label: Label): boolean {
  const isProvider = PROVIDERS.has(before) || PROVIDER_WORDS.has(before);
  const isPlain = label.isPlain || (isProvider && isTopLevel(label.name));
  switch (label.dot) {
    case "tight":
      if (at === "tight") return /\p{L}{2}/u.test(label.name);
      return at === "plain" ? isProvider && isPlain : endsHost(reading, before, label);
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
  "gmail googlemail hotmail icloud protonmail gmx wanadoo laposte yahoo outlook tutanota".split(
    " ",
  ),
);

/** Providers whose names are words: they need a top-level name. */
const PROVIDER_WORDS: ReadonlySet<string> = new Set(
  "web free orange live mail proton sfr aol msn me freenet posteo terra yandex neuf bbox".split(
    " ",
  ),
);
