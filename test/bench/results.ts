import { cpus, totalmem } from "node:os";
import type { Comparison } from "./comparison.ts";
import type { HttpRow } from "./http.ts";
import type { InProcess } from "./in-process.ts";
import type { AtRest } from "./rest.ts";
import type { SearchFigures } from "./search.ts";
import type { Part } from "./where.ts";

/** All a run of the bench found out: what `run.ts` writes as JSON and `report.ts` tells. */
export type Results = {
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly machine: string;
  readonly isQuick: boolean;
  /** What was left out, and why, in a sentence each. */
  readonly skipped: readonly string[];
  readonly atRest: readonly AtRest[];
  readonly sizes: readonly {
    readonly alerts: number;
    readonly inProcess: InProcess;
    readonly comparison: Comparison;
  }[];
  /** Every kind of question `bench:search` knows, at the largest size; null where they were not asked. */
  readonly manyKinds: SearchFigures | null;
  /** At the largest size. */
  readonly http: readonly HttpRow[];
  readonly where: readonly Part[];
};

/** The machine a run was made on, and what ran. */
export function thisMachine(): string {
  const memoryGb = (totalmem() / 2 ** 30).toFixed(0);
  return `${cpus().length} cores of ${cpus()[0]?.model.trim()}, ${memoryGb} GB, Bun ${Bun.version}`;
}
