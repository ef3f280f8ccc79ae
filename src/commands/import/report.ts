import { DAY_MS } from "../../core/duration.ts";
import { isoDate } from "../../core/input.ts";
import { formatNumber, plural } from "../terminal.ts";
import type { ImportCandidate, publishAll } from "./publish.ts";
import { type Rejection, shorten } from "./rows.ts";

/** The operator is warned about animals lost or found longer ago than this. */
const OLD_DAYS = 90;

/** `113 lost and 72 found animals`. */
export function describe(candidates: readonly ImportCandidate[]): string {
  const lost = candidates.filter(({ draft }) => draft.type === "lost").length;
  const found = plural(candidates.length - lost, "found animal");
  return `${formatNumber(lost)} lost and ${found}`;
}

/** Rejected rows with their line, number and reason. */
export function rejections(rejected: readonly Rejection[]): string[] {
  if (rejected.length === 0) return [];
  const lines = rejected.map(({ line, id, why }) => {
    const number = id === null ? "" : ` (${shorten(id)})`;
    return `Line ${line}${number}: ${why}.`;
  });
  return ["Rejected rows:", ...lines];
}

/** Skipped rows by reason, with those before a day. */
export function withOlder(
  skipped: ReadonlyMap<string, number>,
  older: number,
  since: string | null,
): ReadonlyMap<string, number> {
  return older === 0 ? skipped : new Map([...skipped, [`older than ${since}`, older]]);
}

/** Warns about old animals, since subscribers are emailed about them too. */
export function oldAnimals(candidates: readonly ImportCandidate[], now: number): string[] {
  const first = isoDate(now - OLD_DAYS * DAY_MS);
  const old = candidates.filter(({ draft }) => draft.eventDate < first).length;
  if (old === 0) return [];
  const whose = plural(old, "animal was", "animals were");
  return [
    `${whose} lost or found more than ${OLD_DAYS} days ago; subscribers nearby will be emailed about them too.`,
    `  To leave them out, add --since ${first}.`,
  ];
}

/** Warns about chip numbers that cannot be read. */
export function unreadableChips(candidates: readonly ImportCandidate[]): string[] {
  const lines = candidates.flatMap(({ line, hasUnreadableChip }) =>
    hasUnreadableChip ? [line] : [],
  );
  if (lines.length === 0) return [];
  const chips = plural(lines.length, "chip number");
  return [`${chips} could not be read and will be left out (${lineNumbers(lines)}).`];
}

/** Tells how many rows have no place of their own. */
export function lastResorts(candidates: readonly ImportCandidate[]): string[] {
  const count = candidates.filter(({ isLastResort }) => isLastResort).length;
  if (count === 0) return [];
  return [
    `${plural(count, "animal has", "animals have")} no known place and will be put at "place".`,
  ];
}

const LINES_SHOWN = 10;

/** `line 3`, `lines 3, 7, 9`, `lines 1, … and 5 more`. */
function lineNumbers(lines: readonly number[]): string {
  const shown = lines.slice(0, LINES_SHOWN).join(", ");
  const rest = lines.length - LINES_SHOWN;
  return `${lines.length === 1 ? "line" : "lines"} ${shown}${rest > 0 ? ` and ${formatNumber(rest)} more` : ""}`;
}

/** Lines about the published alerts. */
export function report(result: Awaited<ReturnType<typeof publishAll>>): string[] {
  const { lost, found, redacted, isComplete } = result;
  return [
    ...(isComplete ? [] : ["Stopped. Run it again for the rest."]),
    `Published: ${formatNumber(lost)} lost, ${formatNumber(found)} found.`,
    ...(redacted > 0
      ? [`Contact details were removed from the text of ${formatNumber(redacted)}.`]
      : []),
  ];
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
