import { expect } from "bun:test";
import type { Browser } from "playwright-core";
import { PAGE_MESSAGES } from "../../src/messages/messages.ts";
import { LOST_CAT } from "../support/world.ts";
import { browserTests, closePages, openChromium, START_MS_MAX } from "./chromium.ts";
import { headingOf } from "./page-actions.ts";
import { openSite } from "./site.ts";
import { openTab } from "./tab.ts";

const { afterAll, beforeAll, test } = browserTests;
const words = PAGE_MESSAGES.en;
let chromium: Browser;
beforeAll(async () => {
  chromium = await openChromium();
}, START_MS_MAX);
afterAll(() => closePages(chromium));

test("a lost connection shows a page of ours, no private page is kept, and a site under a path minds its own pages only", async () => {
  const site = await openSite({}, "/pets");
  const context = await chromium.newContext({ locale: "en", serviceWorkers: "allow" });
  try {
    const { page, heard } = await openTab(context, site);
    await site.world.publish();
    await page.goto(`${site.origin}/pets/`);
    await page.evaluate(async () => {
      await caches.open("of another site");
      await navigator.serviceWorker.ready;
    });
    await page.getByRole("link", { name: words.layout.about }).first().click();
    await page.waitForURL(`${site.origin}/pets/about`);
    await page.goto(await site.world.linkTo(LOST_CAT.email, "/manage/"));
    expect(await headingOf(page)).toBe(words.manage.title);

    const { scope, names, kept } = await page.evaluate(async () => {
      const { scope } = await navigator.serviceWorker.ready;
      const names = await caches.keys();
      const lists = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
      return { scope, names, kept: lists.flat().map(({ url }) => new URL(url).pathname) };
    });
    expect(heard()).toEqual([]);
    await context.setOffline(true);
    await page.goto(`${site.origin}/pets/privacy`).catch(() => {});

    expect(await headingOf(page)).toBe(words.offline.title);
    expect(scope).toBe(`${site.origin}/pets/`);
    expect(names).toContain("of another site");
    expect(names.filter((name: string) => name.startsWith("pet-alert /pets/ "))).toHaveLength(1);
    const isPublic = /^\/pets\/(?:offline|style\.css|icon\.svg|scripts\/[\w-]+\.(?:js|css))$/;
    expect(kept.filter((path: string) => !isPublic.test(path))).toEqual([]);
    expect(kept.length).toBeGreaterThan(5);
    await context.setOffline(false);
  } finally {
    await context.close();
    await site.end();
  }
}, 300_000);

declare const navigator: { serviceWorker: { ready: Promise<{ scope: string }> } };
declare const caches: {
  keys(): Promise<string[]>;
  open(name: string): Promise<{ keys(): Promise<readonly { url: string }[]> }>;
};
