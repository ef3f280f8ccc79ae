import { COMMANDS } from "./commands/all.ts";
import { UsageError } from "./commands/shell/command.ts";
import { systemErrorMessage } from "./commands/shell/files.ts";
import { flushStandardOutput, writeStandardOutput } from "./commands/shell/output.ts";
import { escapeLines } from "./text/terminal-text.ts";
import { closestByEditDistance } from "./text/edit-distance.ts";
import { Fault } from "./core/fault.ts";
import { systemClock } from "./start.ts";
import { version } from "../package.json" with { type: "json" };

// Arguments, environment and signals of the process. Nothing else in src uses `process`.

const HELP_OPTIONS: readonly string[] = ["--help", "-h"];
const HELP: readonly string[] = ["help", ...HELP_OPTIONS];
const VERSION: readonly string[] = ["version", "--version", "-v"];

process.exitCode = await run(process.argv.slice(2));

async function run([first = "serve", ...rest]: readonly string[]): Promise<number> {
  if (VERSION.includes(first)) return print(version);
  const isHelp = HELP.includes(first);
  if (isHelp && rest.length === 0) return print(overview());
  const [name = "", ...args] = isHelp ? [...rest, "--help"] : [first, ...rest];
  const command = COMMANDS.find((one) => one.name === name);
  if (command === undefined) {
    console.error(escapeLines(`${unknownCommand(name)}\n\n${overview()}`));
    return 2;
  }
  if (args.some((arg) => HELP_OPTIONS.includes(arg))) return print(command.help);
  const stopped = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => stopped.abort());
  try {
    return await command.run(args, {
      env: process.env,
      stopped: stopped.signal,
      print,
      printError: (text) => console.error(escapeLines(text)),
      standardInput: () => Bun.stdin.stream(),
      standardOutput: {
        write: writeStandardOutput,
        flush: flushStandardOutput,
        isTerminal: process.stdout.isTTY,
      },
      // Bun's own folder in a compiled program, on Linux and macOS and on Windows.
      program: /^(?:\/\$bunfs|[A-Z]:[\\/]~BUN)/.test(Bun.main) ? process.execPath : null,
      // prompt() gives null at the end of input.
      ask: process.stdin.isTTY ? (question) => prompt(escapeLines(question)) ?? "" : null,
      isTerminal: process.stdout.isTTY,
      now: systemClock,
    });
  } catch (error) {
    const message = error instanceof Fault ? error.message : systemErrorMessage(error);
    if (message === null) throw error;
    console.error(escapeLines(message));
    return error instanceof UsageError ? 2 : 1;
  }
}

function print(text: string): 0 {
  console.log(escapeLines(text));
  return 0;
}

function unknownCommand(name: string): string {
  const names = COMMANDS.map((command) => command.name);
  const similar = closestByEditDistance(name, names, (one) => one, 3);
  const hint = similar.length === 1 ? ` Did you mean ${similar[0]}?` : "";
  return `There is no command "${name}".${hint}`;
}

function overview(): string {
  const width = Math.max(...COMMANDS.map((command) => command.name.length));
  const lines = COMMANDS.map((command) => `  ${command.name.padEnd(width)}  ${command.summary}`);
  return [
    "Usage: pet-alert [COMMAND] [OPTIONS]",
    "",
    "Commands:",
    ...lines,
    "",
    "COMMAND --help (or help COMMAND, or -h) shows the help of a command; --version (or -v) prints the version.",
    "Exit codes: 0 success, 1 failure, 2 usage error.",
  ].join("\n");
}
