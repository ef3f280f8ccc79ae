import { afterAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { run, scratchFolder } from "./support/process.ts";

const scratch = scratchFolder();
afterAll(scratch.forget);
await Bun.write(
  join(scratch.path, "some.test.ts"),
  `import { test } from "bun:test";
import { fc } from "${import.meta.dir}/support/seed.ts";
test("sync", () => fc.assert(fc.property(fc.integer(), (drawn) => drawn % 5 !== 0)));
test("async", () => fc.assert(fc.asyncProperty(fc.integer(), async (drawn) => drawn % 5 !== 0)));
`,
);
const properties = (env: Readonly<Record<string, string>>) =>
  run({ command: [process.execPath, "test"], cwd: scratch.path }, ["./some.test.ts"], env);
const failures = (errors: string) => errors.match(/Counterexample: .*|\{ seed: .*/g);

test("a property that fails says how to see it again, and then draws the same", async () => {
  const first = await properties({});
  const [, seed = ""] = /^Random choices: run it again with TEST_SEED=(\d+)\.$/m.exec(first.said)!;
  const second = await properties({ TEST_SEED: seed });
  const other = await properties({ TEST_SEED: "7" });

  expect(first.errors.split(`run it again with TEST_SEED=${seed}.`)).toHaveLength(3);
  expect(failures(first.errors)).toHaveLength(4);
  expect(failures(second.errors)).toEqual(failures(first.errors));
  expect(failures(other.errors)).not.toEqual(failures(first.errors));
});

test("every property draws by that seed", async () => {
  const files = [...new Bun.Glob("**/*.test.ts").scanSync(import.meta.dir)];
  const direct = files.filter((file) =>
    /^import .*"fast-check"/m.test(readFileSync(join(import.meta.dir, file), "utf8")),
  );

  expect(direct).toEqual(["fuzz/fuzz.test.ts"]);
});
