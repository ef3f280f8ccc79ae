import { readConfig } from "../config.ts";
import { type Language, LANGUAGES } from "../core/alert.ts";
import { Fault } from "../core/fault.ts";
import { mailbox } from "../core/input.ts";
import { createLinks } from "../core/links.ts";
import { start } from "../start.ts";
import { type Command, readArguments, type Surroundings } from "./command.ts";
import { createLinksFile } from "./import/links-file.ts";
import { chooseMapping } from "./import/mapping.ts";
import { type Candidate, candidatesOf, publishAll } from "./import/publishing.ts";
import { readEntries } from "./import/reading.ts";
import { openTable } from "./import/table.ts";
import { counted, createProgress } from "./progress.ts";

const USAGE =
  "Usage: pet-alert import FILE.csv --email ADDRESS [--mapping NAME_OR_FILE] [--language LANGUAGE] [--links OUT.csv] [--yes] [--dry-run]";

export const importTable: Command = {
  name: "import",
  summary: "publishes the lost and found animals of a shelter's table",
  help: [
    USAGE,
    "",
    "Publishes the lost and found animals of a CSV table (UTF-8, with a header) as alerts of one owner.",
    "It asks once before. A row that is published already is left as it is: run it again with the next export.",
    "",
    "  --email ADDRESS         the owner of all: gets the messages about them; never shown",
    "  --mapping NAME_OR_FILE  how to read the table: king-county, or a JSON file (see the README) [by the header]",
    `  --language LANGUAGE     of letters to the owner: ${LANGUAGES.join(", ")} [en]`,
    "  --links OUT.csv         writes each alert's page and its private manage link to a new file",
    "  --yes                   does not ask",
    "  --dry-run               says what it would do, and does nothing",
    "",
    "DATA_DIR names the data folder. No server may be using it.",
  ].join("\n"),
  async run(args, around) {
    const wish = readWish(args);
    const config = readConfig(around.env);
    const progress = createProgress(around.isTerminal);
    const table = await openTable(wish.file);
    const mapping = await chooseMapping(wish.mapping, table.header);
    const reading = await readEntries(table, mapping, progress);

    const app = await start(config);
    try {
      const { candidates, refused } = await candidatesOf(app, reading.entries, wish, progress);
      const refusals = [...reading.refused, ...refused].sort((a, b) => a.line - b.line);
      if (refusals.length > 0)
        around.say(refusals.map(({ line, why }) => `Line ${line} refused: ${why}.`).join("\n"));
      const left = { skipped: reading.skipped, refused: refusals.length };

      const what = inWords(candidates);
      if (candidates.length === 0) {
        around.say(["There is nothing to publish.", ...leftOut(left)].join("\n"));
        return 1;
      }
      if (wish.dryRun) {
        around.say([`Would publish ${what} as ${wish.email}.`, ...leftOut(left)].join("\n"));
        return 0;
      }
      if (!isConfirmed(wish, `Publish ${what} as ${wish.email}? [y/N]`, around)) {
        around.say("Nothing was published.");
        return 1;
      }

      const file = wish.links === null ? null : createLinksFile(wish.links);
      try {
        const outcome = await publishAll(app, candidates, {
          email: wish.email,
          language: wish.language,
          sources: `import:${mapping.mapping}`,
          links: createLinks(config.baseUrl),
          file,
          stopped: around.stopped,
          progress,
        });
        around.say([...report(outcome), ...leftOut(left)].join("\n"));
        return outcome.isWhole ? 0 : 1;
      } finally {
        file?.close();
      }
    } finally {
      await app.stop();
    }
  },
};

type Wish = {
  readonly file: string;
  readonly email: string;
  readonly mapping: string | null;
  readonly language: Language;
  readonly links: string | null;
  readonly yes: boolean;
  readonly dryRun: boolean;
};

function readWish(args: readonly string[]): Wish {
  const { positionals, values } = readArguments(
    args,
    {
      email: { type: "string" },
      mapping: { type: "string" },
      language: { type: "string", default: "en" },
      links: { type: "string" },
      yes: { type: "boolean", default: false },
      "dry-run": { type: "boolean", default: false },
    },
    USAGE,
  );
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0)
    throw new Fault("bad_input", `import takes one file.\n\n${USAGE}`);
  if (values.email === undefined)
    throw new Fault("bad_input", `import needs --email: who owns the alerts.\n\n${USAGE}`);
  const email = mailbox(values.email);
  if (email === null)
    throw new Fault("bad_input", `--email must be one address, not "${values.email}".`);
  const language = LANGUAGES.find((one) => one === values.language);
  if (language === undefined)
    throw new Fault("bad_input", `--language must be one of ${LANGUAGES.join(", ")}.`);
  return {
    file,
    email,
    mapping: values.mapping ?? null,
    language,
    links: values.links ?? null,
    yes: values.yes,
    dryRun: values["dry-run"],
  };
}

/** Throws `bad_input` where nobody can be asked and nobody said yes. */
function isConfirmed({ yes }: Wish, question: string, { ask, stopped }: Surroundings): boolean {
  if (stopped.aborted) return false;
  if (yes) return true;
  const answer = ask(question);
  if (answer === null)
    throw new Fault("bad_input", `${question}\nNobody can be asked here: add --yes.`);
  return /^y(?:es)?$/i.test(answer.trim());
}

/** `113 lost and 72 found animals`. */
function inWords(candidates: readonly Candidate[]): string {
  const lost = candidates.filter(({ draft }) => draft.type === "lost").length;
  return `${counted(lost)} lost and ${counted(candidates.length - lost)} found animals`;
}

function report(outcome: Awaited<ReturnType<typeof publishAll>>): string[] {
  const { lost, found, alreadyThere, cleaned, isWhole } = outcome;
  return [
    ...(isWhole ? [] : ["Stopped. Run it again for the rest."]),
    `Published: ${counted(lost)} lost, ${counted(found)} found.`,
    `Already there, left as they are: ${counted(alreadyThere)}.`,
    ...(cleaned > 0 ? [`Contact details were taken out of the text of ${counted(cleaned)}.`] : []),
  ];
}

function leftOut(left: {
  readonly skipped: ReadonlyMap<string, number>;
  readonly refused: number;
}): string[] {
  const total = [...left.skipped.values()].reduce((sum, rows) => sum + rows, 0);
  const reasons = [...left.skipped].map(([why, rows]) => `${counted(rows)} ${why}`).join(", ");
  return [
    `Skipped: ${counted(total)}${reasons === "" ? "" : ` (${reasons})`}.`,
    `Refused: ${counted(left.refused)}.`,
  ];
}
