import { join } from "node:path";
import type { Config } from "../../settings/config.ts";
import { type CheckResult, faultFound, ok, warn } from "../../ops/check-result.ts";
import { Fault } from "../../core/fault.ts";
import { HELP_FILE, readHelpFile } from "../../settings/help-file.ts";

/** Refused rows that are named one by one. */
const NAMED_MAX = 100;

/** Checks the list of people to call. */
export async function checkHelp({ configDir }: Config): Promise<CheckResult[]> {
  try {
    const file = await readHelpFile(join(configDir, HELP_FILE));
    if (file === null) return [];
    const { places, refused } = file;
    const more = refused.length - NAMED_MAX;
    return [
      ok(`${HELP_FILE} names ${places.length} shelters, vets, authorities and rescues`),
      ...refused
        .slice(0, NAMED_MAX)
        .map(({ line, why }) =>
          warn(
            `${HELP_FILE}, line ${line}: ${why}`,
            "The row is not shown. Correct it and restart.",
          ),
        ),
      ...(more > 0
        ? [warn(`${HELP_FILE} has ${more} more rows that are not shown`, "Correct them, too.")]
        : []),
    ];
  } catch (error) {
    if (error instanceof Fault) return [faultFound(error)];
    throw error;
  }
}
