import { cpus } from "node:os";
import { join } from "node:path";
import { build } from "../../deploy/build.ts";
import { demo } from "../../src/commands/demo.ts";
import { systemClock } from "../../src/start.ts";
import { FROM_SOURCES, type Program, scratchFolder, serve } from "../support/process.ts";

// `bun run bench:rest`: the one file and the sources, compared: size, time to start, and memory of the whole server at
// rest, as the system counts it, with few and with many alerts.

const COUNTS = [0, 10_000, 100_000];
const STARTS = 7;
const SETTLE_MS = 5_000;
const BYTES_PER_MB = 1_000_000;

const folder = scratchFolder();
const file = join(folder.path, "pet-alert");
await build(file, "this machine");
const programs: readonly (readonly [string, Program])[] = [
  ["the one file", { command: [file], cwd: folder.path }],
  ["from sources", FROM_SOURCES],
];

const megabytes = (Bun.file(file).size / BYTES_PER_MB).toFixed(0);
console.log(
  `${new Date().toISOString().slice(0, 10)}, ${cpus().length} cores, ${cpus()[0]?.model.trim()}, Bun ${Bun.version}; the one file has ${megabytes} MB`,
);
console.log("               alerts   start, median   resident memory at rest for 5 s");
for (const count of COUNTS) {
  const dataDir = join(folder.path, String(count));
  if (count > 0) await fill(dataDir, count);
  for (const [name, program] of programs) {
    const start = `${median(await startTimes(program, dataDir)).toFixed(0)} ms`;
    const memory = `${await residentMb(program, dataDir)} MB`;
    console.log(
      `${name}  ${String(count).padStart(7)}  ${start.padStart(14)}  ${memory.padStart(8)}`,
    );
  }
}
folder.forget();

/** Until it says where it listens. */
async function startTimes(program: Program, dataDir: string): Promise<number[]> {
  const times: number[] = [];
  for (let nth = 0; nth < STARTS; nth++) {
    const before = performance.now();
    const served = await serve(dataDir, {}, program);
    times.push(performance.now() - before);
    await served.stop();
  }
  return times;
}

async function residentMb(program: Program, dataDir: string): Promise<string> {
  const served = await serve(dataDir, {}, program);
  await Bun.sleep(SETTLE_MS);
  const status = await Bun.file(`/proc/${served.child.pid}/status`).text();
  await served.stop();
  return (Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024).toFixed(0);
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
}

async function fill(dataDir: string, count: number): Promise<void> {
  const around = {
    env: { DATA_DIR: dataDir },
    stopped: new AbortController().signal,
    say: () => {},
    ask: () => null,
    isTerminal: false,
    now: systemClock,
  };
  await demo.run(["world", "--count", String(count)], around);
}
