import tlds from "tlds";

import { foldWord, type Reading } from "./reading.ts";

/** One label of a host name; a hyphen before a spelled dot ("gmail-dot-com") belongs to the dot. */
export const LABEL = "[\\p{L}\\p{N}](?:[\\p{L}\\p{N}]|-(?!(?:dot|point|punto|punkt)-)){0,62}";

/** "Point info" is a tourist office. */
const DOT_WORDS = "dot|d0t|point(?!\\sinfo)|punto|ponto|punkt";

/** The ways to write the dot of a host name. Order matters: the first that fits wins. */
export const DOT = `(?:\\s?[([{<*_-]\\s?(?:\\.|${DOT_WORDS}|pt)\\s?[)\\]}>*_-]\\s?|\\s(?:${DOT_WORDS})\\s|\\s?\\.\\s?)`;

/** `bracketed` occurs in host names only; the others also end sentences or are words of a sentence. */
type DotKind = "tight" | "spaced" | "spelled" | "bracketed";

function dotKind(dot: string): DotKind {
  if (dot === ".") return "tight";
  // "-.-" between two spaces is an emoticon.
  if (/[([{<]/.test(dot) || /^[*_-]+\S+[*_-]+$/.test(dot)) return "bracketed";
  return dot.includes(".") ? "spaced" : "spelled";
}

/** Label of a host name after the first, with the dot before it and its index in the reading. */
export type Label = {
  readonly dot: DotKind;
  readonly name: string;
  readonly start: number;
  /** True if the name can end a host after a dot spelled as a word: "dot com", "punkt de", not "point de". */
  readonly isPlain: boolean;
};

/** Labels after the first; `start` is the index of `text` in the reading. */
export function labelsIn(text: string, start: number): Label[] {
  return Array.from(text.matchAll(DOT_AND_LABEL), (match) => ({
    dot: dotKind(match[1]!),
    name: match[2]!,
    start: start + match.index + match[1]!.length,
    isPlain: isSpelledTop(match[2]!) || (isTopLevel(match[2]!) && PLAIN_AFTER.test(match[0])),
  }));
}

/** Top-level names that are words in some language, but not in that of the dot: "dot de", not "point de". */
const PLAIN_AFTER =
  /^\s(?:d[o0]t\s(?:de|es|eu|la|se|il|si|co|io|ai|ca|me|tv)|punkt\s(?:de|at|eu|io|tv)|punto\s(?:it|eu|io|tv)|point\s(?:io|tv))$/;

const DOT_AND_LABEL = new RegExp(`(${DOT})(${LABEL})`, "gu");

/**
 * True if this label ends a host name without a path and `before` is the label before it. "home.It was found" is two
 * sentences: a top-level name that is also a word must not begin with a capital, nor follow an abbreviation or a number.
 * `findMissingSpaces` finds where two such sentences need a space, so that no email program makes a link of them.
 */
export function endsHost(reading: Reading, before: string, label: Label): boolean {
  if (!isTopLevel(label.name) || !/\p{L}|\d{3}/u.test(before)) return false;
  if (!isWord(label.name)) return true;
  if (SHORT_HOSTS.has(`${before}.${label.name}`)) return true;
  if (ABBREVIATIONS.has(before) || STREET.test(before) || FILE_ENDINGS.has(label.name))
    return false;
  return before.length > 1 && /\p{L}/u.test(before) && !reading.isCapital(label.start);
}

/** Indexes in the reading where a space is missing after a full stop, between two words that together look like a host. */
export function findMissingSpaces({ text }: Reading): number[] {
  return Array.from(text.matchAll(STOP_AND_LABEL))
    .filter((match) => isTopLevel(match[1]!))
    .map((match) => match.index + 1);
}

const STOP_AND_LABEL =
  /(?<=[\p{L}\p{N}\p{So}_-])\.([\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?)(?![\p{L}\p{N}])/gu;

/** Shorteners and messengers whose name is one letter and a top-level name that is also a word. */
const SHORT_HOSTS: ReadonlySet<string> = new Set(words("t.me m.me t.co g.co y.at g.page"));

/** "IMG_2034.mov" */
const FILE_ENDINGS: ReadonlySet<string> = new Set(["zip", "mov"]);

/** "Hauptstr.in Berlin" */
const STREET = /\p{L}str$/u;

/** "12 av.de la République": abbreviations often written without a space after the full stop. */
const ABBREVIATIONS: ReadonlySet<string> = new Set(
  words(`av ave avda avd bd blvd bld boul pl pza plza rte ctra urb str nr no st ste mr mrs ms mme mlle dr dra sr sra
   srta prof ca etc usw bzw inkl evtl ggf ref tel env aprox approx apt tno vs jr`),
);

/** True for a label, folded as in a reading, that can end a host name: IANA's root zone, and names outside it. */
export function isTopLevel(label: string): boolean {
  return TOP_LEVEL.has(label) || PUNYCODE.test(label);
}

/**
 * Top-level names that can also begin a sentence ("home.It was", "park.Help") or follow a dot in one ("white dot in the
 * face"): words, places, brands, initials. New names are words until they are listed as `TECHNICAL`.
 */
export function isWord(label: string): boolean {
  if (label.length === 2 && /^[a-z]/.test(label)) return COUNTRY_WORDS.has(label);
  return !TECHNICAL.has(label) && !PUNYCODE.test(label);
}

/** Top-level names that are read as such even after a dot spelled as a word: "example dot info". */
function isSpelledTop(label: string): boolean {
  return isTopLevel(label) && (!isWord(label) || SPELLED.has(label));
}

/** Outside IANA's root zone: Tor, I2P, and names of wallets. */
const OTHER_ROOTS = words("onion i2p eth");

const TOP_LEVEL: ReadonlySet<string> = new Set([...tlds.map(foldWord), ...OTHER_ROOTS]);

const PUNYCODE = /^xn--[a-z0-9-]{2,59}$/;

/** Longer names that no sentence begins with. */
const TECHNICAL: ReadonlySet<string> = new Set(
  words(`com org net edu gov mil biz mobi aero arpa xyz cfd ovh icu sbs dev bzh eus ngo ong moe xin wtf
    onion i2p eth рф`),
);

const SPELLED: ReadonlySet<string> = new Set(
  words("info app asia tech wiki guru ninja name website"),
);

/** Two letters: words in English, French, Spanish and German, abbreviations, units, and states after a town. */
const COUNTRY_WORDS: ReadonlySet<string> = new Set(
  words(`ac ad ae ag ai al am an ar as at au az ba be bi bo by ca cf ci cm co de do eg eh el er es et eu fi fm ga gg
    gr he hm hr id ie il im in io is it je jo ke kg ki km ky la lb li lt lu ma md me mg ml mm mn mo mr ms mt mu my
    na nc ne ni no nr nu om on pa pm ps re sa sc sd se si sm so sr st su ta td te tf th tn to tu tv ua um us va ve vg
    vi vu ya`),
);

function words(list: string): string[] {
  return list.split(/\s+/);
}
