import { Fault } from "../../core/fault.ts";
import type { Operator } from "../../core/service/service.ts";
import type { TableSyncResult } from "../../core/tables/table-read.ts";
import { createLinks } from "../../core/urls.ts";
import { openGazetteer } from "../../places/places.ts";
import type { Config } from "../../settings/config.ts";
import { createGeocoder } from "../../tables/geocode.ts";
import { type Mapping, requireDecided, undecided } from "../../tables/mapping.ts";
import { readEntries } from "../../tables/rows.ts";
import { requireSyncRows } from "../../tables/table-read.ts";
import { csvLine } from "../../text/csv.ts";
import { type CommandContext, confirm } from "../shell/command.ts";
import { withOperator } from "../shell/operator-client.ts";
import { openOutput, STANDARD_STREAM } from "../shell/output.ts";
import type { ImportOptions } from "./options.ts";
import { animals, changes, damage, publishedLines, restLines, warnings } from "./report.ts";
import { type Sent, sendRows } from "./sent-rows.ts";
import { chooseMapping, mappingNamed, openTable } from "./table-file.ts";

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
    const plan = isPlanned ? await sendRows(operator, sending, true, async () => {}) : null;
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
      const sent = await sendRows(operator, sending, dryRun, async (rows) => file?.add(rows));
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
    ok,
    mapping,
    dry_run: dryRun,
    ...others,
    left_alone: leftAlone,
    of_others: ofOthers,
    redacted,
    photos,
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
  add(links: NonNullable<TableSyncResult["links"]>): Promise<void>;
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
