import { spansOf, type Reading, type Span } from "./reading.ts";

/**
 * Bank accounts (IBAN), cryptocurrency addresses and $names. Card and account numbers without letters are found as long
 * numbers (`phone.ts`).
 */
export function findPayments(reading: Reading): Span[] {
  return [...findIbans(reading.text), ...findCoins(reading), ...spansOf(reading.text, CASHTAG)];
}

/** "$annasmith", but neither "$cad" nor "$reward". */
const CASHTAG =
  /(?<![\p{L}\p{N}$])\$(?!(?:usd?|cad?|aud?|nzd?|hkd|sgd|mxn|ars|clp|cop|rewards?|cash|money|dollars?|bounty|thousand|hundred|million)(?![\p{L}\p{N}_]))[a-z][a-z0-9_]{2,19}(?![\p{L}\p{N}_$])/gu;

const IBAN_START = /(?<![\p{L}\p{N}])[a-z]{2}\d{2}(?=[ .-]?[a-z0-9])/gu;
/** Characters of an IBAN by country (SWIFT's IBAN registry). */
const IBAN_LENGTHS: ReadonlyMap<string, number> = new Map(
  `ad24 ae23 al28 at20 az28 ba20 be16 bg22 bh22 br29 by28 ch21 cr22 cy28 cz24 de22 dk18 do28 ee20 eg29 es24 fi18 fo18
   fr27 gb22 ge22 gi23 gl18 gr27 gt28 hr21 hu28 ie22 il23 iq23 is26 it27 jo30 kw30 kz20 lb28 lc32 li21 lt20 lu20 lv21
   ly25 mc27 md24 me22 mk19 mr27 mt31 mu30 nl18 no15 pk24 pl28 ps29 pt25 qa29 ro24 rs22 sa24 sc31 sd18 se24 si19 sk24
   sm27 st25 sv28 tl23 tn24 tr26 ua29 va22 vg24 xk20`
    .split(/\s+/)
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);

function findIbans(text: string): Span[] {
  return Array.from(text.matchAll(IBAN_START), ({ index }) => ({
    start: index,
    end: ibanEnd(text, index),
  })).filter((span): span is Span => span.end !== null);
}

/** End index of an IBAN that starts here, with at most one separator between characters; null if there is none. */
function ibanEnd(text: string, start: number): number | null {
  const length = IBAN_LENGTHS.get(text.slice(start, start + 2));
  if (length === undefined) return null;
  let written = "";
  let at = start;
  for (; written.length < length; at += 1) {
    const unit = text[at] ?? "";
    if (/[a-z0-9]/.test(unit)) written += unit;
    else if (!/[ \n./-]/.test(unit) || !/[a-z0-9]/.test(text[at - 1]!)) return null;
  }
  const goesOn = /[\p{L}\p{N}]/u.test(text[at] ?? "");
  return !goesOn && isIban(written) ? at : null;
}

/** ISO 7064, MOD 97-10: letters count from 10. */
function isIban(written: string): boolean {
  let rest = 0;
  for (const unit of written.slice(4) + written.slice(0, 4)) {
    const value = Number.parseInt(unit, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}

/**
 * Cryptocurrency addresses are the only words of 25 characters and more that mix letters and digits, or capitals and
 * small letters, throughout: file names and chip numbers alternate less. So no list of currencies is needed.
 */
function findCoins(reading: Reading): Span[] {
  return spansOf(reading.text, LONG_CODE).filter((span) => isCoin(reading, span));
}

const LONG_CODE = /(?<![\p{L}\p{N}])[a-z0-9]{25,}(?![\p{L}\p{N}])/gu;
/** Changes between capitals, small letters and digits, as a fraction of the length. */
const CHANGES_MIN = 1 / 5;
/** Bitcoin (1, 3, bc1), Litecoin, Ethereum and similar addresses. */
const KNOWN_START =
  /^(?:[13lmdt][a-z0-9]{25,34}|(?:bc|tb|ltc|addr|lnbc)1?[a-z0-9]{11,}|0x[0-9a-f]{40,64})$/;

function isCoin(reading: Reading, { start, end }: Span): boolean {
  const code = reading.text.slice(start, end);
  const digits = code.replace(/\D/g, "").length;
  if (digits === code.length) return false;
  let changes = 0;
  let hasCapitalPair = false;
  let before = "";
  for (let at = start; at < end; at += 1) {
    const unit = reading.text[at]!;
    const kind = /\d/.test(unit) ? "digit" : reading.isCapital(at) ? "capital" : "small";
    if (before !== "" && kind !== before) changes += 1;
    if (kind === "capital" && before === "capital") hasCapitalPair = true;
    before = kind;
  }
  // Words joined as in a hashtag have neither digits nor two adjacent capitals.
  const isMixed = changes >= code.length * CHANGES_MIN && (digits > 0 || hasCapitalPair);
  return isMixed || (digits >= 2 && changes >= 4 && KNOWN_START.test(code));
}
