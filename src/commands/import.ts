import { type Language, LANGUAGES } from "../messages/languages.ts";
import { readConfig } from "../settings/config.ts";
import { isDate, mailbox } from "../core/input.ts";
import { createLinks } from "../core/urls.ts";
import { start } from "../start.ts";
import {
  type Command,
  type CommandContext,
  confirm,
  onlyArgument,
  readArguments,
  UsageError,
} from "./shell/command.ts";
import { chooseMapping } from "./import/mapping-choice.ts";
import { INCLUDED_NAMES, type MappingPlace, requireDecided, undecided } from "../tables/mapping.ts";
import {
  createCandidates,
  createLinksFile,
  findPublishedSources,
  publishAll,
  sourcePrefix,
} from "./import/publish.ts";
import {
  describe,
  leftOut,
  oldAnimals,
  pageLines,
  report,
  unreadableChips,
  withOlder,
} from "./import/report.ts";
import { lastResorts, rejections } from "../tables/row-lines.ts";
import { suggest } from "./import/suggest.ts";
import { syncTable } from "./import/sync.ts";
import { readEntries } from "../tables/rows.ts";
import { openTable } from "./import/table-file.ts";
import { messagesToStderr, requireNoTerminal, STANDARD_STREAM } from "./shell/output.ts";
import { createProgress } from "./shell/terminal.ts";

const USAGE =
  "Usage: pet-alert import FILE|- --email ADDRESS [--mapping NAME_OR_FILE] [--place PLACE] [--accept-towns] [--since YYYY-MM-DD] [--language LANGUAGE] [--links OUT.csv|-] [--yes] [--dry-run]\n       pet-alert import FILE|- --email ADDRESS --sync [--accept-missing] [--json] [OPTIONS...]\n       pet-alert import --suggest FILE|- [--place PLACE]";

export const importTable: Command = {
  name: "import",
  summary: "publishes a shelter's table of lost and found animals",
  help: [
    USAGE,
    "",
    "Publishes the lost and found animals of a table (CSV in UTF-8 with a header, or a JSON list) as alerts of one owner, after",
    "asking for confirmation. Subscribers of zones nearby are emailed about each alert. Rows that were already published are left as",
    "they are, so you can run it again with the next export. With - instead of a file name, the table is read from standard",
    "input; this requires --yes.",
    "",
    "  --email ADDRESS         owner of all alerts: receives messages about them; never shown",
    `  --mapping NAME_OR_FILE  how to read the table: ${INCLUDED_NAMES.join(", ")},`,
    "                          or a JSON file (see docs/import.md) [from the header]",
    "  --suggest               writes a first mapping for the table to standard output, by looking at its columns",
    '  --place PLACE           where animals are whose row has no place: "Dallas, Texas", a postcode, or LAT,LNG',
    "  --accept-towns          takes the suggested town where none has the name in the table",
    "  --sync                  keeps the alerts in step with the table: publishes new rows, changes and renews the others, and",
    "                          ends those that two good reads in a row lack. The service may be running",
    "  --accept-missing        with --sync: lets more than half of the animals go at once, which otherwise changes nothing",
    "  --json                  with --sync: prints a summary for programs; the rest goes to standard error",
    "  --since YYYY-MM-DD      leaves out animals lost or found before that day",
    `  --language LANGUAGE     language of emails to the owner: ${LANGUAGES.join(", ")} [en]`,
    "  --links OUT.csv         writes the page and the private link of each alert to a new file, or with - to standard",
    "                          output; pet-alert links writes them again",
    "  --yes                   does not ask for confirmation",
    "  --dry-run               shows what would be published; changes nothing",
    "",
    "Uses the data folder DATA_DIR, which no running service may be using, except with --sync. Links begin with BASE_URL, or with",
    "http://localhost and PORT if BASE_URL is not set: use the same settings as the service.",
    "",
    "Rejected rows are reported with their line; the others are published. Exit codes: 0 success, 1 nothing was published,",
    "not confirmed, or stopped; with --sync also if so many animals are missing that it was not believed.",
  ].join("\n"),
  async run(args, processContext) {
    if (args.includes("--suggest")) return suggest(args, USAGE, processContext);
    const options = readOptions(args);
    const context = contextFor(options, processContext);
    const config = readConfig(context.env);
    if (options.sync) return syncTable(options, config, context);
    const progress = createProgress(context.isTerminal);
    const printLines = (lines: readonly string[]) => {
      if (lines.length > 0) context.print(lines.join("\n"));
    };
    const table = await openTable(options.file, context);
    const mapping = await chooseMapping(options.mapping, table.header, context);
    if (!options.dryRun) requireDecided(mapping);
    const rows = await readEntries(table, mapping, options.language);

    const app = await start(config);
    try {
      const sources = sourcePrefix(mapping);
      const checked = await createCandidates(app, rows.entries, {
        email: options.email,
        language: options.language,
        since: options.since,
        acceptTowns: options.acceptTowns,
        place: options.place,
        mapping,
        published: await findPublishedSources(app.store, sources, progress),
        progress,
      });
      const { candidates } = checked;
      const rejected = [...rows.rejected, ...checked.rejected].sort((a, b) => a.line - b.line);
      printLines(rejections(rejected));
      const rest = leftOut({
        alreadyPublished: checked.alreadyPublished,
        skipped: withOlder(rows.skipped, checked.older, options.since),
        rejected: rejected.length,
      });

      if (candidates.list.length === 0) {
        const isDone = checked.alreadyPublished > 0;
        const what = isDone ? "There is nothing new to publish." : "There is nothing to publish.";
        printLines([what, ...rest, ...noLinks(options)]);
        return isDone ? 0 : 1;
      }
      printLines([
        ...oldAnimals(candidates, app.clock()),
        ...unreadableChips(candidates),
        ...lastResorts(candidates.lastResorts),
        ...pageLines(candidates.pagesLeftOut),
        ...linksBase(options, config.baseUrl, context),
      ]);
      const what = describe(candidates);
      if (options.dryRun) {
        printLines([`Would publish ${what} as ${options.email}.`, ...rest]);
        const decide = undecided(mapping);
        if (decide !== null) printLines([decide]);
        return 0;
      }
      if (!isConfirmed(options, `Publish ${what} as ${options.email}?`, context)) {
        printLines(["Nothing was published.", ...noLinks(options)]);
        return 1;
      }

      const file = options.links === null ? null : await createLinksFile(options.links, context);
      try {
        const result = await publishAll(app, candidates, {
          email: options.email,
          language: options.language,
          sources,
          links: createLinks(config.baseUrl),
          file,
          stopped: context.stopped,
          progress,
        });
        const isNothing = result.lost + result.found === 0;
        printLines([...report(result), ...rest, ...(isNothing ? noLinks(options) : [])]);
        return result.isComplete ? 0 : 1;
      } finally {
        await file?.close();
      }
    } finally {
      await app.stop();
    }
  },
};

/** With links on standard output, messages go to standard error; with the table on standard input, it cannot ask. */
function contextFor({ file, links }: ImportOptions, context: CommandContext): CommandContext {
  if (links === STANDARD_STREAM) requireNoTerminal(context);
  return messagesToStderr(links, file === STANDARD_STREAM ? { ...context, ask: null } : context);
}

type ImportOptions = {
  readonly file: string;
  readonly email: string;
  readonly mapping: string | null;
  /** Earliest day, YYYY-MM-DD. */
  readonly since: string | null;
  readonly acceptTowns: boolean;
  /** Place of last resort. */
  readonly place: MappingPlace | null;
  readonly language: Language;
  readonly links: string | null;
  /** Keeps alerts in step with the table. */
  readonly sync: boolean;
  readonly acceptMissing: boolean;
  readonly json: boolean;
  readonly yes: boolean;
  readonly dryRun: boolean;
};

function readOptions(args: readonly string[]): ImportOptions {
  const { positionals, values } = readArguments(
    args,
    {
      email: { type: "string" },
      mapping: { type: "string" },
      since: { type: "string" },
      "accept-towns": { type: "boolean", default: false },
      place: { type: "string" },
      language: { type: "string", default: "en" },
      links: { type: "string" },
      sync: { type: "boolean", default: false },
      "accept-missing": { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      yes: { type: "boolean", default: false },
      "dry-run": { type: "boolean", default: false },
    },
    USAGE,
  );
  const file = onlyArgument(positionals, "import takes one file.", USAGE);
  if (values.email === undefined)
    throw new UsageError("import needs --email, the owner of the alerts.", USAGE);
  const email = mailbox(values.email);
  if (email === null)
    throw new UsageError(`--email must be one email address, not "${values.email}".`);
  if (values.since !== undefined && !isDate(values.since))
    throw new UsageError(`--since must be a date such as 2026-11-21, not "${values.since}".`);
  const language = languageIn(values.language);
  if (values.sync && values.links !== undefined)
    throw new UsageError("--sync writes no links: pet-alert links writes them afterwards.");
  if (!values.sync && (values.json || values["accept-missing"]))
    throw new UsageError("--json and --accept-missing need --sync.", USAGE);
  return {
    file,
    email,
    mapping: values.mapping ?? null,
    since: values.since ?? null,
    acceptTowns: values["accept-towns"],
    place: values.place === undefined ? null : placeIn(values.place),
    language,
    links: values.links ?? null,
    sync: values.sync,
    acceptMissing: values["accept-missing"],
    json: values.json,
    yes: values.yes,
    dryRun: values["dry-run"],
  };
}

export function languageIn(text: string): Language {
  const language = LANGUAGES.find((one) => one === text);
  if (language === undefined)
    throw new UsageError(`--language must be one of ${LANGUAGES.join(", ")}.`);
  return language;
}

/** `47.38,-122.23` or a town. */
export function placeIn(text: string): MappingPlace {
  const [, lat, lng] = /^\s*(-?\d+(?:\.\d+)?)\s*,\s*(-?\d+(?:\.\d+)?)\s*$/.exec(text) ?? [];
  if (lat === undefined || lng === undefined) return text;
  if (Math.abs(Number(lat)) > 90 || Math.abs(Number(lng)) > 180)
    throw new UsageError(`--place must be a town, a postcode or LAT,LNG, not "${text}".`);
  return { lat: Number(lat), lng: Number(lng) };
}

function isConfirmed({ yes }: ImportOptions, question: string, context: CommandContext): boolean {
  return !context.stopped.aborted && (yes || confirm(question, context));
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

function noLinks({ links }: ImportOptions): string[] {
  return links === null ? [] : ["No links were written, because nothing new was published."];
}
