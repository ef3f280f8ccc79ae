import { readConfig } from "../settings/config.ts";
import type {
  ModerationQueue,
  ModeratedAlert,
  ReportView,
  ReportedAlert,
} from "../core/moderation/queue.ts";
import { placeText } from "../places/places.ts";
import {
  type AlertAtStake,
  OPERATOR_ACTS,
  type OperatorAct,
} from "../core/moderation/operator-acts.ts";
import type { FoundAlerts } from "../core/moderation/alert-search.ts";
import { type LookAlikes, RESEMBLANCES } from "../core/moderation/look-alikes.ts";
import type { Operator } from "../core/service/service.ts";
import {
  type Command,
  UsageError,
  readArguments,
  confirm,
  type CommandContext,
} from "./shell/command.ts";
import { withOperator } from "./shell/operator-client.ts";
import { escapeControls, plural } from "../text/terminal-text.ts";

const USAGE = `Usage: pet-alert moderate list
       pet-alert moderate search WORDS...
       pet-alert moderate ${OPERATOR_ACTS.join("|")} ALERT [--yes]`;

export const moderate: Command = {
  name: "moderate",
  summary: "lists, finds, hides, restores and removes reported alerts; blocks owners",
  help: [
    USAGE,
    "",
    "  list     alerts that are reported, edited unusually often or hidden, their reports, and recent moderator actions",
    "  search   the newest alerts, hidden and removed ones too, with these words in name, breed, colour, town or text",
    "  hide     removes an alert from all pages and searches until it is restored",
    "  restore  shows a hidden alert again, and unblocks its owner",
    "  remove   permanently deletes its text, photos and messages",
    "  block    hides all alerts of its owner, closes their conversations and stops their emails",
    "  dismiss  closes the reports about it, and takes it off the list of alerts edited unusually often",
    "",
    "ALERT is a short code, a slug, a UUID or the URL of a page. remove and block ask for confirmation; --yes skips the",
    "question. Every action closes the reports about the alerts it affects; the reports of a hidden alert stay visible for",
    '30 days, or until it is restored. Actions are logged under the name "operator". ADMIN_EMAILS does not have to be set.',
    "",
    "Uses the data folder DATA_DIR; the service may be running. Exit codes: 0 success, 1 nothing was changed.",
  ].join("\n"),
  async run(args, context) {
    const options = { yes: { type: "boolean", default: false } } as const;
    const { values, positionals } = readArguments(args, options, USAGE);
    const [subcommand, name, ...others] = positionals;
    const config = readConfig(context.env);
    if (subcommand === "list" && name === undefined)
      return withOperator(config, async (operator) =>
        list(await operator.moderationQueue(), context),
      );
    if (subcommand === "search" && name !== undefined)
      return withOperator(config, async (operator) =>
        search(await operator.searchAnyAlert({ query: [name, ...others].join(" ") }), context),
      );
    const act = OPERATOR_ACTS.find((one) => one === subcommand);
    if (act === undefined || name === undefined || others.length > 0)
      throw new UsageError(
        'moderate takes "list", "search" and words, or an action and one alert.',
        USAGE,
      );
    return withOperator(config, (operator) =>
      moderateOne(operator, act, name, values.yes, context),
    );
  },
};

/** Confirmation question for actions that are hard to undo. */
function questionOf(act: OperatorAct, { visibleOfOwner }: AlertAtStake): string | null {
  switch (act) {
    case "remove":
      return "Remove it permanently?";
    case "block":
      return `Block its owner and hide ${plural(visibleOfOwner, "alert")}?`;
    case "hide":
    case "restore":
    case "dismiss":
      return null;
  }
}

function resultOf(act: OperatorAct, { visibleOfOwner }: AlertAtStake): string {
  switch (act) {
    case "hide":
      return "Hidden";
    case "restore":
      return "Shown again";
    case "remove":
      return "Removed";
    case "block":
      return `Owner blocked, ${plural(visibleOfOwner, "alert")} hidden`;
    case "dismiss":
      return "Reports closed";
  }
}

async function moderateOne(
  operator: Operator,
  act: OperatorAct,
  name: string,
  isConfirmed: boolean,
  context: CommandContext,
): Promise<number> {
  const before = await operator.moderatedAlert(name);
  const question = questionOf(act, before);
  if (question !== null && !isConfirmed) {
    context.print(`  ${line(before)}`);
    if (!confirm(question, context)) {
      context.print("Nothing was changed.");
      return 1;
    }
  }
  const alert = await operator.moderate(act, name);
  context.print(`${resultOf(act, before)}: ${line(alert)}`);
  return 0;
}

function list(
  { queue, oddEdits, hidden, log }: ModerationQueue,
  { print }: CommandContext,
): number {
  print(`Reported: ${queue.length === 0 ? "nothing" : queue.length}`);
  for (const one of queue) print(entry(one));
  print(`\nEdited unusually often: ${oddEdits.length === 0 ? "nothing" : oddEdits.length}`);
  for (const { alert, editsInDay, editsInWeek } of oddEdits)
    print(
      `  ${line(alert)}\n    ${plural(editsInDay, "edit")} in a day, ${plural(editsInWeek, "edit")} in a week`,
    );
  print(`\nHidden and not reported since: ${hidden.length === 0 ? "nothing" : hidden.length}`);
  for (const one of hidden) print(entry(one));
  print(`\nRecent actions: ${log.length === 0 ? "none" : ""}`.trimEnd());
  for (const { at, who, act, shortCode } of log)
    print(`  ${timeOf(at)}  ${act}  ${shortCode ?? ""}  ${escapeControls(who)}`);
  return 0;
}

function search({ alerts, next }: FoundAlerts<ModeratedAlert>, { print }: CommandContext): number {
  for (const alert of alerts) print(line(alert));
  if (alerts.length === 0) print("No alert matches.");
  if (next !== null) print("Older alerts are left out. More words find fewer.");
  return 0;
}

function entry({ alert, reports, lookAlikes }: ReportedAlert): string {
  const alike = lookAlikes === null ? [] : lookAlikeLines(lookAlikes);
  return [`  ${line(alert)}`, ...reports.flatMap(reportLines), ...alike].join("\n");
}

/** `    look-alikes: 3 by publisher, 1 by photo`. */
function lookAlikeLines(counts: LookAlikes["counts"]): string[] {
  const ways = RESEMBLANCES.filter((way) => counts[way] > 0);
  if (ways.length === 0) return [];
  return [`    look-alikes: ${ways.map((way) => `${counts[way]} by ${way}`).join(", ")}`];
}

/** `K7F3Q2  active  lost cat, Mimi, Lyon  https://…`. */
function line(alert: ModeratedAlert): string {
  const { shortCode, status, type, species, name, url } = alert;
  const what = [`${type} ${species}`, name ?? "", placeText(alert)]
    .filter((part) => part !== "")
    .join(", ");
  return `${shortCode}  ${status}  ${escapeControls(what)}  ${url}`;
}

function reportLines({ reason, text, createdAt, conversation }: ReportView): string[] {
  const comment = text === null ? "" : `: ${escapeControls(text)}`;
  const messages = conversation?.messages ?? [];
  return [
    `    ${timeOf(createdAt)}  ${reason}${comment}`,
    ...messages.map((one) => `      ${one.from}: ${escapeControls(one.text)}`),
  ];
}

/** `2026-11-21 07:30`, in UTC. */
function timeOf(time: number): string {
  return new Date(time).toISOString().slice(0, 16).replace("T", " ");
}
