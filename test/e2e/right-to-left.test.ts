import { expect } from "bun:test";
import type { Browser } from "playwright-core";
import { accessibilityErrors, loadAxe, overflowErrors } from "./accessibility.ts";
import { browserTests, closePages, openChromium, START_MS_MAX } from "./chromium.ts";
import { PAGES } from "./pages.ts";
import { createSampleData, type SampleData } from "./sample-data.ts";
import { openSite, type Site } from "./site.ts";
import { isNightly } from "../support/nightly.ts";
import { openTab, type Tab } from "./tab.ts";

const { afterAll, beforeAll, test } = browserTests;

const WIDTHS = [320, 390, 1280];
const PAGE_MS_MAX = 120_000;
/** By day, one page of this many; all of them at night. */
const ONE_OF = isNightly ? 1 : 12;

let chromium: Browser;
let site: Site;
let empty: Site;
let data: SampleData;
let tab: Tab;

beforeAll(async () => {
  const settings = { UNREVIEWED_LANGUAGES: "ar" };
  [chromium, site, empty] = await Promise.all([
    openChromium(),
    openSite(settings),
    openSite(settings),
  ]);
  data = await createSampleData(site.world, empty.origin);
  const context = await chromium.newContext({
    locale: "ar",
    reducedMotion: "reduce",
    serviceWorkers: "block",
  });
  await loadAxe(context);
  tab = await openTab(context, site, empty);
}, START_MS_MAX);

afterAll(async () => {
  await closePages(chromium);
  await site?.end();
  await empty?.end();
});

const WHOLE = PAGES.filter(({ language, isFramed }) => language === undefined && !isFramed);

for (const state of WHOLE.filter((_, nth) => nth % ONE_OF === 0))
  test(
    `${state.name}: from right to left, without a fault or a sideways scroll`,
    async () => {
      const { page } = tab;
      await page.setViewportSize({ width: 390, height: 844 });
      await tab.open(state, data);

      const { lang, dir } = await page.evaluate<{ lang: string; dir: string }>(
        "({ lang: document.documentElement.lang, dir: getComputedStyle(document.body).direction })",
      );
      const faults = await accessibilityErrors(page);
      for (const width of WIDTHS) faults.push(...(await overflowErrors(page, width)));

      expect([lang, dir]).toEqual(["ar", "rtl"]);
      expect([...faults, ...tab.heard()]).toEqual([]);
    },
    PAGE_MS_MAX,
  );

test("a map counts from the left, and the tag of a card stands at its beginning", async () => {
  const { page } = tab;
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(`${site.origin}/?place=Lyon&radius_km=25`, { waitUntil: "networkidle" });

  const seen = await page.evaluate<{
    map: string;
    card: number;
    tag: number;
    list: number;
    side: number;
  }>(`(() => {
    const box = (selector) => document.querySelector(selector).getBoundingClientRect();
    return {
      map: getComputedStyle(document.querySelector(".leaflet-container")).direction,
      card: box(".cards .card").right,
      tag: box(".cards .card .tag").right,
      list: box(".cards").left,
      side: box(".map").right,
    };
  })()`);

  expect(seen.map).toBe("ltr");
  expect(seen.card - seen.tag).toBeWithin(0, 20);
  expect(seen.side).toBeLessThan(seen.list);
});
