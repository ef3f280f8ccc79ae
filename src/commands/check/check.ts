import { readConfig } from "../../settings/config.ts";
import { misspeltSettings } from "../../settings/setting-list.ts";
import { type CheckResult, ok, warn } from "../../ops/check-result.ts";
import { mailbox } from "../../core/input.ts";
import { checkMail } from "../../mail/check.ts";
import { createDns, type Dns } from "../../mail/dns.ts";
import { checkCluster } from "./cluster.ts";
import { checkData, checkNetwork } from "./machine.ts";
import { checkOperatorFiles } from "./operator-files.ts";
import { type Command, UsageError, readArguments } from "../shell/command.ts";

const USAGE = "Usage: pet-alert check [--to ADDRESS]";

/** `check`, with the DNS to query. */
export function createCheck(dns: Dns): Command {
  return {
    name: "check",
    summary: "checks settings, disk, clock and mail, and says what to fix",
    help: [
      USAGE,
      "",
      "Checks the settings, the data folder, every page and row of the database, the clock, the port, the backups,",
      "whether the imprint names somebody, the list of people to call, the list of tables (sources.json), the mail server, and",
      "the DNS records of the sender's domain (SPF, DKIM, DMARC).",
      "Each line starts with ok, warn (works, but could be better) or fix (does not work). Run it with the same settings",
      "as the service, which may be running. With DATABASE_URL it looks at that database and the bucket of S3_URL instead of",
      "the data folder and its backups, and leaves both as they are.",
      "",
      "  --to ADDRESS  also sends a test email to this address",
      "",
      "Exit codes: 0 success, 1 something must be fixed, 2 usage error.",
    ].join("\n"),
    async run(args, { env, print, now }) {
      const { values, positionals } = readArguments(args, { to: { type: "string" } }, USAGE);
      if (positionals.length > 0) throw new UsageError("check takes no arguments.", USAGE);
      const to = values.to === undefined ? null : mailbox(values.to);
      if (values.to !== undefined && to === null)
        throw new UsageError(`--to must be one email address, not "${values.to}".`);
      const config = readConfig(env);
      const results: CheckResult[] = [];
      const report = (found: readonly CheckResult[]) => {
        for (const result of found) print(format(result));
        results.push(...found);
      };
      report([ok("The settings are valid"), ...misspeltSettings(env).map(misspelt)]);
      const { cluster } = config;
      report(await (cluster === null ? checkData(config, now()) : checkCluster(cluster, now)));
      report(await checkNetwork(config));
      report(await checkOperatorFiles(config));
      report(await checkMail(config, dns, to, now()));
      print(`\n${summary(results)}`);
      return results.some(({ level }) => level === "fix") ? 1 : 0;
    },
  };
}

export const check = createCheck(createDns());

function misspelt({ name, meant }: ReturnType<typeof misspeltSettings>[number]): CheckResult {
  return warn(`${name} is set but is not a setting`, `Did you mean ${meant}?`);
}

function format({ level, text, advice }: CheckResult): string {
  return [
    `${level.padEnd(4)}  ${text}.`,
    ...(advice === undefined ? [] : [`      ${advice}`]),
  ].join("\n");
}

function summary(results: readonly CheckResult[]): string {
  const count = (level: CheckResult["level"]) =>
    results.filter((result) => result.level === level).length;
  const [fix, warn] = [count("fix"), count("warn")];
  if (fix > 0) return `To fix: ${fix}. Warnings: ${warn}.`;
  return warn > 0 ? `Nothing to fix. Warnings: ${warn}.` : "All is well.";
}
