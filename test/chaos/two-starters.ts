import { FROM_SOURCES, freePort, holdsWithin, scratchFolder } from "../support/process.ts";
import { partOf, type Fault } from "./fault.ts";

const RACES = partOf(20);
const STARTERS = 3;
/** Until everyone in a race serves or has ended. */
const START_SECONDS_MAX = 120;
const SENTENCE = "Another Pet Alert process is using the data folder";

/** Several processes start on one data folder at the same moment. */
export const twoStarters: Fault = {
  name: "two starters at once",
  promise: "one process serves a data folder, any other exits with an error message",
  async run(say) {
    const failures: string[] = [];
    for (let nth = 0; nth < RACES; nth++) {
      const wrong = await race();
      if (wrong !== null) failures.push(`race ${nth + 1}: ${wrong}`);
    }
    say(`${RACES} races of ${STARTERS}: ${failures.length} went wrong`);
    return {
      tried: `${RACES} races of ${STARTERS} processes on a fresh folder`,
      failures,
    };
  },
};

/** Error of a race, or null. */
async function race(): Promise<string | null> {
  const folder = scratchFolder();
  const ports = await Promise.all(Array.from({ length: STARTERS }, freePort));
  const starters = ports.map((port) => {
    const child = Bun.spawn([...FROM_SOURCES.command, "serve"], {
      cwd: FROM_SOURCES.cwd,
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
