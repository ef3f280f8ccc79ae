import { chmodSync, existsSync, mkdtempSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SLOW_TESTS } from "./slow.ts";
import { isNightly } from "./support/nightly.ts";

// `bun run test [FILE...] [flags of bun test]`: the tests, on all cores, at night with the slow ones; `--slow`: those alone.
// Scratch folders lie in memory where there is room.

const MEMORY = "/dev/shm";
/** What two workers need at once, several times over. */
const MEMORY_BYTES_MIN = 4_000_000_000;

/** Removes folders once a process has ended, and the last of its children that write there. */
const REMOVER = `
pid=$1; shift
(trap "" INT TERM HUP
while kill -0 $pid; do sleep 1; done
for try in $(seq 30); do rm -rf "$@" && exit; sleep 1; done) &`;

const disk = scratchIn(tmpdir());
const memory = (await isUsable(MEMORY)) ? scratchIn(MEMORY) : disk;
await removeAtEnd([...new Set([disk, memory])]);

const tests = Bun.spawn(
  [
    process.execPath,
    "test",
    "--no-orphans",
    "--timeout=300000",
    // Some tests wait rather than work.
    `--parallel=${navigator.hardwareConcurrency + 1}`,
    // A worker's files share one browser, one PostgreSQL, one S3 server and what was imported.
    "--no-isolate",
    "--timings=test/timings.json",
    ...filesAndFlags(process.argv.slice(2)),
  ],
  {
    cwd: join(import.meta.dir, ".."),
    env: { ...process.env, TMPDIR: memory, TEST_DISK: disk },
    stdio: ["inherit", "inherit", "inherit"],
  },
);
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.on(signal, () => tests.kill(signal));
process.exitCode = await tests.exited;

function filesAndFlags(given: readonly string[]): string[] {
  const gone = SLOW_TESTS.filter((file) => !existsSync(join(import.meta.dir, "..", file)));
  if (gone.length > 0) throw new Error(`test/slow.ts names what is not there: ${gone.join(" ")}`);
  if (given[0] === "--slow") return [...SLOW_TESTS.map((file) => `./${file}`), ...given.slice(1)];
  const isChosen = isNightly || given.some((one) => one.includes(".test.ts"));
  return [
    ...(isChosen ? [] : SLOW_TESTS.map((file) => `--path-ignore-patterns=${file}`)),
    ...given,
  ];
}

/** True if there is room in a folder, from which tests also start programs; containers often forbid that. */
async function isUsable(folder: string): Promise<boolean> {
  const mounts = await Bun.file("/proc/mounts")
    .text()
    .catch(() => "");
  const options = mounts.split("\n").findLast((line) => line.split(" ")[1] === folder);
  if (options === undefined || options.includes("noexec")) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize >= MEMORY_BYTES_MIN;
}

/** Folder that other users may enter: PostgreSQL runs as one of them. */
function scratchIn(parent: string): string {
  const folder = mkdtempSync(join(parent, "pet-alert-run-"));
  chmodSync(folder, 0o755);
  return folder;
}

/**
 * Starts a shell that removes the folders once this process has ended, in whatever way. It is nobody's child, or
 * `--no-orphans` would end it, too.
 */
function removeAtEnd(folders: readonly string[]): Promise<number> {
  return Bun.spawn(["sh", "-c", REMOVER, "sh", String(process.pid), ...folders], {
    stdio: ["ignore", "ignore", "ignore"],
  }).exited;
}
