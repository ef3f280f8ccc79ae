import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { PAGE_MESSAGES } from "../../src/messages/messages.ts";
import { createJourneys } from "./browser-session.ts";
import { go, nextStep } from "./page-actions.ts";

const { journey } = createJourneys();
const words = PAGE_MESSAGES.en;
const LYON = { lat: 45.75, lng: 4.85 };
const PARIS = { lat: 48.857, lng: 2.352 };

/** Opens the second step of the form for a new alert, where its map is. */
async function openMap(page: Page): Promise<void> {
  await page.getByLabel(words.species.cat, { exact: true }).check({ force: true });
  await page.getByLabel(words.publish.color).fill("grey tabby");
  await nextStep(page);
  await page.locator(".leaflet-tile-loaded").first().waitFor();
}

/** Tiles of which a map consists, loaded or not: zoom, and if the tile with a point is among them. */
async function viewOf(page: Page, { lat, lng }: typeof LYON) {
  const sources = await page
    .locator(".leaflet-tile")
    .evaluateAll((tiles: readonly { src: string }[]) => tiles.map(({ src }) => src));
  const tiles = sources.map((src) => new URL(src).pathname.match(/\d+/g)!.map(Number)) as [
    number,
    number,
    number,
  ][];
  const zoom = Math.max(...tiles.map(([z]) => z));
  const radians = (lat * Math.PI) / 180;
  const x = Math.floor(((lng + 180) / 360) * 2 ** zoom);
  const y = Math.floor(((1 - Math.asinh(Math.tan(radians)) / Math.PI) / 2) * 2 ** zoom);
  return { zoom, shown: tiles.some((tile) => Bun.deepEquals(tile, [zoom, x, y])) };
}

journey(
  "the map of a new alert opens at the place of the search before, and a town that is typed and left moves it, without setting the pin",
  async ({ page }) => {
    await page.goto("/?place=Lyon");
    await go(page, words.home.lost);
    await openMap(page);
    expect(await viewOf(page, LYON)).toEqual({ zoom: 11, shown: true });
    await page.getByLabel(words.publish.place.lost).fill("Paris, France");
    await page.getByLabel(words.field.landmark).focus();
    while (!Bun.deepEquals(await viewOf(page, PARIS), { zoom: 11, shown: true }));

    expect(await page.locator(".map-pin").count()).toBe(0);
    expect(await page.locator("#field-lat").inputValue()).toBe("");
  },
);

journey(
  "the map of a new alert opens in the reader's country, not on the world",
  async ({ page }) => {
    await page.goto("/publish?type=lost");
    await openMap(page);

    const { zoom, shown } = await viewOf(page, { lat: 52.5, lng: -1.9 });
    expect(shown).toBe(true);
    expect(zoom).toBeGreaterThanOrEqual(4);
  },
  { locale: "en-GB" },
);

journey(
  "a pin and what is said of it stay while a quarter is typed, and go together for a town elsewhere",
  async ({ page }) => {
    await page.goto("/publish?type=lost");
    await openMap(page);
    const lat = page.locator("#field-lat");
    const located = page.getByText(words.map.located);
    await page.getByRole("button", { name: words.map.locate }).click();
    await located.waitFor();
    const town = page.getByLabel(words.publish.place.lost);

    for (const quarter of ["Neustadt", "Croix-Rousse", "Lyon"]) {
      const answer = page.waitForResponse((one) => one.url().includes("place="));
      await town.fill(quarter);
      await town.blur();
      await answer;
      expect(await lat.inputValue()).toBe("45.75");
      expect(await located.isVisible()).toBe(true);
    }
    await town.fill("Paris");
    await town.blur();
    await located.waitFor({ state: "hidden" });
    expect(await lat.inputValue()).toBe("");
  },
  { permissions: ["geolocation"], geolocation: { latitude: LYON.lat, longitude: LYON.lng } },
);
