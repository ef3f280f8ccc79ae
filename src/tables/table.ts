import { pipeline, Readable } from "node:stream";
import { CsvError, parse } from "csv-parse";
import { z } from "zod";
import { Fault } from "../core/fault.ts";
import { escapeControls } from "../text/terminal-text.ts";
import { type JsonRow, jsonRows } from "./json-rows.ts";

export type TableRow = {
  /** Line of the file on which the row starts, from 1. */
  readonly line: number;
  /** Trimmed text of a column; names are case-insensitive. */
  value(column: string): string;
  /** Number of extra fields; negative if fields are missing. */
  readonly excess: number;
};

export type Table = {
  /** Names of the columns; empty for a JSON list without any rows. */
  readonly header: readonly string[];
  /** Can be iterated once. */
  readonly rows: AsyncIterable<TableRow>;
};

const COLUMNS_MAX = 2_000;
/** Characters of a cell that are read: far more than any field of a publication may have. */
const CELL_LENGTH_MAX = 20_000;
/** A longer row has a quote that was never closed. */
const ROW_LENGTH_MAX = 1024 * 1024;
const HEAD_BYTES = 64 * 1024;
const DELIMITERS = [",", ";", "\t"];
/** Fields of a header below titles: a title may hold a comma. */
const HEADER_FIELDS_MIN = 3;

/**
 * Reads a CSV table in UTF-8 with a header and fields separated by commas, semicolons or tabs; or JSON, a list of objects,
 * whose keys are the columns. Throws `bad_input` with a sentence for the operator, also while iterating over the rows.
 */
export async function tableIn(source: TableBytes): Promise<Table> {
  const head = await readHead(source);
  if (isJsonList(head)) return readJson(source.name, withHead(head, source));
  const records = readRecords(source.name, withHead(head, source), delimiterOf(head));
  const first = await firstRecords(records);
  const titles = titleCount(first);
  const header = (first[titles]?.fields ?? []).map((name) => name.trim());
  if (header.length < 2)
    throw new Fault(
      "bad_input",
      `${source.name} does not look like a table: its first line must have the column names, separated by commas, semicolons or tabs.`,
    );
  const rows = joined(first.slice(titles + 1), records);
  return { header, rows: rowsOf(rows, columnsOf(source.name, header), header.length) };
}

/** Records in which the header is looked for. */
const FIRST_RECORDS = 10;

async function firstRecords(records: AsyncGenerator<CsvRecord>): Promise<CsvRecord[]> {
  const first: CsvRecord[] = [];
  while (first.length < FIRST_RECORDS) {
    const { done, value } = await records.next();
    if (done === true) break;
    first.push(value);
  }
  return first;
}

/**
 * Number of records before the header, such as a title and a date: they have few fields, and the header about as many as the
 * rows, if there are any. One row with more is a wrong one, in which a cell with commas is not in quotes.
 */
function titleCount(records: readonly CsvRecord[]): number {
  const filled = records.map(({ fields }) => fields.filter((one) => one.trim() !== "").length);
  const [most = 0, second = 0] = filled.toSorted((a, b) => b - a);
  const usual = records.length > 2 && second >= HEADER_FIELDS_MIN ? second : most;
  return Math.max(
    filled.findIndex((count) => count > usual / 2),
    0,
  );
}

async function* joined(
  first: readonly CsvRecord[],
  rest: AsyncIterable<CsvRecord>,
): AsyncGenerator<CsvRecord, void> {
  yield* first;
  yield* rest;
}

/** True for bytes that begin with `[` and an object or `]`, white space and byte order mark aside. */
function isJsonList(head: Uint8Array): boolean {
  const beginning = new TextDecoder().decode(head.subarray(0, HEAD_BYTES));
  return /^\s*\[\s*(?:[{\]]|$)/.test(beginning);
}

async function readJson(name: string, bytes: AsyncIterable<Uint8Array>): Promise<Table> {
  const list: JsonRow[] = [];
  const keys = new Set<string>();
  for await (const row of jsonRows(name, readLines(name, bytes))) {
    list.push(row);
    if (keys.size <= COLUMNS_MAX) for (const key of Object.keys(row)) keys.add(key);
  }
  const header = [...keys].map((key) => key.trim());
  columnsOf(name, header);
  return { header, rows: rowsOfList(list) };
}

/** Rows of a JSON list; their line is their number, from 1. */
async function* rowsOfList(list: readonly JsonRow[]): AsyncGenerator<TableRow, void> {
  for (const [at, row] of list.entries()) {
    const values = new Map(
      Object.entries(row).map(([key, value]) => [key.trim().toLowerCase(), value]),
    );
    yield {
      line: at + 1,
      excess: 0,
      // Most columns are never asked for.
      value: (column) => jsonCell(values.get(column.toLowerCase())),
    };
  }
}

const degrees = z.union([z.number(), z.string().regex(/^-?\d{1,3}\.\d{1,20}$/)]);
/** Positions as portals write them into JSON. */
const jsonPoint = z.union([
  z
    .object({ latitude: degrees, longitude: degrees })
    .transform(({ latitude, longitude }) => [latitude, longitude]),
  z.object({ lat: degrees, lon: degrees }).transform(({ lat, lon }) => [lat, lon]),
  z.object({ lat: degrees, lng: degrees }).transform(({ lat, lng }) => [lat, lng]),
  z
    // A third number is the altitude.
    .object({
      type: z.literal("Point"),
      coordinates: z.tuple([z.number(), z.number()], z.number()),
    })
    .transform(({ coordinates: [lng, lat] }) => [lat, lng]),
]);

/** Text of a value; that of a list is its texts with spaces between them. Empty for none and for objects other than positions. */
function jsonCell(value: unknown): string {
  if (Array.isArray(value)) return cellOf(value.filter((one) => typeof one === "string").join(" "));
  if (typeof value === "object") return jsonPoint.safeParse(value).data?.join(", ") ?? "";
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? cellOf(String(value))
    : "";
}

function cellOf(text: string): string {
  return text.slice(0, CELL_LENGTH_MAX).trim();
}

/** Bytes that can be read once, with their name in error messages. */
export type TableBytes = {
  readonly name: string;
  readonly bytes: AsyncIterator<Uint8Array, unknown>;
};

/** At least the first `HEAD_BYTES`, or the whole file if it is shorter. */
async function readHead({ name, bytes }: TableBytes): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for (let length = 0; length < HEAD_BYTES;) {
    const { done, value } = await bytes.next();
    if (done === true) break;
    pieces.push(value);
    length += value.length;
  }
  const head = Buffer.concat(pieces);
  const startsWith = (...start: number[]) => start.every((byte, at) => head[at] === byte);
  if (head.length === 0) throw new Fault("bad_input", `${name} is empty.`);
  if (startsWith(0x50, 0x4b))
    throw new Fault("bad_input", `${name} is a workbook or an archive: save it as CSV.`);
  if (startsWith(0xff, 0xfe) || startsWith(0xfe, 0xff) || head.includes(0))
    throw new Fault("bad_input", `${name} is not a CSV file in UTF-8: save it as "CSV UTF-8".`);
  return head;
}

async function* withHead(
  head: Uint8Array,
  { bytes }: TableBytes,
): AsyncGenerator<Uint8Array, void> {
  yield head;
  for (;;) {
    const { done, value } = await bytes.next();
    if (done === true) return;
    yield value;
  }
}

/** Delimiter that splits the header into the most fields. Titles may stand before it. */
function delimiterOf(head: Uint8Array): string {
  const lines = new TextDecoder()
    .decode(head.subarray(0, HEAD_BYTES))
    .split(/[\r\n]+/, FIRST_RECORDS)
    .map((line) => line.replace(/"[^"]*"/g, ""));
  const count = (line: string, delimiter: string) => line.split(delimiter).length;
  const header = lines.find((line) =>
    DELIMITERS.some((one) => count(line, one) >= HEADER_FIELDS_MIN),
  );
  const line = header ?? lines[0]!;
  return DELIMITERS.reduce((best, one) => (count(line, one) > count(line, best) ? one : best));
}

type CsvRecord = { readonly fields: string[]; readonly line: number };

async function* readRecords(
  path: string,
  bytes: AsyncIterable<Uint8Array>,
  delimiter: string,
): AsyncGenerator<CsvRecord, void> {
  let lastLine = 0;
  const parser = parse({
    bom: true,
    delimiter,
    info: true,
    // Recorded here because an error discards parsed rows that were not read yet.
    on_record(fields, { lines }) {
      lastLine = lines;
      return fields;
    },
    max_record_size: ROW_LENGTH_MAX,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
  });
  // Errors of the pipeline are thrown by the iteration below.
  pipeline(Readable.from(readLines(path, bytes)), parser, () => {});
  try {
    for await (const { record, info } of parser) {
      const fields: string[] = record;
      const breaks = fields.reduce((sum, field) => sum + field.split("\n").length - 1, 0);
      yield { fields, line: info.lines - breaks };
    }
  } catch (error) {
    if (error instanceof CsvError) throw notCsv(path, error, lastLine + 1);
    throw error;
  }
}

function notCsv(path: string, error: CsvError, line: number): Fault {
  switch (error.code) {
    case "CSV_QUOTE_NOT_CLOSED":
    case "CSV_MAX_RECORD_SIZE":
      return new Fault(
        "bad_input",
        `${path} is not valid CSV: a quote opened in line ${line} or later is never closed.`,
      );
    default:
      return new Fault(
        "bad_input",
        `${path} is not valid CSV: a field in line ${line} or later contains a quote; double the quote and put the field in quotes.`,
      );
  }
}

/** Decoded text with line feeds only: the parser counts other line breaks twice inside quotes. */
async function* readLines(
  path: string,
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<string, void> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const decode = (bytes?: Uint8Array) => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch {
      throw new Fault(
        "bad_input",
        `${path} is not in UTF-8, perhaps in Windows-1252 (Latin-1): save it as "CSV UTF-8", or convert it with: iconv -f WINDOWS-1252 -t UTF-8`,
      );
    }
  };
  let held = "";
  for await (const bytes of pieces) {
    const text = held + decode(bytes);
    // The line feed of a trailing carriage return may be in the next chunk.
    held = text.endsWith("\r") ? "\r" : "";
    yield withLineFeeds(text.slice(0, text.length - held.length));
  }
  yield withLineFeeds(held + decode());
}

function withLineFeeds(text: string): string {
  return text.replace(/\r\n?/g, "\n");
}

function columnsOf(path: string, header: readonly string[]): Map<string, number> {
  if (header.length > COLUMNS_MAX)
    throw new Fault("bad_input", `${path} has more than ${COLUMNS_MAX} columns.`);
  const columns = new Map<string, number>();
  for (const [at, name] of header.entries()) {
    const key = name.toLowerCase();
    if (key !== "" && columns.has(key))
      throw new Fault(
        "bad_input",
        `${path} has two columns called "${escapeControls(name)}": rename one of them.`,
      );
    columns.set(key, at);
  }
  return columns;
}

async function* rowsOf(
  records: AsyncIterable<CsvRecord>,
  columns: ReadonlyMap<string, number>,
  width: number,
): AsyncGenerator<TableRow, void> {
  for await (const { fields, line } of records) {
    yield {
      line,
      excess: fields.length - width,
      value: (column) => cellOf(fields[columns.get(column.toLowerCase()) ?? -1] ?? ""),
    };
  }
}
