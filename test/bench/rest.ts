import { FROM_SOURCES, type Program, scratchFolder, serve } from "../support/process.ts";
import { alertsFolder } from "./alerts.ts";
import { median } from "./times.ts";

/**
 * The whole program at rest: the one file and the sources by time to start, and
 * resident memory as the system counts it, with few and with many alerts.
 */
export type AtRest = {
  readonly program: "the one file" | "from sources";
  readonly alerts: number;
  /** Until it says where it listens; median. */
  readonly startMs: number;
  /** 1 MB is 2^20 bytes; median. */
  readonly residentMb: number;
};

const STARTS = 5;
const RESTS = 3;
const SETTLE_MS = 5_000;

/** Measures the program in both its shapes on data folders with so many alerts; `oneFile` is where the one file lies. */
export async function measureAtRest(
  oneFile: string,
  counts: readonly number[],
  starts: number = STARTS,
): Promise<AtRest[]> {
  const programs: readonly (readonly [AtRest["program"], Program])[] = [
    ["the one file", { command: [oneFile], cwd: import.meta.dir }],
    ["from sources", FROM_SOURCES],
  ];
  const rows: AtRest[] = [];
  for (const alerts of counts) {
    const empty = scratchFolder();
    const dataDir = alerts === 0 ? empty.path : await alertsFolder(alerts);
    for (const [name, program] of programs) {
      const startMs = median(await startTimes(program, dataDir, starts));
      const residents: number[] = [];
      for (let nth = 0; nth < RESTS; nth++) residents.push(await residentMb(program, dataDir));
      rows.push({ program: name, alerts, startMs, residentMb: median(residents) });
    }
    empty.forget();
  }
  return rows;
}

async function startTimes(program: Program, dataDir: string, starts: number): Promise<number[]> {
  const times: number[] = [];
  for (let nth = 0; nth < starts; nth++) {
    const before = performance.now();
    const served = await serve(dataDir, {}, program);
    times.push(performance.now() - before);
    await served.stop();
  }
  return times;
}

async function residentMb(program: Program, dataDir: string): Promise<number> {
  const served = await serve(dataDir, {}, program);
  await Bun.sleep(SETTLE_MS);
  const status = await Bun.file(`/proc/${served.child.pid}/status`).text();
  await served.stop();
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}
