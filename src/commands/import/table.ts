import { stat } from "node:fs/promises";
import { pipeline, Readable } from "node:stream";
import { CsvError, parse } from "csv-parse";
import { Fault } from "../../core/fault.ts";
import { visible } from "../visible.ts";

/** One row of a table. */
export type Row = {
  /** Where it begins in the file, from 1. */
  readonly line: number;
  /** What a column says, without blanks around it; columns are known by name without regard to case. */
  value(column: string): string;
  /** How many fields it has too many or, below 0, too few. */
  readonly excess: number;
};

export type Table = {
  readonly header: readonly string[];
  /** To be gone through once. */
  readonly rows: AsyncIterable<Row>;
};

const MEGABYTE = 1024 * 1024;
const FILE_BYTES_MAX = 200 * MEGABYTE;
/** A longer row is a quote that was never closed. */
const ROW_LENGTH_MAX = MEGABYTE;
const HEAD_BYTES = 64 * 1024;
const DELIMITERS = [",", ";", "\t"];

/**
 * Opens a CSV file in UTF-8, with a header, its fields parted by commas, semicolons or tabs. Throws `bad_input` with
 * a sentence for the operator, also on the way through the rows.
 */
export async function openTable(path: string): Promise<Table> {
  const head = await readHead(path);
  const records = readRecords(path, delimiterOf(head));
  const first = await records.next();
  const header = (first.done ? [] : first.value.fields).map((name) => name.trim());
  if (header.length < 2)
    throw new Fault(
      "bad_input",
      `${path} does not look like a table: its first line must name the columns, parted by commas, semicolons or tabs.`,
    );
  return { header, rows: rowsOf(records, columnsOf(path, header), header.length) };
}

async function readHead(path: string): Promise<string> {
  const found = await stat(path).catch(() => null);
  if (found === null) throw new Fault("bad_input", `There is no file ${path}.`);
  if (!found.isFile()) throw new Fault("bad_input", `${path} is not a file.`);
  if (found.size === 0) throw new Fault("bad_input", `${path} is empty.`);
  if (found.size > FILE_BYTES_MAX)
    throw new Fault(
      "bad_input",
      `${path} is larger than ${FILE_BYTES_MAX / MEGABYTE} MB: split it into several tables.`,
    );
  const bytes = await Bun.file(path).slice(0, HEAD_BYTES).bytes();
  const begins = (...start: number[]) => start.every((byte, at) => bytes[at] === byte);
  if (begins(0x50, 0x4b))
    throw new Fault("bad_input", `${path} is a workbook or an archive: save the table as CSV.`);
  if (begins(0xff, 0xfe) || begins(0xfe, 0xff) || bytes.includes(0))
    throw new Fault("bad_input", `${path} is not a CSV file in UTF-8: save the table as that.`);
  return new TextDecoder().decode(bytes);
}

/** The delimiter that parts the most fields of the header. */
function delimiterOf(head: string): string {
  const header = head.split(/[\r\n]/, 1)[0]!.replace(/"[^"]*"/g, "");
  const count = (delimiter: string) => header.split(delimiter).length;
  return DELIMITERS.reduce((best, one) => (count(one) > count(best) ? one : best));
}

type CsvRecord = { readonly fields: string[]; readonly line: number };

async function* readRecords(path: string, delimiter: string): AsyncGenerator<CsvRecord, void> {
  let lastLine = 0;
  const parser = parse({
    bom: true,
    delimiter,
    info: true,
    // Noted here, not below: an error drops the rows before it that were not asked for yet.
    on_record(fields, { lines }) {
      lastLine = lines;
      return fields;
    },
    max_record_size: ROW_LENGTH_MAX,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
  });
  // What goes wrong on the way comes out of the parser below.
  pipeline(Readable.from(readLines(path)), parser, () => {});
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
        `${path} is not CSV: a quote that opens in line ${line} or after it is never closed.`,
      );
    default:
      return new Fault(
        "bad_input",
        `${path} is not CSV: in line ${line} or after it a quote stands inside a field; it must be doubled, and the field be in quotes.`,
      );
  }
}

/** The text of a file, with every end of line as a line feed: the parser counts others twice inside quotes. */
async function* readLines(path: string): AsyncGenerator<string, void> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const decode = (bytes?: Uint8Array) => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch {
      throw new Fault(
        "bad_input",
        `${path} is not in UTF-8, perhaps in Latin-1 (Windows-1252): save it as "CSV UTF-8", or convert it with: iconv -f WINDOWS-1252 -t UTF-8`,
      );
    }
  };
  let held = "";
  for await (const bytes of Bun.file(path).stream()) {
    const text = held + decode(bytes);
    // A carriage return at the end may have its line feed in the next piece.
    held = text.endsWith("\r") ? "\r" : "";
    yield withLineFeeds(text.slice(0, text.length - held.length));
  }
  yield withLineFeeds(held + decode());
}

function withLineFeeds(text: string): string {
  return text.replace(/\r\n?/g, "\n");
}

function columnsOf(path: string, header: readonly string[]): Map<string, number> {
  const columns = new Map<string, number>();
  for (const [at, name] of header.entries()) {
    const key = name.toLowerCase();
    if (key !== "" && columns.has(key))
      throw new Fault("bad_input", `${path} has two columns called "${visible(name)}".`);
    columns.set(key, at);
  }
  return columns;
}

async function* rowsOf(
  records: AsyncIterable<CsvRecord>,
  columns: ReadonlyMap<string, number>,
  width: number,
): AsyncGenerator<Row, void> {
  for await (const { fields, line } of records) {
    yield {
      line,
      excess: fields.length - width,
      value: (column) => fields[columns.get(column.toLowerCase()) ?? -1]?.trim() ?? "",
    };
  }
}
