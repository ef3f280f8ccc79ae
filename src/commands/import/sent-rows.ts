import { QUOTAS } from "../../core/caps.ts";
import { DAY_MS } from "../../core/duration.ts";
import { isoDate } from "../../core/input.ts";
import type { Operator } from "../../core/service/service.ts";
import type { TableSyncResult } from "../../core/tables/table-read.ts";
import type { createGeocoder, PlacedRow } from "../../tables/geocode.ts";
import type { Mapping } from "../../tables/mapping.ts";
import type { ImportEntry, readEntries, Rejection } from "../../tables/rows.ts";
import { createPlacedRows, wholeTable } from "../../tables/table-read.ts";
import { formatNumber } from "../../text/terminal-text.ts";
import type { CommandContext } from "../shell/command.ts";
import { createProgress } from "../shell/terminal.ts";
import type { ImportOptions } from "./options.ts";
import { inColumns } from "./table-file.ts";

/** Rows sent to the service at once, where only new ones are published. */
const BATCH = 500;
/** Rows after which memory is released: on a large machine it would otherwise grow with every row read. */
const ROWS_PER_RELEASE = 5_000;

/** The operator is warned about animals lost or found longer ago than this: subscribers are emailed about them, too. */
export const OLD_DAYS = 90;

/** Numbers of alerts that a table changes. */
export const NO_COUNTS = {
  published: 0,
  updated: 0,
  renewed: 0,
  reopened: 0,
  unchanged: 0,
  missing: 0,
  ended: 0,
  leftAlone: 0,
  ofOthers: 0,
  redacted: 0,
};
type Counts = Readonly<typeof NO_COUNTS>;
export const COUNTED = Object.keys(NO_COUNTS) as readonly (keyof Counts)[];

/** Row with what is wrong with it. */
export type RowProblem = {
  /** Absent where it is not known. */
  readonly line?: number;
  readonly id: string;
  readonly why: string;
};

/** Rows that were sent to the service, and what became of them. */
export type Sent = Awaited<ReturnType<typeof sendRows>>;

/** Sends the rows to the service: in batches, of which it publishes what is new, or all at once to keep in step with them. */
export async function sendRows(
  operator: Operator,
  {
    rows,
    mapping,
    geocode,
    options: { email, language, since, sync, acceptMissing },
    context,
  }: {
    readonly rows: Awaited<ReturnType<typeof readEntries>>;
    readonly mapping: Mapping;
    readonly geocode: Awaited<ReturnType<typeof createGeocoder>>;
    readonly options: ImportOptions;
    readonly context: CommandContext;
  },
  dryRun: boolean,
  onLinks: (links: NonNullable<TableSyncResult["links"]>) => Promise<void>,
) {
  const counts = { ...NO_COUNTS };
  const old = { count: 0, before: isoDate(context.now() - OLD_DAYS * DAY_MS) };
  const chips: number[] = [];
  const places: PlacedRow[] = [];
  const pagesLeftOut: RowProblem[] = [];
  const rejected: Rejection[] = [...rows.rejected];
  const photos = { fetched: 0, waiting: 0, failed: [] as RowProblem[] };
  let [lost, found, known, older, done, released] = [0, 0, 0, 0, 0, 0];
  let guard: TableSyncResult["guard"] = null;
  let isComplete = true;
  const progress = createProgress(context.isTerminal);
  for (const batch of sync ? [rows.entries] : inBatches(rows.entries)) {
    const count = `${formatNumber(done)} of ${formatNumber(rows.entries.length)}`;
    progress.show(`${dryRun ? "Checked" : "Published"} ${count}`);
    // Lets signals be handled.
    await Bun.sleep(0);
    if (context.stopped.aborted) {
      isComplete = false;
      break;
    }
    const placed = createPlacedRows(geocode, since);
    for (const entry of batch) placed.add(entry);
    const result = await operator.syncTable({
      mapping: mapping.mapping,
      email,
      language,
      acceptMissing,
      dryRun,
      onlyNew: !sync,
      ...(sync ? wholeTable(placed, rows) : { rows: placed.rows, kept: [], isWhole: false }),
    });
    await onLinks(result.links ?? []);
    const lines = new Map(placed.places.map(({ id, line }) => [id, line]));
    const withLine = (one: { readonly id: string; readonly why: string }) => ({
      line: lines.get(one.id) ?? 0,
      id: one.id,
      why: one.why,
    });
    const refused = result.refused.map(({ id, why, fields }) =>
      withLine({ id, why: inColumns({ message: why, fields }, mapping) }),
    );
    const others = new Set([...(result.known ?? []), ...refused.map(({ id }) => id)]);
    for (const row of placed.places.filter(({ id }) => !others.has(id))) {
      if (row.type === "lost") lost++;
      else found++;
      if (row.eventDate < old.before) old.count++;
      if (row.hasUnreadableChip) chips.push(row.line);
      if (row.place.isLastResort === true) places.push(row);
    }
    for (const name of COUNTED) counts[name] += result[name];
    rejected.push(...placed.rejected, ...refused);
    pagesLeftOut.push(...result.pagesLeftOut.map(withLine));
    photos.failed.push(...result.photos.failed.map(withLine));
    photos.fetched += result.photos.fetched;
    photos.waiting += result.photos.waiting;
    known += result.known?.length ?? 0;
    older += placed.older.length;
    guard = result.guard;
    done += batch.length;
    if (done - released < ROWS_PER_RELEASE) continue;
    released = done;
    Bun.gc(true);
    Bun.shrink();
  }
  progress.clear();
  rejected.sort((a, b) => a.line - b.line);
  const isDamaged = rows.rejected.some((one) => one.isDamaged === true);
  return {
    counts,
    lost,
    found,
    /** Number of rows that were published before. */
    known,
    /** Number of rows before --since. */
    older,
    /** Number of rows before the day (YYYY-MM-DD) from which they are old. */
    old,
    /** Lines with a chip number that cannot be read. */
    chips,
    /** Rows at the place of last resort. */
    places,
    pagesLeftOut,
    rejected,
    photos,
    guard,
    /** True if rows were damaged, so that nothing counted as missing. */
    isDamaged,
    /** False if the command was stopped. */
    isComplete,
  };
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
