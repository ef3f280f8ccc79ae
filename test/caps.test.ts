import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { SETTINGS } from "../src/settings/settings.ts";
import { CAPS, formatRate, FACTORS, STOCKS } from "../src/core/caps.ts";

// SECURITY.md says of every cap whom it counts, what happens beyond it, and why it harms nobody else.

const section =
  (await Bun.file("SECURITY.md").text()).split("\n## Caps\n")[1]?.split("\n## ")[0] ?? "";
const rows = section
  .split("\n")
  .filter((line) => line.startsWith("| `"))
  .map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

const MIB = 1024 * 1024;
const count = (number: number) =>
  number >= MIB && number % MIB === 0 ? `${number / MIB} MiB` : number.toLocaleString("en");
const factor = (number: number) =>
  number > 1 ? `${number} times` : number === 1 ? "1" : `${number} of it`;
const VALUES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    SETTINGS.filter(({ name }) => name.startsWith("LIMIT_")).map(({ name, default: value }) => [
      name,
      value,
    ]),
  ),
  ...Object.fromEntries(Object.entries(CAPS).map(([name, cap]) => [name, formatRate(cap)])),
  ...Object.fromEntries(Object.entries(STOCKS).map(([name, stock]) => [name, count(stock)])),
  ...Object.fromEntries(Object.entries(FACTORS).map(([name, value]) => [name, factor(value)])),
};

test("SECURITY.md names every cap once, with its value", () => {
  const named = rows.map(([name = "", value = ""]) => [name.replaceAll("`", ""), value]);

  expect(named.toSorted()).toEqual(Object.entries(VALUES).toSorted());
});

test("every cap says whom it counts, and names a test that is there", () => {
  for (const cells of rows) {
    expect(cells.every((cell) => cell.length > 0)).toBe(true);
    const path = cells.at(-1)?.replaceAll("`", "") ?? "";
    expect([path, existsSync(path)]).toEqual([path, true]);
  }
});

test("every test that SECURITY.md names is there", async () => {
  const paths = (await Bun.file("SECURITY.md").text()).match(/`test\/[\w./-]+`/g) ?? [];

  expect(paths.length).toBeGreaterThan(60);
  expect(paths.filter((path) => !existsSync(path.replaceAll("`", "")))).toEqual([]);
});
