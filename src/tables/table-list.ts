import { join } from "node:path";
import { createYield } from "./event-loop.ts";
import { missingColumns } from "./mapping.ts";
import { lastResorts, rejections } from "./row-lines.ts";
import { readEntries } from "./rows.ts";
import { tableIn, type TableRow } from "./table.ts";
import { createSyncInput } from "./sync-input.ts";
import { Fault } from "../core/fault.ts";
import {
  type PulledTable,
  type TableListProblem,
  TableFault,
  type TableList,
} from "../core/tables/table.ts";
import type { FetchTable, TableAnswer } from "./fetch.ts";
import { readSourcesFile, SOURCES_FILE, type ListEntry } from "./sources-file.ts";
import type { Gazetteer } from "../places/places.ts";

/** Rows that are looked at, those that the mapping leaves out included. */
const ROWS_MAX = 200_000;
/** Bytes read before other work may have its turn. */
const BYTES_PER_TURN = 64 * 1024;
/** Bytes that tell a table from any other answer. */
const HEAD_BYTES = 200;

/** Reads the operator's file. Throws `bad_input` with a sentence for the operator. */
export async function openTableList(parts: {
  /** Folder of the file. */
  readonly folder: string;
  readonly gazetteer: Gazetteer;
  readonly fetchTable: FetchTable;
}): Promise<TableList> {
  let entries = await readSourcesFile(parts.folder);
  let problem: TableListProblem | null = null;

  async function reload(): Promise<void> {
    entries = await readSourcesFile(parts.folder);
    problem = null;
  }

  /** True if the file is no longer there, perhaps because its disk is not mounted. */
  async function isGone(): Promise<boolean> {
    return entries.length > 0 && !(await Bun.file(join(parts.folder, SOURCES_FILE)).exists());
  }

  async function read(
    { url, isPrivate, authorization, mapping, options, readBy }: ListEntry,
    version: Parameters<TableList["read"]>[1],
    signal: AbortSignal,
  ): Promise<PulledTable> {
    const known = version?.readBy === readBy ? version : null;
    const { etag = null, lastModified = null } = known ?? {};
    const answer = await parts.fetchTable(
      { url, isPrivate, authorization, etag, lastModified },
      signal,
    );
    if (answer.kind === "unchanged") return answer;
    try {
      const bytes = withTurns(tableBytes(answer, url.hostname));
      const table = await tableIn({ name: "The answer", bytes });
      const missing = missingColumns(mapping, table.header);
      if (missing !== null) throw new TableFault("no_table", missing);
      const paused = { ...table, rows: rowsWithTurns(table.rows) };
      const rows = await readEntries(paused, mapping, options.language);
      const read = await createSyncInput(rows, parts.gazetteer, options);
      const { etag: newEtag, lastModified: newLastModified } = answer;
      const hasVersion = newEtag !== null || newLastModified !== null;
      return {
        kind: "table",
        input: read.input,
        rejected: rejections(read.rejected).slice(1),
        lastResorts: lastResorts(read.lastResorts),
        version: hasVersion ? { etag: newEtag, lastModified: newLastModified, readBy } : null,
      };
    } catch (error) {
      if (error instanceof TableFault || !(error instanceof Fault)) throw error;
      throw new TableFault("no_table", withoutNames(error.message));
    } finally {
      await answer.bytes.return();
    }
  }

  return {
    all: () => entries,
    reload,
    async refresh() {
      try {
        if (await isGone()) problem = "gone";
        else await reload();
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        problem = "invalid";
      }
    },
    problem: () => problem,
    async read(name, version, signal) {
      const entry = entries.find((one) => one.name === name);
      if (entry === undefined)
        throw new TableFault("unreachable", "The table is not in sources.json any more.");
      return read(entry, version, signal);
    },
  };
}

/** The sentence without the name of a column, which is a word from the table. */
function withoutNames(sentence: string): string {
  return sentence.replace(/ called ".*"/s, " with one name");
}

/** Bytes of an answer, if it does not begin as an error or a page. Throws `TableFault`. */
async function* tableBytes(
  { bytes }: Extract<TableAnswer, { kind: "body" }>,
  host: string,
): AsyncGenerator<Uint8Array, void> {
  let isFirst = true;
  for await (const piece of bytes) {
    if (isFirst) refuseOthers(new TextDecoder().decode(piece.subarray(0, HEAD_BYTES)), host);
    isFirst = false;
    yield piece;
  }
}

function refuseOthers(head: string, host: string): void {
  // asm3 answers a wrong password so, with status 200.
  if (/^\s*ERROR:/i.test(head))
    throw new TableFault(
      "denied",
      `${host} answers with an error instead of the table: check the address, the user and the password.`,
    );
  if (/^\s*</.test(head))
    throw new TableFault("no_table", `${host} answers with a page instead of the table.`);
}

/** The same bytes, in pieces between which other work has its turn. */
async function* withTurns(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const yieldToOthers = createYield();
  for await (const piece of bytes)
    for (let at = 0; at < piece.length; at += BYTES_PER_TURN) {
      yield piece.subarray(at, at + BYTES_PER_TURN);
      await yieldToOthers();
    }
}

async function* rowsWithTurns(rows: AsyncIterable<TableRow>): AsyncGenerator<TableRow, void> {
  const yieldToOthers = createYield();
  let count = 0;
  for await (const row of rows) {
    if (++count > ROWS_MAX)
      throw new TableFault("too_large", `The table has more than ${ROWS_MAX} rows.`);
    await yieldToOthers();
    yield row;
  }
}
