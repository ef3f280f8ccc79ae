import fc from "fast-check";
import { anyCharacter } from "../support/any-character.ts";

/** Part of every e-mail address the run gives: what belongs to one caller and must be shown to no other. */
export const CANARY = "kanari";
/** Digits in every exact position and chip number it gives, far behind what the public grid keeps. */
export const CANARY_DIGITS = "0739173915";
/** What stands in hostile texts; unescaped in a page it would be an element. */
export const CANARY_TAG = "<img src=k4";

const SCRIPTS = [
  "Mimi",
  "Ёжик, дымчатый",
  "黒い猫、首輪あり",
  "검은 고양이",
  "قطة رمادية",
  "חתול אפור",
  "काली बिल्ली",
  "แมวสีดำ",
  "Γάτα γκρι",
  "ნაცრისფერი კატა",
  "Müsli Œuvre Ĳsbeer ſtraße",
  "🐈‍⬛👩🏽‍🦰🏳️‍🌈",
  "𝔐𝔦𝔪𝔦 ①② ﷺ",
];

const HOSTILE = [
  `${CANARY_TAG} onerror=alert(1)>`,
  `"><script>${CANARY_TAG}</script>`,
  `</script>${CANARY_TAG}`,
  `]]>${CANARY_TAG}`,
  "' onfocus='alert(1)' x='",
  "javascript:alert(1)",
  "'; DROP TABLE alerts; --",
  '" OR NEAR(a b) * ^ {x} :',
  "${7*7} {{7*7}} <%= 7 %>",
  "../../../../etc/passwd",
  "__proto__",
  "constructor",
  "toString",
  "a\r\nSet-Cookie: x=1\r\n\r\nbody",
  "\u0000",
  "a\u0000b",
  "\u202egnp.exe\u2066",
  "a\u200b\u200d\ufeffb\u{e0041}",
  "\ud800",
  "\udc00 \ud83d",
  "\ufffe\uffff",
  "%",
  "%zz%c0%80%00%ff",
  "null",
  "undefined",
  "[object Object]",
  "true",
  "-",
  " ",
  "\t\r\n\v\f\u0085\u2028\u3000",
  "e\u0301".repeat(40),
  "\u0301".repeat(200),
  " ".repeat(2_000),
  "a".repeat(301),
  "ß".repeat(81),
  "a@".repeat(900),
  "06 12 34 56 78",
  `write to ${CANARY}.text@${CANARY}-mail.example`,
  "https://evil.example/?a=b",
  "Seen at 45.774123, 4.832198",
];

/** Text as people, programs and attackers write it, a few kilobytes at most. */
export const oddText: fc.Arbitrary<string> = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...SCRIPTS) },
  { weight: 5, arbitrary: fc.constantFrom(...HOSTILE) },
  { weight: 2, arbitrary: fc.string({ unit: "grapheme", maxLength: 90 }) },
  { weight: 2, arbitrary: fc.string({ unit: anyCharacter, maxLength: 90 }) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom(...SCRIPTS), fc.constantFrom(...HOSTILE), fc.constantFrom(...SCRIPTS))
      .map((parts) => parts.join(" ")),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.constantFrom("a", " ", "é", "猫", "\u0301", "(", "\ud83d\ude00", "1 ", "a@b "),
        fc.nat(6_000),
      )
      .map(([sign, times]) => sign.repeat(times)),
  },
);

/** Plain words, as most callers give them. */
export const plainText: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom(...SCRIPTS), fc.constantFrom("", "", " grey", " tabby", " schwarz"))
  .map((parts) => parts.join(""));

/** A mailbox of the run's own. */
export const canaryMailbox: fc.Arbitrary<string> = fc
  .nat(4_000)
  .map((nth) => `${CANARY}.n${nth}@${CANARY}-mail.example`);

/** What is no mailbox, or is two, or tries to be a header. */
export const brokenMailbox: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    "@",
    "a@b",
    "a b@example.org",
    "a@example.org, v@example.org",
    "a@example.org\r\nBcc: v@example.org",
    "<a@example.org>",
    "a@[127.0.0.1]",
    '"a b"@example.org',
    "a@exa_mple.org",
    "ü@example.org",
    `${"a".repeat(65)}@example.org`,
    `a@${"b.".repeat(130)}org`,
  ),
  oddText,
);

/** A coordinate whose digits give away that it was not rounded, between -max and max. */
export function exactDegrees(max: number): fc.Arbitrary<number> {
  return fc
    .integer({ min: -max * 100 + 1, max: max * 100 - 2 })
    .map((hundredths) => Number(`${(hundredths / 100).toFixed(2)}${CANARY_DIGITS}`));
}
