import { chipNumber } from "../../core/alerts/publication.ts";
import { parseDate } from "../date-format.ts";
import { MAPPED_TEXT_MAX } from "../mapping.ts";
import { hasAge, parseCoordinates, parseDecimal } from "../normalize.ts";
import type { Table } from "../table.ts";
import { isBlankWord, plainWords } from "./vocabulary.ts";

/** Contents of one column in the first rows of a table. */
export type ColumnProfile = {
  readonly name: string;
  /** Its name as plain words. */
  readonly label: string;
  /** Number of rows of the table. */
  readonly rows: number;
  /** Number of rows with a value. */
  readonly filled: number;
  /** Words for an empty field in it, such as NULL. */
  readonly blankWords: readonly string[];
  /** Share of rows that have a value of their own. */
  readonly uniqueShare: number;
  /** Values that a mapping can hold, the most frequent first; none if there are too many for a list of words. */
  readonly values: readonly string[];
  /** The values in one text of plain words. */
  readonly words: string;
  /** Share of filled rows whose value passes a test; 0 for a column that is no list of words. */
  shareOf(test: (value: string) => boolean): number;
  /** Formats by which most of its dates can be read, each as other days, the likeliest first; none if it holds no dates. */
  readonly dateFormats: readonly string[];
  /** Earliest of its dates, YYYY-MM-DD; null if it holds none. */
  readonly firstDate: string | null;
  readonly numbers: {
    readonly min: number;
    readonly max: number;
    readonly hasFractions: boolean;
  } | null;
  /** True if values hold both coordinates. */
  readonly hasPoints: boolean;
  readonly isChips: boolean;
  /** True if most values are ages, such as "2 years". */
  readonly isAges: boolean;
  /** True if the values can number rows: short, with a digit, and no phrases. */
  readonly isCodes: boolean;
};

/** Rows that are looked at, and characters in all their cells: values are kept in memory. */
const ROWS_MAX = 20_000;
const CHARACTERS_MAX = 30_000_000;
/** A column with more different values is no list of words. */
const WORDS_MAX = 60;

/** Formats that dates are tried by, the likeliest first. */
const FORMATS = [
  "YYYY-MM-DD",
  "YYYY/MM/DD",
  "YYYY.MM.DD",
  "YYYYMMDD",
  "MM/DD/YYYY",
  "DD/MM/YYYY",
  "DD.MM.YYYY",
  "MM-DD-YYYY",
  "DD-MM-YYYY",
  "MM/DD/YY",
  "DD/MM/YY",
  "DD.MM.YY",
  "MM-DD-YY",
  "DD-MM-YY",
  "DD MMM YYYY",
  "DD-MMM-YYYY",
  "DD-MMM-YY",
  "YYYY-MMM-DD",
  "MMM DD, YYYY",
  "MMM DD YYYY",
  "DD. MMM YYYY",
  "DD de MMM de YYYY",
];

/** Looks at the first rows of a table, and the columns that a mapping can name. */
export async function profileColumns(table: Table): Promise<ColumnProfile[]> {
  const counts = table.header.map(() => new Map<string, number>());
  const blankWords = table.header.map(() => new Set<string>());
  let [rows, characters] = [0, 0];
  for await (const row of table.rows) {
    if (row.excess !== 0) continue;
    for (const [at, name] of table.header.entries()) {
      const value = row.value(name);
      characters += value.length;
      if (isBlankWord(value)) blankWords[at]!.add(value);
      else if (value !== "") counts[at]!.set(value, (counts[at]!.get(value) ?? 0) + 1);
    }
    if (++rows >= ROWS_MAX || characters >= CHARACTERS_MAX) break;
  }
  return table.header.flatMap((name, at) =>
    name === "" || name.length > MAPPED_TEXT_MAX
      ? []
      : [profile(name, counts[at]!, [...blankWords[at]!], rows)],
  );
}

function profile(
  name: string,
  counts: ReadonlyMap<string, number>,
  blankWords: readonly string[],
  rows: number,
): ColumnProfile {
  const distinct = [...counts.keys()];
  const filled = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const isWords = distinct.length <= WORDS_MAX;
  const byFrequency = [...counts].sort(([, a], [, b]) => b - a).map(([value]) => value);
  const values = isWords
    ? byFrequency.filter((value) => value.length <= MAPPED_TEXT_MAX)
    : byFrequency.filter((value) => value.startsWith("*")).slice(0, 1);
  const formats = filled === 0 ? [] : formatsOf(distinct);
  return {
    name,
    label: plainWords(name),
    rows,
    filled,
    blankWords,
    uniqueShare: rows === 0 ? 0 : distinct.length / rows,
    values,
    words: isWords ? plainWords(values.join(" ")) : "",
    shareOf(test) {
      if (!isWords || filled === 0) return 0;
      const passed = values.reduce(
        (sum, value) => sum + (test(value) ? (counts.get(value) ?? 0) : 0),
        0,
      );
      return passed / filled;
    },
    dateFormats: formats,
    firstDate: formats[0] === undefined ? null : firstDate(distinct, formats[0]),
    numbers: numbersIn(distinct),
    hasPoints: filled > 0 && share(distinct, (value) => parseCoordinates(value) !== null) > 0.9,
    isChips: filled > 0 && share(distinct, (value) => chipNumber(value) !== null) > 0.8,
    isAges: share(distinct, hasAge) > 0.5,
    isCodes: share(distinct, (value) => CODE.test(value)) > 0.95,
  };
}

/** Number or name of a row: no words with spaces between them. */
const CODE = /^(?=.*\d)\S{1,40}(?: \S{1,10})?$/;

function firstDate(values: readonly string[], format: string): string | null {
  const days = values.flatMap((value) => parseDate(value, format) ?? []);
  return days.reduce<string | null>((min, day) => (min === null || day < min ? day : min), null);
}

/** Share of values that must be dates: some cells of real tables are wrong, and their rows are rejected with a reason. */
const DATES_SHARE = 0.8;

/** True for a day of our time: numbers of another kind would be days of other centuries. */
function isLikelyDay(day: string | null): boolean {
  return day !== null && day >= "1980" && day < "2100";
}

/** The formats that read the most of the values, if that is most of them. */
function formatsOf(values: readonly string[]): string[] {
  const reads = FORMATS.map(
    (format) => values.filter((value) => isLikelyDay(parseDate(value, format))).length,
  );
  const most = Math.max(...reads);
  return most >= values.length * DATES_SHARE ? FORMATS.filter((_, at) => reads[at] === most) : [];
}

function numbersIn(values: readonly string[]): ColumnProfile["numbers"] {
  const numbers = values.flatMap((value) => parseDecimal(value) ?? []);
  if (numbers.length === 0 || numbers.length < values.length * 0.9) return null;
  let [min, max] = [Infinity, -Infinity];
  for (const number of numbers) {
    min = Math.min(min, number);
    max = Math.max(max, number);
  }
  return { min, max, hasFractions: numbers.some((number) => !Number.isInteger(number)) };
}

function share(values: readonly string[], test: (value: string) => boolean): number {
  return values.length === 0 ? 0 : values.filter(test).length / values.length;
}
