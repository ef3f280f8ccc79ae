import { CsvError, parse } from "csv-parse/sync";
import type { z } from "zod";
import { Fault } from "../core/fault.ts";
import { HELP_KINDS, type HelpPlace, helpPlaceInput } from "../core/help.ts";

/** Operator's list of people to call, and the rows that were refused. */
export type HelpFile = {
  readonly places: readonly HelpPlace[];
  /** Line of the file, from 1, and what to change there. */
  readonly refused: readonly { readonly line: number; readonly why: string }[];
};

export const HELP_FILE = "help.csv";

const BYTES_MAX = 1024 * 1024;
const ROWS_MAX = 2_000;
const COLUMNS = ["name", "kind", "lat", "lng", "phone", "url"] as const;

/**
 * Reads the operator's list of people to call: CSV in UTF-8 with the columns name, kind, lat, lng, phone and url, of which
 * phone or url may be empty, and one row on each line: a quote that is not closed spoils no other row. Null if there is no
 * file. A bad row is refused, and the others hold; a file that is no such table throws `bad_input` with a sentence for the
 * operator.
 */
export async function readHelpFile(path: string): Promise<HelpFile | null> {
  const file = Bun.file(path);
  if (!(await file.exists())) return null;
  if (file.size > BYTES_MAX) throw new Fault("bad_input", `${path} is larger than 1 MB.`);
  const [header, ...rows] = linesOf(await textOf(path, file));
  const delimiter = [",", ";", "\t"].find((one) => header?.text.includes(one)) ?? ",";
  const names = (cellsOf(header?.text ?? "", delimiter) ?? []).map((name) => name.toLowerCase());
  const missing = COLUMNS.filter((name) => !names.includes(name));
  if (missing.length > 0)
    throw new Fault(
      "bad_input",
      `${path} lacks the columns ${missing.join(", ")}: its first line must be ${COLUMNS.join(",")}.`,
    );

  const places: HelpPlace[] = [];
  const refused: { line: number; why: string }[] = [];
  for (const { line, text } of rows.slice(0, ROWS_MAX)) {
    const cells = cellsOf(text, delimiter);
    if (cells === null) {
      refused.push({ line, why: "a quotation mark is not closed, or stands inside a cell" });
      continue;
    }
    if (cells.slice(names.length).some((more) => more !== "")) {
      const why = `it has ${cells.length} cells, and the first line ${names.length}: put cells with a comma in quotes`;
      refused.push({ line, why });
      continue;
    }
    const cell = (name: string) => cells[names.indexOf(name)] ?? "";
    const row = Object.fromEntries(COLUMNS.map((name) => [name, cell(name)]));
    const parsed = helpPlaceInput.safeParse({
      ...row,
      lat: numberIn(cell("lat")),
      lng: numberIn(cell("lng")),
      phone: row["phone"] || null,
      url: row["url"] || null,
    });
    if (!parsed.success) refused.push({ line, why: whyOf(parsed.error) });
    else {
      const { lat, lng, ...place } = parsed.data;
      places.push({ ...place, point: { lat, lng } });
    }
  }
  const tooMany = rows[ROWS_MAX];
  if (tooMany !== undefined)
    refused.push({ line: tooMany.line, why: `only the first ${ROWS_MAX} rows are read` });
  return { places, refused };
}

/** Refused rows that the log names. */
const REFUSED_LOGGED_MAX = 100;

/** People to call, by the list in a folder; none without one. Rows that are refused are logged. Throws as `readHelpFile` does. */
export async function readHelp(
  folder: string,
  log: (event: string, details: { readonly text: string }) => void,
): Promise<readonly HelpPlace[]> {
  const file = await readHelpFile(`${folder}/${HELP_FILE}`);
  for (const { line, why } of file?.refused.slice(0, REFUSED_LOGGED_MAX) ?? [])
    log("help_row_refused", { text: `${HELP_FILE}, line ${line}: ${why}.` });
  return file?.places ?? [];
}

async function textOf(path: string, file: Blob): Promise<string> {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await file.bytes());
  } catch {
    throw new Fault("bad_input", `${path} cannot be read as UTF-8 text.`);
  }
}

type Line = { readonly line: number; readonly text: string };

/** Lines with content, with their numbers from 1. */
function linesOf(text: string): Line[] {
  return text
    .split(/\r\n|\r|\n/)
    .map((text, at) => ({ line: at + 1, text }))
    .filter(({ text }) => text.trim() !== "");
}

/** Cells of one line; null if it is no row of a CSV table. */
function cellsOf(text: string, delimiter: string): string[] | null {
  try {
    const [cells = []] = parse(text, { delimiter, relax_quotes: true, trim: true });
    return cells;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return null;
  }
}

/** Number in a cell, with a point or a comma; text that is none stays text, which is refused. */
function numberIn(text: string): number | string {
  return /^[+-]?\d{1,3}(?:[.,]\d+)?$/.test(text) ? Number(text.replace(",", ".")) : text;
}

const WHY: Readonly<Record<(typeof COLUMNS)[number], string>> = {
  name: "name must have 1 to 120 characters",
  kind: `kind must be one of ${HELP_KINDS.join(", ")}`,
  lat: "lat must be a number from -90 to 90",
  lng: "lng must be a number from -180 to 180",
  phone: "phone must be a phone number, or url a web page",
  url: "url must begin with http:// or https://",
};

/** Sentence about the first column that is wrong. The log takes it, so it holds nothing from the file. */
function whyOf({ issues }: z.ZodError): string {
  const column = COLUMNS.find((name) => issues.some(({ path }) => path[0] === name));
  return column === undefined ? "the row cannot be read" : WHY[column];
}
