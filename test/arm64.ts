import { afterAll } from "bun:test";
import { join } from "node:path";
import { build } from "../deploy/build.ts";
import { describeMainLoop } from "./support/main-loop.ts";
import { run, scratchFolder } from "./support/process.ts";
import { findProgram, PROGRAMS } from "./support/system-programs.ts";

// `bun run test:arm64`: main loop of the executable for 64-bit ARM, on emulated processors of a Raspberry Pi 3 and 4.

const PROCESSORS = ["cortex-a53", "cortex-a72"];
/** C library of Debian's libc6-arm64-cross. */
const LIBRARIES = "/usr/aarch64-linux-gnu";

const emulator = findProgram(PROGRAMS.qemu);
findProgram(PROGRAMS.arm64Libraries);
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
