import { LANGUAGES } from "../messages/languages.ts";
import { VOCABULARIES } from "../messages/vocabulary.ts";
import { isDate } from "../core/input.ts";
import { folded } from "../text/tokenize.ts";

/** Parts of a date in a format; the longest of those that begin alike comes first. */
const PARTS = /YYYY|YY|MMM|MM|DD/g;
/** Words between the parts, such as "de" in "3 de marzo de 2026". A word of these letters only would be a mistaken part. */
const MISTAKEN_PART = /^[ymdhsaj]+$/i;

/** Problem of a date format, for the end of a sentence; null if dates can be read by it. */
export function dateFormatProblem(format: string): string | null {
  const count = (...parts: readonly string[]) =>
    (format.match(PARTS) ?? []).filter((part) => parts.includes(part)).length;
  if (count("YYYY", "YY") !== 1 || count("MM", "MMM") !== 1 || count("DD") !== 1)
    return "must hold a year (YYYY or YY), a month (MM, or MMM for its name) and a day (DD) once each, such as MM/DD/YYYY";
  const words = format.replace(PARTS, " ").match(/\p{L}+/gu) ?? [];
  const mistaken = words.find((word) => MISTAKEN_PART.test(word));
  return mistaken === undefined
    ? null
    : `must not hold "${mistaken}": a time of day after the date is left out anyway`;
}

/**
 * Date at the start of a text, as YYYY-MM-DD, or null. A time after it is ignored. A year of two digits is one of this
 * century, or of the last one if the date would be after `notAfter`.
 */
export function parseDate(text: string, format: string, notAfter = "2099-12-31"): string | null {
  const parts = patternOf(format).exec(text)?.groups;
  if (parts === undefined) return null;
  const { year, shortYear, month, monthName, day } = parts;
  const monthNumber = month ?? monthNamed(monthName ?? "");
  const inYear = (yearText: string) => {
    const date = `${yearText}-${monthNumber?.padStart(2, "0")}-${day?.padStart(2, "0")}`;
    return isDate(date) ? date : null;
  };
  if (year !== undefined) return inYear(year);
  const date = inYear(`20${shortYear}`);
  return date !== null && date > notAfter ? inYear(`19${shortYear}`) : date;
}

const PATTERNS = new Map<string, RegExp>();
const GROUPS: Readonly<Record<string, string>> = {
  YYYY: "(?<year>\\d{4})",
  YY: "(?<shortYear>\\d{2})",
  MMM: "(?<monthName>\\p{L}+)\\.?",
  MM: "(?<month>\\d{1,2})",
  DD: "(?<day>\\d{1,2})",
};

function patternOf(format: string): RegExp {
  const known = PATTERNS.get(format);
  if (known !== undefined) return known;
  // Without anything between the parts, only their length tells them apart.
  const isCompact = format.replace(PARTS, "") === "";
  const pattern = format
    .replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")
    .replace(/\s+/g, "\\s+")
    .replace(PARTS, (part) => GROUPS[part]!)
    .replaceAll("{1,2}", isCompact ? "{2}" : "{1,2}");
  const made = new RegExp(`^${pattern}(?!\\d)`, "u");
  PATTERNS.set(format, made);
  return made;
}

/** Names of the months, without accents, and abbreviations that do not begin them. */
const MONTHS = Array.from({ length: 12 }, (_, at) =>
  LANGUAGES.flatMap((language) => VOCABULARIES[language].months[at]!.split(" ")),
);
const MONTH_LETTERS_MIN = 3;

/** Number of a month by its name or the beginning of it; null if several begin that way. */
function monthNamed(text: string): string | null {
  const name = folded(text);
  if (name.length < MONTH_LETTERS_MIN) return null;
  const found = MONTHS.flatMap((names, at) =>
    names.some((one) => one.startsWith(name)) ? [String(at + 1)] : [],
  );
  return found.length === 1 ? found[0]! : null;
}
