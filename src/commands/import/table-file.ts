import { access, constants, readFile, stat } from "node:fs/promises";
import { limitBytes } from "../../core/byte-limit.ts";
import { Fault } from "../../core/fault.ts";
import { escapeControls, plural } from "../../text/terminal-text.ts";
import { codeOf } from "../../ops/fs.ts";
import {
  includedMapping,
  type Mapping,
  mappingWithColumns,
  missingColumns,
  noMapping,
  parseMapping,
  requireDecided,
} from "../../tables/mapping.ts";
import { readEntries, sourceColumn } from "../../tables/rows.ts";
import type { CommandContext } from "../shell/command.ts";
import { cannotRead, refusePrivateTmp } from "../shell/files.ts";
import { STANDARD_STREAM } from "../shell/output.ts";
import { createProgress, type Progress } from "../shell/terminal.ts";
import type { ImportOptions } from "./options.ts";
import { type Table, type TableRow, tableIn } from "../../tables/table.ts";

const MEGABYTE = 1024 * 1024;
const FILE_BYTES_MAX = 200 * MEGABYTE;

/** Reads a file, or standard input (`-`), by the mapping of the options. Throws `bad_input` with a sentence. */
export async function readTableFile(
  { file, mapping: name, language, dryRun }: ImportOptions,
  context: CommandContext,
) {
  const table = await openTable(file, context);
  const mapping = await chooseMapping(name, table.header, context);
  if (!dryRun) requireDecided(mapping);
  return { mapping, rows: await readEntries(table, mapping, language) };
}

/** Opens a file, or standard input (`-`), as `tableIn` does, and shows how far it is read. */
export async function openTable(path: string, context: CommandContext): Promise<Table> {
  const isStandard = path === STANDARD_STREAM;
  const name = isStandard ? "Standard input" : path;
  if (!isStandard) await requireFile(path, context);
  const bytes = isStandard ? context.standardInput() : Bun.file(path).stream();
  const table = await tableIn({
    name,
    bytes: limitBytes(bytes, FILE_BYTES_MAX, () => tooLarge(name)),
  });
  return { ...table, rows: withProgress(table.rows, createProgress(context.isTerminal)) };
}

async function requireFile(path: string, context: CommandContext): Promise<void> {
  refusePrivateTmp(path, context);
  try {
    const found = await stat(path);
    if (!found.isFile()) throw new Fault("bad_input", `${path} is not a file.`);
    if (found.size > FILE_BYTES_MAX) throw tooLarge(path);
    await access(path, constants.R_OK);
  } catch (error) {
    throw error instanceof Fault ? error : cannotRead(path, error);
  }
}

function tooLarge(name: string): Fault {
  return new Fault(
    "bad_input",
    `${name} is larger than ${FILE_BYTES_MAX / MEGABYTE} MB: split it into several files.`,
  );
}

const ROWS_PER_PROGRESS = 5_000;

async function* withProgress(
  rows: AsyncIterable<TableRow>,
  progress: Progress,
): AsyncGenerator<TableRow, void> {
  let count = 0;
  try {
    for await (const row of rows) {
      if (++count % ROWS_PER_PROGRESS === 0) {
        progress.show(`Read ${plural(count, "row")}`);
        // What is read is much larger than what is kept of it.
        Bun.gc(true);
      }
      yield row;
    }
  } finally {
    progress.clear();
  }
}

const HEADER_SHOWN = 500;

/**
 * Mapping by name or file; without a name, the included mapping whose columns the table has. Throws `bad_input` with a
 * sentence if there is none or it is not valid.
 */
async function chooseMapping(
  name: string | null,
  header: readonly string[],
  context: CommandContext,
): Promise<Mapping> {
  const shown = escapeControls(header.join(", ").slice(0, HEADER_SHOWN));
  if (name === null) {
    const match = mappingWithColumns(header);
    if (match !== null) return match;
    throw new Fault(
      "bad_input",
      `No included mapping has the columns of this table (${shown}). Write a mapping file and pass it with --mapping: import --suggest FILE makes a first one; see docs/import.md.`,
    );
  }
  const mapping = await mappingNamed(name, context);
  const missing = missingColumns(mapping, header);
  if (missing !== null) throw new Fault("bad_input", `${missing} Its columns are: ${shown}.`);
  return mapping;
}

/** Included mapping with this name, or the one in this file. Throws `bad_input` with a sentence. */
export async function mappingNamed(name: string, context: CommandContext): Promise<Mapping> {
  const included = includedMapping(name);
  if (included !== null) return included;
  refusePrivateTmp(name, context);
  const text = await readFile(name, "utf8").catch((error: unknown) => {
    throw codeOf(error) === "ENOENT"
      ? new Fault("bad_input", noMapping(name))
      : cannotRead(name, error);
  });
  return parseMapping(text, name);
}

/** Message of a validation error, with the table's column names. */
export function inColumns(
  { fields, message }: Pick<Fault, "fields" | "message">,
  mapping: Mapping,
): string {
  if (fields.length === 0) return message.replace(/\.$/, "");
  return fields.map((one) => `${sourceColumn(one.field, mapping)} ${one.message}`).join("; ");
}
