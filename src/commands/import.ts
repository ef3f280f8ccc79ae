import { readConfig } from "../config.ts";
import { type Language, LANGUAGES } from "../core/alerts/alert.ts";
import { DAY_MS } from "../core/duration.ts";
import { isDate, isoDate, mailbox } from "../core/input.ts";
import { createLinks } from "../core/urls.ts";
import { start } from "../start.ts";
import {
  type Command,
  type CommandContext,
  confirm,
  onlyArgument,
  readArguments,
  UsageError,
} from "./command.ts";
import { chooseMapping } from "./import/mapping.ts";
import {
  type ImportCandidate,
  createCandidates,
  createLinksFile,
  findPublishedSources,
  publishAll,
  sourcePrefix,
} from "./import/publish.ts";
import { readEntries, type Rejection, shorten } from "./import/rows.ts";
import { openTable } from "./import/table.ts";
import { messagesToStderr, requireNoTerminal, STANDARD_STREAM } from "./output.ts";
import { formatNumber, createProgress, plural } from "./terminal.ts";

const USAGE =
  "Usage: pet-alert import FILE.csv|- --email ADDRESS [--mapping NAME_OR_FILE] [--since YYYY-MM-DD] [--language LANGUAGE] [--links OUT.csv|-] [--yes] [--dry-run]";

/** The operator is warned about animals lost or found longer ago than this. */
const OLD_DAYS = 90;

export const importTable: Command = {
  name: "import",
  summary: "publishes a shelter's table of lost and found animals",
  help: [
    USAGE,
    "",
    "Publishes the lost and found animals of a CSV table (UTF-8, with a header) as alerts of one owner, after asking for",
    "confirmation. Subscribers of zones nearby are emailed about each alert. Rows that were already published are left as",
    "they are, so you can run it again with the next export. With - instead of a file name, the table is read from standard",
    "input; this requires --yes.",
    "",
    "  --email ADDRESS         owner of all alerts: receives messages about them; never shown",
    "  --mapping NAME_OR_FILE  how to read the table: king-county, or a JSON file (see docs/import.md) [from the header]",
    "  --since YYYY-MM-DD      leaves out animals lost or found before that day",
    `  --language LANGUAGE     language of emails to the owner: ${LANGUAGES.join(", ")} [en]`,
    "  --links OUT.csv         writes the page and the private link of each alert to a new file, or with - to standard",
    "                          output; pet-alert links writes them again",
    "  --yes                   does not ask for confirmation",
    "  --dry-run               shows what would be published; changes nothing",
    "",
    "Uses the data folder DATA_DIR, which no running service may be using. Links begin with BASE_URL, or with",
    "http://localhost and PORT if BASE_URL is not set: use the same settings as the service.",
    "",
    "Rejected rows are reported with their line; the others are published. Exit codes: 0 success, 1 nothing was published,",
    "not confirmed, or stopped.",
  ].join("\n"),
  async run(args, processContext) {
    const options = readOptions(args);
    const context = contextFor(options, processContext);
    const config = readConfig(context.env);
    const progress = createProgress(context.isTerminal);
    const printLines = (lines: readonly string[]) => {
      if (lines.length > 0) context.print(lines.join("\n"));
    };
    const table = await openTable(options.file, context);
    const mapping = await chooseMapping(options.mapping, table.header, context);
    const rows = await readEntries(table, mapping, progress);

    const app = await start(config);
    try {
      const sources = sourcePrefix(mapping);
      const checked = await createCandidates(app, rows.entries, {
        email: options.email,
        language: options.language,
        since: options.since,
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

      if (candidates.length === 0) {
        const isDone = checked.alreadyPublished > 0;
        const what = isDone ? "There is nothing new to publish." : "There is nothing to publish.";
        printLines([what, ...rest, ...noLinks(options)]);
        return isDone ? 0 : 1;
      }
      printLines([
        ...oldAnimals(candidates, app.clock()),
        ...unreadableChips(candidates),
        ...linksBase(options, config.baseUrl, context),
      ]);
      const what = describe(candidates);
      if (options.dryRun) {
        printLines([`Would publish ${what} as ${options.email}.`, ...rest]);
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
  readonly language: Language;
  readonly links: string | null;
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
      language: { type: "string", default: "en" },
      links: { type: "string" },
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
  const language = LANGUAGES.find((one) => one === values.language);
  if (language === undefined)
    throw new UsageError(`--language must be one of ${LANGUAGES.join(", ")}.`);
  return {
    file,
    email,
    mapping: values.mapping ?? null,
    since: values.since ?? null,
    language,
    links: values.links ?? null,
    yes: values.yes,
    dryRun: values["dry-run"],
  };
}

function isConfirmed({ yes }: ImportOptions, question: string, context: CommandContext): boolean {
  return !context.stopped.aborted && (yes || confirm(question, context));
}

/** `113 lost and 72 found animals`. */
function describe(candidates: readonly ImportCandidate[]): string {
  const lost = candidates.filter(({ draft }) => draft.type === "lost").length;
  const found = plural(candidates.length - lost, "found animal");
  return `${formatNumber(lost)} lost and ${found}`;
}

function rejections(rejected: readonly Rejection[]): string[] {
  if (rejected.length === 0) return [];
  const lines = rejected.map(({ line, id, why }) => {
    const number = id === null ? "" : ` (${shorten(id)})`;
    return `Line ${line}${number}: ${why}.`;
  });
  return ["Rejected rows:", ...lines];
}

function withOlder(
  skipped: ReadonlyMap<string, number>,
  older: number,
  since: string | null,
): ReadonlyMap<string, number> {
  return older === 0 ? skipped : new Map([...skipped, [`older than ${since}`, older]]);
}

/** Warns about old animals, since subscribers are emailed about them too. */
function oldAnimals(candidates: readonly ImportCandidate[], now: number): string[] {
  const first = isoDate(now - OLD_DAYS * DAY_MS);
  const old = candidates.filter(({ draft }) => draft.eventDate < first).length;
  if (old === 0) return [];
  const whose = plural(old, "animal was", "animals were");
  return [
    `${whose} lost or found more than ${OLD_DAYS} days ago; subscribers nearby will be emailed about them too.`,
    `  To leave them out, add --since ${first}.`,
  ];
}

function unreadableChips(candidates: readonly ImportCandidate[]): string[] {
  const lines = candidates.flatMap(({ line, hasUnreadableChip }) =>
    hasUnreadableChip ? [line] : [],
  );
  if (lines.length === 0) return [];
  const chips = plural(lines.length, "chip number");
  return [`${chips} could not be read and will be left out (${lineNumbers(lines)}).`];
}

const LINES_SHOWN = 10;

/** `line 3`, `lines 3, 7, 9`, `lines 1, … and 5 more`. */
function lineNumbers(lines: readonly number[]): string {
  const shown = lines.slice(0, LINES_SHOWN).join(", ");
  const rest = lines.length - LINES_SHOWN;
  return `${lines.length === 1 ? "line" : "lines"} ${shown}${rest > 0 ? ` and ${formatNumber(rest)} more` : ""}`;
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

function report(result: Awaited<ReturnType<typeof publishAll>>): string[] {
  const { lost, found, redacted, isComplete } = result;
  return [
    ...(isComplete ? [] : ["Stopped. Run it again for the rest."]),
    `Published: ${formatNumber(lost)} lost, ${formatNumber(found)} found.`,
    ...(redacted > 0
      ? [`Contact details were removed from the text of ${formatNumber(redacted)}.`]
      : []),
  ];
}

function leftOut(left: {
  readonly alreadyPublished: number;
  readonly skipped: ReadonlyMap<string, number>;
  readonly rejected: number;
}): string[] {
  const total = [...left.skipped.values()].reduce((sum, rows) => sum + rows, 0);
  const reasons = [...left.skipped].map(([why, rows]) => `${formatNumber(rows)} ${why}`).join(", ");
  return [
    `Already published, left as they are: ${formatNumber(left.alreadyPublished)}.`,
    `Skipped: ${formatNumber(total)}${reasons === "" ? "" : ` (${reasons})`}.`,
    `Rejected: ${formatNumber(left.rejected)}.`,
  ];
}
