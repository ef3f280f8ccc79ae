import { expect } from "bun:test";
import { PAGE_MESSAGES } from "../../src/messages/messages.ts";
import { LOST_CAT } from "../support/world.ts";
import { createJourneys } from "./browser-session.ts";
import { drawPages } from "./pdf.ts";

const { journey } = createJourneys();

const words = PAGE_MESSAGES.en.searchMap;
const DESKTOP = { viewport: { width: 1000, height: 900 }, reducedMotion: "reduce" } as const;
/** Closest tiles before the reader agrees. */
const TILE_ZOOM_PUBLIC = 13;
const ZOOM_PRESSES = 6;

journey(
  "the search map loads no closer tile before the reader agrees, tells nobody the exact place, and is printed on one page",
  async ({ page, world, site }) => {
    await world.publish();
    const tiles: number[] = [];
    await page.route(`${site.tiles}/**`, async (route) => {
      tiles.push(zoomOf(route.request().url()));
      await route.continue();
    });
    await page.goto(await world.linkTo(LOST_CAT.email, "/manage/"));
    await page.getByRole("link", { name: words.link }).first().click();
    const map = page.locator(".map");
    await map.locator("path.map-ring").first().waitFor();
    expect(await map.locator("path.map-ring").count()).toBe(3);
    const sentBefore = site.sent.length;

    const zoomIn = page.getByRole("button", { name: PAGE_MESSAGES.en.map.zoomIn });
    for (let press = 0; press < ZOOM_PRESSES; press++) {
      if ((await zoomIn.getAttribute("aria-disabled")) === "true") break;
      await zoomIn.click();
    }
    await map.locator(`.leaflet-tile-loaded[src*="/${TILE_ZOOM_PUBLIC}/"]`).first().waitFor();
    await map.click({ position: { x: 200, y: 120 } });
    await page.getByText(words.placed).waitFor();
    await map.click({ position: { x: 210, y: 130 } });
    expect(tiles.length).toBeGreaterThan(0);
    expect(Math.max(...tiles)).toBe(TILE_ZOOM_PUBLIC);

    await Promise.all([
      page.waitForRequest((request) => zoomOf(request.url()) > TILE_ZOOM_PUBLIC),
      page.getByRole("button", { name: words.closer }).click(),
    ]);

    // Nothing at all was asked of the service since the page was open.
    expect(site.sent.slice(sentBefore).map(({ url }) => new URL(url).pathname)).toEqual([]);
    await page.reload();
    await map.locator("path.map-ring").first().waitFor();
    expect(new URL(page.url()).search).toBe("");
    await page.waitForLoadState("networkidle");
    const margin = { top: "12mm", bottom: "12mm", left: "12mm", right: "12mm" };
    const pdf = await page.pdf({ format: "Letter", printBackground: true, margin });
    expect(await drawPages(pdf)).toHaveLength(1);
  },
  DESKTOP,
);

/** Zoom of a tile, by its address. */
function zoomOf(url: string): number {
  return Number(new URL(url).pathname.split("/")[1]);
}
