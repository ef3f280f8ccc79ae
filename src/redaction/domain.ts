import tlds from "tlds";

import { foldWord, type NormalizedText } from "./normalized-text.ts";

/**
 * True if this label ends a host name without a path and `before` is the label before it. "home.It was found" is two
 * sentences: a top-level name that is also a word must not begin with a capital, nor follow an abbreviation or a number.
 * `findMissingSpaces` finds where two such sentences need a space, so that no email program makes a link of them.
 */
export function endsHost(
  normalized: NormalizedText,
  before: string,
  label: { readonly name: string; readonly start: number },
): boolean {
  if (!isTopLevel(label.name) || !/\p{L}|\d{3}/u.test(before)) return false;
  if (!isWord(label.name)) return true;
  if (SHORT_HOSTS.has(`${before}.${label.name}`)) return true;
  if (ABBREVIATIONS.has(before) || STREET.test(before) || FILE_ENDINGS.has(label.name))
    return false;
  return before.length > 1 && /\p{L}/u.test(before) && !normalized.isCapital(label.start);
}

/** Indexes in the normalized text where a space is missing after a full stop, between two words that look like a host. */
export function findMissingSpaces({ text }: NormalizedText): number[] {
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

/** True for a label, folded as in a normalized text, that can end a host name: IANA's root zone, and names outside it. */
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

/** Outside IANA's root zone: Tor, I2P, and names of wallets. */
const OTHER_ROOTS = words("onion i2p eth");

const TOP_LEVEL: ReadonlySet<string> = new Set([...tlds.map(foldWord), ...OTHER_ROOTS]);

const PUNYCODE = /^xn--[a-z0-9-]{2,59}$/;

/** Longer names that no sentence begins with. */
const TECHNICAL: ReadonlySet<string> = new Set(
  words(`com org net edu gov mil biz mobi aero arpa xyz cfd ovh icu sbs dev bzh eus ngo ong moe xin wtf
    onion i2p eth рф`),
);

/** Two letters: words in English, French, Spanish and German, abbreviations, units, and states after a town. */
const COUNTRY_WORDS: ReadonlySet<string> = new Set(
  words(`ac ad ae ag ai al am an ar as at au az ba be bi bo by ca cf ci cm co de do eg eh el er es et eu fi fm ga gg
    gr he hm hr id ie il im in io is it je jo ke kg ki km ky la lb li lt lu ma md me mg ml mm mn mo mr ms mt mu my
    na nc ne ni no nr nu om on pa pm ps re sa sc sd se si sm so sr st su ta td te tf th tn to tu tv ua um us va ve vg
    vi vu ya`),
);

export function words(list: string): string[] {
  return list.split(/\s+/);
}
