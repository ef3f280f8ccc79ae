import { access, constants, stat } from "node:fs/promises";
import { Fault } from "../../core/fault.ts";
import { plural } from "../../text/terminal-text.ts";
import type { CommandContext } from "../shell/command.ts";
import { cannotRead, refusePrivateTmp } from "../shell/files.ts";
import { STANDARD_STREAM } from "../shell/output.ts";
import { createProgress, type Progress } from "../shell/terminal.ts";
import { type Table, type TableRow, tableIn } from "../../tables/table.ts";

const MEGABYTE = 1024 * 1024;
const FILE_BYTES_MAX = 200 * MEGABYTE;

/** Opens a file, or standard input (`-`), as `tableIn` does, and shows how far it is read. */
export async function openTable(path: string, context: CommandContext): Promise<Table> {
  const isStandard = path === STANDARD_STREAM;
  const name = isStandard ? "Standard input" : path;
  if (!isStandard) await requireFile(path, context);
  const bytes = isStandard ? context.standardInput() : Bun.file(path).stream();
  const table = await tableIn({ name, bytes: limited(name, bytes) });
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

async function* limited(
  name: string,
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  let length = 0;
  for await (const piece of bytes) {
    length += piece.length;
    if (length > FILE_BYTES_MAX) throw tooLarge(name);
    yield piece;
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
