import { afterEach, beforeEach, describe, expect } from "bun:test";
import type { BrowserContext, Page } from "playwright-core";
import { PAGE_MESSAGES } from "../../src/messages/messages.ts";
import { jpeg } from "../support/picture.ts";
import { scratchFolder } from "../support/process.ts";
import { FINDER, LOST_CAT } from "../support/world.ts";
import { browserTests, openProfile } from "./chromium.ts";
import { go, headingOf, loads } from "./page-actions.ts";
import { openSite, type Site } from "./site.ts";

// What people send from a phone about somebody else's animal, with a photo of it.

const { test } = browserTests;
const words = PAGE_MESSAGES.en;
const HOUR_MS = 3_600_000;
const PASSER = "passer@example.net";

let site: Site;
let profile: ReturnType<typeof scratchFolder>;
let context: BrowserContext;

beforeEach(async () => {
  site = await openSite();
  profile = scratchFolder();
  context = await openProfile(profile.path);
});
afterEach(async () => {
  await context.close();
  expect(site.world.logged).toEqual([]);
  await site.end();
  profile.forget();
});

async function openAlert(): Promise<{ page: Page; url: string }> {
  const { url } = await site.world.publish({ event_date: yesterday() });
  const page = await context.newPage();
  await page.goto(url);
  return { page, url };
}
const yesterday = () => new Date(site.world.now() - 86_400_000).toISOString().slice(0, 10);

async function choosePhoto(page: Page): Promise<void> {
  const buffer = Buffer.from(
    await jpeg({ width: 320, height: 240, gps: { lat: 45.763842, lng: 4.841296 } }),
  );
  const file = { name: "IMG_1.jpg", mimeType: "image/jpeg", buffer };
  await page.getByLabel(words.photoField.choose).setInputFiles([file]);
  await page.getByRole("img", { name: "Photo 1", exact: true }).waitFor();
}

const send = (page: Page, name: string) =>
  loads(page, () => page.getByRole("button", { name, exact: true }).click());

/** Widths of the photos that the page shows, in pixels of the photo: 0 for one that did not load. */
const widths = (page: Page) =>
  page.locator(".strip img").evaluateAll((images) =>
    Promise.all(
      images.map(async (image: any) => {
        image.loading = "eager";
        await image.decode().catch(() => {});
        return image.naturalWidth as number;
      }),
    ),
  );

// Runs inside the page.
function isKept(note: string): Promise<boolean> {
  return new Promise((resolve) => {
    const request = indexedDB.open("pet-alert", 1);
    request.onsuccess = () => {
      const get = request.result.transaction("drafts").objectStore("drafts").getAll();
      get.onsuccess = () => resolve(JSON.stringify(get.result).includes(note));
    };
  });
}
declare const indexedDB: any;
declare const ServiceWorkerRegistration: { readonly prototype: { sync?: unknown } };

describe("a passer-by with a phone", () => {
  test("marks where the cat was seen on the alert's own map, with a photo; its owner sees the way it went", async () => {
    const { page, url } = await openAlert();
    await go(page, words.sighting.title.cat);

    const map = page.locator("[data-map=pick]");
    await map.scrollIntoViewIfNeeded();
    await map.locator("path.map-lost.map-area").waitFor();
    const box = await map.locator("path.map-lost.map-area").boundingBox();
    // The circle of 1 km can be told from the town around it.
    expect(box?.width).toBeGreaterThan(60);
    const { width, height } = (await map.boundingBox()) ?? { width: 0, height: 0 };
    await map.click({ position: { x: width * 0.6, y: height * 0.4 } });
    const lat = await page.locator("#field-lat").inputValue();
    expect(Math.abs(Number(lat) - LOST_CAT.lat)).toBeLessThan(0.1);
    await page.getByLabel(words.sighting.when).selectOption(words.sighting.lastNight);
    await choosePhoto(page);
    await page.getByRole("button", { name: words.photoField.positionNo, exact: true }).click();
    await page.getByLabel(words.sighting.note).fill("Under the red bench.");
    await page.getByLabel(words.field.email).fill(PASSER);
    await send(page, words.continue);
    expect(await headingOf(page)).toBe(words.waiting.title);
    await page.goto(await site.world.linkTo(PASSER, "/confirm/"));
    expect(await widths(page)).toEqual([320]);
    await send(page, words.confirm.sighting.button);

    await page.goto(url);
    expect(await widths(page)).toEqual([320]);
    await site.world.post(`${new URL(url).pathname}/sighting`, {
      lat: "45.75",
      lng: "4.86",
      email: "second@example.net",
    });
    await site.world.confirm("second@example.net");
    await page.goto(await site.world.linkTo(LOST_CAT.email, "/manage/"));
    await page.locator("#trail").scrollIntoViewIfNeeded();
    await page.locator(".map-line").waitFor({ state: "attached" });
    expect((await page.locator(".map-number").allInnerTexts()).toSorted()).toEqual(["1", "2"]);
    expect(await page.locator("ol.sightings > li").last().innerText()).toContain("red bench");
    await page.locator("ol.sightings > li").last().getByText(words.manage.removeSighting).click();
    await send(page, words.manage.removeSightingButton);
    expect(await page.locator("ol.sightings > li").count()).toBe(1);
    await page.goto(url);
    expect(await widths(page)).toEqual([]);
  }, 120_000);

  test("writes to the owner with a photo, and both see each other's on their page alone", async () => {
    const { page, url } = await openAlert();
    await go(page, words.contact.title.owner);
    await page.getByLabel(words.contact.message).fill("Is this her?");
    await choosePhoto(page);
    await page.getByLabel(words.field.email).fill(FINDER);
    await send(page, words.continue);
    await page.goto(await site.world.linkTo(FINDER, "/confirm/"));
    await send(page, words.confirm.message.button);

    await page.goto(await site.world.linkTo(LOST_CAT.email, "/conversation/"));
    expect(await widths(page)).toEqual([320]);
    await page.getByLabel(words.conversation.reply).fill("It is! This is Mimi, too:");
    await choosePhoto(page);
    await send(page, words.conversation.button);
    expect(await widths(page)).toEqual([320, 320]);
    await page.goto(await site.world.linkTo(FINDER, "/conversation/"));
    expect(await widths(page)).toEqual([320, 320]);
    await page.goto(url);
    expect(await widths(page)).toEqual([]);
  }, 120_000);

  test("loses nothing without a connection: the sighting is there again, and arrives once", async () => {
    // Where there is Background Sync, the worker sends it before its form is opened again.
    await context.addInitScript(() => {
      delete ServiceWorkerRegistration.prototype.sync;
    });
    const { page, url } = await openAlert();
    await go(page, words.sighting.title.cat);
    await page.getByLabel(words.sighting.place).fill("Lyon");
    await choosePhoto(page);
    await page.getByLabel(words.sighting.note).fill("Under the red bench.");
    await page.getByLabel(words.field.email).fill(PASSER);
    await context.setOffline(true);
    await page.getByRole("button", { name: words.continue, exact: true }).click();
    await page.getByText(words.publish.draft.offline).waitFor();
    await context.close();

    context = await openProfile(profile.path);
    const again = await context.newPage();
    await again.goto(`${url}/sighting`);
    await again.getByText(words.publish.draft.restored).waitFor();
    await again.getByRole("img", { name: "Photo 1", exact: true }).waitFor();
    expect(await again.getByLabel(words.sighting.note).inputValue()).toBe("Under the red bench.");
    await again.getByRole("button", { name: words.continue, exact: true }).click();
    await again.waitForURL("**/waiting/**");

    expect(await site.world.emails(PASSER)).toHaveLength(1);
    await site.world.confirm(PASSER);
    await again.goto(url);
    expect(await widths(again)).toEqual([320]);
    // Another alert has a draft of its own.
    const other = await site.world.publish({ name: "Rex", email: "rex@example.org" });
    await again.goto(`${other.url}/sighting`);
    expect(await again.getByLabel(words.sighting.note).inputValue()).toBe("");
  }, 120_000);

  test("keeps the time of what was seen, however much later the form is opened again", async () => {
    const { page, url } = await openAlert();
    const typedAt = Date.now();
    await page.clock.setFixedTime(typedAt);
    await go(page, words.sighting.title.cat);
    await page.getByLabel(words.sighting.when).selectOption("2");
    await page.getByLabel(words.sighting.note).fill("Under the red bench.");
    while (!(await page.evaluate(isKept, "Under the red bench.")));

    const later = await context.newPage();
    await later.clock.setFixedTime(typedAt + 5 * HOUR_MS);
    await later.goto(`${url}/sighting`);
    await later.getByText(words.publish.draft.restored).waitFor();

    const seen = new Date(typedAt - 2 * HOUR_MS);
    expect(await later.getByLabel(words.sighting.hour).inputValue()).toBe(String(seen.getHours()));
    const day = await later.getByLabel(words.sighting.day, { exact: true }).inputValue();
    expect(day).toBe(seen.toLocaleDateString("sv"));
    expect(await later.getByLabel(words.sighting.day, { exact: true }).isVisible()).toBe(true);
  }, 120_000);
});
