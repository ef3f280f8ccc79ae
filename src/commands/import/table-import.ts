import { Fault } from "../../core/fault.ts";
import type { Operator } from "../../core/service/service.ts";
import type { TableSyncResult } from "../../core/tables/table-read.ts";
import { createLinks } from "../../core/urls.ts";
import { openGazetteer } from "../../places/places.ts";
import type { Config } from "../../settings/config.ts";
import { createGeocoder } from "../../tables/geocode.ts";
import { undecided } from "../../tables/mapping.ts";
import { csvLine } from "../../text/csv.ts";
import { type CommandContext, confirm } from "../shell/command.ts";
import { withOperator } from "../shell/operator-client.ts";
import { openOutput, STANDARD_STREAM } from "../shell/output.ts";
import type { ImportOptions } from "./options.ts";
import { animals, publishedLines, restLines, warnings } from "./report.ts";
import { type NewRows, publishNewRows } from "./new-rows.ts";
import { syncFile } from "./sync.ts";
import { mappingNamed, readTableFile } from "./table-file.ts";

/**
 * Publishes the new rows of a table or, with --sync, keeps alerts in step with it; through the running service or on the
 * data folder. Returns the exit code.
 */
export async function importRows(
  options: ImportOptions,
  config: Config,
  context: CommandContext,
): Promise<number> {
  if (!options.sync) return publish(options, config, context);
  const printJson = async (summary: object) => {
    if (options.json)
      await context.standardOutput.write(Buffer.from(`${JSON.stringify(summary)}\n`));
  };
  const toStderr = { ...context, print: context.printError, isTerminal: false, ask: null };
  try {
    const { code, summary } = await syncFile(options, config, options.json ? toStderr : context);
    if (summary !== undefined) await printJson(summary);
    return code;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    await printJson({ ok: false, error: error.message });
    await noteProblem(error, options, config, context);
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

async function publish(
  options: ImportOptions,
  config: Config,
  context: CommandContext,
): Promise<number> {
  const { email, links, yes, dryRun, since } = options;
  const { mapping, rows } = await readTableFile(options, context);
  const geocode = await createGeocoder(await openGazetteer(), rows.entries, options);
  const sending = { rows, mapping, geocode, options, context };
  const print = (lines: readonly string[]) => {
    if (lines.length > 0) context.print(lines.join("\n"));
  };
  const rest = (sent: NewRows) => restLines(sent, rows.skipped, since);
  const about = (sent: NewRows) => [
    ...warnings(sent),
    ...(isNothing(sent) ? [] : linksBase(options, config.baseUrl, context)),
  ];
  const noLinks =
    links === null ? [] : ["No links were written, because nothing new was published."];
  const undone = () => {
    print(["Nothing was published.", ...noLinks]);
    return 1;
  };

  async function send(operator: Operator): Promise<number> {
    // Before a file for links is created, it is known that there are some.
    const isPlanned = dryRun || !yes || links !== null;
    const plan = isPlanned ? await publishNewRows(operator, sending, true, async () => {}) : null;
    if (plan !== null) {
      print(about(plan));
      if (isNothing(plan)) return nothing(plan);
      if (dryRun) {
        const decide = undecided(mapping) ?? [];
        print([`Would publish ${animals(plan)} as ${email}.`, ...rest(plan)].concat(decide));
        return 0;
      }
      const asks = !yes && !context.stopped.aborted;
      if (asks && !confirm(`Publish ${animals(plan)} as ${email}?`, context)) return undone();
    }
    if (context.stopped.aborted) return undone();
    const file = links === null ? null : await createLinksFile(links, config.baseUrl, context);
    try {
      const sent = await publishNewRows(operator, sending, false, async (rows) => file?.add(rows));
      if (plan === null) print(about(sent));
      if (isNothing(sent) && sent.isComplete) return nothing(sent);
      print([...publishedLines(sent), ...rest(sent), ...(isNothing(sent) ? noLinks : [])]);
      return sent.isComplete ? 0 : 1;
    } finally {
      await file?.close();
    }
  }

  function nothing(sent: NewRows): number {
    const isDone = sent.known > 0;
    const what = isDone ? "There is nothing new to publish." : "There is nothing to publish.";
    print([what, ...rest(sent), ...noLinks]);
    return isDone ? 0 : 1;
  }

  return withOperator(config, send, true);
}

function isNothing({ lost, found }: NewRows): boolean {
  return lost + found === 0;
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
