import { QUOTAS } from "../../core/caps.ts";
import { DAY_MS } from "../../core/duration.ts";
import { isoDate } from "../../core/input.ts";
import type { Operator } from "../../core/service/service.ts";
import type { TableSyncResult } from "../../core/tables/table-read.ts";
import type { createGeocoder, PlacedRow } from "../../tables/geocode.ts";
import type { Mapping } from "../../tables/mapping.ts";
import type { ImportEntry, TableEntries } from "../../tables/rows.ts";
import { createPlacedRows } from "../../tables/sync-input.ts";
import { formatNumber } from "../../text/terminal-text.ts";
import type { CommandContext } from "../shell/command.ts";
import { createProgress } from "../shell/terminal.ts";
import type { ImportOptions } from "./options.ts";
import { inColumns } from "./table-file.ts";

/** Rows sent to the service at once. */
const BATCH = 500;
/** Rows after which memory is released: on a large machine it would otherwise grow with every row read. */
const ROWS_PER_RELEASE = 5_000;

/** The operator is warned about animals lost or found longer ago than this: subscribers are emailed about them, too. */
export const OLD_DAYS = 90;

/** Row with what is wrong with it. */
export type RowProblem = {
  /** Absent where it is not known. */
  readonly line?: number;
  readonly id: string;
  readonly why: string;
};

/** Rows that were published, or would be. */
export type NewRows = Awaited<ReturnType<typeof publishNewRows>>;

/** Sends the rows to the service in batches, of which it publishes what is new. */
export async function publishNewRows(
  operator: Operator,
  {
    rows,
    mapping,
    geocode,
    options: { email, language, since },
    context,
  }: {
    readonly rows: TableEntries;
    readonly mapping: Mapping;
    readonly geocode: Awaited<ReturnType<typeof createGeocoder>>;
    readonly options: ImportOptions;
    readonly context: CommandContext;
  },
  dryRun: boolean,
  onLinks: (links: NonNullable<TableSyncResult["links"]>) => Promise<void>,
) {
  const all = {
    lost: 0,
    found: 0,
    /** Number of rows that were published before. */
    known: 0,
    /** Number of rows before --since. */
    older: 0,
    /** Number of rows before the day (YYYY-MM-DD) from which they are old. */
    old: { count: 0, before: isoDate(context.now() - OLD_DAYS * DAY_MS) },
    /** Lines with a chip number that cannot be read. */
    chips: [] as number[],
    /** Rows at the place of last resort. */
    places: [] as PlacedRow[],
    pagesLeftOut: [] as RowProblem[],
    rejected: [...rows.rejected],
    photos: { fetched: 0, waiting: 0, failed: [] as RowProblem[] },
    /** Number of texts from which contact details were removed. */
    redacted: 0,
    /** False if the command was stopped. */
    isComplete: true,
  };
  let [done, released] = [0, 0];
  const progress = createProgress(context.isTerminal);
  for (const batch of inBatches(rows.entries)) {
    const count = `${formatNumber(done)} of ${formatNumber(rows.entries.length)}`;
    progress.show(`${dryRun ? "Checked" : "Published"} ${count}`);
    // Lets signals be handled.
    await Bun.sleep(0);
    if (context.stopped.aborted) {
      all.isComplete = false;
      break;
    }
    const placed = createPlacedRows(geocode, since);
    for (const entry of batch) placed.add(entry);
    const result = await operator.syncTable({
      mapping: mapping.mapping,
      email,
      language,
      acceptMissing: false,
      dryRun,
      onlyNew: true,
      rows: placed.rows,
      kept: [],
      isWhole: false,
    });
    await onLinks(result.links ?? []);
    const withLine = lineFinder(batch);
    const refused = refusedRows(result, withLine, mapping);
    const others = new Set([...(result.known ?? []), ...refused.map(({ id }) => id)]);
    for (const row of placed.places.filter(({ id }) => !others.has(id))) {
      all[row.type] += 1;
      if (row.eventDate < all.old.before) all.old.count++;
      if (row.hasUnreadableChip) all.chips.push(row.line);
      if (row.place.isLastResort === true) all.places.push(row);
    }
    all.rejected.push(...placed.rejected, ...refused);
    all.pagesLeftOut.push(...result.pagesLeftOut.map(withLine));
    all.photos.failed.push(...result.photos.failed.map(withLine));
    all.photos.fetched += result.photos.fetched;
    all.photos.waiting += result.photos.waiting;
    all.known += result.known?.length ?? 0;
    all.older += placed.older.length;
    all.redacted += result.redacted;
    done += batch.length;
    if (done - released < ROWS_PER_RELEASE) continue;
    released = done;
    Bun.gc(true);
    Bun.shrink();
  }
  progress.clear();
  all.rejected.sort((a, b) => a.line - b.line);
  return all;
}

/** Adds the line of its row to what the service says about a row. */
export function lineFinder(entries: Iterable<ImportEntry>) {
  const lines = new Map<string, number>();
  for (const { id, line } of entries) lines.set(id, line);
  return ({ id, why }: { readonly id: string; readonly why: string }) => ({
    line: lines.get(id) ?? 0,
    id,
    why,
  });
}

/** Rows that the service refused, in the words of the table. */
export function refusedRows(
  { refused }: Pick<TableSyncResult, "refused">,
  withLine: ReturnType<typeof lineFinder>,
  mapping: Mapping,
) {
  return refused.map(({ id, why, fields }) =>
    withLine({ id, why: inColumns({ message: why, fields }, mapping) }),
  );
}

/** Batches of rows, with no more photos than the service fetches in one read. */
function* inBatches(entries: Iterable<ImportEntry>): Generator<readonly ImportEntry[]> {
  let batch: ImportEntry[] = [];
  let photos = 0;
  for (const entry of entries) {
    const own = entry.fields["photoUrls"]?.length ?? 0;
    if (batch.length === BATCH || photos + own > QUOTAS.photosPerTableRead) {
      yield batch;
      [batch, photos] = [[], 0];
    }
    batch.push(entry);
    photos += own;
  }
  if (batch.length > 0) yield batch;
}
