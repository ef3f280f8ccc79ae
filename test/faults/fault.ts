import { type Random, randomFrom } from "../../src/commands/demo/random.ts";

/** One thing that goes wrong in the world, done to the real program on purpose. */
export type Fault = {
  /** "kill -9 under load" */
  readonly name: string;
  /** The sentence it proves, as README's table says it. */
  readonly promise: string;
  /** Does it, and again with each defence switched off. Throws `Skipped` where this machine cannot do it. */
  readonly run: (say: (line: string) => void) => Promise<Outcome>;
};

/** What came of it. */
export type Outcome = {
  /** "40 kills, 31,204 acknowledged writes" */
  readonly tried: string;
  /** "0" */
  readonly lost: string;
  /** What broke the promise, in sentences; empty: it held. */
  readonly failures: readonly string[];
  /** The same check with a defence switched off, in the same run. */
  readonly bites: readonly Bite[];
};

/** A check that finds nothing proves something only if it finds the fault once the defence is gone. */
export type Bite = {
  /** "synchronous = FULL" */
  readonly defence: string;
  /** What the check caught without it. */
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

/** The choices of one fault. Each purpose has its own, so that one more draw here changes nothing there. */
export function chanceFor(purpose: string): Random {
  return randomFrom(`${SEED} ${purpose}`);
}

const AMOUNT = new Intl.NumberFormat("en");

/** "31,204" */
export function amount(number: number): string {
  return AMOUNT.format(number);
}
