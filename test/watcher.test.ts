import { expect } from "bun:test";
import { existsSync, readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { postgresTests } from "./support/postgres.ts";
import { scratchFolder, until } from "./support/process.ts";

const { test } = postgresTests;

/** Processes that work in a folder. */
const workingIn = (folder: string) =>
  readdirSync("/proc").filter((name) => {
    try {
      return readlinkSync(`/proc/${name}/cwd`).startsWith(`${folder}/`);
    } catch {
      return false;
    }
  });

test.each([
  ["SIGKILL", []],
  ["SIGINT", ["--no-orphans"]],
] as const)(
  "tests that %s ends leave no server behind %p",
  async (signal, options) => {
    const scratch = scratchFolder();
    await Bun.write(
      join(scratch.path, "some.test.ts"),
      `import { test } from "bun:test";
import { startServer } from "${import.meta.dir}/support/postgres.ts";
test("waits", async () => {
  console.log((await startServer()).folder);
  await new Promise(() => {});
}, 60_000);
`,
    );
    const tests = Bun.spawn([process.execPath, "test", ...options, "./some.test.ts"], {
      cwd: scratch.path,
      stdout: Bun.file(join(scratch.path, "said")),
      stderr: "ignore",
    });
    const folder = async () =>
      /^\/.*pet-alert-postgres-.*$/m.exec(await Bun.file(join(scratch.path, "said")).text())?.[0];
    await until(async () => (await folder()) !== undefined);
    const server = (await folder()) ?? "";
    expect(workingIn(server)).not.toEqual([]);

    tests.kill(signal);
    await tests.exited;

    await until(() => workingIn(server).length === 0 && !existsSync(server));
    scratch.forget();
  },
  60_000,
);
