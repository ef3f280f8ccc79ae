import { parseArgs, type ParseArgsOptionsConfig } from "node:util";
import { Fault } from "../core/fault.ts";
import type { Clock } from "../core/ports.ts";

/** What a command gets of the process. */
export type Surroundings = {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted when the process is asked to end. */
  readonly stopped: AbortSignal;
  readonly say: (text: string) => void;
  /** Asks the person at the terminal; null where nobody is there to answer. */
  readonly ask: ((question: string) => string) | null;
  /** Whether standard output is a terminal, so that progress can be drawn. */
  readonly isTerminal: boolean;
  readonly now: Clock;
};

/** Something the program does from a shell. */
export type Command = {
  readonly name: string;
  /** One line for the overview. */
  readonly summary: string;
  readonly help: string;
  /** Gives the exit code: 0, or 1 where it could not be done. Throws `Fault` in words for the operator, `Misuse` for wrong words. */
  readonly run: (args: readonly string[], around: Surroundings) => Promise<number>;
};

/** The command was called with wrong words. Its sentence goes on with the usage, where that helps. */
export class Misuse extends Fault {
  constructor(why: string, usage?: string) {
    super("bad_input", usage === undefined ? why : `${why}\n\n${usage}`);
  }
}

/** Reads a command's words. Throws `Misuse` with the command's usage for what it does not know. */
export function readArguments<const Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Options,
  usage: string,
) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    const why = error instanceof Error ? error.message : "";
    throw new Misuse(`${why.split(". ")[0]}.`, usage);
  }
}

/** Whether the person at the terminal says yes. Throws `Misuse` where nobody is there to be asked. */
export function saysYes(question: string, { ask }: Pick<Surroundings, "ask">): boolean {
  if (ask === null)
    throw new Misuse("It asks before it does this, and nobody can be asked here: add --yes.");
  return /^y(?:es)?$/i.test(ask(`${question} [y/N]`).trim());
}
