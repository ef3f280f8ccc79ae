import { readConfig } from "../settings/config.ts";
import { Fault } from "../core/fault.ts";
import type { PublicAlert } from "../core/alerts/alert.ts";
import { CELL_MIN, MERGED } from "../core/outcomes/outcome.ts";
import { alertSchema, alertToWire } from "../http/api/alert-json.ts";
import { snakeCase } from "../http/middleware/field-names.ts";
import type { Store } from "../core/service/store.ts";
import { createLinks, type Links } from "../core/urls.ts";
import { exportedAlerts } from "../core/alerts/export.ts";
import { exportedOutcomes, exportedSteps } from "../core/outcomes/return-periods.ts";
import { openStorageToRead } from "../storage/open.ts";
import {
  type Command,
  type CommandContext,
  onlyArgument,
  readArguments,
  UsageError,
} from "./shell/command.ts";
import { type CsvCell, csvLine } from "../text/csv.ts";
import { messagesToStderr, openOutput, type Output, STANDARD_STREAM } from "./shell/output.ts";
import { plural } from "../text/terminal-text.ts";
import { createProgress } from "./shell/terminal.ts";

const USAGE =
  "Usage: pet-alert export FILE.csv|FILE.jsonl|- [--format csv|jsonl] [--outcomes|--steps]";

const FORMATS = ["csv", "jsonl"] as const;
type Format = (typeof FORMATS)[number];

export const exportTable: Command = {
  name: "export",
  summary: "writes a table of public data: alerts, or how animals came home",
  help: [
    USAGE,
    "",
    "Writes active, resolved and expired alerts to a new file, with the fields of the REST API (of an organisation its name), as a CSV table or as one",
    "JSON object per line. It contains no private data. With - instead of a file name, it writes to standard output.",
    "",
    `  --format F  ${FORMATS.join(" or ")} [from the file name extension; csv for -]`,
    "  --outcomes  writes how animals came home instead: week, type, species, how, distance, count, median days. Groups of",
    `              fewer than ${CELL_MIN} are merged under ${MERGED} or left out so that no animal can be identified, and`,
    "              the current week is left out",
    "  --steps     writes how many animals came home after a step of the plan instead: from week, to week, species, step,",
    `              count. Weeks with fewer than ${CELL_MIN} are joined with those that follow, and the last ones left out until`,
    "              there are enough; the current week is left out",
    "",
    "Uses the data folder DATA_DIR; the service may be running. Links begin with BASE_URL, so use the same settings as the",
    "service. In CSV, text that a spreadsheet would run as a formula is prefixed with an apostrophe.",
  ].join("\n"),
  async run(args, processContext) {
    const options = {
      outcomes: { type: "boolean", default: false },
      steps: { type: "boolean", default: false },
      format: { type: "string" },
    } as const;
    const { values, positionals } = readArguments(args, options, USAGE);
    const path = onlyArgument(positionals, "export takes one file.", USAGE);
    const format = formatOf(path, values.format);
    const context = messagesToStderr(path, processContext);
    const config = readConfig(context.env);
    const { store } = await openStorageToRead(config);
    try {
      const output = openOutput(path, context, { isPrivate: false });
      try {
        const { columns, write } = values.outcomes
          ? { columns: OUTCOME_COLUMNS, write: writeOutcomes }
          : values.steps
            ? { columns: STEP_COLUMNS, write: writeSteps }
            : { columns: ALERT_COLUMNS, write: writeAlerts };
        const table = await createTable(output, format, columns);
        const what = await write({ store, links: createLinks(config.baseUrl) }, table, context);
        output.finish();
        context.print(`Wrote ${what} to ${path === STANDARD_STREAM ? "standard output" : path}.`);
      } finally {
        output.drop();
      }
    } finally {
      await store.close();
    }
    return 0;
  },
};

function formatOf(path: string, option: string | undefined): Format {
  const extension = path === STANDARD_STREAM ? "csv" : /\.([a-z]+)$/.exec(path)?.[1];
  const format = FORMATS.find((one) => one === (option ?? extension));
  if (format !== undefined) return format;
  throw option === undefined
    ? new UsageError(`${path} must end in .csv or .jsonl, or add --format.`)
    : new UsageError(`--format must be ${FORMATS.join(" or ")}.`);
}

/** Row of a table, by column name. */
type ExportRow = Readonly<Record<string, CsvCell>>;

type ExportTable = { add(rows: readonly ExportRow[]): Promise<void> };

/** Starts a CSV table, or one of JSON lines. */
async function createTable(
  output: Output,
  format: Format,
  columns: readonly string[],
): Promise<ExportTable> {
  const lineOf = format === "csv" ? csvRow : jsonLine;
  if (format === "csv") await output.write(csvLine(columns));
  return { add: (rows) => output.write(rows.map((row) => lineOf(columns, row)).join("")) };
}

function jsonLine(columns: readonly string[], row: ExportRow): string {
  return `${JSON.stringify(Object.fromEntries(columns.map((name) => [name, row[name] ?? null])))}\n`;
}

function csvRow(columns: readonly string[], row: ExportRow): string {
  return csvLine(columns.map((name) => row[name]));
}

type Export = { readonly store: Store; readonly links: Links };

const ALERT_COLUMNS = Object.keys(alertSchema.omit({ distance_km: true }).shape);

async function writeAlerts(from: Export, table: ExportTable, context: CommandContext) {
  const progress = createProgress(context.isTerminal);
  let written = 0;
  for await (const alerts of exportedAlerts(from)) {
    if (context.stopped.aborted)
      throw new Fault("unavailable", "The export was stopped: nothing was written.");
    await table.add(alerts.map(alertRow));
    written += alerts.length;
    progress.show(plural(written, "alert"));
    // Lets signals be handled.
    await Bun.sleep(0);
  }
  progress.clear();
  return plural(written, "alert");
}

/** Alert with the name of its organisation, which a cell can hold. */
function alertRow(alert: PublicAlert): ExportRow {
  return { ...alertToWire(alert), organisation: alert.organisation?.name ?? null };
}

const OUTCOME_FIELDS = [
  "week",
  "type",
  "species",
  "how",
  "distance",
  "count",
  "medianDays",
] as const;
const OUTCOME_COLUMNS = OUTCOME_FIELDS.map(snakeCase);

async function writeOutcomes({ store }: Export, table: ExportTable, { now }: CommandContext) {
  const { cells, leftOut } = await exportedOutcomes(store, now());
  await table.add(
    cells.map((cell) =>
      Object.fromEntries(OUTCOME_FIELDS.map((field) => [snakeCase(field), cell[field]])),
    ),
  );
  const animals = cells.reduce((sum, { count }) => sum + count, 0);
  const few =
    leftOut === 0
      ? ""
      : ` (${plural(leftOut, "more is", "more are")} left out, in groups that are too small)`;
  return `how ${plural(animals, "animal")} came home${few}`;
}

const STEP_COLUMNS = ["from_week", "to_week", "species", "step", "count"];

async function writeSteps({ store }: Export, table: ExportTable, { now }: CommandContext) {
  const periods = await exportedSteps(store, now());
  await table.add(
    periods.map(({ from, to, species, by, animals }) => ({
      from_week: from,
      to_week: to,
      species,
      step: by,
      count: animals,
    })),
  );
  return plural(periods.length, "number");
}
