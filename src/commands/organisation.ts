import { readFileSync } from "node:fs";
import { readConfig } from "../settings/config.ts";
import { Fault } from "../core/fault.ts";
import { parse } from "../core/input.ts";
import { MEMBER_ROLES, type Member } from "../core/organisations/organisation.ts";
import {
  namedOrganisationInput,
  type OrganisationRecord,
  saveOrganisationInput,
} from "../core/organisations/register.ts";
import { codeOf } from "../ops/fs.ts";
import {
  type Command,
  type CommandContext,
  confirm,
  readArguments,
  UsageError,
} from "./shell/command.ts";
import { refusePrivateTmp } from "./shell/files.ts";
import { withOperator } from "./shell/operator-client.ts";
import { escapeControls, plural } from "../text/terminal-text.ts";

const USAGE = `Usage: pet-alert organisation add SLUG --name NAME [OPTIONS...]
       pet-alert organisation edit SLUG [OPTIONS...]
       pet-alert organisation list
       pet-alert organisation remove SLUG [--yes]`;

const OPTIONS = {
  name: { type: "string" },
  email: { type: "string" },
  address: { type: "string" },
  hours: { type: "string" },
  phone: { type: "string" },
  page: { type: "string" },
  logo: { type: "string" },
  member: { type: "string", multiple: true },
  "remove-member": { type: "string", multiple: true },
  yes: { type: "boolean", default: false },
} as const;

/** Largest file of a logo. */
const LOGO_BYTES_MAX = 4 * 1024 * 1024;

export const organisation: Command = {
  name: "organisation",
  summary: "names shelters, whose alerts then lead to them",
  help: [
    USAGE,
    "",
    "Names a shelter or another organisation. Alerts that are published or imported with its address then carry its name and",
    "lead to its page, /organisations/SLUG, which says how to reach it. Alerts of other addresses are not touched.",
    "",
    "  --name NAME                  its public name",
    "  --email ADDRESS              address of its alerts, as in import --email; never shown",
    "  --address TEXT               postal address, on pages and posters only",
    "  --hours TEXT                 opening hours, on pages and posters only",
    "  --phone NUMBER               telephone, on pages and posters only",
    "  --page URL                   its own site, below which the pages of its animals lie",
    "  --logo FILE                  its logo: JPEG, PNG or WebP",
    "  --member ADDRESS[:ROLE]      person who may sign in, staff or manager [staff]; can be repeated",
    "  --remove-member ADDRESS      no longer a member; can be repeated",
    "  --yes                        remove: does not ask for confirmation",
    "",
    'edit changes what is given and leaves the rest; "" clears a text. remove deletes the organisation and its members: its',
    "alerts stay, without its name.",
    "",
    "Uses the data folder DATA_DIR; the service may be running. Exit codes: 0 success, 1 nothing was changed.",
  ].join("\n"),
  async run(args, context) {
    const { values, positionals } = readArguments(args, OPTIONS, USAGE);
    const [act, slug, ...more] = positionals;
    const config = readConfig(context.env);
    if (act === "list" && slug === undefined)
      return withOperator(config, async (operator) =>
        list(await operator.organisations(), context),
      );
    if (slug === undefined || more.length > 0)
      throw new UsageError('organisation takes "list", or an action and one slug.', USAGE);
    if (act === "add" || act === "edit") {
      const input = parse(saveOrganisationInput, {
        ...fieldsOf(values, context),
        slug,
        isNew: act === "add",
      });
      if (act === "add" && input.name === undefined)
        throw new UsageError("A new organisation needs --name.", USAGE);
      return withOperator(config, async (operator) => {
        const saved = await operator.saveOrganisation(input);
        context.print(described(saved).join("\n"));
        return 0;
      });
    }
    if (act === "remove") return remove(slug, values.yes, context);
    throw new UsageError("organisation can add, edit, list and remove.", USAGE);
  },
};

async function remove(
  slug: string,
  isConfirmed: boolean,
  context: CommandContext,
): Promise<number> {
  const input = parse(namedOrganisationInput, { slug });
  return withOperator(readConfig(context.env), async (operator) => {
    const question = `Remove ${slug} with its members, and its name from its alerts?`;
    if (!isConfirmed && !confirm(question, context)) {
      context.print("Nothing was changed.");
      return 1;
    }
    const { name } = await operator.removeOrganisation(input.slug);
    context.print(`Removed: ${escapeControls(name)}. Its alerts stay, without its name.`);
    return 0;
  });
}

type Values = ReturnType<typeof readArguments<typeof OPTIONS>>["values"];

/** Fields that were given, as the use case takes them. */
function fieldsOf(values: Values, context: CommandContext): Record<string, unknown> {
  const { member, "remove-member": formerMembers, logo, yes: _yes, ...texts } = values;
  return {
    ...texts,
    ...(logo === undefined ? {} : { logo: logo === "" ? "" : logoIn(logo, context) }),
    ...(member === undefined ? {} : { members: member.map(memberIn) }),
    ...(formerMembers === undefined ? {} : { formerMembers }),
  };
}

/** "anna@example.org:manager" or "anna@example.org". */
function memberIn(text: string): Member {
  const [email = "", role = "staff", ...more] = text.split(":");
  const known = MEMBER_ROLES.find((one) => one === role);
  if (known === undefined || more.length > 0)
    throw new UsageError(
      `--member ${text}: the role after the colon must be ${MEMBER_ROLES.join(" or ")}.`,
      USAGE,
    );
  return { email, role: known };
}

/** Bytes of a file in Base64. */
function logoIn(path: string, context: CommandContext): string {
  refusePrivateTmp(path, context);
  try {
    const bytes = readFileSync(path);
    if (bytes.length > LOGO_BYTES_MAX)
      throw new Fault("too_large", `${path} is larger than ${LOGO_BYTES_MAX / 1024 / 1024} MB.`);
    return bytes.toString("base64");
  } catch (error) {
    if (error instanceof Fault) throw error;
    throw new Fault("bad_input", `${path} cannot be read (${codeOf(error)}).`);
  }
}

function list(all: readonly OrganisationRecord[], { print }: CommandContext): number {
  if (all.length === 0) print("No organisations.");
  for (const one of all) print(described(one).join("\n"));
  return 0;
}

function described(one: OrganisationRecord): string[] {
  const lines: readonly (readonly [label: string, text: string | null])[] = [
    ["page", one.url],
    ["alerts of", one.email ?? "no address: use edit --email"],
    ["address", one.address],
    ["hours", one.hours],
    ["phone", one.phone],
    ["site", one.page],
    ["members", one.members.map(({ email, role }) => `${email} (${role})`).join(", ") || "none"],
  ];
  return [
    `${one.slug}: ${escapeControls(one.name)}, ${plural(one.activeAlerts, "active alert")}`,
    ...lines.flatMap(([label, text]) =>
      text === null ? [] : [`  ${label}: ${escapeControls(text.replaceAll("\n", ", "))}`],
    ),
  ];
}
