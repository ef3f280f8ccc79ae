import { join } from "node:path";
import type { Config } from "../../settings/config.ts";
import { type CheckResult, faultFound, ok, warn } from "../../ops/check-result.ts";
import { Fault } from "../../core/fault.ts";
import { isLoopback } from "../../core/ip-address.ts";
import { HELP_FILE, readHelpFile } from "../../settings/help-file.ts";
import { readOperatorTexts } from "../../settings/operator-files.ts";
import { readSourcesFile, SOURCES_FILE } from "../../tables/sources-file.ts";
import { plural } from "../../text/terminal-text.ts";

/** Checks who is named as responsible for the site, and the operator's own files. */
export async function checkOperatorFiles(config: Config): Promise<CheckResult[]> {
  const checks = [checkTexts, checkHelp, checkSources].map((check) =>
    check(config).catch((error: unknown) => {
      if (error instanceof Fault) return [faultFound(error)];
      throw error;
    }),
  );
  return [...checkOperator(config), ...(await Promise.all(checks)).flat()];
}

function checkOperator({ baseUrl, operator }: Config): CheckResult[] {
  if (operator === null)
    return isLoopback(new URL(baseUrl).hostname)
      ? []
      : [
          warn(
            "The imprint and the privacy page name nobody who is responsible for this site",
            "Set OPERATOR_NAME and OPERATOR_CONTACT, and OPERATOR_ADDRESS where the law requires it: most countries require that a public site names who runs it.",
          ),
        ];
  if (operator.contact === null)
    return [
      warn(
        `The imprint names ${operator.name}, but no way to reach them`,
        "Set OPERATOR_CONTACT to an email address or an https:// page.",
      ),
    ];
  return [
    operator.address === null
      ? ok(
          `The imprint names ${operator.name}`,
          "Germany, Austria and Switzerland require a postal address, too: OPERATOR_ADDRESS.",
        )
      : ok(`The imprint names ${operator.name}, with a postal address`),
  ];
}

async function checkTexts({ legalFile }: Config): Promise<CheckResult[]> {
  if (legalFile === null) return [];
  const pages = new Set((await readOperatorTexts(legalFile)).map(({ page }) => page));
  return [ok(`LEGAL_FILE adds to: ${[...pages].join(", ") || "no page"}`)];
}

/** Refused rows that are named one by one. */
const NAMED_MAX = 100;

/** Checks the list of people to call. */
async function checkHelp({ configDir }: Config): Promise<CheckResult[]> {
  const file = await readHelpFile(join(configDir, HELP_FILE));
  if (file === null) return [];
  const { places, refused } = file;
  const more = refused.length - NAMED_MAX;
  return [
    ok(`${HELP_FILE} names ${places.length} shelters, vets, authorities and rescues`),
    ...refused
      .slice(0, NAMED_MAX)
      .map(({ line, why }) =>
        warn(`${HELP_FILE}, line ${line}: ${why}`, "The row is not shown. Correct it and restart."),
      ),
    ...(more > 0
      ? [warn(`${HELP_FILE} has ${more} more rows that are not shown`, "Correct them, too.")]
      : []),
  ];
}

/** Checks the list of tables that the service reads by itself. */
async function checkSources({ configDir }: Config): Promise<CheckResult[]> {
  const { length } = await readSourcesFile(configDir);
  if (length === 0) return [];
  const advice = "To see whether they can be read: pet-alert sources";
  return [ok(`${SOURCES_FILE} lists ${plural(length, "table")}`, advice)];
}
