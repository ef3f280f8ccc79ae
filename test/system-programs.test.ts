import { afterAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { run, scratchFolder } from "./support/process.ts";

const scratch = scratchFolder();
afterAll(scratch.forget);
const installed = join(scratch.path, "installed");
await Bun.write(join(scratch.path, "apt-get"), `#!/bin/sh\necho "$@" >> ${installed}\n`, {
  mode: 0o755,
});
await Bun.write(
  join(scratch.path, "some.test.ts"),
  `import { test as other } from "bun:test";
import { missingProgram, testsUnlessMissing } from "${import.meta.dir}/support/system-programs.ts";
const missing = (name: string) => missingProgram({ names: [name], debianPackages: [name + "-all"] });
const { beforeAll, describe, test } = testsUnlessMissing(missing("no-such-one"), missing("nor-this"));
beforeAll(() => { throw new Error("ran"); });
test("runs them", () => { throw new Error("ran"); });
describe("with them", () => test.each([1, 2])("runs %s", () => { throw new Error("ran"); }));
testsUnlessMissing(missing("no-such-one")).test("runs it", () => { throw new Error("ran"); });
other("runs neither", () => {});
`,
);
const tests = (settings: Readonly<Record<string, string>>) =>
  run({ command: [process.execPath, "test"], cwd: scratch.path }, ["./some.test.ts"], {
    PATH: `${scratch.path}:/usr/bin:/bin`,
    ...settings,
  });

describe("tests whose programs are missing", () => {
  test("are skipped, with a sentence for each program, and install nothing", async () => {
    const { code, errors } = await tests({});

    expect(code).toBe(0);
    expect(errors).toMatch(/^ *1 pass\n *4 skip\n *0 fail$/m);
    expect(errors.match(/^SKIPPED: .*$/gm)).toEqual([
      "SKIPPED: These tests need no-such-one: install no-such-one-all (bun run test:install, as root on Debian).",
      "SKIPPED: These tests need nor-this: install nor-this-all (bun run test:install, as root on Debian).",
    ]);
    expect(existsSync(installed)).toBe(false);
  });

  test("fail where CI is set, and install nothing", async () => {
    const { code, errors } = await tests({ CI: "1" });

    expect(code).toBe(1);
    expect(errors).toContain("These tests need no-such-one");
    expect(existsSync(installed)).toBe(false);
  });
});
