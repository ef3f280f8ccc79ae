import { type Random, randomFrom } from "../../src/commands/demo/random.ts";

/** Failure that is inflicted on the real program on purpose. */
export type Fault = {
  /** "kill -9 under load" */
  readonly name: string;
  /** Promise that it proves, for the table in docs/reliability.md. */
  readonly promise: string;
  /** True for one that takes minutes, which --quick leaves out. */
  readonly isLong?: boolean;
  /** Inflicts it. Throws `Skipped` where this machine cannot. */
  readonly run: (say: (line: string) => void) => Promise<Outcome>;
};

/** Outcome of a fault. */
export type Outcome = {
  /** "40 kills, 31,204 acknowledged writes" */
  readonly tried: string;
  /** What was lost, if that is not the number of failures. */
  readonly lost?: string;
  /** Violations of the promise, in sentences. */
  readonly failures: readonly string[];
};

/** Thrown where a fault cannot be made on this machine; the message says what is missing. In CI that is a failure. */
export class Skipped extends Error {
  override readonly name = "Skipped";
}

/** The environment variable in which `run.ts` hands the seed to each fault. */
export const SEED_VARIABLE = "FAULTS_SEED";

/** The seed of this run: the same one makes the same choices. */
export const SEED = process.env[SEED_VARIABLE] ?? "1";

/** The environment variable in which `run.ts` hands the length of a run to each fault. */
export const MINUTES_VARIABLE = "FAULTS_MINUTES";

/** Minutes for which a fault is inflicted that has no end of its own. */
export const MINUTES = Number(process.env[MINUTES_VARIABLE] ?? 0.5);

/** The environment variable for the part of the usual kills, cuts and so on that a fault makes. */
export const PART_VARIABLE = "FAULTS_PART";

/** So many kills or cuts, or the part of them that suffices where a defence is missing (`test/defences`). */
export function partOf(count: number): number {
  return Math.ceil(count * Number(process.env[PART_VARIABLE] ?? 1));
}

/** The choices of one fault. Each purpose has its own, so that one more draw here changes nothing there. */
export function randomFor(purpose: string): Random {
  return randomFrom(`${SEED} ${purpose}`);
}

const AMOUNT = new Intl.NumberFormat("en");

/** "31,204" */
export function formatNumber(number: number): string {
  return AMOUNT.format(number);
}
