import { misspeltSettings, readConfig } from "../config.ts";
import { type Finding, ok, warn } from "../core/finding.ts";
import { mailbox } from "../core/input.ts";
import { checkMailOf } from "../mail-settings.ts";
import { createDns, type Dns } from "../start.ts";
import { checkMachine } from "./check/machine.ts";
import { type Command, Misuse, readArguments } from "./command.ts";

const USAGE = "Usage: pet-alert check [--to ADDRESS]";

/** The command with a DNS to ask. */
export function createCheck(dns: Dns): Command {
  return {
    name: "check",
    summary: "looks at settings, disk, clock and mail, and says what to mend",
    help: [
      USAGE,
      "",
      "Looks at the settings, the data folder, the clock, the port, the backups, the mail server, and what the DNS says",
      "for the sender's domain (SPF, DKIM, DMARC). Each line is ok, warn (it works, perhaps not as it should) or mend.",
      "The service may run meanwhile. Ends with 1 when something must be mended. Give it the settings of the service.",
      "",
      "  --to ADDRESS  sends one letter there, to see whether letters arrive",
    ].join("\n"),
    async run(args, { env, say, now }) {
      const { values, positionals } = readArguments(args, { to: { type: "string" } }, USAGE);
      if (positionals.length > 0) throw new Misuse("check takes no words after it.", USAGE);
      const to = values.to === undefined ? null : mailbox(values.to);
      if (values.to !== undefined && to === null)
        throw new Misuse(`--to must be one address, not "${values.to}".`);
      const config = readConfig(env);
      const findings: Finding[] = [];
      const tell = (found: readonly Finding[]) => {
        for (const finding of found) say(inWords(finding));
        findings.push(...found);
      };
      tell([ok("The settings can be read"), ...misspeltSettings(env).map(perhapsMeant)]);
      tell(await checkMachine(config, now()));
      tell(await checkMailOf(config, dns, to, now()));
      say(`\n${summary(findings)}`);
      return findings.some(({ level }) => level === "mend") ? 1 : 0;
    },
  };
}

export const check = createCheck(createDns());

function perhapsMeant({ name, meant }: ReturnType<typeof misspeltSettings>[number]): Finding {
  return warn(`${name} is set, and is no setting`, `If ${meant} is meant, call it so.`);
}

function inWords({ level, text, advice }: Finding): string {
  return [
    `${level.padEnd(4)}  ${text}.`,
    ...(advice === undefined ? [] : [`      ${advice}`]),
  ].join("\n");
}

function summary(findings: readonly Finding[]): string {
  const count = (level: Finding["level"]) =>
    findings.filter((finding) => finding.level === level).length;
  const [mend, warn] = [count("mend"), count("warn")];
  if (mend > 0) return `To mend: ${mend}. Warnings: ${warn}.`;
  return warn > 0 ? `Nothing must be mended. Warnings: ${warn}.` : "All is well.";
}
