import { readConfig } from "../settings/config.ts";
import { type OperatorInventory } from "../core/erasure/erase.ts";
import { mailbox } from "../core/input.ts";
import { type Command, confirm, onlyArgument, readArguments, UsageError } from "./shell/command.ts";
import { withOperator } from "./shell/operator-client.ts";
import { plural } from "../text/terminal-text.ts";
import { DATA_KINDS } from "../core/erasure/erasure-store.ts";

const USAGE = "Usage: pet-alert erase ADDRESS [--yes] [--dry-run]";

export const erase: Command = {
  name: "erase",
  summary: "erases everything stored under an email address",
  help: [
    USAGE,
    "",
    "Shows what is stored under exactly this address (capital letters, dots and +tag count: they may be somebody else's),",
    "asks for confirmation, erases it and reports what was erased: alerts with their photos, sightings and messages,",
    "conversations about other alerts, zones, devices notified about the alerts, requests waiting to be confirmed, and",
    "emails (including those in DATA_DIR/mail). Restoring an older backup does not bring it back. Data without an",
    "address cannot be found: sightings and reports the person sent, and alerts whose owner was erased after they ended.",
    "",
    "  --yes      does not ask for confirmation",
    "  --dry-run  shows what is stored; changes nothing",
    "",
    "Uses the data folder DATA_DIR; the service may be running. Exit codes: 0 success, even if nothing was stored;",
    "1 failure.",
  ].join("\n"),
  async run(args, context) {
    const options = {
      yes: { type: "boolean", default: false },
      "dry-run": { type: "boolean", default: false },
    } as const;
    const { values, positionals } = readArguments(args, options, USAGE);
    const text = onlyArgument(positionals, "erase takes one address.", USAGE);
    const address = mailbox(text);
    if (address === null) throw new UsageError(`"${text}" is not one email address.`, USAGE);

    return withOperator(readConfig(context.env), async (operator) => {
      const stored = describe(await operator.dataInventory(address));
      context.print(`Stored under ${address}: ${stored ?? "nothing"}.`);
      if (stored === null || values["dry-run"]) return 0;
      if (
        !values.yes &&
        !confirm("Erase it permanently, also from backups when they are restored?", context)
      ) {
        context.print("Nothing was erased.");
        return 1;
      }
      context.print(`Erased: ${describe(await operator.erasePerson(address)) ?? "nothing"}.`);
      return 0;
    });
  },
};

const KINDS = [...DATA_KINDS, "emailFiles"] as const;
const NAMES: Readonly<Record<(typeof KINDS)[number], readonly [one: string, more: string]>> = {
  alerts: ["alert", "alerts"],
  photos: ["photo", "photos"],
  sightings: ["sighting of their animals", "sightings of their animals"],
  conversations: ["conversation", "conversations"],
  messages: ["message", "messages"],
  zones: ["zone", "zones"],
  devices: ["device notified about their alerts", "devices notified about their alerts"],
  requests: ["request waiting to be confirmed", "requests waiting to be confirmed"],
  emails: ["email not sent yet", "emails not sent yet"],
  moderation: ["record as a moderator", "records as a moderator"],
  memberships: ["record of an organisation", "records of an organisation"],
  emailFiles: ["email in DATA_DIR/mail", "emails in DATA_DIR/mail"],
};

/** `1 alert, 2 photos`; null for nothing. */
function describe(inventory: OperatorInventory): string | null {
  const parts = KINDS.filter((kind) => inventory[kind] > 0).map((kind) =>
    plural(inventory[kind], ...NAMES[kind]),
  );
  return parts.length === 0 ? null : parts.join(", ");
}
