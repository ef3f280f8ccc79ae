import { readConfig } from "../config.ts";
import { type Language, LANGUAGES } from "../core/alert.ts";
import { DAY_MS } from "../core/duration.ts";
import { isDate, isoDate, mailbox } from "../core/input.ts";
import { createLinks } from "../core/links.ts";
import { start } from "../start.ts";
import { type Command, Misuse, readArguments, saysYes, type Surroundings } from "./command.ts";
import { cut } from "./import/entry.ts";
import { createLinksFile } from "./import/links-file.ts";
import { chooseMapping } from "./import/mapping.ts";
import { publishedSources } from "./import/published.ts";
import { type Candidate, candidatesOf, publishAll, sourcesOf } from "./import/publishing.ts";
import { readEntries, type Refusal } from "./import/reading.ts";
import { openTable } from "./import/table.ts";
import { counted, createProgress, many } from "./progress.ts";

const USAGE =
  "Usage: pet-alert import FILE.csv --email ADDRESS [--mapping NAME_OR_FILE] [--since YYYY-MM-DD] [--language LANGUAGE] [--links OUT.csv] [--yes] [--dry-run]";

/** Of animals lost or found longer ago than this, the operator hears before anything is published. */
const OLD_DAYS = 90;

export const importTable: Command = {
  name: "import",
  summary: "publishes the lost and found animals of a shelter's table",
  help: [
    USAGE,
    "",
    "Publishes the lost and found animals of a CSV table (UTF-8, with a header) as alerts of one owner.",
    "It asks once before. Subscribers of zones nearby are written to about each alert.",
    "A row that is published already is left as it is: run it again with the next export.",
    "",
    "  --email ADDRESS         the owner of all: gets the messages about them; never shown",
    "  --mapping NAME_OR_FILE  how to read the table: king-county, or a JSON file (see the README) [by the header]",
    "  --since YYYY-MM-DD      leaves out what was lost or found before that day",
    `  --language LANGUAGE     of letters to the owner: ${LANGUAGES.join(", ")} [en]`,
    "  --links OUT.csv         writes each alert's page and its private manage link to a new file",
    "  --yes                   does not ask",
    "  --dry-run               says what it would do, and does nothing",
    "",
    "DATA_DIR names the data folder; no server may be using it. Links begin with BASE_URL, or with http://localhost",
    "and PORT where that is unset: give it the settings of the server.",
    "",
    "Rows that are refused are told with their line; the others go on, and it ends with 0. It ends with 1 where nothing",
    "could be published, you did not say yes, or it was stopped on the way.",
  ].join("\n"),
  async run(args, around) {
    const wish = readWish(args);
    const config = readConfig(around.env);
    const progress = createProgress(around.isTerminal);
    const say = (lines: readonly string[]) => {
      if (lines.length > 0) around.say(lines.join("\n"));
    };
    const table = await openTable(wish.file);
    const mapping = await chooseMapping(wish.mapping, table.header);
    const reading = await readEntries(table, mapping, progress);

    const app = await start(config);
    try {
      const sources = sourcesOf(mapping);
      const sorted = await candidatesOf(app, reading.entries, {
        email: wish.email,
        language: wish.language,
        since: wish.since,
        mapping,
        published: await publishedSources(app.store, sources, progress),
        progress,
      });
      const { candidates } = sorted;
      const refused = [...reading.refused, ...sorted.refused].sort((a, b) => a.line - b.line);
      say(refusals(refused));
      const rest = leftOut({
        alreadyThere: sorted.alreadyThere,
        skipped: withOlder(reading.skipped, sorted.older, wish.since),
        refused: refused.length,
      });

      if (candidates.length === 0) {
        const isDone = sorted.alreadyThere > 0;
        const what = isDone ? "There is nothing new to publish." : "There is nothing to publish.";
        say([what, ...rest, ...noLinks(wish)]);
        return isDone ? 0 : 1;
      }
      say([
        ...oldOnes(candidates, app.clock()),
        ...unreadableChips(candidates),
        ...linksBase(wish, config.baseUrl, around),
      ]);
      const what = inWords(candidates);
      if (wish.dryRun) {
        say([`Would publish ${what} as ${wish.email}.`, ...rest]);
        return 0;
      }
      if (!isConfirmed(wish, `Publish ${what} as ${wish.email}?`, around)) {
        say(["Nothing was published.", ...noLinks(wish)]);
        return 1;
      }

      const file = wish.links === null ? null : createLinksFile(wish.links);
      try {
        const outcome = await publishAll(app, candidates, {
          email: wish.email,
          language: wish.language,
          sources,
          links: createLinks(config.baseUrl),
          file,
          stopped: around.stopped,
          progress,
        });
        const isNothing = outcome.lost + outcome.found === 0;
        say([...report(outcome), ...rest, ...(isNothing ? noLinks(wish) : [])]);
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
  /** The first day that is wanted, YYYY-MM-DD. */
  readonly since: string | null;
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
      since: { type: "string" },
      language: { type: "string", default: "en" },
      links: { type: "string" },
      yes: { type: "boolean", default: false },
      "dry-run": { type: "boolean", default: false },
    },
    USAGE,
  );
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) throw new Misuse("import takes one file.", USAGE);
  if (values.email === undefined)
    throw new Misuse("import needs --email: who owns the alerts.", USAGE);
  const email = mailbox(values.email);
  if (email === null) throw new Misuse(`--email must be one address, not "${values.email}".`);
  if (values.since !== undefined && !isDate(values.since))
    throw new Misuse(`--since must be a day, such as 2026-11-21, not "${values.since}".`);
  const language = LANGUAGES.find((one) => one === values.language);
  if (language === undefined)
    throw new Misuse(`--language must be one of ${LANGUAGES.join(", ")}.`);
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

function isConfirmed({ yes }: Wish, question: string, around: Surroundings): boolean {
  return !around.stopped.aborted && (yes || saysYes(question, around));
}

/** `113 lost and 72 found animals`. */
function inWords(candidates: readonly Candidate[]): string {
  const lost = candidates.filter(({ draft }) => draft.type === "lost").length;
  const found = many(candidates.length - lost, "found animal", "found animals");
  return `${counted(lost)} lost and ${found}`;
}

function refusals(refused: readonly Refusal[]): string[] {
  if (refused.length === 0) return [];
  const lines = refused.map(({ line, id, why }) => {
    const number = id === null ? "" : ` (${cut(id)})`;
    return `Line ${line}${number}: ${why}.`;
  });
  return ["Rows that are refused:", ...lines];
}

function withOlder(
  skipped: ReadonlyMap<string, number>,
  older: number,
  since: string | null,
): ReadonlyMap<string, number> {
  return older === 0 ? skipped : new Map([...skipped, [`older than ${since}`, older]]);
}

/** Zones hear of old ones too: better said while it can still be left. */
function oldOnes(candidates: readonly Candidate[], now: number): string[] {
  const first = isoDate(now - OLD_DAYS * DAY_MS);
  const old = candidates.filter(({ draft }) => draft.eventDate < first).length;
  if (old === 0) return [];
  const whose = many(old, "animal was", "animals were");
  return [
    `${whose} lost or found more than ${OLD_DAYS} days ago, and subscribers nearby are written to about them too.`,
    `  --since ${first} leaves them out.`,
  ];
}

function unreadableChips(candidates: readonly Candidate[]): string[] {
  const lines = candidates.flatMap(({ line, hasUnreadableChip }) =>
    hasUnreadableChip ? [line] : [],
  );
  if (lines.length === 0) return [];
  const chips = many(lines.length, "chip number", "chip numbers");
  return [`${chips} could not be read, and will be left out (${linesInWords(lines)}).`];
}

const LINES_SHOWN = 10;

/** `line 3`, `lines 3, 7, 9`; not all, where there are many. */
function linesInWords(lines: readonly number[]): string {
  const shown = lines.slice(0, LINES_SHOWN).join(", ");
  const rest = lines.length - LINES_SHOWN;
  return `${lines.length === 1 ? "line" : "lines"} ${shown}${rest > 0 ? ` and ${counted(rest)} more` : ""}`;
}

function linksBase({ links }: Wish, baseUrl: string, { env }: Surroundings): string[] {
  if (links === null) return [];
  const isSet = (env["BASE_URL"] ?? "").trim() !== "";
  return [
    `The links in ${links} begin with ${baseUrl}.`,
    ...(isSet
      ? []
      : ["  BASE_URL is not set, so they open on this machine only: set it as the server has it."]),
  ];
}

function noLinks({ links }: Wish): string[] {
  return links === null ? [] : ["No file of links was written: nothing new was published."];
}

function report(outcome: Awaited<ReturnType<typeof publishAll>>): string[] {
  const { lost, found, cleaned, isWhole } = outcome;
  return [
    ...(isWhole ? [] : ["Stopped. Run it again for the rest."]),
    `Published: ${counted(lost)} lost, ${counted(found)} found.`,
    ...(cleaned > 0 ? [`Contact details were taken out of the text of ${counted(cleaned)}.`] : []),
  ];
}

function leftOut(left: {
  readonly alreadyThere: number;
  readonly skipped: ReadonlyMap<string, number>;
  readonly refused: number;
}): string[] {
  const total = [...left.skipped.values()].reduce((sum, rows) => sum + rows, 0);
  const reasons = [...left.skipped].map(([why, rows]) => `${counted(rows)} ${why}`).join(", ");
  return [
    `Already there, left as they are: ${counted(left.alreadyThere)}.`,
    `Skipped: ${counted(total)}${reasons === "" ? "" : ` (${reasons})`}.`,
    `Refused: ${counted(left.refused)}.`,
  ];
}
