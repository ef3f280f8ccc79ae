import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readSourcesFile, SOURCES_FILE } from "../../src/tables/sources-file.ts";
import { scratchFolder } from "../support/process.ts";

let folder: ReturnType<typeof scratchFolder>;
beforeEach(() => {
  folder = scratchFolder();
});
afterEach(() => folder.forget());

const at = () => join(folder.path, SOURCES_FILE);

test("no file of tables lists none", async () => {
  expect(await readSourcesFile(folder.path)).toEqual([]);
});

test.each<[string, () => unknown, string]>([
  ["a pipe", () => Bun.spawnSync(["mkfifo", at()]), "is not a file"],
  ["a folder", () => mkdirSync(at()), "is not a file"],
  ["a very long file", () => writeFileSync(at(), " ".repeat(256 * 1024 + 1)), "larger than 256 KB"],
])("%s in place of the file of tables is refused before it is read", async (_, put, words) => {
  put();

  await expect(readSourcesFile(folder.path)).rejects.toThrow(words);
});
