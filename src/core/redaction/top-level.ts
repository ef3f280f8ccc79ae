import tlds from "tlds";

import { foldWord } from "./fold.ts";

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
export function isSpelledTop(label: string): boolean {
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
  return list.split(/\s+/).filter((word) => word !== "");
}
