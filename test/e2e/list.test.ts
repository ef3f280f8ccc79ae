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
/** Cards of a search that stand on one page. */
const CARDS = 20;

journey(
  "cards on a wide screen and a list on a phone are printed with all their alerts and short addresses, without map and forms",
  async ({ page, world, site }) => {
    await addMany(world, 40, (nth) => ({ name: `Cat${nth}x`, point: LYON }));
    await loadAxe(page.context());
    await page.goto("/?place=Lyon&radius_km=10");
    await page.locator(".map-count").waitFor();
    const cards = await print(page);
    await page.setViewportSize({ width: 390, height: 900 });
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
    expect(cards.text.match(/LOST/g)).toHaveLength(CARDS);
    expect(cards.text).not.toContain("OpenStreetMap");
    expect(cards.sheets).toBeLessThanOrEqual(Math.ceil(CARDS / ROWS_PER_SHEET));
  },
  { viewport: { width: 1280, height: 900 } },
);

async function print(page: Page): Promise<{ text: string; sheets: number }> {
  const pdf = await page.pdf({ format: "A4" });
  return { text: await textOf(pdf), sheets: (await drawPages(pdf)).length };
}
