import { STOCKS } from "../../core/caps.ts";
import { DAY_MS } from "../../core/duration.ts";
import { Fault } from "../../core/fault.ts";
import { isoDate } from "../../core/input.ts";
import type { Operator } from "../../core/service/service.ts";
import { createLinks } from "../../core/urls.ts";
import { openGazetteer } from "../../places/places.ts";
import type { Config } from "../../settings/config.ts";
import { createGeocoder, type PlacedRow } from "../../tables/geocode.ts";
import { type Mapping, requireDecided, undecided } from "../../tables/mapping.ts";
import { type ImportEntry, readEntries, type Rejection } from "../../tables/rows.ts";
import { createPlacedRows, requireSyncRows, wholeTable } from "../../tables/table-read.ts";
import { csvLine } from "../../text/csv.ts";
import { formatNumber } from "../../text/terminal-text.ts";
import { type CommandContext, confirm } from "../shell/command.ts";
import { withOperator } from "../shell/operator-client.ts";
import { openOutput, STANDARD_STREAM } from "../shell/output.ts";
import { createProgress } from "../shell/terminal.ts";
import type { ImportOptions } from "./options.ts";
import {
  animals,
  changes,
  COUNTED,
  damage,
  NO_COUNTS,
  OLD_DAYS,
  publishedLines,
  restLines,
  type RowProblem,
  type Sent,
  warnings,
} from "./report.ts";
import { chooseMapping, inColumns, mappingNamed, openTable } from "./table-file.ts";

/** Rows sent to the service at once, where only new ones are published. */
const BATCH = 500;
/** Rows after which memory is released: on a large machine it would otherwise grow with every row read. */
const ROWS_PER_RELEASE = 5_000;

/**
 * Publishes the new rows of a table or, with --sync, keeps alerts in step with it; through the running service or on the
 * data folder. Returns the exit code.
 */
export async function importRows(
  options: ImportOptions,
  config: Config,
  context: CommandContext,
): Promise<number> {
  const printJson = async (summary: object) => {
    if (options.json)
      await context.standardOutput.write(Buffer.from(`${JSON.stringify(summary)}\n`));
  };
  const toStderr = { ...context, print: context.printError, isTerminal: false, ask: null };
  try {
    const { code, summary } = await readAndSend(options, config, options.json ? toStderr : context);
    if (summary !== undefined) await printJson(summary);
    return code;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    await printJson({ ok: false, error: error.message });
    if (options.sync) await noteProblem(error, options, config, context);
    throw error;
  }
}

/** Lets the service tell its operator that a table could not be read. */
async function noteProblem(
  { code }: Fault,
  { mapping, dryRun }: ImportOptions,
  config: Config,
  context: CommandContext,
): Promise<void> {
  if (code !== "bad_input" || dryRun || mapping === null) return;
  const named = await mappingNamed(mapping, context).catch(() => null);
  if (named === null) return;
  const text = "import --sync could not read the table, and says why.";
  const problem = { kind: "no_table", text } as const;
  // Without a database there is nobody to tell yet.
  await withOperator(config, (operator) => operator.noteTableProblem(named.mapping, problem)).catch(
    () => {},
  );
}

type Outcome = { readonly code: number; readonly summary?: object };

async function readAndSend(
  options: ImportOptions,
  config: Config,
  context: CommandContext,
): Promise<Outcome> {
  const { sync, email, links, yes, dryRun } = options;
  const table = await openTable(options.file, context);
  const mapping = await chooseMapping(options.mapping, table.header, context);
  if (!dryRun) requireDecided(mapping);
  const rows = await readEntries(table, mapping, options.language);
  if (sync) requireSyncRows(rows);
  const geocode = await createGeocoder(await openGazetteer(), rows.entries, options);
  const sending = { rows, mapping, geocode, options, context };
  const print = (lines: readonly string[]) => {
    if (lines.length > 0) context.print(lines.join("\n"));
  };
  const rest = (sent: Sent) => restLines(sent, rows.skipped, options);
  const about = (sent: Sent) => [
    ...warnings(sent, sync),
    ...(sync || isNothing(sent) ? [] : linksBase(options, config.baseUrl, context)),
  ];
  const noLinks =
    links === null ? [] : ["No links were written, because nothing new was published."];
  const undone = (): Outcome => {
    print([sync ? "Nothing was changed." : "Nothing was published.", ...noLinks]);
    return { code: 1 };
  };

  async function send(operator: Operator): Promise<Outcome> {
    // Before a file for links is created, it is known that there are some.
    const isPlanned = dryRun ? !sync : !yes || links !== null;
    const plan = isPlanned ? await sendRows(operator, sending, true, null) : null;
    if (plan !== null) {
      print([
        ...about(plan),
        ...(sync ? [...changes(plan.counts, "would be"), ...damage(plan)] : []),
      ]);
      if (!sync && isNothing(plan)) return nothing(plan);
      if (dryRun) {
        const decide = undecided(mapping) ?? [];
        print([`Would publish ${animals(plan)} as ${email}.`, ...rest(plan)].concat(decide));
        return { code: 0 };
      }
      if (!yes && plan.guard === null && !context.stopped.aborted) {
        const what = sync ? "Change this" : `Publish ${animals(plan)}`;
        if (!confirm(`${what} as ${email}?`, context)) return undone();
      }
    }
    if (context.stopped.aborted) return undone();
    const file = links === null ? null : await createLinksFile(links, config.baseUrl, context);
    try {
      const sent = await sendRows(operator, sending, dryRun, file);
      if (plan === null) print(about(sent));
      if (sync) return synced(sent);
      if (isNothing(sent) && sent.isComplete) return nothing(sent);
      print([...publishedLines(sent), ...rest(sent), ...(isNothing(sent) ? noLinks : [])]);
      return { code: sent.isComplete ? 0 : 1 };
    } finally {
      await file?.close();
    }
  }

  function nothing(sent: Sent): Outcome {
    const isDone = sent.known > 0;
    const what = isDone ? "There is nothing new to publish." : "There is nothing to publish.";
    print([what, ...rest(sent), ...noLinks]);
    return { code: isDone ? 0 : 1 };
  }

  function synced(sent: Sent): Outcome {
    print([
      ...(sent.guard === null ? changes(sent.counts, dryRun ? "would be" : "") : []),
      ...rest(sent),
      ...damage(sent),
      ...(undecided(mapping) ?? []),
    ]);
    const ok = sent.guard === null && !sent.isDamaged;
    return { code: ok ? 0 : 1, summary: summaryOf(sent, ok, mapping, rows.skipped, dryRun) };
  }

  return withOperator(config, send, true);
}

function isNothing({ lost, found }: Sent): boolean {
  return lost + found === 0;
}

/** Sends the rows to the service: in batches, of which it publishes what is new, or all at once to keep in step with them. */
async function sendRows(
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
  file: LinksFile | null,
): Promise<Sent> {
  const counts = { ...NO_COUNTS };
  const old: Sent["old"] = { count: 0, before: isoDate(context.now() - OLD_DAYS * DAY_MS) };
  const chips: number[] = [];
  const places: PlacedRow[] = [];
  const pagesLeftOut: RowProblem[] = [];
  const rejected: Rejection[] = [...rows.rejected];
  const photos = { fetched: 0, waiting: 0, failed: [] as RowProblem[] };
  let [lost, found, known, older, done, released] = [0, 0, 0, 0, 0, 0];
  let guard: Sent["guard"] = null;
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
      ...{ mapping: mapping.mapping, email, language, acceptMissing, dryRun, onlyNew: !sync },
      ...(sync ? wholeTable(placed, rows) : { rows: placed.rows, kept: [], isWhole: false }),
    });
    await file?.add(result.links ?? []);
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
    ...{ counts, lost, found, known, older, old, chips, places, pagesLeftOut, rejected, photos },
    ...{ guard, isDamaged, isComplete },
  };
}

/** Batches of rows, with no more photos than the service fetches in one read. */
function* inBatches(entries: Iterable<ImportEntry>): Generator<readonly ImportEntry[]> {
  let batch: ImportEntry[] = [];
  let photos = 0;
  for (const entry of entries) {
    const own = entry.fields["photoUrls"]?.length ?? 0;
    if (batch.length === BATCH || photos + own > STOCKS.photosPerTableRead) {
      yield batch;
      [batch, photos] = [[], 0];
    }
    batch.push(entry);
    photos += own;
  }
  if (batch.length > 0) yield batch;
}

/** Summary for programs. */
function summaryOf(
  { counts, photos, pagesLeftOut, rejected, isDamaged, guard }: Sent,
  ok: boolean,
  { mapping }: Mapping,
  skipped: ReadonlyMap<string, number>,
  dryRun: boolean,
) {
  const { leftAlone, ofOthers, redacted, ...others } = counts;
  const byReason = Map.groupBy(pagesLeftOut, ({ why }) => why);
  return {
    ...{ ok, mapping, dry_run: dryRun, ...others },
    ...{ left_alone: leftAlone, of_others: ofOthers, redacted, photos },
    /** Number of alerts without a link to the animal's page, by reason. */
    pages_left_out: Object.fromEntries([...byReason].map(([why, rows]) => [why, rows.length])),
    /** Number of rows left out by the mapping, by reason. */
    skipped: Object.fromEntries(skipped),
    rejected: rejected.map(({ line, id, why }) => ({ line, id, why })),
    /** True if rows were damaged, so that nothing counted as missing. */
    damaged: isDamaged,
    guard,
  };
}

function linksBase({ links }: ImportOptions, baseUrl: string, { env }: CommandContext): string[] {
  if (links === null) return [];
  const isSet = (env["BASE_URL"] ?? "").trim() !== "";
  return [
    `The links in ${links === STANDARD_STREAM ? "standard output" : links} begin with ${baseUrl}.`,
    ...(isSet
      ? []
      : ["  BASE_URL is not set, so they work on this machine only: set it as for the service."]),
  ];
}

/** CSV table of the private links of imported alerts. */
type LinksFile = {
  add(
    links: readonly { readonly id: string; readonly slug: string; readonly token: string }[],
  ): Promise<void>;
  /** Completes the file, or deletes it if it has no links or a write failed. */
  close(): Promise<void>;
};

/**
 * Creates a file readable by its owner only, or writes to standard output. Throws `Fault` with a sentence for the
 * operator; `pet-alert links` writes links that could not be written.
 */
async function createLinksFile(
  path: string,
  baseUrl: string,
  context: CommandContext,
): Promise<LinksFile> {
  const links = createLinks(baseUrl);
  const output = openOutput(path, context, { isPrivate: true });
  let isComplete = false;
  await output.write(csvLine(["external_id", "page", "manage_link"]));
  return {
    async add(published) {
      if (published.length === 0) return;
      isComplete = false;
      const lines = published.map(({ id, slug, token }) =>
        csvLine([id, links.alert(slug), links.manage(token)]),
      );
      await withAdvice(() => output.write(lines.join("")));
      isComplete = true;
    },
    async close() {
      try {
        if (isComplete) await withAdvice(async () => output.finish());
      } finally {
        output.drop();
      }
    },
  };
}

/** Adds to a write error that the alerts are published and how to get their links. */
async function withAdvice(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    throw new Fault(
      error.code,
      `${error.message} The alerts are published. To write their links again: pet-alert links --email ADDRESS FILE.csv`,
    );
  }
}
