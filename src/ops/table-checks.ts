import { isAlarming } from "../core/tables/table-state.ts";
import type { TableListProblem, TableState } from "../core/tables/table.ts";
import { type CheckResult, ok, warn } from "./check-result.ts";

/** Check of the operator's file of tables. It quotes nothing of the file: alarms are logged, and a password may be misplaced. */
export function tableListCheck(problem: TableListProblem | null): CheckResult {
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
export function tableReading(state: TableState, now: number): CheckResult {
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
