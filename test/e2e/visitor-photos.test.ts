import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { PAGE_MESSAGES } from "../../src/messages/messages.ts";
import { jpeg } from "../support/picture.ts";
import { DAY, HOUR } from "../support/time.ts";
import { FINDER, LOST_CAT, type World } from "../support/world.ts";
import { createJourneys } from "./browser-session.ts";
import { go, headingOf, press } from "./page-actions.ts";
import { keptBy } from "./publish-form.ts";

// What people send from a phone about somebody else's animal, with a photo of it.

const { journey } = createJourneys();
const words = PAGE_MESSAGES.en;
const PASSER = "passer@example.net";
const PHONE = { viewport: { width: 390, height: 844 } };

async function openAlert(page: Page, world: World): Promise<string> {
  const yesterday = new Date(world.now() - DAY).toISOString().slice(0, 10);
  const { url } = await world.publish({ event_date: yesterday });
  await page.goto(url);
  return url;
}

async function choosePhoto(page: Page): Promise<void> {
  const gps = { lat: 45.763842, lng: 4.841296 };
  const buffer = Buffer.from(await jpeg({ width: 320, height: 240, gps }));
  const file = { name: "IMG_1.jpg", mimeType: "image/jpeg", buffer };
  await page.getByLabel(words.photoField.choose).setInputFiles([file]);
  await page.getByRole("img", { name: "Photo 1", exact: true }).waitFor();
}

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

journey(
  "a passer-by marks where the cat was seen on the alert's own map, with a photo; its owner sees the way it went",
  async ({ page, world }) => {
    const url = await openAlert(page, world);
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
    await press(page, words.continue);
    expect(await headingOf(page)).toBe(words.waiting.title);
    await page.goto(await world.linkTo(PASSER, "/confirm/"));
    expect(await widths(page)).toEqual([320]);
    await press(page, words.confirm.sighting.button);

    await page.goto(url);
    expect(await widths(page)).toEqual([320]);
    const second = { lat: "45.75", lng: "4.86", email: "second@example.net" };
    await world.post(`${new URL(url).pathname}/sighting`, second);
    await world.confirm(second.email);
    await page.goto(await world.linkTo(LOST_CAT.email, "/manage/"));
    await page.locator("#trail").scrollIntoViewIfNeeded();
    await page.locator(".map-line").waitFor({ state: "attached" });
    expect((await page.locator(".map-number").allInnerTexts()).toSorted()).toEqual(["1", "2"]);
    expect(await page.locator("ol.sightings > li").last().innerText()).toContain("red bench");
    await page.locator("ol.sightings > li").last().getByText(words.manage.removeSighting).click();
    await press(page, words.manage.removeSightingButton);
    expect(await page.locator("ol.sightings > li").count()).toBe(1);
    await page.goto(url);
    expect(await widths(page)).toEqual([]);
  },
  PHONE,
);

journey(
  "a finder writes to the owner with a photo, and both see each other's on their page alone",
  async ({ page, world }) => {
    const url = await openAlert(page, world);
    await go(page, words.contact.title.owner);
    await page.getByLabel(words.contact.message).fill("Is this her?");
    await choosePhoto(page);
    await page.getByLabel(words.field.email).fill(FINDER);
    await press(page, words.continue);
    await page.goto(await world.linkTo(FINDER, "/confirm/"));
    await press(page, words.confirm.message.button);

    await page.goto(await world.linkTo(LOST_CAT.email, "/conversation/"));
    expect(await widths(page)).toEqual([320]);
    await page.getByLabel(words.conversation.reply).fill("It is! This is Mimi, too:");
    await choosePhoto(page);
    await press(page, words.conversation.button);
    expect(await widths(page)).toEqual([320, 320]);
    await page.goto(await world.linkTo(FINDER, "/conversation/"));
    expect(await widths(page)).toEqual([320, 320]);
    await page.goto(url);
    expect(await widths(page)).toEqual([]);
  },
  PHONE,
);

journey(
  "the form of a sighting keeps its photo and the time of what was seen, and another alert has a form of its own",
  async ({ page, world }) => {
    const url = await openAlert(page, world);
    const typedAt = Date.now();
    await page.clock.setFixedTime(typedAt);
    await go(page, words.sighting.title.cat);
    await page.getByLabel(words.sighting.when).selectOption("2");
    await choosePhoto(page);
    await page.getByLabel(words.sighting.note).fill("Under the red bench.");
    while (!JSON.stringify(await keptBy(page)).includes("Under the red bench."));

    const later = await page.context().newPage();
    await later.clock.setFixedTime(typedAt + 5 * HOUR);
    await later.goto(`${url}/sighting`);
    await later.getByText(words.publish.draft.restored).waitFor();

    await later.getByRole("img", { name: "Photo 1", exact: true }).waitFor();
    const seen = new Date(typedAt - 2 * HOUR);
    expect(await later.getByLabel(words.sighting.hour).inputValue()).toBe(String(seen.getHours()));
    const day = later.getByLabel(words.sighting.day, { exact: true });
    expect(await day.inputValue()).toBe(seen.toLocaleDateString("sv"));
    expect(await day.isVisible()).toBe(true);
    const other = await world.publish({ name: "Rex", email: "rex@example.org" });
    await later.goto(`${other.url}/sighting`);
    expect(await later.getByLabel(words.sighting.note).inputValue()).toBe("");
  },
  PHONE,
);
