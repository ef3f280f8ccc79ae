import { cpus } from "node:os";
import { demo } from "../../src/commands/demo.ts";
import { scratchFolder, serve } from "../support/process.ts";

// `bun run bench:rest`: memory of the whole server at rest, as the system counts it, with few and with many alerts.

const COUNTS = [0, 10_000, 100_000];
const SETTLE_MS = 5_000;

console.log(
  `${new Date().toISOString().slice(0, 10)}, ${cpus().length} cores, ${cpus()[0]?.model.trim()}, Bun ${Bun.version}`,
);
console.log("alerts   resident memory after the start, at rest for 5 s");
for (const count of COUNTS) {
  const folder = scratchFolder();
  if (count > 0) await fill(folder.path, count);
  const served = await serve(folder.path);
  await Bun.sleep(SETTLE_MS);
  console.log(`${String(count).padStart(7)}  ${await residentMb(served.child.pid)} MB`);
  await served.stop();
  folder.forget();
}

async function fill(dataDir: string, count: number): Promise<void> {
  const around = {
    env: { DATA_DIR: dataDir },
    stopped: new AbortController().signal,
    say: () => {},
    ask: () => null,
    isTerminal: false,
  };
  await demo.run(["world", "--count", String(count)], around);
}

async function residentMb(pid: number): Promise<string> {
  const status = await Bun.file(`/proc/${pid}/status`).text();
  return (Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024).toFixed(0);
}
