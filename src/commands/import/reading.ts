import { many, type Progress } from "../progress.ts";
import { type Entry, readRow } from "./entry.ts";
import type { Mapping } from "./mapping.ts";
import type { Table } from "./table.ts";

/** A row that cannot be published; `why` is for the operator. */
export type Refusal = {
  readonly line: number;
  /** Its number where it comes from, if it has one. */
  readonly id: string | null;
  readonly why: string;
};

export type EntriesRead = {
  readonly entries: readonly Entry[];
  /** How many rows the mapping leaves out, by its reasons. */
  readonly skipped: ReadonlyMap<string, number>;
  readonly refused: readonly Refusal[];
};

const ROWS_PER_PROGRESS = 5_000;

/** Reads all rows of a table; of rows with the same id the first. */
export async function readEntries(
  table: Table,
  mapping: Mapping,
  progress: Progress,
): Promise<EntriesRead> {
  const entries = new Map<string, Entry>();
  const skipped = new Map<string, number>();
  const refused: Refusal[] = [];
  let rows = 0;
  for await (const row of table.rows) {
    if (++rows % ROWS_PER_PROGRESS === 0) progress.show(`Read ${many(rows, "row", "rows")}`);
    const reading = readRow(row, mapping);
    switch (reading.kind) {
      case "skipped":
        skipped.set(reading.why, (skipped.get(reading.why) ?? 0) + 1);
        break;
      case "refused":
        refused.push({ line: row.line, id: reading.id, why: reading.why });
        break;
      case "entry": {
        const { entry } = reading;
        const same = entries.get(entry.id);
        if (same === undefined) entries.set(entry.id, entry);
        else
          refused.push({
            line: row.line,
            id: entry.id,
            why: `its ${mapping.id} stands in line ${same.line} already`,
          });
      }
    }
  }
  progress.clear();
  return { entries: [...entries.values()], skipped, refused };
}
