import { parseArgs, type ParseArgsOptionsConfig } from "node:util";
import { Fault } from "../../core/fault.ts";
import type { Clock } from "../../core/instance.ts";

/** Environment and streams of the process, as passed to a command. */
export type CommandContext = {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted on SIGINT and SIGTERM. */
  readonly stopped: AbortSignal;
  readonly print: (text: string) => void;
  /** Prints to standard error, for commands whose standard output is data. */
  readonly printError: (text: string) => void;
  readonly standardInput: () => AsyncIterable<Uint8Array>;
  readonly standardOutput: {
    /** Throws `unavailable` with a sentence when it cannot be written. */
    readonly write: (bytes: Uint8Array) => Promise<void>;
    readonly flush: () => void;
    readonly isTerminal: boolean;
  };
  /** File of this program; null in a clone of the repository. */
  readonly program: string | null;
  /** Asks the person at the terminal; null when there is no terminal. */
  readonly ask: ((question: string) => string) | null;
  /** True when standard output is a terminal, so that progress can be drawn. */
  readonly isTerminal: boolean;
  readonly now: Clock;
};

/** Shell command of the program. */
export type Command = {
  readonly name: string;
  /** One line for the overview. */
  readonly summary: string;
  readonly help: string;
  /** Returns the exit code, 0 or 1. Throws `Fault` with a sentence for the operator, `UsageError` for bad arguments. */
  readonly run: (args: readonly string[], context: CommandContext) => Promise<number>;
};

/** Bad arguments. The message may include the command's usage. */
export class UsageError extends Fault {
  constructor(why: string, usage?: string) {
    super("bad_input", usage === undefined ? why : `${why}\n\n${usage}`);
  }
}

/** Parses arguments. Throws `UsageError` with the command's usage for unknown options. */
export function readArguments<const Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Options,
  usage: string,
) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    const why = error instanceof Error ? error.message : "";
    throw new UsageError(`${why.split(". ")[0]}.`, usage);
  }
}

/** The only argument of a command. Throws `UsageError` with this sentence if there is none, or more than one. */
export function onlyArgument(args: readonly string[], sentence: string, usage: string): string {
  if (args.length !== 1) throw new UsageError(sentence, usage);
  return args[0]!;
}

/** Asks a yes/no question. Throws `UsageError` when there is no terminal. */
export function confirm(question: string, { ask }: Pick<CommandContext, "ask">): boolean {
  if (ask === null)
    throw new UsageError(
      "This command asks for confirmation, but there is no terminal: add --yes.",
    );
  return /^y(?:es)?$/i.test(ask(`${question} [y/N]`).trim());
}
