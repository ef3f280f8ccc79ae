import { lastResortsOf } from "../../tables/geocode.ts";
import { lastResorts, rejections } from "../../tables/row-lines.ts";
import { shorten } from "../../tables/rows.ts";
import { escapeControls, formatNumber, plural } from "../../text/terminal-text.ts";
import { type NewRows, OLD_DAYS, type RowProblem } from "./new-rows.ts";
import type { TableSyncResult } from "../../core/tables/table-read.ts";

/** `113 lost and 72 found animals`. */
export function animals({ lost, found }: NewRows): string {
  return `${formatNumber(lost)} lost and ${plural(found, "found animal")}`;
}

/** Rejected rows, and what the operator should look at. */
export function warnings({ old, chips, places, pagesLeftOut, rejected }: NewRows): string[] {
  return [
    ...rejections(rejected),
    ...(old.count > 0
      ? [
          `${plural(old.count, "animal was", "animals were")} lost or found more than ${OLD_DAYS} days ago; subscribers nearby will be emailed about them too.`,
          `  To leave them out, add --since ${old.before}.`,
        ]
      : []),
    ...(chips.length > 0
      ? [
          `${plural(chips.length, "chip number")} could not be read and will be left out (${lineNumbers(chips)}).`,
        ]
      : []),
    ...lastResorts(lastResortsOf(places)),
    ...pageLines(pagesLeftOut),
  ];
}

/** `3 published, 1 updated, 2 ended.` */
export function changes(
  result: Omit<TableSyncResult, "photos" | "refused">,
  verb: "" | "would be",
): string[] {
  const { published, updated, renewed, reopened, ended, missing, unchanged } = result;
  const counts = { published, updated, renewed, reopened, ended };
  const said = Object.entries(counts).map(([what, count]) =>
    [formatNumber(count), verb, what].filter((part) => part !== "").join(" "),
  );
  return [
    `${said.join(", ")}; ${formatNumber(unchanged)} unchanged.`,
    ...(missing > 0
      ? [
          `${plural(missing, "animal is", "animals are")} missing from the table for the first time. If the next read lacks ${missing === 1 ? "it" : "them"}, too, ${missing === 1 ? "its alert ends" : "their alerts end"}.`,
        ]
      : []),
    ...(result.leftAlone > 0
      ? [`${formatNumber(result.leftAlone)} closed or removed by people, and left so.`]
      : []),
    ...(result.ofOthers > 0
      ? [
          `${plural(result.ofOthers, "alert")} of this mapping belong to another address, and were left.`,
        ]
      : []),
    ...(result.redacted > 0
      ? [`Contact details were removed from the text of ${formatNumber(result.redacted)}.`]
      : []),
  ];
}

/** `Published: 113 lost, 72 found.` */
export function publishedLines({ lost, found, redacted, isComplete }: NewRows): string[] {
  return [
    ...(isComplete ? [] : ["Stopped. Run it again for the rest."]),
    `Published: ${formatNumber(lost)} lost, ${formatNumber(found)} found.`,
    ...(redacted > 0
      ? [`Contact details were removed from the text of ${formatNumber(redacted)}.`]
      : []),
  ];
}

/** Photos, and rows that are not published, counted. `skipped`: those that the mapping leaves out, by reason. */
export function restLines(
  {
    photos,
    known,
    older,
    rejected,
  }: Pick<NewRows, "photos" | "older" | "rejected"> & { readonly known: number | null },
  skipped: ReadonlyMap<string, number>,
  since: string | null,
): string[] {
  const all = older === 0 ? [...skipped] : [...skipped, [`older than ${since}`, older] as const];
  const total = all.reduce((sum, [, rows]) => sum + rows, 0);
  const reasons = all.map(([why, rows]) => `${formatNumber(rows)} ${why}`).join(", ");
  return [
    ...photoLines(photos),
    ...(known === null ? [] : [`Already published, left as they are: ${formatNumber(known)}.`]),
    `Skipped: ${formatNumber(total)}${reasons === "" ? "" : ` (${reasons})`}.`,
    `Rejected: ${formatNumber(rejected.length)}.`,
  ];
}

const LINES_SHOWN = 10;
const PHOTO_FAILURES_SHOWN = 100;

/** `line 3`, `lines 3, 7, 9`, `lines 1, … and 5 more`. */
function lineNumbers(lines: readonly number[]): string {
  const shown = lines.slice(0, LINES_SHOWN).join(", ");
  const rest = lines.length - LINES_SHOWN;
  return `${lines.length === 1 ? "line" : "lines"} ${shown}${rest > 0 ? ` and ${formatNumber(rest)} more` : ""}`;
}

type PhotoResult = Omit<NewRows["photos"], "failed"> & { readonly failed: readonly RowProblem[] };

/** Lines about the photos of rows, and those that could not be fetched. */
export function photoLines({ fetched, waiting, failed }: PhotoResult): string[] {
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
