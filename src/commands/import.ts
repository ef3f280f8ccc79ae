import { readConfig } from "../settings/config.ts";
import { LANGUAGES } from "../messages/languages.ts";
import { INCLUDED_NAMES } from "../tables/mapping.ts";
import { readOptions, USAGE } from "./import/options.ts";
import { suggest } from "./import/suggest.ts";
import { importRows } from "./import/table-import.ts";
import type { Command } from "./shell/command.ts";
import { messagesToStderr, requireNoTerminal, STANDARD_STREAM } from "./shell/output.ts";

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
    "                          ends those that two good reads in a row lack",
    "  --accept-missing        with --sync: lets more than half of the animals go at once, which otherwise changes nothing",
    "  --json                  with --sync: prints a summary for programs; the rest goes to standard error",
    "  --since YYYY-MM-DD      leaves out animals lost or found before that day",
    `  --language LANGUAGE     language of emails to the owner: ${LANGUAGES.join(", ")} [en]`,
    "  --links OUT.csv         writes the page and the private link of each alert to a new file, or with - to standard",
    "                          output; pet-alert links writes them again",
    "  --yes                   does not ask for confirmation",
    "  --dry-run               shows what would be published; changes nothing",
    "",
    "Uses the data folder DATA_DIR; the service may be running. Links begin with BASE_URL, or with http://localhost and PORT if",
    "BASE_URL is not set: use the same settings as the service.",
    "",
    "Rejected rows are reported with their line; the others are published. Exit codes: 0 success, 1 nothing was published,",
    "not confirmed, or stopped; with --sync also if so many animals are missing that it was not believed.",
  ].join("\n"),
  async run(args, processContext) {
    if (args.includes("--suggest")) return suggest(args, USAGE, processContext);
    const options = readOptions(args);
    const { file, links } = options;
    if (links === STANDARD_STREAM) requireNoTerminal(processContext);
    // With links on standard output, messages go to standard error; with the table on standard input, nobody can be asked.
    const context = messagesToStderr(
      links,
      file === STANDARD_STREAM ? { ...processContext, ask: null } : processContext,
    );
    return importRows(options, readConfig(context.env), context);
  },
};
