import { access, constants, stat } from "node:fs/promises";
import type { Language } from "../../core/alerts/alert.ts";
import { Fault } from "../../core/fault.ts";
import { plural } from "../../text/terminal-text.ts";
import type { CommandContext } from "../shell/command.ts";
import { cannotRead, refusePrivateTmp } from "../shell/files.ts";
import { STANDARD_STREAM } from "../shell/output.ts";
import type { Progress } from "../shell/terminal.ts";
import type { Mapping } from "../../tables/mapping.ts";
import { readEntries } from "../../tables/rows.ts";
import { type Table, type TableBytes, tableIn } from "../../tables/table.ts";

const MEGABYTE = 1024 * 1024;
const FILE_BYTES_MAX = 200 * MEGABYTE;

/** Opens a file, or standard input (`-`), as `tableIn` does. */
export async function openTable(path: string, context: CommandContext): Promise<Table> {
  return tableIn(await openSource(path, context));
}

async function openSource(path: string, context: CommandContext): Promise<TableBytes> {
  const isStandard = path === STANDARD_STREAM;
  const name = isStandard ? "Standard input" : path;
  if (!isStandard) await requireFile(path, context);
  const bytes = isStandard ? context.standardInput() : Bun.file(path).stream();
  return { name, bytes: limited(name, bytes) };
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

/** Reads all rows of a table as `readEntries` does, and shows how far it is. */
export async function readRows(
  table: Table,
  mapping: Mapping,
  language: Language,
  progress: Progress,
): ReturnType<typeof readEntries> {
  let count = 0;
  const counted = async function* () {
    for await (const row of table.rows) {
      if (++count % ROWS_PER_PROGRESS === 0) {
        progress.show(`Read ${plural(count, "row")}`);
        // What is read is much larger than what is kept of it.
        Bun.gc(true);
      }
      yield row;
    }
  };
  const entries = await readEntries({ ...table, rows: counted() }, mapping, language);
  progress.clear();
  return entries;
}
