import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readTableList, TABLE_LIST } from "../../src/tables/table-list.ts";
import { scratchFolder } from "../support/process.ts";

let folder: ReturnType<typeof scratchFolder>;
beforeEach(() => {
  folder = scratchFolder();
});
afterEach(() => folder.forget());

const at = () => join(folder.path, TABLE_LIST);

test("no file of tables lists none", async () => {
  expect(await readTableList(folder.path)).toEqual([]);
});

test.each<[string, () => unknown, string]>([
  ["a pipe", () => Bun.spawnSync(["mkfifo", at()]), "is not a file"],
  ["a folder", () => mkdirSync(at()), "is not a file"],
  ["a very long file", () => writeFileSync(at(), " ".repeat(256 * 1024 + 1)), "larger than 256 KB"],
])("%s in place of the file of tables is refused before it is read", async (_, put, words) => {
  put();

  await expect(readTableList(folder.path)).rejects.toThrow(words);
});
