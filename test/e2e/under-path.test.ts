import { expect } from "bun:test";
import type { Browser } from "playwright-core";
import { PAGE_MESSAGES } from "../../src/messages/messages.ts";
import { browserTests, closePages, openChromium, START_MS_MAX } from "./chromium.ts";
import { headingOf } from "./page-actions.ts";
import { openSite } from "./site.ts";
import { openTab } from "./tab.ts";

const { afterAll, beforeAll, test } = browserTests;
let chromium: Browser;
beforeAll(async () => {
  chromium = await openChromium();
}, START_MS_MAX);
afterAll(() => closePages(chromium));

test("a site under a path works in a browser, and its worker minds its own pages only", async () => {
  const site = await openSite({}, "/pets");
  const context = await chromium.newContext({ locale: "en", serviceWorkers: "allow" });
  try {
    const { page, heard } = await openTab(context, site);
    await page.goto(`${site.origin}/pets/`);
    await page.evaluate(async () => {
      await caches.open("of another site");
      await navigator.serviceWorker.ready;
    });
    await page.getByRole("link", { name: PAGE_MESSAGES.en.layout.about }).first().click();
    await page.waitForURL(`${site.origin}/pets/about`);
    const scope = await page.evaluate(async () => (await navigator.serviceWorker.ready).scope);
    const names = await page.evaluate(() => caches.keys());
    expect(heard()).toEqual([]);
    await context.setOffline(true);
    await page.goto(`${site.origin}/pets/privacy`).catch(() => {});

    expect(scope).toBe(`${site.origin}/pets/`);
    expect(names).toContain("of another site");
    expect(names.filter((name: string) => name.startsWith("pet-alert /pets/ "))).toHaveLength(1);
    expect(await headingOf(page)).toBe(PAGE_MESSAGES.en.offline.title);
    await context.setOffline(false);
  } finally {
    await context.close();
    await site.end();
  }
}, 300_000);

declare const navigator: { serviceWorker: { ready: Promise<{ scope: string }> } };
declare const caches: { keys(): Promise<string[]>; open(name: string): Promise<unknown> };
