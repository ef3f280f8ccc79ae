import {
  FROM_SOURCES,
  freePort,
  holdsWithin,
  type Program,
  scratchFolder,
} from "../support/process.ts";
import { biteOf, type Fault } from "./fault.ts";
import { type Weakening, without } from "./weakened.ts";

const RACES = 20;
const RACES_WITHOUT = 3;
const STARTERS = 3;
/** Until everyone in a race serves or has ended. */
const START_SECONDS_MAX = 120;
const SENTENCE = "Another Pet Alert process is using the data folder";

const UNLOCKED: Weakening = {
  module: "db/sqlite/open.ts",
  name: "openDatabase",
  instead: `(dataDir) => {
    const { Database } = require("bun:sqlite");
    const { run } = Database.prototype;
    Database.prototype.run = function (sql, ...rest) {
      return sql === "BEGIN EXCLUSIVE" ? undefined : run.call(this, sql, ...rest);
    };
    return original.openDatabase(dataDir);
  }`,
};

/** Several processes start on one data folder at the same moment. */
export const twoStarters: Fault = {
  name: "two starters at once",
  promise: "one process serves a data folder, any other exits with an error message",
  async run(say) {
    const failures = await races(FROM_SOURCES, RACES);
    say(`${RACES} races of ${STARTERS}: ${failures.length} went wrong`);
    const wrong = await without([UNLOCKED], ({ program }) => races(program, RACES_WITHOUT));
    return {
      tried: `${RACES} races of ${STARTERS} processes on a fresh folder`,
      lost: String(failures.length),
      failures,
      bites: [
        biteOf(
          "the lock on the folder",
          wrong,
          `${wrong.length} of ${RACES_WITHOUT} races went wrong (${wrong[0]})`,
        ),
      ],
    };
  },
};

async function races(program: Program, count: number): Promise<string[]> {
  const failures: string[] = [];
  for (let nth = 0; nth < count; nth++) {
    const wrong = await race(program);
    if (wrong !== null) failures.push(`race ${nth + 1}: ${wrong}`);
  }
  return failures;
}

/** Error of a race, or null. */
async function race({ command, cwd }: Program): Promise<string | null> {
  const folder = scratchFolder();
  const ports = await Promise.all(Array.from({ length: STARTERS }, freePort));
  const starters = ports.map((port) => {
    const child = Bun.spawn([...command, "serve"], {
      cwd,
      env: { PORT: String(port), HOST: "127.0.0.1", DATA_DIR: folder.path, BACKUP_KEEP: "off" },
      stdout: "ignore",
      stderr: "pipe",
    });
    return { port, child, errors: new Response(child.stderr).text() };
  });
  try {
    const states = await Promise.all(starters.map(({ port, child }) => stateOf(port, child)));
    const serving = starters.filter((_, at) => states[at] === "serves");
    if (serving.length !== 1)
      return `${serving.length} of ${STARTERS} serve (${states.join(", ")})`;
    for (const other of starters.filter((starter) => !serving.includes(starter))) {
      if (other.child.exitCode !== 1) return `one ended with ${other.child.exitCode}`;
      const message = (await other.errors).trim();
      if (!message.startsWith(SENTENCE) || message.includes("\n")) return `one message: ${message}`;
    }
    return null;
  } finally {
    for (const { child } of starters) child.kill("SIGTERM");
    await Promise.all(starters.map(({ child }) => child.exited));
    folder.forget();
  }
}

async function stateOf(port: number, child: Bun.Subprocess): Promise<"serves" | "ended" | "hangs"> {
  let state: "serves" | "ended" | "hangs" = "hangs";
  await holdsWithin(START_SECONDS_MAX, async () => {
    if (child.exitCode !== null) state = "ended";
    else if (await isReady(port)) state = "serves";
    return state !== "hangs";
  });
  return state;
}

async function isReady(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/readyz`)).ok;
  } catch {
    // It does not listen yet.
    return false;
  }
}
