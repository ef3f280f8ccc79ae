import { commandLike, commandNamed, COMMANDS } from "./commands/all.ts";
import { Misuse } from "./commands/command.ts";
import { visibleLines } from "./commands/visible.ts";
import { Fault } from "./core/fault.ts";
import { systemClock, version } from "./start.ts";

// The process: its arguments, environment and signals. Nothing else in src touches `process`.

const HELP_OPTIONS: readonly string[] = ["--help", "-h"];
const HELP: readonly string[] = ["help", ...HELP_OPTIONS];
const VERSION: readonly string[] = ["version", "--version", "-v"];

process.exitCode = await run(process.argv.slice(2));

async function run([first = "serve", ...rest]: readonly string[]): Promise<number> {
  if (VERSION.includes(first)) return say(version);
  const isHelp = HELP.includes(first);
  if (isHelp && rest.length === 0) return say(overview());
  const [name = "", ...args] = isHelp ? [...rest, "--help"] : [first, ...rest];
  const command = commandNamed(name);
  if (command === null) {
    console.error(visibleLines(`${noCommand(name)}\n\n${overview()}`));
    return 2;
  }
  if (args.some((word) => HELP_OPTIONS.includes(word))) return say(command.help);
  const stopped = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => stopped.abort());
  try {
    return await command.run(args, {
      env: process.env,
      stopped: stopped.signal,
      say,
      // At the end of what can be typed there is no answer.
      ask: process.stdin.isTTY ? (question) => prompt(visibleLines(question)) ?? "" : null,
      isTerminal: process.stdout.isTTY,
      now: systemClock,
    });
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    console.error(visibleLines(error.message));
    return error instanceof Misuse ? 2 : 1;
  }
}

function say(text: string): 0 {
  console.log(visibleLines(text));
  return 0;
}

function noCommand(name: string): string {
  const like = commandLike(name);
  const meant = like === null ? "" : ` Did you mean ${like.name}?`;
  return `There is no command "${name}".${meant}`;
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
    "COMMAND --help (or help COMMAND, or -h) says more; --version (or -v) prints the version.",
    "Ends with 0 when all is done, 1 when something could not be done, 2 when the words were wrong.",
  ].join("\n");
}
