import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { limitsDocument } from "./support/limits.ts";

test("docs/limits.md is what `bun run limits` writes", async () => {
  const source = await Bun.file("src/core/caps.ts").text();

  expect(await Bun.file("docs/limits.md").text()).toBe(limitsDocument(source));
});

test("every test that SECURITY.md names is there", async () => {
  const paths = (await Bun.file("SECURITY.md").text()).match(/`test\/[\w./-]+`/g) ?? [];

  expect(paths.length).toBeGreaterThan(10);
  expect(paths.filter((path) => !existsSync(path.replaceAll("`", "")))).toEqual([]);
});
