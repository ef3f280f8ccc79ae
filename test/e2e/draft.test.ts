import { afterEach, beforeEach, describe, expect } from "bun:test";
import type { BrowserContext, Page } from "playwright-core";
import { MESSAGES } from "../../src/http/web/messages/messages.ts";
import { jpeg } from "../support/picture.ts";
import { scratchFolder } from "../support/process.ts";
import { browserTests, openProfile } from "./chromium.ts";
import { headingOf, loads, nextStep } from "./page-actions.ts";
import { openSite, type Site } from "./site.ts";

const { test } = browserTests;
const words = MESSAGES.en;
const OWNER = "owner@example.org";
const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

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

const form = async (): Promise<Page> => {
  const page = await context.newPage();
  await page.goto(`${site.origin}/publish?type=lost`);
  return page;
};
const restored = (page: Page) => page.getByText(words.publish.draft.restored);

/** Fills in the first two steps, with three photos, and waits until all of it is kept. */
async function fillIn(page: Page): Promise<void> {
  const photos = await Promise.all(
    [200, 240, 280].map(async (width) => ({
      name: `${width}.jpg`,
      mimeType: "image/jpeg",
      buffer: Buffer.from(await jpeg({ width, height: 200, gps: { lat: 45.76, lng: 4.83 } })),
    })),
  );
  await page.getByLabel(words.species.cat, { exact: true }).check({ force: true });
  await page.getByLabel(words.photoField.choose).setInputFiles(photos);
  await page.getByRole("img", { name: "Photo 3" }).waitFor();
  await page.getByLabel(words.publish.color).fill("grey tabby");
  await nextStep(page);
  await page.getByLabel(words.publish.place.lost).fill("Lyon");
  await nextStep(page);
  await page.getByLabel(words.field.email).fill(OWNER);
  while (!(await page.evaluate(isKept, [OWNER, 3] as const)));
}

// Runs inside the page.
function isKept([email, photos]: readonly [string, number]): Promise<boolean> {
  return new Promise((resolve) => {
    const request = indexedDB.open("pet-alert", 1);
    request.onsuccess = () => {
      const get = request.result.transaction("drafts").objectStore("drafts").get("publish-lost");
      get.onsuccess = () =>
        resolve(
          get.result?.files.length === photos &&
            get.result.values.some(([, value]: [string, string]) => value === email),
        );
    };
  });
}
declare const indexedDB: any;

describe("a form for a new alert", () => {
  test("survives a lost connection and a closed browser, and arrives once", async () => {
    const first = await form();
    await fillIn(first);
    await context.setOffline(true);
    await first.getByRole("button", { name: words.continue, exact: true }).click();
    await first.getByText(words.publish.draft.offline).waitFor();
    await context.close();

    context = await openProfile(profile.path);
    const page = await form();
    await restored(page).waitFor();
    await page.getByRole("img", { name: "Photo 3" }).waitFor();
    expect(await page.getByLabel(words.publish.color).inputValue()).toBe("grey tabby");
    await nextStep(page);
    expect(await page.getByLabel(words.publish.place.lost).inputValue()).toBe("Lyon");
    await nextStep(page);
    expect(await page.getByLabel(words.field.email).inputValue()).toBe(OWNER);
    await page.getByRole("button", { name: words.continue, exact: true }).click();
    await page.waitForURL("**/waiting/**");

    expect(await headingOf(page)).toBe(words.waiting.title);
    expect(await site.world.emails(OWNER)).toHaveLength(1);
    await site.world.confirm(OWNER);
    const { alerts } = await site.world.json("/api/v1/alerts");
    expect(alerts).toHaveLength(1);
    expect(alerts[0].photos).toHaveLength(3);
    const again = await form();
    expect(await again.getByLabel(words.publish.color).inputValue()).toBe("");
  }, 120_000);

  test("is sent by itself when the connection is back", async () => {
    const page = await form();
    await fillIn(page);
    await context.setOffline(true);
    await page.getByRole("button", { name: words.continue, exact: true }).click();
    await page.getByText(words.publish.draft.offline).waitFor();
    await context.setOffline(false);
    await page.waitForURL("**/waiting/**");

    expect(await site.world.emails(OWNER)).toHaveLength(1);
  }, 120_000);

  test("is one request however often the answer is lost", async () => {
    const page = await form();
    await fillIn(page);
    let isLost = true;
    await page.route("**/publish", async (route) => {
      if (route.request().method() !== "POST" || !isLost) return route.continue();
      isLost = false;
      await route.fetch({ maxRedirects: 0 });
      await route.abort("connectionreset");
    });
    await page.getByRole("button", { name: words.continue, exact: true }).click();
    await page.getByText(words.publish.draft.offline).waitFor();
    await page.getByRole("button", { name: words.continue, exact: true }).click();
    await page.waitForURL("**/waiting/**");

    expect(await site.world.emails(OWNER)).toHaveLength(1);
  }, 120_000);

  test("is forgotten where that is asked for, and after a week", async () => {
    const page = await form();
    await fillIn(page);
    const other = await form();
    await restored(other).waitFor();
    await page.close();
    await loads(other, () =>
      other.getByRole("button", { name: words.publish.draft.forget }).click(),
    );
    await other.getByRole("button", { name: words.publish.steps.next }).waitFor();
    expect(await other.evaluate(isKept, [OWNER, 3] as const)).toBe(false);

    const third = await form();
    await fillIn(third);
    const later = await context.newPage();
    await later.clock.setFixedTime(Date.now() + WEEK_MS + 60_000);
    await later.goto(`${site.origin}/publish?type=lost`);
    await later.getByRole("button", { name: words.publish.steps.next }).waitFor();
    expect(await later.getByLabel(words.publish.color).inputValue()).toBe("");
  }, 120_000);
});
