import type { Config } from "../../settings/config.ts";
import { type CheckResult, faultFound, ok } from "../../ops/check-result.ts";
import { Fault } from "../../core/fault.ts";
import { readSourcesFile, SOURCES_FILE } from "../../tables/sources-file.ts";
import { plural } from "../../text/terminal-text.ts";

/** Checks the list of tables that the service reads by itself. */
export async function checkSources({ configDir }: Config): Promise<CheckResult[]> {
  try {
    const { length } = await readSourcesFile(configDir);
    if (length === 0) return [];
    return [
      ok(
        `${SOURCES_FILE} lists ${plural(length, "table")}`,
        "To see whether they can be read: pet-alert sources",
      ),
    ];
  } catch (error) {
    if (error instanceof Fault) return [faultFound(error)];
    throw error;
  }
}
