import { readConfig } from "../config.ts";
import { HOLDING_KINDS, type HoldingKind, type Holdings, holdsAnything } from "../core/erasing.ts";
import { Fault } from "../core/fault.ts";
import { mailbox } from "../core/input.ts";
import { type Command, readArguments } from "./command.ts";
import { operating, saysYes } from "./operating.ts";
import { counted } from "./progress.ts";

const USAGE = "Usage: pet-alert erase ADDRESS [--yes] [--dry-run]";

export const erase: Command = {
  name: "erase",
  summary: "erases all that is kept under an e-mail address",
  help: [
    USAGE,
    "",
    "Says what is kept under exactly this address, asks once, erases it and says what was erased: alerts with their",
    "photos, sightings and messages, conversations begun elsewhere, zones, what waits to be confirmed, letters. A backup",
    "that is restored later does not bring it back. What holds no address cannot be found: sightings and reports the",
    "person sent, and alerts that ended so long ago that their owner was forgotten.",
    "",
    "  --yes      does not ask",
    "  --dry-run  says what is kept, and changes nothing",
    "",
    "DATA_DIR names the data folder. The service may run meanwhile. Ends with 0, also where nothing was kept; with 1 when",
    "it was not done.",
  ].join("\n"),
  async run(args, around) {
    const options = {
      yes: { type: "boolean", default: false },
      "dry-run": { type: "boolean", default: false },
    } as const;
    const { values, positionals } = readArguments(args, options, USAGE);
    const [named, ...others] = positionals;
    if (named === undefined || others.length > 0)
      throw new Fault("bad_input", `erase takes one address.\n\n${USAGE}`);
    const address = mailbox(named);
    if (address === null)
      throw new Fault("bad_input", `"${named}" is not one e-mail address.\n\n${USAGE}`);

    return operating(readConfig(around.env), async (control) => {
      around.say(`Kept under ${address}: ${inWords(await control.holdings(address))}.`);
      if (values["dry-run"]) return 0;
      if (
        !values.yes &&
        !saysYes("Erase it for good, from backups that are restored too? [y/N]", around)
      ) {
        around.say("Nothing was erased.");
        return 1;
      }
      around.say(`Erased: ${inWords(await control.erasePerson(address))}.`);
      return 0;
    });
  },
};

const NAMES: Readonly<Record<HoldingKind, readonly [one: string, more: string]>> = {
  alerts: ["alert", "alerts"],
  photos: ["photo", "photos"],
  sightings: ["sighting", "sightings"],
  conversations: ["conversation", "conversations"],
  messages: ["message", "messages"],
  zones: ["zone", "zones"],
  requests: ["request that waits to be confirmed", "requests that wait to be confirmed"],
  letters: ["letter not sent yet", "letters not sent yet"],
  moderation: ["trace as a moderator", "traces as a moderator"],
};

function inWords(holdings: Holdings): string {
  if (!holdsAnything(holdings)) return "nothing";
  return HOLDING_KINDS.filter((kind) => holdings[kind] > 0)
    .map((kind) => `${counted(holdings[kind])} ${NAMES[kind][holdings[kind] === 1 ? 0 : 1]}`)
    .join(", ");
}
