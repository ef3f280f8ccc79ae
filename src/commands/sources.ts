import { type Config, readConfig } from "../settings/config.ts";
import type { Operator } from "../core/service/service.ts";
import type { TableView } from "../core/tables/pulls.ts";
import { addToSourcesFile, removeFromSourcesFile, SOURCES_FILE } from "../tables/sources-file.ts";
import {
  type Command,
  type CommandContext,
  confirm,
  onlyArgument,
  readArguments,
  UsageError,
} from "./shell/command.ts";
import { languageIn, placeIn } from "./import/options.ts";
import { INCLUDED_NAMES } from "../tables/mapping.ts";
import { changes, pageLines, photoLines } from "./import/report.ts";
import { withOperator } from "./shell/operator-client.ts";
import { escapeControls, plural } from "../text/terminal-text.ts";
import type { PullReport } from "../core/tables/table.ts";

const USAGE = `Usage: pet-alert sources [--json]
       pet-alert sources add --table ADDRESS --mapping NAME_OR_FILE --owner ADDRESS [--name NAME] [--secret FILE] [--every MINUTES] [--place PLACE] [--accept-towns] [--language LANGUAGE] [--private]
       pet-alert sources pull NAME [--dry-run] [--accept-missing] [--json]
       pet-alert sources remove NAME [--yes]
       pet-alert sources reload`;

export const sources: Command = {
  name: "sources",
  summary: "lists, adds and removes tables that the service reads by itself",
  help: [
    USAGE,
    "",
    `Tables at addresses, listed in ${SOURCES_FILE} in CONFIG_DIR (see docs/import.md). The running service reads each as often as`,
    "its entry says, and keeps its alerts in step with it, as import --sync does.",
    "",
    "  (nothing)  lists the tables: address, state, last good read, alerts and refused rows",
    "  add        adds an entry to the file",
    `             --mapping NAME_OR_FILE: ${INCLUDED_NAMES.join(", ")}, or a file in CONFIG_DIR`,
    "             --owner ADDRESS: owner of all alerts; receives messages about them, and is never shown",
    "             --secret FILE: file in CONFIG_DIR whose content replaces {secret} in the address",
    "             --place PLACE, --accept-towns, --language LANGUAGE: as import has them",
    "             --private: the table is in a private network, or has no https",
    "  pull       reads a table now. --dry-run changes nothing; --accept-missing accepts that many animals are",
    "             gone at once",
    "  remove     ends the alerts of a table, as no longer there, and removes its entry from the file. Asks first; --yes does",
    "             not",
    "  reload     lets the running service read the file at once, which it otherwise does every minute. A file that is not",
    "             valid changes nothing",
    "",
    "  --json     prints one line for programs",
    "",
    "The service may be running. Exit codes: 0 success, 1 nothing was changed, or the table could not be read.",
  ].join("\n"),
  async run(args, context) {
    const { positionals, values } = readArguments(args, OPTIONS, USAGE);
    const [subcommand, ...rest] = positionals;
    const config = readConfig(context.env);
    switch (subcommand) {
      case undefined:
        return withOperator(config, (operator) => list(operator, values.json, context), true);
      case "add":
        if (rest.length > 0) throw new UsageError("add takes no name: use --name.", USAGE);
        return add(values, config, context);
      case "pull":
        return pull(nameIn(rest), values, config, context);
      case "remove":
        return remove(nameIn(rest), values.yes, config, context);
      case "reload":
        return reload(config, context);
      default:
        throw new UsageError(`sources has no subcommand "${escapeControls(subcommand)}".`, USAGE);
    }
  },
};

const OPTIONS = {
  json: { type: "boolean", default: false },
  yes: { type: "boolean", default: false },
  "dry-run": { type: "boolean", default: false },
  "accept-missing": { type: "boolean", default: false },
  private: { type: "boolean", default: false },
  table: { type: "string" },
  mapping: { type: "string" },
  owner: { type: "string" },
  name: { type: "string" },
  secret: { type: "string" },
  every: { type: "string" },
  place: { type: "string" },
  "accept-towns": { type: "boolean", default: false },
  language: { type: "string" },
} as const;
type Values = ReturnType<typeof readArguments<typeof OPTIONS>>["values"];

function nameIn(rest: readonly string[]): string {
  return onlyArgument(rest, "Give the name of one table.", USAGE);
}

async function list(operator: Operator, json: boolean, context: CommandContext): Promise<number> {
  const views = await operator.listTables();
  if (json) {
    await printJson(views.map(toJson), context);
    return 0;
  }
  context.print(
    views.length === 0
      ? `There are no tables: ${SOURCES_FILE} lists none.`
      : views.map((view) => describe(view).join("\n")).join("\n\n"),
  );
  return 0;
}

function describe({ name, address, owner, everyMs, alerts, state }: TableView): string[] {
  const at = (time: number | null | undefined) =>
    time === null || time === undefined ? "never" : new Date(time).toISOString();
  return [
    name,
    `  address         ${escapeControls(address)}`,
    `  owner           ${owner}`,
    `  every           ${plural(everyMs / 60_000, "minute")}`,
    `  state           ${stateOf(state)}`,
    `  last good read  ${at(state?.goodAt)}`,
    `  next read       ${state?.removedAt === null ? at(state.dueAt) : "soon"}`,
    `  alerts          ${alerts}`,
    `  refused rows    ${state?.rejected ?? 0}`,
  ];
}

function stateOf(state: TableView["state"]): string {
  if (state === null) return "new";
  if (state.removedAt !== null) return "removed";
  if (state.problem !== null) return `${state.problem.kind}: ${escapeControls(state.problem.text)}`;
  return state.goodAt === null ? "new" : "good";
}

function toJson({ name, address, owner, everyMs, alerts, state }: TableView) {
  const at = (time: number | null | undefined) =>
    time === null || time === undefined ? null : new Date(time).toISOString();
  return {
    name,
    address,
    owner,
    every_minutes: everyMs / 60_000,
    removed: state !== null && state.removedAt !== null,
    problem: state?.problem ?? null,
    failures: state?.failures ?? 0,
    last_good_read: at(state?.goodAt),
    next_read: at(state?.dueAt),
    alerts,
    refused_rows: state?.rejected ?? 0,
  };
}

async function add(values: Values, config: Config, context: CommandContext): Promise<number> {
  const { table, mapping, owner, name, secret, every, place, language } = values;
  if (table === undefined || mapping === undefined || owner === undefined)
    throw new UsageError("add needs --table, --mapping and --owner.", USAGE);
  const added = await addToSourcesFile(config.configDir, {
    name,
    table,
    mapping,
    owner,
    secret,
    every_minutes: every === undefined ? undefined : Number(every),
    place: place === undefined ? undefined : placeIn(place),
    accept_towns: values["accept-towns"] ? true : undefined,
    language: language === undefined ? undefined : languageIn(language),
    private: values.private ? true : undefined,
  });
  context.print(`Added the table ${added} to ${SOURCES_FILE}.`);
  await withOperator(
    config,
    async (operator) => {
      await operator.reloadTables();
      await operator.restoreTable(added);
    },
    true,
  );
  context.print(
    config.cluster === null
      ? `The running service reads it within a minute. To see what it makes of the rows: pet-alert sources pull ${added} --dry-run`
      : OTHER_NODES,
  );
  return 0;
}

const OTHER_NODES = `Copy ${SOURCES_FILE} to the other nodes: each reads its own within a minute.`;

async function pull(
  name: string,
  values: Values,
  config: Config,
  context: CommandContext,
): Promise<number> {
  const { "dry-run": dryRun, "accept-missing": acceptMissing } = values;
  const report = await withOperator(
    config,
    (operator) => operator.pullTable(name, { acceptMissing, dryRun }),
    true,
  );
  if (values.json) await printJson({ ...report, dry_run: dryRun }, context);
  else context.print(reportLines(report, dryRun).map(escapeControls).join("\n"));
  return report.problem === null ? 0 : 1;
}

function reportLines(
  { result, rejected, lastResorts, problem }: PullReport,
  dryRun: boolean,
): string[] {
  if (problem !== null) {
    const advice =
      problem.kind === "guard" ? " If they are really gone, add --accept-missing." : "";
    return [problem.text + advice];
  }
  if (result === null) return ["Nothing has changed since the last read."];
  const refused = result.refused.map(({ id, why }) => `(${id}): ${why}`);
  const lines = [...rejected, ...refused];
  return [
    ...(lines.length === 0 ? [] : ["Refused rows:", ...lines]),
    ...lastResorts,
    ...changes(result, dryRun ? "would be" : ""),
    ...photoLines(result.photos),
    ...pageLines(result.pagesLeftOut),
  ];
}

async function remove(
  name: string,
  yes: boolean,
  config: Config,
  context: CommandContext,
): Promise<number> {
  if (!yes && !confirm(`End all alerts of ${name}, and stop reading it?`, context)) {
    context.print("Nothing was changed.");
    return 1;
  }
  await withOperator(
    config,
    async (operator) => {
      const { ended } = await operator.removeTable(name);
      await removeFromSourcesFile(config.configDir, name);
      await operator.reloadTables();
      context.print(`Removed ${name}, and ended ${plural(ended, "alert")}.`);
    },
    true,
  );
  if (config.cluster !== null)
    context.print(
      `The other nodes no longer read it, either. Remove its entry from their ${SOURCES_FILE}, too.`,
    );
  return 0;
}

async function reload(config: Config, context: CommandContext): Promise<number> {
  const { tables: count } = await withOperator(config, (operator) => operator.reloadTables(), true);
  context.print(`${SOURCES_FILE} is valid and lists ${plural(count, "table")}.`);
  if (config.cluster !== null) context.print(OTHER_NODES);
  return 0;
}

async function printJson(value: unknown, context: CommandContext): Promise<void> {
  await context.standardOutput.write(Buffer.from(`${JSON.stringify(value)}\n`));
}
