import { readConfig } from "../config.ts";
import { Fault } from "../core/fault.ts";
import {
  type Desk,
  type ModeratedAlert,
  OPERATOR_ACTS,
  type OperatorAct,
  type ReportFace,
} from "../core/moderating.ts";
import type { Control } from "../http/control.ts";
import { type Command, readArguments, type Surroundings } from "./command.ts";
import { operating, saysYes } from "./operating.ts";
import { visible } from "./visible.ts";

const USAGE = `Usage: pet-alert moderate list
       pet-alert moderate ${OPERATOR_ACTS.join("|")} ALERT [--yes]`;

export const moderate: Command = {
  name: "moderate",
  summary: "lists what is reported or hidden; hides, restores, removes and blocks",
  help: [
    USAGE,
    "",
    "  list     what is reported and what is hidden, with what was said, and what moderators did last",
    "  hide     takes an alert out of every page and search, until it is restored",
    "  restore  shows a hidden alert again, and lets its owner use this service again",
    "  remove   deletes its text, photos and messages for good",
    "  block    hides all alerts of its owner, closes their conversations and ends their letters",
    "  dismiss  closes what is reported about it",
    "",
    "ALERT is a short code, a slug, a UUID or a page's address. remove and block ask once; --yes answers. Each act is",
    'noted as of the "operator". ADMIN_EMAILS need not be set.',
    "",
    "DATA_DIR names the data folder. The service may run meanwhile. Ends with 1 when nothing was done.",
  ].join("\n"),
  async run(args, around) {
    const options = { yes: { type: "boolean", default: false } } as const;
    const { values, positionals } = readArguments(args, options, USAGE);
    const [word, name, ...others] = positionals;
    const config = readConfig(around.env);
    if (word === "list" && name === undefined)
      return operating(config, async (control) => list(await control.desk(), around));
    const act = OPERATOR_ACTS.find((one) => one === word);
    if (act === undefined || name === undefined || others.length > 0)
      throw new Fault("bad_input", `moderate takes "list", or an act and one alert.\n\n${USAGE}`);
    return operating(config, (control) => carryOut(control, act, name, values.yes, around));
  },
};

/** What is not easily taken back. */
const QUESTIONS: Readonly<Partial<Record<OperatorAct, string>>> = {
  remove: "Remove it for good? [y/N]",
  block: "Block whoever published it? [y/N]",
};
const DONE: Readonly<Record<OperatorAct, string>> = {
  hide: "Hidden",
  restore: "Shown again",
  remove: "Removed",
  block: "Its owner is blocked, and it is hidden",
  dismiss: "Reports closed",
};

async function carryOut(
  control: Control,
  act: OperatorAct,
  name: string,
  isSure: boolean,
  around: Surroundings,
): Promise<number> {
  const question = QUESTIONS[act];
  if (question !== undefined && !isSure) {
    around.say(line(await control.standingOf(name)));
    if (!saysYes(question, around)) {
      around.say("Nothing was done.");
      return 1;
    }
  }
  const alert = await control.operate(act, name);
  around.say(`${DONE[act]}: ${line(alert)}`);
  return 0;
}

function list({ queue, hidden, log }: Desk, { say }: Surroundings): number {
  say(`Reported: ${queue.length === 0 ? "nothing" : queue.length}`);
  for (const { alert, reports } of queue) say([line(alert), ...reports.flatMap(told)].join("\n"));
  say(`\nHidden, and not reported: ${hidden.length === 0 ? "nothing" : hidden.length}`);
  for (const alert of hidden) say(line(alert));
  say(`\nDone last: ${log.length === 0 ? "nothing" : ""}`.trimEnd());
  for (const { at, who, act, shortCode } of log)
    say(`  ${timeOf(at)}  ${act}  ${shortCode ?? ""}  ${visible(who)}`);
  return 0;
}

/** `K7F3Q2  active  lost cat, Mimi, Lyon  https://…`. */
function line({ shortCode, status, type, species, name, city, url }: ModeratedAlert): string {
  const what = [`${type} ${species}`, name ?? "", city].filter((part) => part !== "").join(", ");
  return `  ${shortCode}  ${status}  ${visible(what)}  ${url}`;
}

function told({ reason, text, createdAt, conversation }: ReportFace): string[] {
  const said = text === null ? "" : `: ${visible(text)}`;
  const messages = conversation?.messages ?? [];
  return [
    `    ${timeOf(createdAt)}  ${reason}${said}`,
    ...messages.map((one) => `      ${one.from}: ${visible(one.text)}`),
  ];
}

/** `2026-11-21 07:30`, in UTC. */
function timeOf(time: number): string {
  return new Date(time).toISOString().slice(0, 16).replace("T", " ");
}
