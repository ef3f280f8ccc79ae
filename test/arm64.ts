import { afterAll } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { build } from "../deploy/build.ts";
import { describeMainLoop } from "./support/main-loop.ts";
import { run, scratchFolder } from "./support/process.ts";

// `bun run test:arm64`: the main loop of the file for 64-bit ARM, run by an emulator of the processors of a Raspberry
// Pi 3 and 4. Needs Debian's packages qemu-user-static and libc6-arm64-cross, which it installs where it may.

const PROCESSORS = ["cortex-a53", "cortex-a72"];
/** Where Debian puts the C library of another machine. */
const LIBRARIES = "/usr/aarch64-linux-gnu";

const emulator = Bun.which("qemu-aarch64-static") ?? installed();
const folder = scratchFolder();
afterAll(folder.forget);
const file = join(folder.path, "pet-alert");
await build(file, "linux-arm64");

for (const processor of PROCESSORS) {
  const command = [emulator, "-cpu", processor, "-L", LIBRARIES, file];
  const program = { command, cwd: folder.path };
  const started = performance.now();
  const { said } = await run(program, ["--version"]);
  console.log(
    `${processor}: version ${said.trim()}, ${Math.round(performance.now() - started)} ms`,
  );
  describeMainLoop(`the file for 64-bit ARM on a ${processor}`, program);
}

function installed(): string {
  const packages = ["qemu-user-static", "libc6-arm64-cross"];
  const install = ["apt-get", "install", "--yes", "--no-install-recommends", ...packages];
  for (const words of [["apt-get", "update"], install])
    if (!Bun.spawnSync(words, { stdout: "ignore", stderr: "inherit" }).success) break;
  const found = Bun.which("qemu-aarch64-static");
  if (found === null || !existsSync(LIBRARIES))
    throw new Error(`Install ${packages.join(" and ")} first, or run this as root on Debian.`);
  return found;
}
