import { blankText, spansOf, type Span } from "./normalized-text.ts";

/**
 * Text without harmless long numbers: microchips, dates with a year, prices. `isPhone` checks for a valid national phone
 * number; it decides where a chip number looks like one.
 */
export function hideHarmlessNumbers(text: string, isPhone: (digits: string) => boolean): string {
  const spans = [
    ...HARMLESS.flatMap((pattern) => spansOf(text, pattern)),
    ...spansOf(text, ANNOUNCED_CHIP, 1).filter((span) => isChip(text, span, isPhone)),
  ];
  return blankText(text, spans);
}

/** True if digits with separators are one or two everyday numbers rather than a phone number. */
export function isHarmless(digits: string): boolean {
  return EVERYDAY.some((pattern) => pattern.test(digits.trim()));
}

/** Dates with a year, in the forms of our four languages; a date that does not exist (31.02.2026) passes too. */
const YEAR = "(?:19|20)\\d\\d";
const DAY = "(?:0?[1-9]|[12]\\d|3[01])";
const MONTH = "(?:0?[1-9]|1[0-2])";
const CLOCK = "(?:[01]?\\d|2[0-4])[:h.][0-5]\\d(?::[0-5]\\d(?:\\.\\d{1,6})?)?";
const THEN_CLOCK = `(?:(?:t|[, ] ?(?:at )?)${CLOCK}(?!\\d|[:.]\\d))?`;
const NOT_INSIDE = "(?<!\\d|\\d[.,:/-])";
const ENDS = "(?!\\d|[./-]\\d)";

const DATES = [
  `${NOT_INSIDE}${YEAR}([-./])${MONTH}\\1${DAY}${THEN_CLOCK}${ENDS}`,
  `${NOT_INSIDE}${DAY}([./]) ?${DAY}\\1 ?${YEAR} ?- ?${DAY}\\1 ?${DAY}\\1 ?${YEAR}${ENDS}`,
  `${NOT_INSIDE}${DAY}([-./]) ?${DAY}\\1 ?${YEAR}${THEN_CLOCK}${ENDS}`,
];

/** At most seven digits, together or in groups of three, with up to two decimals: 06 12 34 56 is not an amount. */
const amount = (sign: string) =>
  `(?!0\\d)(?:\\d{1,7}|\\d{1,3}${sign}\\d{3}|\\d${sign}\\d{3}${sign}\\d{3})(?:[.,]\\d{1,2}|[.,]-)?(?!\\d)`;
const FROM = "(?!0\\d)(?:\\d{1,4}|\\d{1,2}[.,' ]\\d{3})";
const CURRENCY =
  "(?:[€$£¥₹₽₺₪₩]|(?:eur(?:os?)?|usd|dollars?|dolares|bucks|pounds?|gbp|chf|cad|aud|francs?|franken|pesos?|zl|kr|sek|nok|dkk)(?!\\p{L}))";

/** Not behind other digits, unless those are a phone number written in one piece: "0612345678 500 €". */
const NOT_IN_NUMBER = "(?:(?<!\\d[^\\p{L}\\p{N}\\0]{0,3})|(?<=(?<!\\d)\\d{10} ))";
/** After a currency, groups separated by spaces are not one amount: nothing marks its end, and they could be a phone number. */
const PRICES = [
  `${NOT_IN_NUMBER}(?:${FROM} ?(?:-|/) ?)?${amount("[.,' ]")} ?${CURRENCY}(?!\\d)`,
  `(?<!\\d ?)${CURRENCY} ?${amount("[.,']")}(?![ .,/-]?\\d)`,
];

/** ISO 11784 microchip numbers have 15 digits and never begin with the prefix of an international call (00, 011). */
const CHIP_START = "(?<![\\d+])(?!00|011)";

/** Groups in which the 15 digits are printed, with the same separator throughout. */
const CHIP_GROUPS = "3-12 3-4-4-4 3-3-3-3-3 3-3-9 3-2-10 3-2-2-8 3-6-6 6-9 5-5-5 4-4-4-3".split(
  " ",
);

const GROUPED_CHIPS = CHIP_GROUPS.map((groups, at) => {
  const [first, second, ...others] = groups.split("-").map((length) => `\\d{${length}}`);
  return `${first}([ .-])${[second, ...others].join(`\\${at + 1}`)}`;
});
const CHIP = `${CHIP_START}(?:\\d{15}|(?!0)(?:${GROUPED_CHIPS.join("|")}))(?!\\d)`;

const HARMLESS = [CHIP, ...DATES, ...PRICES].map((pattern) => new RegExp(pattern, "gu"));

/** Other chip numbers (AVID: 9 digits; ten characters elsewhere) have no form of their own and need a word before them. */
const ANNOUNCED_CHIP = new RegExp(
  "(?<!\\p{L})(?:micro[ -]?)?(?:chip(?:s|ped|nummer|nr)?|chips|puce|transpond(?:er|eur|edor)|rfid|avid|i-?cad)(?!\\p{L})" +
    "(?:[^\\p{L}\\p{N}\\0]{0,3}(?:number|num|numero|nummer|no|nr|n|id|code|codigo|is|est|es|ist|de|del|avid|iso|homeagain|trovan|electronique|electronico)(?!\\p{L})){0,4}" +
    "[^\\p{L}\\p{N}\\0]{0,4}(\\d{9,10}|\\d{3}([ .*-])\\d{3}\\2\\d{3}|\\d{3}(?:[ .-]?\\d){12})(?!\\d)",
  "dgu",
);

/** False for ten digits that begin with 0 and are a complete phone number of the country, even after the word "chip". */
function isChip(text: string, { start, end }: Span, isPhone: (digits: string) => boolean): boolean {
  const written = text.slice(start, end);
  return !/^0\d{9}$/.test(written) || !isPhone(written);
}

const SMALL = "(?:0|[1-9]\\d{0,2})";
const POSTCODE = "[1-9]\\d{4}";
const DEGREES = "[-+]?\\d{1,3}\\.\\d{1,2}";
const SHORT_DATE = `${DAY}[./-]${DAY}(?:\\.|[./-]\\d\\d)?`;
const MOMENT = `(?:${CLOCK}|${SHORT_DATE})`;
const ITEM = `(?:${SMALL}|${YEAR}|${MOMENT})`;
const APART = "(?: ?[,;|] ?| - |\\s)";

const EVERYDAY = [
  `${ITEM}(?:${APART}${ITEM})?`,
  `(?:${ITEM}${APART})?${POSTCODE}(?:${APART}${ITEM})?`,
  `0\\d{4}${APART}${YEAR}`,
  `${MOMENT}(?:${APART}${MOMENT}){1,2}`,
  `(?:${YEAR}|${CLOCK}) ?[-/] ?(?:${YEAR}|${CLOCK})`,
  // A range of round numbers; a ZIP+4; a position as coarse as the published ones.
  "[1-9]\\d{0,2}0 ?- ?[1-9]\\d{0,2}0",
  "[1-9]\\d{4}-\\d{4}",
  `${DEGREES} ?[,;/ ] ?${DEGREES}`,
].map((pattern) => new RegExp(`^(?:${pattern})$`, "u"));
