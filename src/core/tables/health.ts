import { type CheckResult, ok, warn } from "../check-result.ts";
import { DAY_MS } from "../duration.ts";
import type { SourcesFileProblem } from "./source.ts";
import type { SourceState } from "./source-store.ts";

/** Time without a good read after which the operator is told. */
const SILENT_MS = DAY_MS;
/** Time for which a failed `import --sync` is an alarm: nobody knows if it is to be repeated. */
const COMMAND_ALARM_MS = 2 * DAY_MS;

/** True if a table that the service pulls could not be read for a day. */
export function isSilent({ dueAt, goodAt, addedAt }: SourceState, now: number): boolean {
  return dueAt !== null && now - (goodAt ?? addedAt) > SILENT_MS;
}

/** True if a table could not be read, and its operator is told. A server may be down for a day. */
export function isAlarming(state: SourceState, now: number): boolean {
  const { problem, dueAt, triedAt } = state;
  if (dueAt === null && Math.abs(now - (triedAt ?? 0)) > COMMAND_ALARM_MS) return false;
  return isSilent(state, now) || (problem !== null && problem.kind !== "unreachable");
}

/** Check of the operator's file of tables. It quotes nothing of the file: alarms are logged, and a password may be misplaced. */
export function sourcesFile(problem: SourcesFileProblem | null): CheckResult {
  switch (problem) {
    case null:
      return ok("The tables of sources.json are followed");
    case "gone":
      return warn(
        "The file sources.json is gone",
        "The tables are read as before. Write [] into the file if there are to be no tables.",
      );
    case "invalid":
      return warn(
        "The file sources.json, or a file that it names, cannot be used",
        "The tables are read as before. pet-alert sources reload says what to correct; the file is read again every minute.",
      );
  }
}

/** Check of a table that is read again and again. */
export function tableReading(state: SourceState, now: number): CheckResult {
  const { name, problem, rejected, goodAt } = state;
  if (isAlarming(state, now)) {
    const last = goodAt === null ? "never" : `last at ${new Date(goodAt).toISOString()}`;
    const why = problem === null ? "" : ` ${problem.text.replace(/\.$/, "")}`;
    return warn(
      `The table "${name}" is not followed (read ${last}).${why}`,
      "Its alerts stay as they were. See pet-alert sources, or the output of import --sync.",
    );
  }
  if (rejected > 0)
    return warn(
      `Rows of the table "${name}" that cannot be published: ${rejected}`,
      `To see them: pet-alert sources pull ${name} --dry-run, or the output of import --sync.`,
    );
  return ok(`The table "${name}" is followed`);
}
