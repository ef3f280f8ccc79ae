import type { Age } from "../../core/alerts/alert.ts";
import { clockTime, isDate } from "../../core/input.ts";
import type { Mapping } from "./mapping.ts";

/** Cell values that mean "unknown". */
const UNKNOWN_VALUES = ["", "-", "?", "n/a", "none", "unknown"];

/** Text of a cell, or null if it means "unknown". */
export function knownText(text: string, alsoUnknown: readonly string[]): string | null {
  const lower = text.toLowerCase();
  const isUnknown =
    UNKNOWN_VALUES.includes(lower) || alsoUnknown.some((one) => one.toLowerCase() === lower);
  return isUnknown ? null : text;
}

/** `FEDERAL WAY` -> `Federal Way`; text that is not all capitals is unchanged. */
export function withoutCapitals(text: string, lettersMin: number): string {
  const letters = text.replace(/\P{L}/gu, "");
  if (letters.length < lettersMin || text !== text.toUpperCase() || text === text.toLowerCase())
    return text;
  return text.replace(
    /(\p{L})([\p{L}\p{M}’']*)/gu,
    (_, first: string, rest: string) => first + rest.toLowerCase(),
  );
}

/** `Pit Bull / Mix` -> `Pit Bull mix`. */
export function normalizeBreed(text: string): string {
  return withoutCapitals(text, 4).replace(/\s*\/\s*mix$/i, " mix");
}

/** `Brn Tabby / Unknown` -> `brown tabby`: lower case, abbreviations expanded, no duplicates. */
export function normalizeColor(
  text: string,
  { colorWords, unknown }: Pick<Mapping, "colorWords" | "unknown">,
): string | null {
  const words = new Map(
    Object.entries(colorWords).map(([short, long]) => [short.toLowerCase(), long]),
  );
  const parts = text.split("/").flatMap((part) => {
    const written = knownText(part.trim(), unknown);
    if (written === null) return [];
    const inFull = written.split(/\s+/).map((word) => words.get(word.toLowerCase()) ?? word);
    return [inFull.join(" ").toLowerCase()];
  });
  return parts.length === 0 ? null : [...new Set(parts)].join(" / ");
}

const MONTHS_PER_WEEK = 12 / 52;
const MONTHS_PER_DAY = 12 / 365;
/** Units of time in our four languages. Without "m", which may mean month or male. */
const UNITS: readonly (readonly [pattern: RegExp, months: number])[] = [
  [/^(?:y|yrs?|years?|ans?|años?|jahre?)$/, 12],
  [/^(?:mos?|mths?|months?|mois|mes|meses|monate?)$/, 1],
  [/^(?:w|wks?|weeks?|semaines?|semanas?|wochen?)$/, MONTHS_PER_WEEK],
  [/^(?:d|days?|jours?|d[ií]as?|tage?)$/, MONTHS_PER_DAY],
];

/** Age group of `1 YEAR 2 MONTHS` by the mapping's limits; "unknown" if the text has no age. */
export function parseAge(text: string, rules: NonNullable<Mapping["age"]>): Age {
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
    const known = UNITS.find(([pattern]) => pattern.test(unit!));
    if (known !== undefined) months = (months ?? 0) + Number(number!.replace(",", ".")) * known[1];
  }
  return months;
}

/** Date at the start of a text, as YYYY-MM-DD, or null. A time after it is ignored. */
export function parseDate(text: string, format: string): string | null {
  const pattern = format
    .replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")
    .replace("YYYY", "(?<year>\\d{4})")
    .replace("MM", "(?<month>\\d{1,2})")
    .replace("DD", "(?<day>\\d{1,2})");
  const { year, month, day } = new RegExp(`^${pattern}(?!\\d)`).exec(text)?.groups ?? {};
  const date = `${year}-${month?.padStart(2, "0")}-${day?.padStart(2, "0")}`;
  return isDate(date) ? date : null;
}

/**
 * Time of day, HH:MM, in a cell that may hold the day before it; otherwise null. Midnight after a day stands for no time:
 * programs write it into every date.
 */
export function parseTime(text: string): string | null {
  const [, clock] = /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}[T ]\s*(.*)$/.exec(text) ?? [];
  const time = clockTime(clock ?? text);
  return clock !== undefined && time === "00:00" ? null : time;
}

/** Decimal number with point or comma, or null. */
export function parseDecimal(text: string): number | null {
  return /^-?\d{1,3}(?:[.,]\d{1,20})?$/.test(text) ? Number(text.replace(",", ".")) : null;
}
