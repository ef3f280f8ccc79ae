import { readConfig } from "../config.ts";
import type { Desk, ModeratedAlert, ReportFace, ToldAlert } from "../core/desk.ts";
import { type AlertAtStake, OPERATOR_ACTS, type OperatorAct } from "../core/operating.ts";
import type { Operator } from "../core/service.ts";
import { type Command, Misuse, readArguments, saysYes, type Surroundings } from "./command.ts";
import { operating } from "./operating.ts";
import { many } from "./progress.ts";
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
    "ALERT is a short code, a slug, a UUID or a page's address. remove and block ask once; --yes answers. Every act",
    "closes the reports about the alerts it touches; what they said stands beside a hidden alert for another 30 days, or",
    'until it is restored. Each act is noted as of the "operator". ADMIN_EMAILS need not be set.',
    "",
    "DATA_DIR names the data folder. The service may run meanwhile. Ends with 1 when nothing was done.",
  ].join("\n"),
  async run(args, around) {
    const options = { yes: { type: "boolean", default: false } } as const;
    const { values, positionals } = readArguments(args, options, USAGE);
    const [word, name, ...others] = positionals;
    const config = readConfig(around.env);
    if (word === "list" && name === undefined)
      return operating(config, async (operator) => list(await operator.desk(), around));
    const act = OPERATOR_ACTS.find((one) => one === word);
    if (act === undefined || name === undefined || others.length > 0)
      throw new Misuse('moderate takes "list", or an act and one alert.', USAGE);
    return operating(config, (operator) => carryOut(operator, act, name, values.yes, around));
  },
};

/** What is not easily taken back. */
function questionOf(act: OperatorAct, { shownOfOwner }: AlertAtStake): string | null {
  switch (act) {
    case "remove":
      return "Remove it for good?";
    case "block":
      return `Block whoever published it, and hide ${alerts(shownOfOwner)}?`;
    case "hide":
    case "restore":
    case "dismiss":
      return null;
  }
}

function doneInWords(act: OperatorAct, { shownOfOwner }: AlertAtStake): string {
  switch (act) {
    case "hide":
      return "Hidden";
    case "restore":
      return "Shown again";
    case "remove":
      return "Removed";
    case "block":
      return `Its owner is blocked, and ${alerts(shownOfOwner)} hidden`;
    case "dismiss":
      return "Reports closed";
  }
}

function alerts(count: number): string {
  return many(count, "alert", "alerts");
}

async function carryOut(
  operator: Operator,
  act: OperatorAct,
  name: string,
  isSure: boolean,
  around: Surroundings,
): Promise<number> {
  const before = await operator.standingOf(name);
  const question = questionOf(act, before);
  if (question !== null && !isSure) {
    around.say(`  ${line(before)}`);
    if (!saysYes(question, around)) {
      around.say("Nothing was done.");
      return 1;
    }
  }
  const alert = await operator.operate(act, name);
  around.say(`${doneInWords(act, before)}: ${line(alert)}`);
  return 0;
}

function list({ queue, hidden, log }: Desk, { say }: Surroundings): number {
  say(`Reported: ${queue.length === 0 ? "nothing" : queue.length}`);
  for (const one of queue) say(entry(one));
  say(`\nHidden, and not reported since: ${hidden.length === 0 ? "nothing" : hidden.length}`);
  for (const one of hidden) say(entry(one));
  say(`\nDone last: ${log.length === 0 ? "nothing" : ""}`.trimEnd());
  for (const { at, who, act, shortCode } of log)
    say(`  ${timeOf(at)}  ${act}  ${shortCode ?? ""}  ${visible(who)}`);
  return 0;
}

function entry({ alert, reports }: ToldAlert): string {
  return [`  ${line(alert)}`, ...reports.flatMap(told)].join("\n");
}

/** `K7F3Q2  active  lost cat, Mimi, Lyon  https://…`. */
function line({ shortCode, status, type, species, name, city, url }: ModeratedAlert): string {
  const what = [`${type} ${species}`, name ?? "", city].filter((part) => part !== "").join(", ");
  return `${shortCode}  ${status}  ${visible(what)}  ${url}`;
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
