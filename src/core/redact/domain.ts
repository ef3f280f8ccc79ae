import type { Reading } from "./reading.ts";
import { isTopLevel, isWord } from "./top-level.ts";

/** One label of a host name; a hyphen before a spelled dot ("gmail-dot-com") belongs to the dot. */
export const LABEL = "[\\p{L}\\p{N}](?:[\\p{L}\\p{N}]|-(?!(?:dot|point|punto|punkt)-)){0,62}";

/** "Point info" is a desk for tourists. */
const DOT_WORDS = "dot|d0t|point(?!\\sinfo)|punto|ponto|punkt";

/** The ways to write the dot of a host name. Order matters: the first that fits wins. */
export const DOT = `(?:\\s?[([{<*_-]\\s?(?:\\.|${DOT_WORDS}|pt)\\s?[)\\]}>*_-]\\s?|\\s(?:${DOT_WORDS})\\s|\\s?\\.\\s?)`;

/** `bracketed` can only mean a host name; the others are also how sentences end and what words mean. */
type DotKind = "tight" | "spaced" | "spelled" | "bracketed";

function dotKind(dot: string): DotKind {
  if (dot === ".") return "tight";
  if (/[([{<*_-]/.test(dot)) return "bracketed";
  return dot.includes(".") ? "spaced" : "spelled";
}

/** A label of a host name after its first, the dot before it, and its place in the reading. */
export type Label = {
  readonly dot: DotKind;
  readonly name: string;
  readonly start: number;
  /** Whether the name can end a host although the dot is a word: "dot com", "punkt de", never "point de". */
  readonly isPlain: boolean;
};

/** Reads what follows the first label; `start` is where `text` stands in the reading. */
export function labelsIn(text: string, start: number): Label[] {
  return Array.from(text.matchAll(DOT_AND_LABEL), (match) => ({
    dot: dotKind(match[1]!),
    name: match[2]!,
    start: start + match.index + match[1]!.length,
    isPlain: isTopLevel(match[2]!) && (!isWord(match[2]!) || PLAIN_AFTER.test(match[0])),
  }));
}

/** Words of one language that are none in the language of the dot. */
const PLAIN_AFTER = /^\s(?:d[o0]t\s(?:de|es|eu|la|se|il|si)|punkt\s(?:de|at|eu)|punto\s(?:it|eu))$/;

const DOT_AND_LABEL = new RegExp(`(${DOT})(${LABEL})`, "gu");

/**
 * Whether this label ends a host name, when `before` is the label before it. "home.It was found" is two sentences:
 * a top-level name that is also a word must not begin with a capital, nor follow an abbreviation of one letter.
 */
export function endsHost(reading: Reading, before: string, label: Label): boolean {
  if (!isTopLevel(label.name) || !/\p{L}|\d{3}/u.test(before)) return false;
  if (!isWord(label.name)) return true;
  if (SHORT_HOSTS.has(`${before}.${label.name}`)) return true;
  if (ABBREVIATIONS.has(before)) return false;
  const isSentence = reading.isCapital(label.start) && !reading.isCapital(label.start + 1);
  return before.length > 1 && /\p{L}/u.test(before) && !isSentence;
}

/** Shorteners and messengers whose name is one letter and a top-level name that is also a word. */
const SHORT_HOSTS: ReadonlySet<string> = new Set(["t.me", "m.me", "t.co", "g.co", "y.at"]);

/** "12 av.de la République": what is often written without a blank after its full stop. */
const ABBREVIATIONS: ReadonlySet<string> = new Set(
  `av ave avda avd bd blvd bld boul pl pza plza rte ctra urb str nr no st ste mr mrs ms mme mlle dr dra sr sra
   srta prof ca etc usw bzw inkl evtl ggf ref tel env aprox approx apt tno vs jr`.split(/\s+/),
);
