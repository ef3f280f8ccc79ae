import { chipNumber } from "../../core/alerts/publication.ts";
import { folded } from "../../core/tokenize.ts";
import { plural } from "../../core/terminal-text.ts";
import type { Progress } from "../terminal.ts";
import { parseDate } from "../../tables/date-format.ts";
import { parseCoordinates, parseDecimal } from "../../tables/normalize.ts";
import type { Table } from "../../tables/table.ts";

/** Contents of one column in the first rows of a table. */
export type ColumnProfile = {
  readonly name: string;
  /** Number of rows with a value. */
  readonly filled: number;
  /** Share of rows that have a value of their own. */
  readonly uniqueShare: number;
  /** Values, the most frequent first; none if there are too many for a list of words. */
  readonly values: readonly string[];
  /** The values in one text, folded. */
  readonly words: string;
  /** Share of filled rows whose value passes a test; 0 for a column that is no list of words. */
  shareOf(test: (value: string) => boolean): number;
  /** Format by which nearly all its dates can be read; null if it holds none. */
  readonly dateFormat: string | null;
  /** True if another format reads them as well, as other days. */
  readonly isAmbiguous: boolean;
  readonly numbers: {
    readonly min: number;
    readonly max: number;
    readonly hasFractions: boolean;
  } | null;
  /** True if values hold both coordinates. */
  readonly hasPoints: boolean;
  readonly isChips: boolean;
};

/** Rows that are looked at. */
const ROWS_MAX = 20_000;
/** A column with more different values is no list of words. */
const WORDS_MAX = 60;
const VALUES_SHOWN = 40;

/** Formats that dates are tried by, the likeliest first. */
const FORMATS = [
  "YYYY-MM-DD",
  "YYYY/MM/DD",
  "YYYYMMDD",
  "MM/DD/YYYY",
  "DD/MM/YYYY",
  "DD.MM.YYYY",
  "MM-DD-YYYY",
  "DD-MM-YYYY",
  "MM/DD/YY",
  "DD/MM/YY",
  "DD.MM.YY",
  "DD MMM YYYY",
  "DD-MMM-YYYY",
  "DD-MMM-YY",
  "MMM DD, YYYY",
  "MMM DD YYYY",
  "DD. MMM YYYY",
  "DD de MMM de YYYY",
];

/** Looks at the first rows of a table. */
export async function profileColumns(table: Table, progress: Progress): Promise<ColumnProfile[]> {
  const counts = table.header.map(() => new Map<string, number>());
  let rows = 0;
  for await (const row of table.rows) {
    if (row.excess !== 0) continue;
    for (const [at, name] of table.header.entries()) {
      const value = row.value(name);
      if (value !== "") counts[at]!.set(value, (counts[at]!.get(value) ?? 0) + 1);
    }
    if (++rows % 5_000 === 0) progress.show(`Read ${plural(rows, "row")}`);
    if (rows >= ROWS_MAX) break;
  }
  progress.clear();
  return table.header.flatMap((name, at) =>
    name === "" ? [] : [profile(name, counts[at]!, rows)],
  );
}

function profile(name: string, counts: ReadonlyMap<string, number>, rows: number): ColumnProfile {
  const distinct = [...counts.keys()];
  const filled = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const isWords = distinct.length <= WORDS_MAX;
  const byFrequency = [...counts].sort(([, a], [, b]) => b - a).map(([value]) => value);
  const values = isWords
    ? byFrequency.slice(0, VALUES_SHOWN)
    : byFrequency.filter((value) => value.startsWith("*")).slice(0, 1);
  const formats = filled === 0 ? [] : formatsOf(distinct);
  return {
    name,
    filled,
    uniqueShare: rows === 0 ? 0 : distinct.length / rows,
    values,
    words: isWords ? folded(distinct.join(" ")) : "",
    shareOf(test) {
      if (!isWords || filled === 0) return 0;
      const passed = [...counts].reduce(
        (sum, [value, count]) => sum + (test(value) ? count : 0),
        0,
      );
      return passed / filled;
    },
    dateFormat: formats[0] ?? null,
    isAmbiguous: formats.length > 1,
    numbers: numbersIn(distinct),
    hasPoints: filled > 0 && share(distinct, (value) => parseCoordinates(value) !== null) > 0.9,
    isChips: filled > 0 && share(distinct, (value) => chipNumber(value) !== null) > 0.8,
  };
}

/** Some cells of a real table are always wrong. */
const DATES_SHARE = 0.98;
/** With so many values, one may be wrong. */
const DATES_WITH_ONE_WRONG = 5;

/** The formats that read the most of the values, if that is nearly all. */
function formatsOf(values: readonly string[]): string[] {
  const reads = FORMATS.map(
    (format) => values.filter((value) => parseDate(value, format) !== null).length,
  );
  const most = Math.max(...reads);
  const isMostlyDates =
    most >= values.length * DATES_SHARE ||
    (values.length >= DATES_WITH_ONE_WRONG && most === values.length - 1);
  return isMostlyDates ? FORMATS.filter((_, at) => reads[at] === most) : [];
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
