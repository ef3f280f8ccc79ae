import type { NormalizedText, Span } from "./normalized-text.ts";

/** Bank accounts (IBAN). Card and account numbers without letters are found as long numbers (`phone.ts`). */
export function findPayments({ text }: NormalizedText): Span[] {
  const spans: Span[] = [];
  for (const { 0: begin, 1: rest = "", index: start } of text.matchAll(IBAN)) {
    const length = IBAN_LENGTHS.get(begin.slice(0, 2)) ?? Infinity;
    const written = `${begin}${rest.replace(/[^a-z0-9]/g, "")}`.slice(0, length);
    if (written.length < length || !isIban(written)) continue;
    const end = indexAfter(text, start, length);
    if (!/^[\p{L}\p{N}]/u.test(text.slice(end, end + 2))) spans.push({ start, end });
  }
  return spans;
}

/** Start of an IBAN, and the rest of it with at most one separator between its characters. */
const IBAN = /(?<![\p{L}\p{N}])[a-z]{2}\d{2}(?=((?:[ \n./-]?[a-z0-9]){11,30}))/gu;
/** Characters of an IBAN by country (SWIFT's IBAN registry). */
const IBAN_LENGTHS: ReadonlyMap<string, number> = new Map(
  `ad24 ae23 al28 at20 az28 ba20 be16 bg22 bh22 br29 by28 ch21 cr22 cy28 cz24 de22 dk18 do28 ee20 eg29 es24 fi18 fo18
   fr27 gb22 ge22 gi23 gl18 gr27 gt28 hr21 hu28 ie22 il23 iq23 is26 it27 jo30 kw30 kz20 lb28 lc32 li21 lt20 lu20 lv21
   ly25 mc27 md24 me22 mk19 mr27 mt31 mu30 nl18 no15 pk24 pl28 ps29 pt25 qa29 ro24 rs22 sa24 sc31 sd18 se24 si19 sk24
   sm27 st25 sv28 tl23 tn24 tr26 ua29 va22 vg24 xk20`
    .split(/\s+/)
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);

/** Index after so many letters and digits. */
function indexAfter(text: string, start: number, count: number): number {
  let at = start;
  for (let left = count; left > 0; at += 1) if (/[a-z0-9]/.test(text[at]!)) left -= 1;
  return at;
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
