import { spansOf, type NormalizedText, type Span } from "./normalized-text.ts";

/**
 * Positions finer than about 100 m, as phones and maps write them: degrees with three or more decimals, degrees and
 * minutes, plus codes, and `geo:` addresses. Two decimals are what we publish ourselves, so they stay.
 */
export function findCoordinates({ text }: NormalizedText): Span[] {
  return PATTERNS.flatMap((pattern) => spansOf(text, pattern));
}

const SIGN = "[-+]?";
const HEMISPHERE =
  "(?:[nsewo](?![\\p{L}\\p{N}])|north|south|east|west|nord|sud|est|ouest|norte|sur|este|oeste|ost)";
/** Separator between the two numbers of a pair, besides a name of the second one. */
const BETWEEN = "[^\\p{L}\\p{N}\\0.]{0,4}";
const NAME =
  "(?:latitude|longitude|latitud|longitud|lat|lng|long|lon|breitengrad|laengengrad|langengrad|breite|lange|laenge)";
const AND = "(?:and|et|y|und|by|x)";

/** Thousands ("1.500 - 2.000 €", "1.500 m") look like degrees with three decimals. */
const NO_AMOUNT =
  "(?!\\d|\\s?(?:[€$£%]|eur|euros?|usd|dollars?|chf|km|m|metres?|meters?|meter|kg|g)(?![\\p{L}\\p{N}]))";
const NO_MONTH = "(?!(?:0?[1-9]|1[0-2])\\.(?:19|20)\\d\\d(?!\\d))";
const DEGREES = `${NO_MONTH}(?:1[0-7]\\d|180|\\d{1,2})\\.\\d{3,15}${NO_AMOUNT}`;

/** Minutes, with or without seconds, or with decimals as geocachers write them. */
const MINUTES = `(?:\\d{1,2}(?:[.,]\\d{1,8})?\\s?'(?:\\s?\\d{1,2}(?:[.,]\\d{1,8})?\\s?(?:"|''?)?)?|\\d{1,2}[.,]\\d{2,8})`;
const DMS = `\\d{1,3}\\s?°\\s?${MINUTES}\\s?${HEMISPHERE}?`;
/** The same without a sign; only a pair of them with their hemispheres is a position. */
const BARE_DMS = "\\d{1,3}[\\s:]\\d{1,2}(?:[\\s:.]\\d{1,8}){0,2}";

const CODE = "[23456789cfghjmpqrvwx]";

const PATTERNS: readonly RegExp[] = [
  // 45.77412, 4.83211 · N45.774 E4.832 · lat 45.774 lng 4.832
  `(?:${NAME}${BETWEEN})?(?:(?<!\\p{L})[nsewo]\\s?)?(?<!\\d[.,]?)${SIGN}${DEGREES}\\s?°?\\s?${HEMISPHERE}?` +
    `${BETWEEN}(?:(?:${NAME}|${AND})${BETWEEN})?(?:[nsewo]\\s?)?${SIGN}${DEGREES}(?:\\s?°)?(?:\\s?${HEMISPHERE})?`,
  // 45,7741 / 4,8321
  `(?<!\\d[.,]?)${SIGN}\\d{1,3},\\d{4,15}(?:\\s?°)?(?:\\s?${HEMISPHERE})?${BETWEEN}(?:${NAME}${BETWEEN})?${SIGN}\\d{1,3},\\d{4,15}`,
  // A lone number that is nothing but degrees: four decimals, or three with a name or a sign.
  `(?<!\\d[.,/-]?)${SIGN}(?!0\\d)${NO_MONTH}(?:1[0-7]\\d|180|\\d{1,2})(?:\\.\\d{4,15}|,\\d{6,15})(?!\\d)(?:\\s?°)?(?:\\s?${HEMISPHERE})?`,
  `(?<!\\p{L})${NAME}[^\\p{L}\\p{N}\\0]{0,4}${SIGN}\\d{1,3}[.,]\\d{3,15}`,
  `(?<!\\d[.,]?)${SIGN}\\d{1,3}[.,]\\d{3,15}\\s?°(?:\\s?${HEMISPHERE})?`,
  // 45°46'27"N 4°49'55"E · N 45° 46.450 E 004° 49.920
  `(?:(?<!\\p{L})[nsewo]\\s?)?(?<!\\d)${DMS}(?:${BETWEEN}(?:[nsewo]\\s?)?${DMS})?`,
  `(?<![\\p{L}\\p{N}.])${BARE_DMS}\\s?[ns](?!\\p{L})${BETWEEN}${BARE_DMS}\\s?[ewo](?!\\p{L})`,
  `(?<!\\p{L})[ns]\\s?${BARE_DMS}${BETWEEN}[ewo]\\s?${BARE_DMS}(?!\\d)`,
  // Plus codes: full, or short beside a place's name. A short one needs a letter and a digit to be no sum.
  `(?<![\\p{L}\\p{N}])${CODE}{8}\\s?\\+\\s?${CODE}{2,4}(?![\\p{L}\\p{N}])`,
  `(?<![\\p{L}\\p{N}])(?=[a-z]{0,5}\\d)(?=\\d{0,5}[a-z])${CODE}{4}(?:${CODE}{2})?\\+${CODE}{2,3}(?![\\p{L}\\p{N}])`,
  `(?<!\\p{L})geo:\\s?${SIGN}\\d[^\\s\\0]*`,
].map((pattern) => new RegExp(pattern, "gu"));
