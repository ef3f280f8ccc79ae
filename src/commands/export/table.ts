import { closeSync, existsSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { Fault } from "../../core/fault.ts";
import { Misuse } from "../command.ts";
import { type Cell, csvLine } from "../csv.ts";
import { notMade } from "../not-made.ts";

/** A row by its columns' names. */
export type Row = Readonly<Record<string, Cell>>;

/** A table in the making. It has its name only when it is whole. */
export type Table = {
  add(rows: readonly Row[]): void;
  finish(): void;
  /** Takes away what was not finished. */
  drop(): void;
};

/** Makes a CSV table, or one of JSON lines, by the ending of its name. Throws `Fault` in words for the operator. */
export function createTable(path: string, columns: readonly string[]): Table {
  const lineOf = path.endsWith(".csv") ? csvRow : path.endsWith(".jsonl") ? jsonLine : null;
  if (lineOf === null)
    throw new Misuse(`${path} must end in .csv or .jsonl: that says what it becomes.`);
  if (existsSync(path))
    throw new Fault("bad_input", `The file ${path} is there already: name another one.`);
  const unfinished = `${path}.part`;
  const file = make(unfinished, path);
  let isOpen = true;
  const close = () => {
    if (isOpen) closeSync(file);
    isOpen = false;
  };
  if (lineOf === csvRow) writeSync(file, csvLine(columns));
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

function make(unfinished: string, path: string): number {
  try {
    return openSync(unfinished, "w");
  } catch (error) {
    throw notMade(path, error);
  }
}

function jsonLine(columns: readonly string[], row: Row): string {
  return `${JSON.stringify(Object.fromEntries(columns.map((name) => [name, row[name] ?? null])))}\n`;
}

function csvRow(columns: readonly string[], row: Row): string {
  return csvLine(columns.map((name) => row[name]));
}
