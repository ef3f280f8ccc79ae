import { type Random, randomFrom } from "../../src/commands/demo/random.ts";

/** Failure that is inflicted on the real program on purpose. */
export type Fault = {
  /** "kill -9 under load" */
  readonly name: string;
  /** Promise that it proves, for the table in docs/reliability.md. */
  readonly promise: string;
  /** True for one that takes minutes, which --quick leaves out. */
  readonly isLong?: boolean;
  /** Inflicts it, then again with each defence switched off. Throws `Skipped` where this machine cannot. */
  readonly run: (say: (line: string) => void) => Promise<Outcome>;
};

/** Outcome of a fault. */
export type Outcome = {
  /** "40 kills, 31,204 acknowledged writes" */
  readonly tried: string;
  /** "0" */
  readonly lost: string;
  /** Violations of the promise, in sentences. */
  readonly failures: readonly string[];
  /** The same check with a defence switched off, in the same run. */
  readonly bites: readonly Bite[];
};

/** Proof that the check finds the fault once a defence is switched off. */
export type Bite = {
  /** "synchronous = FULL" */
  readonly defence: string;
  /** Findings of the check without it. */
  readonly found: string;
  readonly bit: boolean;
};

/** A check without a defence bites when it finds anything. `found` says what, where the failures are not to be listed. */
export function biteOf(
  defence: string,
  failures: readonly string[],
  found = failures.join("; ") || "nothing",
): Bite {
  return { defence, found, bit: failures.length > 0 };
}

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

/** The choices of one fault. Each purpose has its own, so that one more draw here changes nothing there. */
export function randomFor(purpose: string): Random {
  return randomFrom(`${SEED} ${purpose}`);
}

const AMOUNT = new Intl.NumberFormat("en");

/** "31,204" */
export function formatNumber(number: number): string {
  return AMOUNT.format(number);
}
