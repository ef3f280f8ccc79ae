import { readConfig } from "../config.ts";
import { Fault } from "../core/fault.ts";
import { CELL_MIN, MERGED } from "../core/outcome-table.ts";
import { alertSchema, alertToWire, snakeCase } from "../http/wire.ts";
import { openExporting } from "../start.ts";
import { type Command, Misuse, readArguments, type Surroundings } from "./command.ts";
import { createTable, type Table } from "./export/table.ts";
import { createProgress, many } from "./progress.ts";

const USAGE = "Usage: pet-alert export FILE.csv|FILE.jsonl [--outcomes]";

export const exportTable: Command = {
  name: "export",
  summary: "writes what is public into a table: alerts, or how animals came home",
  help: [
    USAGE,
    "",
    "Writes active, resolved and expired alerts, as the REST API gives them, into a new file: a CSV table, or one JSON",
    "object a line. Nothing private is in it. The service may run meanwhile.",
    "",
    "  --outcomes  instead, how animals came home: week, type, species, how, distance, how many, median days. Where",
    `              fewer than ${CELL_MIN} are alike, they stand with others under ${MERGED} or are left out, so that none`,
    "              can be told; so is the week that is not over",
    "",
    "DATA_DIR names the data folder. Links begin with BASE_URL: give it the settings of the service. In a CSV table, text",
    "that a spreadsheet would take for a formula begins with an apostrophe.",
  ].join("\n"),
  async run(args, around) {
    const options = { outcomes: { type: "boolean", default: false } } as const;
    const { values, positionals } = readArguments(args, options, USAGE);
    const [path, ...others] = positionals;
    if (path === undefined || others.length > 0) throw new Misuse("export takes one file.", USAGE);
    const exporting = openExporting(readConfig(around.env));
    try {
      const table = createTable(path, values.outcomes ? OUTCOME_COLUMNS : ALERT_COLUMNS);
      try {
        const what = values.outcomes
          ? await writeOutcomes(exporting, table, around)
          : await writeAlerts(exporting, table, around);
        table.finish();
        around.say(`Wrote ${what} into ${path}.`);
      } finally {
        table.drop();
      }
    } finally {
      await exporting.close();
    }
    return 0;
  },
};

type Exporting = ReturnType<typeof openExporting>;

const ALERT_COLUMNS = Object.keys(alertSchema.omit({ distance_km: true }).shape);

async function writeAlerts(exporting: Exporting, table: Table, around: Surroundings) {
  const progress = createProgress(around.isTerminal);
  let written = 0;
  for await (const alerts of exporting.alerts()) {
    if (around.stopped.aborted)
      throw new Fault("unavailable", "It was stopped: nothing was written.");
    table.add(alerts.map(alertToWire));
    written += alerts.length;
    progress.show(many(written, "alert", "alerts"));
    // Lets a Ctrl-C be heard.
    await Bun.sleep(0);
  }
  progress.clear();
  return many(written, "alert", "alerts");
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

async function writeOutcomes(exporting: Exporting, table: Table, { now }: Surroundings) {
  const { cells, leftOut } = await exporting.outcomes(now());
  table.add(
    cells.map((cell) =>
      Object.fromEntries(OUTCOME_FIELDS.map((field) => [snakeCase(field), cell[field]])),
    ),
  );
  const animals = cells.reduce((sum, { count }) => sum + count, 0);
  const few =
    leftOut === 0 ? "" : ` (${many(leftOut, "more is", "more are")} left out: too few were alike)`;
  return `how ${many(animals, "animal", "animals")} came home${few}`;
}
