import { plural } from "../../text/terminal-text.ts";
import type { ColumnProfile } from "./column-profile.ts";
import { isDead, isGone, isUnrelated, meaningOf, TYPES, yesWords } from "./vocabulary.ts";

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
  const columns = all.filter(({ label }) => !isUnrelated(label));
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

/** Names of columns about how animals left. */
const OUTCOME =
  /outcome|\bdisp(?!at|ens|lay)|out.?type|how.?out|movement.?type|exit|sortie|destination|devenir|salida|destino|abgang|verbleib|result/;
/** Share of values about leaving in a column that says how animals left. */
const OUTCOME_SHARE = 0.3;

function outcome(columns: readonly ColumnProfile[]): Condition[] {
  const [column] = columns
    .filter(({ label }) => OUTCOME.test(label))
    .filter((one) => goneShare(one) >= OUTCOME_SHARE || isNamedOutcome(one))
    .sort((a, b) => goneShare(b) - goneShare(a));
  if (column === undefined) return [];
  // An animal that is missing from a shelter is not there.
  const there = column.values.filter(
    (value) => isGone(value) === false && meaningOf(value, TYPES) !== "lost",
  );
  const words = there.length === 0 ? "" : `, or in which it is ${list(there)}`;
  const note = `only rows without ${column.name}${words}, whose animals are still there.`;
  return [{ column, is: ["", ...column.blankWords, ...there], skip: GONE, note }];
}

/** True for a column that says by its name that it has outcomes, and has none for some animals; its values may be codes. */
function isNamedOutcome({ label, filled, rows, values }: ColumnProfile): boolean {
  return (
    filled < rows &&
    (filled === 0 || values.length > 1) &&
    /out(?:come)?.?(?:type|code|cd\b)|^outcome$|disp\w*.?(?:code|cd\b)|exit.?type|how.?out|abgangsart|motivo.*salida|motif.*sortie/.test(
      label,
    )
  );
}

/** Names of columns with the day on which animals left. */
const LEFT_ON =
  /outcome|date.?out|out.?date|release|depart|exit|\bdisp(?!at|ens|lay)|egreso|sortie|salida|\bbaja\b|abgang|ausgang|vermittel|ruckgabe|claimed|restitu|adopt|euthan|deceas|death|\bdied|movement|closed|resolved|reunited|returned|cierre|erledigt|abgeschlossen/;
const DIED_ON = /deceas|death|died|euthan/;
const NOT_LEFT_ON = /due|hold|expect|avail|eligib|ready|review|prevu|previs|birth|\bdob\b/;

function dayOfLeaving(
  columns: readonly ColumnProfile[],
  known: Condition | undefined,
): Condition[] {
  return columns
    .filter(({ label }) => LEFT_ON.test(label) && !NOT_LEFT_ON.test(label))
    .filter(({ dateFormats, filled }) => dateFormats.length > 0 || filled === 0)
    .filter((one) => known === undefined || DIED_ON.test(one.label) || fits(one, known))
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

const STATUS = /statu|\betat\b|estado|situation|situacion|verbleib|devenir|disposition/;
function status(columns: readonly ColumnProfile[]): Condition[] {
  const column = columns.find(
    (one) => STATUS.test(one.label) && !REASON.test(one.label) && goneShare(one) > 0,
  );
  return column === undefined ? [] : [notGone(column)];
}

/** Names of columns about how and why animals came or left. */
const REASON = /intake|entr[ye]|entrada|aufnahme|ingreso|reason|motif|motivo|return|source|how.?in/;

/** Conditions by a column without a telling name in which some animals are gone and others are not. */
function states(columns: readonly ColumnProfile[]): Condition[] {
  const column = columns.find(
    (one) =>
      !REASON.test(one.label) &&
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

/** Names of columns that say yes for animals that are gone. */
const IS_GONE =
  /claimed|\bdead|deceas|adopted|rehomed|reunit|returned|closed|resolved|resuelt|rendu|restitu|retrouv|recuperad|devuelt|vermittelt|abgeholt|died|euthan|\bpts\b|to.?sleep|is.?doa|released|\bgone/;
/** Names of columns that say yes for animals that are still missing or there. */
const IS_THERE = /\bstill|is.?active|^current(?:ly)?$|^aktuell$|\bin.?(?:shelter|care)/;

function yesAndNo(columns: readonly ColumnProfile[]): Condition[] {
  return columns.flatMap((column): Condition[] => {
    const yes = yesWords(column.values);
    if (column.filled === 0 || yes.length === 0) return [];
    if (IS_GONE.test(column.label))
      return [{ column, not: yes, skip: GONE, note: `no rows whose ${column.name} is yes.` }];
    return IS_THERE.test(column.label)
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
    if (hasOutcomes && OUTCOME.test(label)) return false;
    return !/reason|motif|motivo|return/.test(label) && values.some(isDead);
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
