import type { Config } from "../../settings/config.ts";
import { STOCKS } from "../../core/caps.ts";
import { csvLine } from "../../text/csv.ts";
import { DAY_MS } from "../../core/duration.ts";
import { Fault } from "../../core/fault.ts";
import { isoDate } from "../../core/input.ts";
import type { Operator } from "../../core/service/service.ts";
import { formatNumber } from "../../text/terminal-text.ts";
import { createLinks } from "../../core/urls.ts";
import { openGazetteer } from "../../places/places.ts";
import { createGeocoder, lastResortsOf, type PlacedRow } from "../../tables/geocode.ts";
import { requireDecided, undecided } from "../../tables/mapping.ts";
import { lastResorts, rejections } from "../../tables/row-lines.ts";
import { type ImportEntry, readEntries, type Rejection } from "../../tables/rows.ts";
import { createPlacedRows } from "../../tables/table-read.ts";
import { type CommandContext, confirm } from "../shell/command.ts";
import { withOperator } from "../shell/operator-client.ts";
import { openOutput, STANDARD_STREAM } from "../shell/output.ts";
import { createProgress } from "../shell/terminal.ts";
import type { ImportOptions } from "./options.ts";
import {
  animals,
  leftOut,
  OLD_DAYS,
  oldAnimals,
  pageLines,
  photoLines,
  type RowProblem,
  unreadableChips,
  withOlder,
} from "./report.ts";
import { chooseMapping, inColumns, openTable } from "./table-file.ts";

/** Rows sent to the service at once. */
const BATCH = 500;
/** Rows after which memory is released: on a large machine it would otherwise grow with every row read. */
const ROWS_PER_RELEASE = 5_000;

/** Publishes the new rows of a table, through the running service or on the data folder. Returns the exit code. */
export async function publishNewRows(
  options: ImportOptions,
  config: Config,
  context: CommandContext,
): Promise<number> {
  const { email, language, since, links } = options;
  const printLines = (lines: readonly string[]) => {
    if (lines.length > 0) context.print(lines.join("\n"));
  };
  const table = await openTable(options.file, context);
  const mapping = await chooseMapping(options.mapping, table.header, context);
  if (!options.dryRun) requireDecided(mapping);
  const rows = await readEntries(table, mapping, language);
  const geocode = await createGeocoder(await openGazetteer(), rows.entries, options);
  const oldBefore = isoDate(context.now() - OLD_DAYS * DAY_MS);

  /** Sends all rows, of which the service publishes those that are new. */
  async function send(operator: Operator, dryRun: boolean, file: LinksFile | null) {
    const sent = {
      ...{ lost: 0, found: 0, known: 0, older: 0, old: 0, redacted: 0 },
      chips: [] as number[],
      places: [] as PlacedRow[],
      pagesLeftOut: [] as RowProblem[],
      rejected: [...rows.rejected] as Rejection[],
      photos: { fetched: 0, waiting: 0, failed: [] as RowProblem[] },
      isComplete: true,
    };
    const progress = createProgress(context.isTerminal);
    let done = 0;
    for (const batch of inBatches(rows.entries)) {
      const count = `${formatNumber(done)} of ${formatNumber(rows.entries.length)}`;
      progress.show(`${dryRun ? "Checked" : "Published"} ${count}`);
      // Lets signals be handled.
      await Bun.sleep(0);
      if (context.stopped.aborted) {
        sent.isComplete = false;
        break;
      }
      const placed = createPlacedRows(geocode, since);
      batch.forEach(placed.add);
      const result = await operator.syncTable({
        ...{ mapping: mapping.mapping, email, language, rows: placed.rows, kept: [], dryRun },
        ...{ onlyNew: true, isWhole: false, acceptMissing: false },
      });
      await file?.add(result.links ?? []);
      const entries = new Map(batch.map((entry) => [entry.id, entry]));
      const withLine = (one: { readonly id: string; readonly why: string }) => ({
        ...one,
        line: entries.get(one.id)?.line ?? 0,
      });
      const { known = [], refused, photos } = result;
      const others = new Set([...known, ...refused.map(({ id }) => id)]);
      for (const row of placed.places.filter(({ id }) => !others.has(id))) {
        const { type, eventDate, hasUnreadableChip } = entries.get(row.id)!;
        sent[type]++;
        if (eventDate < oldBefore) sent.old++;
        if (hasUnreadableChip) sent.chips.push(row.line);
        if (row.place.isLastResort === true) sent.places.push(row);
      }
      sent.rejected.push(
        ...placed.rejected,
        ...refused.map(({ id, why, fields }) => ({
          ...withLine({ id, why: inColumns({ message: why, fields }, mapping) }),
          isDamaged: false,
        })),
      );
      sent.known += known.length;
      sent.older += placed.older.length;
      sent.redacted += result.redacted;
      sent.pagesLeftOut.push(...result.pagesLeftOut.map(withLine));
      sent.photos.fetched += photos.fetched;
      sent.photos.waiting += photos.waiting;
      sent.photos.failed.push(...photos.failed.map(withLine));
      if (
        Math.floor(done / ROWS_PER_RELEASE) < Math.floor((done += batch.length) / ROWS_PER_RELEASE)
      )
        releaseMemory();
    }
    progress.clear();
    sent.rejected.sort((a, b) => a.line - b.line);
    return sent;
  }
  type Sent = Awaited<ReturnType<typeof send>>;

  const about = ({ old, chips, places, pagesLeftOut, ...sent }: Sent) => [
    ...rejections(sent.rejected),
    ...(sent.lost + sent.found === 0
      ? []
      : [
          ...oldAnimals(old, oldBefore),
          ...unreadableChips(chips),
          ...lastResorts(lastResortsOf(places)),
          ...pageLines(pagesLeftOut),
          ...linksBase(options, config.baseUrl, context),
        ]),
  ];
  const rest = ({ known, older, rejected }: Sent) =>
    leftOut({
      alreadyPublished: known,
      skipped: withOlder(rows.skipped, older, since),
      rejected: rejected.length,
    });
  const noLinks =
    links === null ? [] : ["No links were written, because nothing new was published."];
  /** Report where there is nothing to publish; null if there is. */
  const nothing = ({ lost, found, known, ...sent }: Sent) =>
    lost + found > 0 || !sent.isComplete
      ? null
      : {
          code: known > 0 ? 0 : 1,
          line: known > 0 ? "There is nothing new to publish." : "There is nothing to publish.",
        };

  async function publish(operator: Operator): Promise<number> {
    // Before a file for links is created, it is known that there are some.
    const isLookedAt = options.dryRun || !options.yes || links !== null;
    const plan = isLookedAt ? await send(operator, true, null) : null;
    if (plan !== null) {
      printLines(about(plan));
      const none = nothing(plan);
      if (none !== null) {
        printLines([none.line, ...rest(plan), ...noLinks]);
        return none.code;
      }
      if (options.dryRun) {
        printLines([`Would publish ${animals(plan)} as ${email}.`, ...rest(plan)]);
        const decide = undecided(mapping);
        if (decide !== null) printLines([decide]);
        return 0;
      }
    }
    const mustAsk = !options.yes && plan !== null && !context.stopped.aborted;
    const isRefused = mustAsk && !confirm(`Publish ${animals(plan)} as ${email}?`, context);
    if (context.stopped.aborted || isRefused) {
      printLines(["Nothing was published.", ...noLinks]);
      return 1;
    }
    const file = links === null ? null : await createLinksFile(links, config.baseUrl, context);
    try {
      const sent = await send(operator, false, file);
      if (plan === null) printLines(about(sent));
      const none = nothing(sent);
      const isNothing = sent.lost + sent.found === 0;
      printLines([
        ...(none === null ? published(sent) : [none.line]),
        ...rest(sent),
        ...(isNothing ? noLinks : []),
      ]);
      if (none !== null) return none.code;
      return sent.isComplete ? 0 : 1;
    } finally {
      await file?.close();
    }
  }
  return withOperator(config, publish, true);
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

function releaseMemory(): void {
  Bun.gc(true);
  Bun.shrink();
}

function published(sent: {
  readonly lost: number;
  readonly found: number;
  readonly redacted: number;
  readonly photos: Parameters<typeof photoLines>[0];
  readonly isComplete: boolean;
}): string[] {
  const { lost, found, redacted, photos, isComplete } = sent;
  return [
    ...(isComplete ? [] : ["Stopped. Run it again for the rest."]),
    `Published: ${formatNumber(lost)} lost, ${formatNumber(found)} found.`,
    ...(redacted > 0
      ? [`Contact details were removed from the text of ${formatNumber(redacted)}.`]
      : []),
    ...photoLines(photos),
  ];
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
