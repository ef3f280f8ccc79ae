/** Parts of texts that are meant to be slow: each is repeated. */
export const HOSTILE_PARTS: readonly string[] = [
  ..." |\n|0|0 |0-|0. |0, |(|((0|) |+|+1 |06 12 34 56 7 |1. |1.234 |$1|1€|1 000 |18:30 - |21.11.|9-".split(
    "|",
  ),
  ..."a@|a@a.|@|@a |a.|a.a.|a. |.com|a.com |www.|://|a://|http:|/|///a.|z|a-|[removed]|[".split(
    "|",
  ),
  ..."at |at at |a at |dot |a dot |a dot com |a(at)|(dot)|{|_at_|point de |a at gmail dot com ".split(
    "|",
  ),
  ..."lat 45.|45°|45°46'|45 46 |n 45 |2345+|geo:|o|o0|call me at |chip no |puce 1 ".split("|"),
  ..."insta |insta: |insta me on |my insta is |a_|x1|_|e\u0301|\u0301|\u200b|👨‍|٠|о|оa|ﷺ|'|%".split(
    "|",
  ),
  ..."a b |. |a . b |1.2.3.|45.77.12.9 |FR76|FR76 3000 |de89 |A1b2|1A1zP1eP5Q|$a|insta - |gmail |🐶.|。|it.It|It. |[:|[::|data:|3 words |N 45° 46.4 ".split(
    "|",
  ),
  ..."@1a|@1a |a@aa|20629673 |2062967 x |206-2967 |06, 12, 34, |1, 2, |call 061234 |tel:55555 |-a|-at-|45.774 4.832, |45 46 27 N |2345678 |insta a.b |lat |lat. |٠٦ ١٢ |(((((((|))))|<({[|@@|a.b@|..".split(
    "|",
  ),
  "/a@a.a $145 46 27👨‍ N@a٠٦ ١٢@1a 0.iN/ @@5° A1b26.4o0$a(aa_)",
  "2345678 1€insta me on ",
  `${"z".repeat(70)}@`,
  `${"z".repeat(63)}.`,
  `${"z".repeat(39)} `,
  `${"a".repeat(24)}1`,
];

/** The parts repeated up to a length, and as many different characters of all scripts. */
export function hostileTexts(length: number): readonly string[] {
  const scripts = Array.from({ length }, (_, at) => String.fromCodePoint(0xa1 + at * 13));
  const syllables = Array.from({ length }, (_, at) => String.fromCodePoint(0xac00 + at * 5));
  return [
    ...HOSTILE_PARTS.map((part) => part.repeat(Math.ceil(length / part.length)).slice(0, length)),
    scripts.join("").slice(0, length),
    syllables.join("").slice(0, length),
    HOSTILE_PARTS.join("").slice(0, length),
  ];
}
