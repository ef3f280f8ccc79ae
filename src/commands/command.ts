import { parseArgs, type ParseArgsOptionsConfig } from "node:util";
import { Fault } from "../core/fault.ts";
import type { Clock } from "../core/ports.ts";

/** What a command gets of the process. */
export type Surroundings = {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted when the process is asked to end. */
  readonly stopped: AbortSignal;
  readonly say: (text: string) => void;
  /** Asks the person at the terminal; null where there is none. */
  readonly ask: (question: string) => string | null;
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
  /** Gives the exit code. Throws `Fault` in words for the operator. */
  readonly run: (args: readonly string[], around: Surroundings) => Promise<number>;
};

/** Reads a command's words. Throws `bad_input` with the command's usage for what it does not know. */
export function readArguments<const Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Options,
  usage: string,
) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    const why = error instanceof Error ? error.message : "";
    throw new Fault("bad_input", `${why.split(". ")[0]}.\n\n${usage}`);
  }
}
