import { readConfig } from "../config.ts";
import { HOLDING_KINDS, type OperatorHoldings } from "../core/erasing.ts";
import { mailbox } from "../core/input.ts";
import { type Command, Misuse, readArguments, saysYes } from "./command.ts";
import { operating } from "./operating.ts";
import { many } from "./progress.ts";

const USAGE = "Usage: pet-alert erase ADDRESS [--yes] [--dry-run]";

export const erase: Command = {
  name: "erase",
  summary: "erases all that is kept under an e-mail address",
  help: [
    USAGE,
    "",
    "Says what is kept under exactly this address, asks once, erases it and says what was erased: alerts with their",
    "photos, sightings and messages, conversations begun elsewhere, zones, what waits to be confirmed, letters (those",
    "that lie in DATA_DIR/mail too). A backup that is restored later does not bring it back. What holds no address cannot",
    "be found: sightings and reports the person sent, and alerts that ended so long ago that their owner was forgotten.",
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
      throw new Misuse("erase takes one address.", USAGE);
    const address = mailbox(named);
    if (address === null) throw new Misuse(`"${named}" is not one e-mail address.`, USAGE);

    return operating(readConfig(around.env), async (operator) => {
      const kept = inWords(await operator.holdings(address));
      around.say(`Kept under ${address}: ${kept ?? "nothing"}.`);
      if (kept === null || values["dry-run"]) return 0;
      if (
        !values.yes &&
        !saysYes("Erase it for good, from backups that are restored too?", around)
      ) {
        around.say("Nothing was erased.");
        return 1;
      }
      around.say(`Erased: ${inWords(await operator.erasePerson(address)) ?? "nothing"}.`);
      return 0;
    });
  },
};

const KINDS = [...HOLDING_KINDS, "letterFiles"] as const;
const NAMES: Readonly<Record<(typeof KINDS)[number], readonly [one: string, more: string]>> = {
  alerts: ["alert", "alerts"],
  photos: ["photo", "photos"],
  sightings: ["sighting of their animals", "sightings of their animals"],
  conversations: ["conversation", "conversations"],
  messages: ["message", "messages"],
  zones: ["zone", "zones"],
  requests: ["request that waits to be confirmed", "requests that wait to be confirmed"],
  letters: ["letter not sent yet", "letters not sent yet"],
  moderation: ["trace as a moderator", "traces as a moderator"],
  letterFiles: ["letter in DATA_DIR/mail", "letters in DATA_DIR/mail"],
};

/** Null for nothing. */
function inWords(holdings: OperatorHoldings): string | null {
  const parts = KINDS.filter((kind) => holdings[kind] > 0).map((kind) =>
    many(holdings[kind], ...NAMES[kind]),
  );
  return parts.length === 0 ? null : parts.join(", ");
}
