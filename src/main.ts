import { commandNamed, COMMANDS } from "./commands/all.ts";
import { visibleLines } from "./commands/visible.ts";
import { Fault } from "./core/fault.ts";
import { systemClock, version } from "./start.ts";

// The process: its arguments, environment and signals. Nothing else in src touches `process`.

const [name = "serve", ...args] = process.argv.slice(2);

process.exitCode = await run();

async function run(): Promise<number> {
  if (name === "--version") return say(version);
  if (name === "--help" || name === "help") return say(overview());
  const command = commandNamed(name);
  if (command === null) {
    console.error(visibleLines(`There is no command "${name}".\n\n${overview()}`));
    return 2;
  }
  if (args.includes("--help")) return say(command.help);
  const stopped = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => stopped.abort());
  try {
    return await command.run(args, {
      env: process.env,
      stopped: stopped.signal,
      say,
      ask: askTerminal,
      isTerminal: process.stdout.isTTY,
      now: systemClock,
    });
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    console.error(visibleLines(error.message));
    return 1;
  }
}

function say(text: string): 0 {
  console.log(visibleLines(text));
  return 0;
}

/** The answer typed to a question, or null where nobody can type. */
function askTerminal(question: string): string | null {
  return process.stdin.isTTY ? prompt(visibleLines(question)) : null;
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
    "COMMAND --help says more; --version prints the version.",
  ].join("\n");
}
