import { folded } from "../../core/tokenize.ts";
import type { ColumnProfile } from "./column-profile.ts";
import { isDead, isGone, yesWords } from "./vocabulary.ts";

/** Condition of a mapping, with the sentence about it for the person who checks the mapping. */
type Condition = {
  readonly column: ColumnProfile;
  readonly is?: readonly string[];
  readonly not?: readonly string[];
  readonly skip: string;
  readonly note: string;
  /** Values of which it is not known what they say; they count as still missing or there. */
  readonly unclear?: readonly string[];
};

const GONE = "no longer there";

/** Conditions that leave out animals that are gone, by the columns of a table. */
export function stillThere(columns: readonly ColumnProfile[]): {
  readonly conditions: readonly Condition[];
  /** True if a column tells which animals are gone. */
  readonly isTold: boolean;
  /** Questions without whose answer nothing may be published. */
  readonly questions: readonly string[];
} {
  const conditions: Condition[] = [];
  const free = () => columns.filter((one) => !conditions.some(({ column }) => column === one));
  for (const find of [outcome, dayOfLeaving, status, yesAndNo]) conditions.push(...find(free()));
  if (conditions.length === 0) conditions.push(...states(free()));
  const tellers = conditions.length;
  const isTold = tellers > 0;
  const isSaid = (name: string) => isTold && OUTCOME.test(folded(name));
  const dead = free().filter(
    ({ name, values }) =>
      !isSaid(name) && !/reason|motif|motivo|return/.test(folded(name)) && values.some(isDead),
  );
  const [often, seldom] = [true, false].map((isOften) =>
    dead.filter((column) => column.shareOf(isDead) > DEAD_SHARE === isOften),
  ) as [ColumnProfile[], ColumnProfile[]];
  conditions.push(...seldom.map(notDead));
  const questions = [
    ...often.map(
      ({ name, values }) =>
        `Are animals dead whose ${name} is ${list(values.filter(isDead))}? Most rows have that. If so, leave them out by "where".`,
    ),
    ...conditions.flatMap(({ column: { name }, unclear = [] }) =>
      unclear.length === 0 || tellers > 1
        ? []
        : [
            `Are animals still missing or there whose ${name} is ${list(unclear)}? If not, delete these values from "where".`,
          ],
    ),
  ];
  return { conditions, isTold, questions };
}

/** Names of columns about how animals left. */
const OUTCOME =
  /outcome|\bdisp|out.?type|how.?out|movement.?type|exit|sortie|destination|devenir|salida|destino|abgang|verbleib|result/;
/** Share of values about leaving in a column that says how animals left. */
const OUTCOME_SHARE = 0.3;

function outcome(columns: readonly ColumnProfile[]): Condition[] {
  const [column] = columns
    .filter(({ name }) => OUTCOME.test(folded(name)))
    .filter((one) => goneShare(one) >= OUTCOME_SHARE || isEmptyOutcome(one))
    .sort((a, b) => goneShare(b) - goneShare(a));
  if (column === undefined) return [];
  const there = column.values.filter((value) => isGone(value) === false);
  const words = there.length === 0 ? "" : `, or in which it is ${list(there)}`;
  const note = `only rows without ${column.name}${words}, whose animals are still there.`;
  return [{ column, is: ["", ...column.blankWords, ...there], skip: GONE, note }];
}

/** True for a column of outcomes in a table of animals that have none yet. */
function isEmptyOutcome({ name, filled }: ColumnProfile): boolean {
  return filled === 0 && /out(?:come)?.?type|^outcome$|disposition/.test(folded(name));
}

/** Names of columns with the day on which animals left. */
const LEFT_ON =
  /outcome|date.?out|out.?date|release|depart|exit|\bdisp|egreso|sortie|salida|\bbaja\b|abgang|ausgang|vermittel|ruckgabe|claimed|restitu|adopt|euthan|deceas|death|\bdied|movement|closed|resolved|reunited|returned|cierre/;
const NOT_LEFT_ON = /due|hold|expect|avail|review|prevu|previs|birth|\bdob\b/;

function dayOfLeaving(columns: readonly ColumnProfile[]): Condition[] {
  return columns
    .filter(({ name }) => LEFT_ON.test(folded(name)) && !NOT_LEFT_ON.test(folded(name)))
    .filter(({ dateFormats, filled }) => dateFormats.length > 0 || filled === 0)
    .map((column) => ({
      column,
      is: ["", ...column.blankWords],
      skip: GONE,
      note: `only rows without ${column.name}, whose animals are still there.`,
    }));
}

const STATUS = /statu|\betat\b|estado|situation|situacion|verbleib|devenir|disposition/;
function status(columns: readonly ColumnProfile[]): Condition[] {
  const column = columns.find(
    (one) =>
      STATUS.test(folded(one.name)) && !OTHER_NAMES.test(folded(one.name)) && goneShare(one) > 0,
  );
  return column === undefined ? [] : [notGone(column)];
}

/** Names of columns with what an animal is, and with how and why it came or left. */
const OTHER_NAMES =
  /sex|gender|geschlecht|genero|breed|race|rasse|raza|colou?r|size|name|intake|entr[ye]|entrada|aufnahme|ingreso|reason|motif|motivo|return|source|how.?in/;

/** Conditions by a column without a telling name in which some animals are gone and others are not. */
function states(columns: readonly ColumnProfile[]): Condition[] {
  const column = columns.find(
    (one) =>
      !OTHER_NAMES.test(folded(one.name)) &&
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
  /claimed|\bdead|deceas|adopted|rehomed|reunit|returned|closed|resolved|resuelt|rendu|restitu|retrouv|recuperad|devuelt|vermittelt|abgeholt|died|euthan|to.?sleep|is.?doa|released|\bgone/;
/** Names of columns that say yes for animals that are still missing or there. */
const IS_THERE = /still|active|available|present|\bopen\b|in.?(?:shelter|care|kennel)/;

function yesAndNo(columns: readonly ColumnProfile[]): Condition[] {
  return columns.flatMap((column): Condition[] => {
    const yes = yesWords(column.values);
    const name = folded(column.name).replaceAll("_", " ");
    if (column.filled === 0 || yes.length === 0) return [];
    if (IS_GONE.test(name))
      return [{ column, not: yes, skip: GONE, note: `no rows whose ${column.name} is yes.` }];
    return IS_THERE.test(name)
      ? [{ column, is: yes, skip: GONE, note: `only rows whose ${column.name} is yes.` }]
      : [];
  });
}

/** With more dead animals than this share, the value may stand in every row by default. */
const DEAD_SHARE = 0.5;

function notDead(column: ColumnProfile): Condition {
  const not = column.values.filter(isDead);
  return { column, not, skip: "dead", note: `no rows whose ${column.name} is ${list(not)}.` };
}

function goneShare(column: ColumnProfile): number {
  return column.shareOf((value) => isGone(value) === true);
}

function list(values: readonly string[]): string {
  return values.join(", ");
}
