import { expect } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { PAGE_MESSAGES } from "../../src/messages/messages.ts";
import { addMany, aroundLyon, LYON } from "../support/make.ts";
import { until } from "../support/process.ts";
import { accessibilityErrors, loadAxe } from "./accessibility.ts";
import { createJourneys } from "./browser-session.ts";
import { loads } from "./page-actions.ts";

const { journey } = createJourneys();

const words = PAGE_MESSAGES.en;
const ALERTS = 10_000;
/** Without animations, during which Leaflet takes no second press. */
const STILL = { reducedMotion: "reduce" } as const;
const PHONE = { viewport: { width: 390, height: 844 }, ...STILL };
const DESKTOP = { viewport: { width: 1280, height: 900 }, ...STILL };
const EVIL = `"><img src=x onerror=alert(1)><script>alert(2)</script>`;
/** Presses on counts until a cell opens: there are 15 zooms. */
const PRESSES_MAX = 15;

journey(
  "a map of thousands of alerts counts them, takes counts apart, and shows what is in a cell",
  async ({ page, world, site }) => {
    await addMany(world, ALERTS, (nth) => ({
      type: nth % 4 === 0 ? "found" : "lost",
      point: aroundLyon(nth, ALERTS, 60),
    }));
    await loadAxe(page.context());
    await page.goto("/?place=Lyon&radius_km=250");
    await showMap(page);
    await page.locator(".map-count").first().waitFor();

    const isAbout = (shown: number, share: number) =>
      Math.abs(shown - share * ALERTS) < ALERTS / 20;
    // Before that, those of the list are shown.
    await until(async () => {
      const { lost, found } = await shownCount(page);
      return isAbout(lost, 0.75) && isAbout(found, 0.25);
    });
    expect(site.sent.filter(({ url }) => url.includes("/map/alerts.json"))).toHaveLength(1);
    expect(await page.locator(".map-count").count()).toBeLessThan(30);

    const popup = await openCell(page);
    expect(await popup.getByRole("heading", { level: 3 }).first().innerText()).toContain("Mimi");
    expect(await popup.innerText()).toContain("km away");
    expect(await popup.innerText()).toMatch(/LOST|FOUND/);
    const close = page.getByRole("button", { name: words.home.close });
    expect(await isOnTop(close)).toBe(true);
    expect(await accessibilityErrors(page)).toEqual([]);
    await loads(page, () => popup.getByRole("link").first().click());
    expect(new URL(page.url()).pathname).toStartWith("/alerts/");
  },
  PHONE,
);

journey(
  "the map still shows the alerts of the list where nothing more can be loaded",
  async ({ page, world }) => {
    await addMany(world, 30, () => ({ point: LYON }));
    await page.route("**/map/**", (route) => route.fulfill({ status: 200, body: "not ours" }));
    await page.goto("/?place=Lyon&radius_km=5");
    await showMap(page);
    await page.locator(".map-count").first().waitFor();
    expect(await shownCount(page)).toEqual({ lost: 20, found: 0 });

    await page.unroute("**/map/**");
    await page.route("**/map/cell**", (route) => route.abort("aborted"));
    await page.locator(".map-count").click();
    await page.getByText(words.map.failedHere).waitFor();
  },
  DESKTOP,
);

journey(
  "pointing at an item shows its circle, and at a dot its item; its popup shows hostile words as words",
  async ({ page, world }) => {
    await world.publish({ name: EVIL, color: EVIL, ...LYON });
    await page.goto("/?place=Lyon&radius_km=25");
    const dot = page.locator("path.map-dot.leaflet-interactive");
    await dot.waitFor();

    await page.locator(".cards .card a").first().focus();
    await page.locator("path.map-area.map-lit").waitFor();
    await dot.hover();
    await page.locator("li.map-lit").waitFor();
    await page.getByRole("heading", { level: 2 }).first().hover();
    await page.locator("li.map-lit").waitFor({ state: "detached" });

    await dot.click();
    const popup = page.locator(".map-cell");
    await popup.waitFor();
    expect(await popup.innerText()).toContain(`"><img src=x onerror=alert(1)>`);
    expect(await popup.locator("script, img[src='x']").count()).toBe(0);
  },
  DESKTOP,
);

journey(
  "search this area appears once the map was moved, searches what it shows, and Back leads to the search before",
  async ({ page, world }) => {
    await world.publish({ name: "Mimi", ...LYON });
    await world.publish({ name: "Momo", email: "b@example.org", lat: 45.19, lng: 5.72 });
    await page.goto("/?place=Lyon&radius_km=25&type=lost&sort=nearest");
    const before = page.url();
    await showMap(page);
    await page.locator("path.map-dot.leaflet-interactive").first().waitFor();
    const link = page.getByRole("link", { name: words.map.searchArea });
    expect(await link.isVisible()).toBe(false);

    // To Grenoble, a hundred kilometres to the south-east, by the keyboard.
    await page.getByRole("button", { name: words.map.zoomOut }).click();
    await page.getByRole("button", { name: words.map.zoomOut }).click();
    await link.waitFor();
    await loads(page, () => link.click());

    const { searchParams, hash } = new URL(page.url());
    expect(hash).toBe("#map");
    expect(searchParams.get("type")).toBe("lost");
    expect(searchParams.get("sort")).toBe("nearest");
    expect(searchParams.get("lat")).toMatch(/^45\.\d{1,2}$/);
    expect(searchParams.get("lng")).toMatch(/^[45]\.\d{1,2}$/);
    expect(searchParams.get("radius_km")).toMatch(/^\d+$/);
    expect(await page.getByRole("link", { name: "Momo" }).count()).toBe(1);
    expect(await page.getByLabel(words.home.place).inputValue()).not.toBe("");
    await showMap(page);
    await page.locator(".map-count, path.map-dot").first().waitFor();
    expect(await link.isVisible()).toBe(false);

    await loads(page, async () => void (await page.goBack()));
    expect(page.url().replace("#map", "")).toBe(before);
    expect(await page.getByRole("link", { name: "Momo" }).count()).toBe(0);
  },
  PHONE,
);

journey(
  "a map across the date line shows both sides together",
  async ({ page, world }) => {
    await addMany(world, 40, (nth) => ({
      point: { lat: -16.8, lng: nth % 2 === 0 ? 179.9 : -179.9 },
      city: "Taveuni",
      countryCode: "FJ",
    }));
    await page.goto("/?lat=-16.8&lng=179.98&radius_km=50");
    await page.locator(".map-count").first().waitFor();
    await until(async () => Bun.deepEquals(await shownCount(page), { lost: 40, found: 0 }));
  },
  DESKTOP,
);

/** Goes to the map as people do: on a phone by its button. */
async function showMap(page: Page): Promise<void> {
  const toMap = page.getByRole("link", { name: words.map.show, exact: true });
  if (await toMap.isVisible()) await toMap.click();
  await page.locator("#map .map").scrollIntoViewIfNeeded();
}

/** Sums of the counts and dots on the map; counts of thousands are rounded. */
async function shownCount(page: Page): Promise<{ lost: number; found: number }> {
  const sumOf = async (type: "lost" | "found") => {
    const counts = await page.locator(`.map-count .map-${type}`).allInnerTexts();
    const dots = await page.locator(`path.map-dot.leaflet-interactive.map-${type}`).count();
    return counts.reduce((sum, count) => sum + numberIn(count), dots);
  };
  return { lost: await sumOf("lost"), found: await sumOf("found") };
}

/** "1.2K" as 1,200. */
function numberIn(count: string): number {
  return Number.parseFloat(count) * (count.endsWith("K") ? 1_000 : 1);
}

/** Presses counts in the middle of the map until one of them is a cell. */
async function openCell(page: Page): Promise<Locator> {
  const popup = page.locator(".map-cell");
  for (let press = 0; press < PRESSES_MAX && (await popup.count()) === 0; press++) {
    const before = await page.evaluate<string>(COUNTS);
    await page.evaluate(PRESS_MIDDLE);
    // A press zooms in, or opens a cell.
    await page.evaluate(`new Promise((changed) => {
      const isChanged = () =>
        document.querySelector(".map-cell") !== null || ${COUNTS} !== ${JSON.stringify(before)};
      const look = () => (isChanged() ? changed() : requestAnimationFrame(look));
      look();
    })`);
  }
  await popup.waitFor();
  return popup;
}

const COUNTS = `[...document.querySelectorAll(".map-count")].map((count) => count.textContent).join()`;
/** Presses the count nearest to the middle of the map. */
const PRESS_MIDDLE = `(() => {
  const middle = (element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return [x + width / 2, y + height / 2];
  };
  const [x, y] = middle(document.querySelector("#map .map"));
  const distance = (element) => Math.hypot(middle(element)[0] - x, middle(element)[1] - y);
  const counts = [...document.querySelectorAll(".map-count")];
  counts.sort((a, b) => distance(a) - distance(b));
  counts[0].click();
})()`;

/** True if nothing lies over an element. */
function isOnTop(element: Locator): Promise<boolean> {
  return element.evaluate((found: any) => {
    const { x, y, width, height } = found.getBoundingClientRect();
    const top = found.ownerDocument.elementFromPoint(x + width / 2, y + height / 2);
    return found === top || found.contains(top);
  });
}
