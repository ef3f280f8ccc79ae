import { Fault } from "../core/fault.ts";

export type JsonRow = Readonly<Record<string, unknown>>;

const MEGABYTE = 1024 * 1024;
/** The rows are held in memory. */
const JSON_BYTES_MAX = 32 * MEGABYTE;
/** Most commas and opening brackets in JSON, which bound its values: 32 MB of empty ones would take a gigabyte of memory. */
const JSON_MARKS_MAX = 1_500_000;
/** A row is parsed in one step, which holds everything else up. */
const ROW_LENGTH_MAX = MEGABYTE;

/** Objects of a JSON list, each parsed as soon as it has arrived. Throws `bad_input` with a sentence for the operator. */
export async function* jsonRows(
  name: string,
  pieces: AsyncIterable<string>,
): AsyncGenerator<JsonRow, void> {
  const list = createListSplitter();
  let length = 0;
  let marks = 0;
  for await (const piece of pieces) {
    length += piece.length;
    marks += marksIn(piece);
    if (length > JSON_BYTES_MAX || marks > JSON_MARKS_MAX)
      throw new Fault(
        "bad_input",
        `${name} is JSON of more than ${JSON_BYTES_MAX / MEGABYTE} MB, or of more than a million values: save it as CSV.`,
      );
    for (const element of list.elements(piece)) yield parseRow(name, element);
    if (list.openLength > ROW_LENGTH_MAX) throw tooLong(name);
  }
  if (!list.isWhole()) throw notJson(name);
}

/**
 * Splits the text of a JSON list into that of its elements by brackets, commas and strings. All else is left to the parser
 * of each element.
 */
function createListSplitter() {
  let depth = 0;
  let isInString = false;
  let isEscaped = false;
  let isClosed = false;
  let isValid = true;
  let isFirst = true;
  /** Text of the element that has not ended yet, or text after the list. */
  let open = "";

  function* elements(piece: string): Generator<string, void> {
    let from = 0;
    for (let at = 0; at < piece.length && !isClosed; at++) {
      const code = piece.charCodeAt(at);
      if (isInString) {
        if (isEscaped) isEscaped = false;
        else if (code === BACKSLASH) isEscaped = true;
        else if (code === QUOTE) isInString = false;
        continue;
      }
      if (code === QUOTE) isInString = true;
      else if (code === LIST || code === OBJECT) {
        depth += 1;
        if (depth === 1) from = at + 1;
      } else if (code === LIST_END || code === OBJECT_END) {
        depth -= 1;
        isClosed = depth === 0;
        isValid = !isClosed || code === LIST_END;
      }
      const isEnd = isClosed || (depth === 1 && code === COMMA);
      if (!isEnd) continue;
      const element = open + piece.slice(from, at);
      open = "";
      from = at + 1;
      const isEmptyList = isClosed && isFirst && element.trim() === "";
      if (!isEmptyList) yield element;
      isFirst = false;
    }
    open += piece.slice(from);
  }

  return {
    /** Elements that end in the next piece of the text. */
    elements,
    get openLength() {
      return open.length;
    },
    /** True if the list has ended as it should, and nothing follows. */
    isWhole: () => isClosed && isValid && open.trim() === "",
  };
}

const QUOTE = '"'.charCodeAt(0);
const BACKSLASH = "\\".charCodeAt(0);
const COMMA = ",".charCodeAt(0);
const LIST = "[".charCodeAt(0);
const LIST_END = "]".charCodeAt(0);
const OBJECT = "{".charCodeAt(0);
const OBJECT_END = "}".charCodeAt(0);

function parseRow(name: string, element: string): JsonRow {
  if (element.length > ROW_LENGTH_MAX) throw tooLong(name);
  let row: unknown;
  try {
    row = JSON.parse(element);
  } catch {
    throw notJson(name);
  }
  if (typeof row !== "object" || row === null || Array.isArray(row))
    throw new Fault("bad_input", `${name} is JSON, but not a list of objects.`);
  return row as JsonRow;
}

function marksIn(text: string): number {
  let count = 0;
  for (const mark of MARKS)
    for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) count += 1;
  return count;
}

const MARKS = [",", "[", "{"];

function notJson(name: string): Fault {
  return new Fault("bad_input", `${name} is not valid JSON: it may have been cut off.`);
}

function tooLong(name: string): Fault {
  return new Fault(
    "bad_input",
    `${name} has a row of more than ${ROW_LENGTH_MAX / MEGABYTE} MB: leave out columns that nobody needs.`,
  );
}
