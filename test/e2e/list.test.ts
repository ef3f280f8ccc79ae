import { parse } from "csv-parse/sync";
import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { PAGE_MESSAGES } from "../../src/messages/messages.ts";
import { addMany, LYON } from "../support/make.ts";
import { accessibilityErrors, loadAxe } from "./accessibility.ts";
import { createJourneys } from "./browser-session.ts";
import { go } from "./page-actions.ts";
import { drawPages, textOf } from "./pdf.ts";

const { journey } = createJourneys();

const words = PAGE_MESSAGES.en;
const text = words.home.list;
/** Rows on a sheet of A4, at least. */
const ROWS_PER_SHEET = 9;

for (const [name, width] of [
  ["a phone", 390],
  ["a wide screen", 1280],
] as const) {
  journey(
    `a list is printed from ${name} with all its alerts and short addresses, and without map and forms`,
    async ({ page, world, site }) => {
      await addMany(world, 40, (nth) => ({ name: `Cat${nth}x`, point: LYON }));
      await loadAxe(page.context());
      await page.goto("/?place=Lyon&radius_km=10");
      await go(page, text.open);
      expect(await accessibilityErrors(page)).toEqual([]);
      expect(await page.getByRole("button", { name: text.print }).isVisible()).toBe(true);

      const printed = await print(page);

      for (let nth = 0; nth < 40; nth++) expect(printed.text).toContain(`Cat${nth}x`);
      expect(printed.text).toContain("40 alerts within 10");
      const { host } = new URL(site.origin);
      expect(printed.text.split(`${host}/a/`)).toHaveLength(41);
      expect(printed.text.match(/LOST/g)).toHaveLength(40);
      expect(printed.text).toContain(words.day("2026-04-30"));
      for (const unprinted of [words.home.button, words.home.lost, text.download, words.home.watch])
        expect(printed.text).not.toContain(unprinted);
      expect(printed.sheets).toBeLessThanOrEqual(Math.ceil(40 / ROWS_PER_SHEET));
    },
    { viewport: { width, height: 900 } },
  );
}

journey("the cards of a search print as rows too, without the map", async ({ page, world }) => {
  await addMany(world, 12, (nth) => ({ name: `Cat${nth}x`, point: LYON, type: "found" }));
  await page.goto("/?place=Lyon&radius_km=10");
  await page.locator(".map-count").waitFor();

  const printed = await print(page);

  for (let nth = 0; nth < 12; nth++) expect(printed.text).toContain(`Cat${nth}x`);
  expect(printed.text.match(/FOUND/g)).toHaveLength(12);
  expect(printed.text).not.toContain("OpenStreetMap");
  expect(printed.sheets).toBeLessThanOrEqual(2);
});

journey(
  "a list of several pages is saved as one CSV file, which runs no formula",
  async ({ page, world }) => {
    await addMany(world, 250, (nth) => ({
      name: nth === 7 ? `=HYPERLINK("https://evil.example","x")` : `Cat "${nth}", é`,
      color: nth === 8 ? "@SUM(1)" : "grey",
      point: nth === 9 ? { lat: -33.87, lng: -70.6 } : LYON,
    }));
    await page.goto("/?view=list");

    const { name, bytes } = await download(page);

    expect(name).toMatch(/^alerts-\d{4}-\d{2}-\d{2}\.csv$/);
    expect(bytes.toString().startsWith("\ufeff")).toBe(true);
    const rows = parse(bytes, { bom: true, columns: true }) as Record<string, string>[];
    expect(rows).toHaveLength(250);
    expect(new Set(rows.map(({ short_code }) => short_code)).size).toBe(250);
    expect(rows.map(({ pet_name }) => pet_name)).toContain(`Cat "3", é`);
    expect(rows.map(({ pet_name }) => pet_name)).toContain(
      `'=HYPERLINK("https://evil.example","x")`,
    );
    expect(rows.map(({ color }) => color)).toContain("'@SUM(1)");
    expect(rows.map(({ longitude }) => longitude)).toContain("-70.6");
    for (const cell of rows.flatMap((row) => Object.values(row)))
      expect(cell).not.toMatch(/^[=+@\t\r]/);
  },
);

async function download(page: Page): Promise<{ name: string; bytes: Buffer }> {
  const [saved] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: text.download }).click(),
  ]);
  const path = await saved.path();
  return { name: saved.suggestedFilename(), bytes: Buffer.from(await Bun.file(path).bytes()) };
}

async function print(page: Page): Promise<{ text: string; sheets: number }> {
  const pdf = await page.pdf({ format: "A4" });
  return { text: await textOf(pdf), sheets: (await drawPages(pdf)).length };
}
