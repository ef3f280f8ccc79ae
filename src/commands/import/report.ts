import { escapeControls, formatNumber, plural } from "../../text/terminal-text.ts";
import { shorten } from "../../tables/rows.ts";

/** The operator is warned about animals lost or found longer ago than this. */
export const OLD_DAYS = 90;

/** `113 lost and 72 found animals`. */
export function animals({
  lost,
  found,
}: {
  readonly lost: number;
  readonly found: number;
}): string {
  return `${formatNumber(lost)} lost and ${plural(found, "found animal")}`;
}

/** Skipped rows by reason, with those before a day. */
export function withOlder(
  skipped: ReadonlyMap<string, number>,
  older: number,
  since: string | null,
): ReadonlyMap<string, number> {
  return older === 0 ? skipped : new Map([...skipped, [`older than ${since}`, older]]);
}

/** Warns about old animals, since subscribers are emailed about them too. `first`: day before which they are old. */
export function oldAnimals(count: number, first: string): string[] {
  if (count === 0) return [];
  const whose = plural(count, "animal was", "animals were");
  return [
    `${whose} lost or found more than ${OLD_DAYS} days ago; subscribers nearby will be emailed about them too.`,
    `  To leave them out, add --since ${first}.`,
  ];
}

/** Warns about chip numbers that cannot be read. */
export function unreadableChips(lines: readonly number[]): string[] {
  if (lines.length === 0) return [];
  const chips = plural(lines.length, "chip number");
  return [`${chips} could not be read and will be left out (${lineNumbers(lines)}).`];
}

/** Row with what is wrong with it. */
export type RowProblem = {
  /** Absent where it is not known. */
  readonly line?: number;
  readonly id: string;
  readonly why: string;
};

const LINES_SHOWN = 10;
const PHOTO_FAILURES_SHOWN = 100;

/** `line 3`, `lines 3, 7, 9`, `lines 1, … and 5 more`. */
function lineNumbers(lines: readonly number[]): string {
  const shown = lines.slice(0, LINES_SHOWN).join(", ");
  const rest = lines.length - LINES_SHOWN;
  return `${lines.length === 1 ? "line" : "lines"} ${shown}${rest > 0 ? ` and ${formatNumber(rest)} more` : ""}`;
}

/** Lines about the photos of rows, and those that could not be fetched. */
export function photoLines({
  fetched,
  waiting,
  failed,
}: {
  readonly fetched: number;
  /** Rows that get theirs at the next read. */
  readonly waiting: number;
  readonly failed: readonly RowProblem[];
}): string[] {
  return [
    ...(fetched > 0 ? [`Photos fetched: ${formatNumber(fetched)}.`] : []),
    ...(waiting > 0 ? [`${plural(waiting, "row gets", "rows get")} photos at the next read.`] : []),
    ...(failed.length > 0 ? ["Photos that could not be fetched:"] : []),
    ...failed.slice(0, PHOTO_FAILURES_SHOWN).map(({ line, id, why }) => {
      const row = `(${shorten(id)}): ${why}.`;
      return line === undefined ? row : `Line ${line} ${row}`;
    }),
    ...(failed.length > PHOTO_FAILURES_SHOWN
      ? [`… and ${formatNumber(failed.length - PHOTO_FAILURES_SHOWN)} more.`]
      : []),
  ];
}

/** Lines about pages of animals that no link leads to, by reason. */
export function pageLines(leftOut: readonly RowProblem[]): string[] {
  const byReason = Map.groupBy(leftOut, ({ why }) => why);
  return [...byReason].map(([why, rows]) => {
    const lines = rows.flatMap(({ line }) => line ?? []);
    const which = lines.length > 0 ? lineNumbers(lines) : shorten(rows[0]!.id);
    return `${plural(rows.length, "alert has", "alerts have")} no link to the animal's page (${which}): ${escapeControls(why)}.`;
  });
}

/** Rows that are not published, counted. */
export function leftOut(left: {
  readonly alreadyPublished: number;
  readonly skipped: ReadonlyMap<string, number>;
  readonly rejected: number;
}): string[] {
  return [
    `Already published, left as they are: ${formatNumber(left.alreadyPublished)}.`,
    ...skippedRows(left.skipped, left.rejected),
  ];
}

/** Rows that the mapping skips, by reason, and the count of rejected ones. */
export function skippedRows(skipped: ReadonlyMap<string, number>, rejected: number): string[] {
  const total = [...skipped.values()].reduce((sum, rows) => sum + rows, 0);
  const reasons = [...skipped].map(([why, rows]) => `${formatNumber(rows)} ${why}`).join(", ");
  return [
    `Skipped: ${formatNumber(total)}${reasons === "" ? "" : ` (${reasons})`}.`,
    `Rejected: ${formatNumber(rejected)}.`,
  ];
}
