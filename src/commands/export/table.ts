import { closeSync, existsSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { Fault } from "../../core/fault.ts";

/** A row by its columns' names. */
export type Row = Readonly<Record<string, string | number | null | undefined | readonly string[]>>;

/** A table in the making. It has its name only when it is whole. */
export type Table = {
  add(rows: readonly Row[]): void;
  finish(): void;
  /** Takes away what was not finished. */
  drop(): void;
};

/** Makes a CSV table, or one of JSON lines, by the ending of its name. Throws `bad_input` in words for the operator. */
export function createTable(path: string, columns: readonly string[]): Table {
  const lineOf = path.endsWith(".csv") ? csvLine : path.endsWith(".jsonl") ? jsonLine : null;
  if (lineOf === null)
    throw new Fault("bad_input", `${path} must end in .csv or .jsonl: that says what it becomes.`);
  if (existsSync(path))
    throw new Fault("bad_input", `The file ${path} is there already: name another one.`);
  const unfinished = `${path}.part`;
  const file = make(unfinished);
  let isOpen = true;
  const close = () => {
    if (isOpen) closeSync(file);
    isOpen = false;
  };
  if (lineOf === csvLine)
    writeSync(file, csvLine(columns, Object.fromEntries(columns.map((name) => [name, name]))));
  return {
    add(rows) {
      writeSync(file, rows.map((row) => lineOf(columns, row)).join(""));
    },
    finish() {
      close();
      renameSync(unfinished, path);
    },
    drop() {
      close();
      rmSync(unfinished, { force: true });
    },
  };
}

function make(path: string): number {
  try {
    return openSync(path, "w");
  } catch {
    throw new Fault("bad_input", `The file ${path} cannot be made.`);
  }
}

function jsonLine(columns: readonly string[], row: Row): string {
  return `${JSON.stringify(Object.fromEntries(columns.map((name) => [name, row[name] ?? null])))}\n`;
}

/** RFC 4180. Several values of one cell stand apart by spaces; what is not known is empty. */
function csvLine(columns: readonly string[], row: Row): string {
  return `${columns.map((name) => csvCell(row[name] ?? null)).join()}\r\n`;
}

function csvCell(value: NonNullable<Row[string]> | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const text = guarded(typeof value === "string" ? value : value.join(" "));
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Spreadsheets carry out text that begins so: <https://owasp.org/www-community/attacks/CSV_Injection>. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

function guarded(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}
