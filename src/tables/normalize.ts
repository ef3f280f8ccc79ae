import type { Age } from "../values/animal.ts";
import { DAY_MS } from "../core/duration.ts";
import { clockTime } from "../core/input.ts";
import type { Point } from "../values/point.ts";
import type { AGE_LIMITS, Mapping } from "./mapping.ts";

/** Longest cell with coordinates or a time of day; postal addresses may stand before the coordinates. */
const SHORT_CELL_MAX = 500;

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

/** `Pit Bull / Mix` -> `Pit Bull mix`, with abbreviations expanded. */
export function normalizeBreed(text: string, { breedWords }: Pick<Mapping, "breedWords">): string {
  return inFull(withoutCapitals(text, 4), breedWords).replace(/(?<!\s)\s*\/\s*mix$/i, " mix");
}

/** `Brn Tabby / Unknown` -> `brown tabby`: lower case, abbreviations expanded, no duplicates. */
export function normalizeColor(
  text: string,
  { colorWords, unknown }: Pick<Mapping, "colorWords" | "unknown">,
): string | null {
  const parts = inFull(text, colorWords)
    .split("/")
    .flatMap((part) => knownText(part.trim(), unknown)?.toLowerCase() ?? []);
  return parts.length === 0 ? null : [...new Set(parts)].join(" / ");
}

/** Text with abbreviations expanded: several words together before single ones, whatever their case. */
function inFull(text: string, words: Readonly<Record<string, string>>): string {
  const byLength = Object.entries(words).sort(([a], [b]) => b.length - a.length);
  return byLength.reduce(
    (written, [short, long]) =>
      written.replace(wordPattern(short), (_, before: string) => before + long),
    text,
  );
}

const WORD_PATTERNS = new Map<string, RegExp>();

function wordPattern(word: string): RegExp {
  const known = WORD_PATTERNS.get(word);
  if (known !== undefined) return known;
  const escaped = word.trim().replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  const made = new RegExp(`(^|[\\s/])${escaped}(?=$|[\\s/])`, "giu");
  WORD_PATTERNS.set(word, made);
  return made;
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
  return months === null ? "unknown" : ageGroup(months, rules);
}

/** Age group on a day of an animal born on another; both YYYY-MM-DD. "unknown" if it was not born by then. */
export function ageOn(day: string, birthDate: string, limits: typeof AGE_LIMITS): Age {
  const days = (Date.parse(day) - Date.parse(birthDate)) / DAY_MS;
  return days < 0 ? "unknown" : ageGroup(days * MONTHS_PER_DAY, limits);
}

function ageGroup(months: number, limits: typeof AGE_LIMITS): Age {
  if (months < limits.babyUnderMonths) return "baby";
  if (months < limits.youngUnderMonths) return "young";
  return months < limits.seniorFromMonths ? "adult" : "senior";
}

/** True for a text with an age, such as "2 years". */
export function hasAge(text: string): boolean {
  return monthsIn(text.toLowerCase()) !== null;
}

function monthsIn(text: string): number | null {
  let months: number | null = null;
  for (const [, number, unit] of text.matchAll(/(\d{1,3}(?:[.,]\d{1,2})?)\s*(\p{L}+)/gu)) {
    const known = UNITS.find(([pattern]) => pattern.test(unit!));
    if (known !== undefined) months = (months ?? 0) + Number(number!.replace(",", ".")) * known[1];
  }
  return months;
}

/**
 * Time of day, HH:MM, in a cell that may hold the day before it; otherwise null. Midnight after a day stands for no time:
 * programs write it into every date.
 */
export function parseTime(text: string): string | null {
  if (text.length > SHORT_CELL_MAX) return null;
  const [, clock] = /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}[T ]\s*(.*)$/.exec(text) ?? [];
  const time = clockTime(clock ?? text);
  return clock !== undefined && time === "00:00" ? null : time;
}

/** Decimal number with point or comma, or null. */
export function parseDecimal(text: string): number | null {
  return /^-?\d{1,3}(?:[.,]\d{1,20})?$/.test(text) ? Number(text.replace(",", ".")) : null;
}

/** First two numbers in a text such as `(47.5, -122.3)`, `95407(38.41, -122.74)` or `POINT (-122.3 47.5)`; null if none. */
export function parseCoordinates(text: string): Point | null {
  if (text.length > SHORT_CELL_MAX) return null;
  const [, isWkt, first, second] =
    /(POINT\s*)?(?:^|\(|\s)\s*(-?\d{1,3}\.\d{1,20})[\s,;]+(-?\d{1,3}\.\d{1,20})/i.exec(text) ?? [];
  if (first === undefined || second === undefined) return null;
  // Well-known text gives the longitude first.
  const [lat, lng] = isWkt === undefined ? [first, second] : [second, first];
  return { lat: Number(lat), lng: Number(lng) };
}
