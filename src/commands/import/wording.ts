import type { Age } from "../../core/alert.ts";
import { isDate } from "../../core/input.ts";
import type { Mapping } from "./mapping.ts";

/** What tables say in the place of nothing. */
const NOTHING = ["", "-", "?", "n/a", "none", "unknown"];

/** A text of the table, or null where it says in some way that nothing is known. */
export function known(text: string, alsoUnknown: readonly string[]): string | null {
  const lower = text.toLowerCase();
  const isUnknown =
    NOTHING.includes(lower) || alsoUnknown.some((one) => one.toLowerCase() === lower);
  return isUnknown ? null : text;
}

/** Text in capitals (`FEDERAL WAY`) as people write it (`Federal Way`); other text as it is. */
export function withoutShouting(text: string, lettersMin: number): string {
  const letters = text.replace(/\P{L}/gu, "");
  if (letters.length < lettersMin || text !== text.toUpperCase() || text === text.toLowerCase())
    return text;
  return text.replace(
    /(\p{L})([\p{L}\p{M}’']*)/gu,
    (_, first: string, rest: string) => first + rest.toLowerCase(),
  );
}

/** `Pit Bull / Mix` is a Pit Bull mix. */
export function breedInWords(text: string): string {
  return withoutShouting(text, 4).replace(/\s*\/\s*mix$/i, " mix");
}

/** `Brn Tabby / Unknown` is brown tabby: lower case, abbreviations written out, each part once. */
export function colorInWords(
  text: string,
  { colorWords, unknown }: Pick<Mapping, "colorWords" | "unknown">,
): string | null {
  const words = new Map(
    Object.entries(colorWords).map(([short, long]) => [short.toLowerCase(), long]),
  );
  const parts = text.split("/").flatMap((part) => {
    const written = known(part.trim(), unknown);
    if (written === null) return [];
    const inFull = written.split(/\s+/).map((word) => words.get(word.toLowerCase()) ?? word);
    return [inFull.join(" ").toLowerCase()];
  });
  return parts.length === 0 ? null : [...new Set(parts)].join(" / ");
}

const MONTHS_PER_WEEK = 12 / 52;
const MONTHS_PER_DAY = 12 / 365;
/** Units of time in the languages we speak; "m" alone is not among them: it may be a month or male. */
const UNITS: readonly (readonly [words: RegExp, months: number])[] = [
  [/^(?:y|yrs?|years?|ans?|años?|jahre?)$/, 12],
  [/^(?:mos?|mths?|months?|mois|mes|meses|monate?)$/, 1],
  [/^(?:w|wks?|weeks?|semaines?|semanas?|wochen?)$/, MONTHS_PER_WEEK],
  [/^(?:d|days?|jours?|d[ií]as?|tage?)$/, MONTHS_PER_DAY],
];

/** `1 YEAR 2 MONTHS` by the mapping's limits: baby, young, adult or senior; text without an age is unknown. */
export function ageOf(text: string, rules: NonNullable<Mapping["age"]>): Age {
  const lower = text.toLowerCase();
  const word = Object.entries(rules.values).find(([value]) => value.toLowerCase() === lower);
  if (word !== undefined) return word[1];
  const months = monthsIn(lower);
  if (months === null) return "unknown";
  if (months < rules.babyUnderMonths) return "baby";
  if (months < rules.youngUnderMonths) return "young";
  return months < rules.seniorFromMonths ? "adult" : "senior";
}

function monthsIn(text: string): number | null {
  let months: number | null = null;
  for (const [, number, unit] of text.matchAll(/(\d{1,3}(?:[.,]\d{1,2})?)\s*(\p{L}+)/gu)) {
    const known = UNITS.find(([words]) => words.test(unit!));
    if (known !== undefined) months = (months ?? 0) + Number(number!.replace(",", ".")) * known[1];
  }
  return months;
}

/** The day a text begins with, as YYYY-MM-DD; null when it is none of that format. A time after it is left out. */
export function dayOf(text: string, format: string): string | null {
  const pattern = format
    .replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")
    .replace("YYYY", "(?<year>\\d{4})")
    .replace("MM", "(?<month>\\d{1,2})")
    .replace("DD", "(?<day>\\d{1,2})");
  const { year, month, day } = new RegExp(`^${pattern}(?!\\d)`).exec(text)?.groups ?? {};
  const date = `${year}-${month?.padStart(2, "0")}-${day?.padStart(2, "0")}`;
  return isDate(date) ? date : null;
}

/** A decimal number with point or comma, or null. */
export function decimalOf(text: string): number | null {
  return /^-?\d{1,3}(?:[.,]\d{1,20})?$/.test(text) ? Number(text.replace(",", ".")) : null;
}
