import { plural } from "../../text/terminal-text.ts";
import type { ColumnProfile } from "./column-profile.ts";
import { isDead, isGone, isNamed, meaningOf, yesWords } from "./vocabulary.ts";

/** Condition of a mapping, with the sentence about it for the person who checks the mapping. */
type Condition = {
  readonly column: ColumnProfile;
  readonly is?: readonly string[];
  readonly not?: readonly string[];
  readonly skip: string;
  readonly note: string;
  /** Values whose meaning is not known; they count as still missing or there. */
  readonly unclear?: readonly string[];
};

const GONE = "no longer there";

/** Conditions that leave out animals that are gone, by the columns of a table. */
export function outcomeConditions(all: readonly ColumnProfile[]): {
  readonly conditions: readonly Condition[];
  /** True if a column says which animals are gone. */
  readonly hasOutcomes: boolean;
  /** Questions that must be answered before anything is published. */
  readonly questions: readonly string[];
} {
  const columns = all.filter(({ label }) => !isNamed(label, "unrelated"));
  const conditions: Condition[] = [];
  const free = () => columns.filter((one) => !conditions.some(({ column }) => column === one));
  conditions.push(...outcome(free()));
  conditions.push(...dayOfLeaving(free(), conditions.find(isFilled)));
  conditions.push(...status(free()), ...yesAndNo(free()));
  if (!conditions.some(isFilled)) conditions.push(...states(free()));
  // A column that is always empty may not be in use.
  const filled = conditions.filter(isFilled);
  const unclear = filled.length > 1 ? [] : conditions.flatMap(unclearQuestions);
  const { often, seldom } = dead(free(), filled.length > 0);
  return {
    conditions: [...conditions, ...seldom.map(notDead)],
    hasOutcomes: filled.length > 0,
    questions: [...often.map(deadQuestion), ...unclear],
  };
}

function isFilled({ column }: Condition): boolean {
  return column.filled > 0;
}

/** Share of values about leaving in a column that says how animals left. */
const OUTCOME_SHARE = 0.3;

function outcome(columns: readonly ColumnProfile[]): Condition[] {
  const [column] = columns
    .filter(({ label }) => isNamed(label, "outcome"))
    .filter((one) => goneShare(one) >= OUTCOME_SHARE || isNamedOutcome(one))
    .sort((a, b) => goneShare(b) - goneShare(a));
  if (column === undefined) return [];
  // An animal that is missing from a shelter is not there.
  const there = column.values.filter(
    (value) => isGone(value) === false && meaningOf(value, "type") !== "lost",
  );
  const words = there.length === 0 ? "" : `, or in which it is ${list(there)}`;
  const note = `only rows without ${column.name}${words}, whose animals are still there.`;
  return [{ column, is: ["", ...column.blankWords, ...there], skip: GONE, note }];
}

/** True for a column that says by its name that it has outcomes, and has none for some animals; its values may be codes. */
function isNamedOutcome({ label, filled, rows, values }: ColumnProfile): boolean {
  return filled < rows && (filled === 0 || values.length > 1) && isNamed(label, "named outcome");
}

function dayOfLeaving(
  columns: readonly ColumnProfile[],
  known: Condition | undefined,
): Condition[] {
  return columns
    .filter(({ label }) => isNamed(label, "left on") && !isNamed(label, "not left on"))
    .filter(({ dateFormats, filled }) => dateFormats.length > 0 || filled === 0)
    .filter((one) => known === undefined || isNamed(one.label, "died on") || fits(one, known))
    .map((column) => ({
      column,
      is: ["", ...column.blankWords],
      skip: GONE,
      note: `only rows without ${column.name}, whose animals are still there.`,
    }));
}

/** Share of rows that may have an outcome without its day, or a day without an outcome. */
const UNFIT_SHARE = 0.1;

/** True if a column of days is filled in about as many rows as there are animals with an outcome. */
function fits({ filled, rows }: ColumnProfile, { column }: Condition): boolean {
  const left = column.filled * (1 - column.shareOf((value) => isGone(value) === false));
  return Math.abs(filled - left) <= rows * UNFIT_SHARE;
}

function status(columns: readonly ColumnProfile[]): Condition[] {
  const column = columns.find(
    (one) => isNamed(one.label, "status") && !isNamed(one.label, "reason") && goneShare(one) > 0,
  );
  return column === undefined ? [] : [notGone(column)];
}

/** Conditions by a column without a telling name in which some animals are gone and others are not. */
function states(columns: readonly ColumnProfile[]): Condition[] {
  const column = columns.find(
    (one) =>
      !isNamed(one.label, "reason") &&
      goneShare(one) >= OUTCOME_SHARE &&
      (one.filled < one.rows || one.values.some((value) => isGone(value) === false)),
  );
  return column === undefined ? [] : [notGone(column)];
}

/** Condition that leaves out animals that a column says are gone. */
function notGone(column: ColumnProfile): Condition {
  const gone = column.values.filter((value) => isGone(value) === true);
  const there = column.values.filter((value) => isGone(value) !== true);
  const unclear = there.filter((value) => isGone(value) === null);
  const hasEmpty = column.filled < column.rows || there.length === 0;
  // The values that are there: an export to come may have others for animals that are gone.
  const is = hasEmpty ? [...there, "", ...column.blankWords] : there;
  const note = `only rows whose ${column.name} is ${list(there) || "empty"}. Animals with ${list(gone)} are taken for gone.`;
  return { column, is, skip: GONE, note, unclear };
}

function yesAndNo(columns: readonly ColumnProfile[]): Condition[] {
  return columns.flatMap((column): Condition[] => {
    const yes = yesWords(column.values);
    if (column.filled === 0 || yes.length === 0) return [];
    if (isNamed(column.label, "is gone"))
      return [{ column, not: yes, skip: GONE, note: `no rows whose ${column.name} is yes.` }];
    return isNamed(column.label, "is there")
      ? [{ column, is: yes, skip: GONE, note: `only rows whose ${column.name} is yes.` }]
      : [];
  });
}

/** Share of dead animals above which the value may be a default that stands in every row. */
const DEAD_SHARE = 0.5;

/** Columns in which animals are dead, by how often they are. */
function dead(columns: readonly ColumnProfile[], hasOutcomes: boolean) {
  const found = columns.filter(({ label, values }) => {
    // Another column of outcomes adds nothing to those that say which animals are gone.
    if (hasOutcomes && isNamed(label, "outcome")) return false;
    return !isNamed(label, "reason of death") && values.some(isDead);
  });
  const isOften = (column: ColumnProfile) => column.shareOf(isDead) > DEAD_SHARE;
  return { often: found.filter(isOften), seldom: found.filter((column) => !isOften(column)) };
}

function notDead(column: ColumnProfile): Condition {
  const not = column.values.filter(isDead);
  return { column, not, skip: "dead", note: `no rows whose ${column.name} is ${list(not)}.` };
}

function deadQuestion({ name, values }: ColumnProfile): string {
  return `Are animals dead whose ${name} is ${list(values.filter(isDead))}? Most rows have that. If so, leave them out by "where".`;
}

function unclearQuestions({ column: { name }, unclear = [] }: Condition): string[] {
  return unclear.length === 0
    ? []
    : [
        `Are animals still missing or there whose ${name} is ${list(unclear)}? If not, delete these values from "where".`,
      ];
}

function goneShare(column: ColumnProfile): number {
  return column.shareOf((value) => isGone(value) === true);
}

/** Values in a sentence, and characters of each. */
const LISTED_MAX = 20;
const LISTED_LENGTH_MAX = 60;

function list(values: readonly string[]): string {
  const listed = values
    .slice(0, LISTED_MAX)
    .map((value) =>
      value.length > LISTED_LENGTH_MAX ? `${value.slice(0, LISTED_LENGTH_MAX)}…` : value,
    );
  const others = values.length - listed.length;
  return [...listed, ...(others === 0 ? [] : [`and ${plural(others, "other")}`])].join(", ");
}
