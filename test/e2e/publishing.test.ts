import { expect, test } from "bun:test";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { ERROR_MESSAGES, PAGE_MESSAGES } from "../../src/messages/messages.ts";
import { exifCoordinate, jpeg, photoColors } from "../support/picture.ts";
import { until } from "../support/process.ts";
import { LOST_CAT, type World } from "../support/world.ts";
import { go, headingOf, nextStep, press } from "./page-actions.ts";
import type { Sent } from "./site.ts";
import { createJourneys } from "./browser-session.ts";

const { journey, journeyWithAndWithoutScripts } = createJourneys();

const words = PAGE_MESSAGES.en;
const OWNER = LOST_CAT.email;
/** Someone's garden, and the cell of the public grid it lies in. */
const GARDEN = { lat: 45.7719384, lng: 4.8283716 };
const CELL = { latitude: 45.77, longitude: 4.83 };
/** Garden coordinates as a phone writes them into a photo, and as a program might write them. */
const TRACES = [
  exifCoordinate(GARDEN.lat),
  exifCoordinate(GARDEN.lng),
  Buffer.from("45.7719"),
  Buffer.from("4.8283"),
];
const METADATA = ["Exif", "EXIF", "XMP "].map((mark) => Buffer.from(mark));

journeyWithAndWithoutScripts(
  "a lost cat goes live with its photo, which does not reveal where it was taken",
  async ({ page, world, site, hasScripts }) => {
    const photo = await photoOfTheGarden();

    await page.goto("/");
    await go(page, words.home.lost);
    await page.getByLabel(words.species.cat, { exact: true }).check({ force: true });
    await page.getByLabel(words.photoField.choose).setInputFiles(photo);
    if (hasScripts) {
      await page.getByText(words.photoField.positionAsk).waitFor();
      await page.getByRole("button", { name: words.photoField.positionYes }).click();
    }
    await page.getByLabel(words.publish.color).fill("grey tabby");
    await nextStep(page);
    if (!hasScripts) await page.getByLabel(words.publish.place.lost).fill("Lyon");
    await nextStep(page);
    await page.getByLabel(words.field.email).fill(OWNER);
    await press(page, words.continue);
    expect(await headingOf(page)).toBe(words.waiting.title);
    await page.goto(await world.linkTo(OWNER, "/confirm/"));
    await page.getByRole("img").first().waitFor();
    await press(page, words.confirm.publish.button);
    await go(page, words.confirm.publish.see);

    expect(await headingOf(page)).toBe("Lost cat");
    const { alerts } = await world.json("/api/v1/alerts");
    expect(alerts).toMatchObject([hasScripts ? CELL : { city: "Lyon" }]);
    const shown = await photoOn(page, world);
    expect(await photoColors(shown)).toMatchObject({
      width: 1200,
      height: 1600,
      quarters: UPRIGHT,
    });
    expect(tracesIn([shown], [...TRACES, ...METADATA])).toEqual([]);
    expect(tracesIn(await filesIn(world.dataDir), TRACES)).toEqual([]);
    // Without scripts the browser sends the photo as it is: it is the service that cleans it.
    const left = tracesIn(bytesOf(site.sent), TRACES);
    expect(left.length > 0).toBe(!hasScripts);
  },
);

journeyWithAndWithoutScripts(
  "a form says what is missing, before it is sent where scripts run, and keeps the photo and all that was typed",
  async ({ page, world, hasScripts }) => {
    await page.goto("/publish?type=found");
    await page.getByLabel(words.photoField.choose).setInputFiles(await photoOfTheGarden());
    if (hasScripts) await page.getByRole("img", { name: "Photo 1" }).waitFor();
    await page.getByLabel(words.species.dog, { exact: true }).check({ force: true });
    await page.getByLabel(words.publish.color).fill("black and white");
    await nextStep(page);
    const place = page.getByLabel(words.publish.place.found);
    if (hasScripts) await expectNoStepWithoutPlace(page, place);
    await place.fill("Lyon");
    await page.getByLabel(words.publish.anotherDay).check({ force: true });
    const day = page.locator("#field-eventDate");
    await day.fill("2031-01-01");
    await nextStep(page);
    await page.getByLabel(words.field.email).fill(OWNER);
    await press(page, words.continue);

    expect(await page.getByRole("alert").getByRole("link").count()).toBe(1);
    await day.fill("2026-04-30");
    expect(await page.locator(".kept img").count()).toBe(1);
    expect(await page.getByLabel(words.publish.color).inputValue()).toBe("black and white");
    await nextStep(page);
    await press(page, words.continue);
    await page.goto(await world.linkTo(OWNER, "/confirm/"));
    await press(page, words.confirm.publish.button);

    const { alerts } = await world.json("/api/v1/alerts");
    expect(alerts).toMatchObject([
      { alert_type: "found", pet_type: "dog", color: "black and white" },
    ]);
    expect(alerts[0].photos).toHaveLength(1);
  },
);

journey(
  "likely matches are shown while the email is on its way, with a way to write at once",
  async ({ page, world }) => {
    await world.publish({ type: "found", email: "finder@example.net" });

    await page.goto("/publish?type=lost");
    await page.getByLabel(words.species.cat, { exact: true }).check({ force: true });
    await page.getByLabel(words.publish.color).fill("grey tabby");
    await page.getByText(words.publish.more).click();
    await page.getByLabel(words.field.name).fill("Mimi");
    await nextStep(page);
    await page.getByLabel(words.publish.place.lost).fill("Lyon");
    await nextStep(page);
    await page.getByLabel(words.field.email).fill(OWNER);
    await press(page, words.continue);
    expect(await headingOf(page)).toBe(words.waiting.title);
    expect(await page.locator("h2").first().innerText()).toBe(words.publish.almostTitle);
    await page.getByRole("link", { name: words.matches.yes.lost }).click();
    expect(await headingOf(page)).toBe(words.contact.title.finder);
    await page.goBack();
    expect(await headingOf(page)).toBe(words.waiting.title);
    await page.goBack();
    expect(await headingOf(page)).toBe(words.publish.title.lost);

    await page.goto(await world.linkTo(OWNER, "/confirm/"));
    expect(await page.locator(".preview").innerText()).toContain("grey tabby");
  },
);

journey(
  "an owner puts a photo on the alert and changes its text by the private link",
  async ({ page, world }) => {
    const alert = await world.publish();

    await page.goto(await world.linkTo(OWNER, "/manage/"));
    await go(page, words.edit.link);
    await page.getByLabel(words.photoField.choose).setInputFiles(await photoOfTheGarden());
    await page.getByRole("img", { name: "Photo 1" }).waitFor();
    // The pin stands in that cell already.
    expect(await page.getByText(words.photoField.positionAsk).count()).toBe(0);
    await page.getByLabel(words.field.description).fill("One white paw. Call 06 12 34 56 78!");
    await press(page, words.edit.button);
    await page.getByText(words.manage.done["edit-without"]).waitFor();

    await page.goto(alert.url);
    const text = await page.locator("main").innerText();
    expect(text).toContain("One white paw.");
    expect(text).not.toContain("06 12 34 56 78");
    expect(await photoColors(await photoOn(page, world))).toMatchObject({ quarters: UPRIGHT });
    const { latitude, longitude } = alert;
    const now = await world.json(`/api/v1/alerts/${alert.short_code}`);
    expect(now).toMatchObject({ latitude, longitude });
    await page.goto(await world.linkTo(OWNER, "/manage/"));
    await go(page, words.edit.link);
    await page.getByLabel(words.photoField.keep({ count: 1 })).uncheck();
    await press(page, words.edit.button);
    expect((await world.json(`/api/v1/alerts/${alert.short_code}`)).photos).toEqual([]);
  },
);

test("the traces these tests look for stand in the photo", async () => {
  const { buffer } = await photoOfTheGarden();

  expect(tracesIn([buffer], TRACES)).toHaveLength(2);
  expect(tracesIn([buffer], METADATA)).toHaveLength(1);
});

/** The step of the place goes no further with none, or with one that is unknown. */
async function expectNoStepWithoutPlace(page: Page, place: Locator): Promise<void> {
  await nextStep(page);
  expect(await page.locator("#step-place").isVisible()).toBe(true);
  await place.fill("Springburgh, Lyon");
  await place.blur();
  const told = () =>
    place.evaluate((field) => {
      // Checks the field as the button does.
      field.dispatchEvent(new Event("check"));
      return (field as unknown as { validationMessage: string }).validationMessage;
    });
  await until(async () => (await told()) === ERROR_MESSAGES.en.field.unknown_town);
  await nextStep(page);
  expect(await page.locator("#step-place").isVisible()).toBe(true);
}

/** Colours of the photo in its original orientation. */
const UPRIGHT = { topLeft: "blue", topRight: "red", bottomLeft: "white", bottomRight: "green" };

/** Larger than what is kept, lying on its side, with the place in it. */
async function photoOfTheGarden() {
  const bytes = await jpeg({ width: 2400, height: 1800, gps: GARDEN, orientation: 6 });
  return { name: "IMG_1234.jpg", mimeType: "image/jpeg", buffer: Buffer.from(bytes) };
}

/** The large photo of an alert's page, as the page got it. */
async function photoOn(page: Page, world: World): Promise<Uint8Array> {
  const address = await page.locator(".gallery img").first().getAttribute("src");
  const answer = await world.fetch(address ?? "no photo");
  expect(answer.headers.get("Content-Type")).toBe("image/webp");
  return answer.bytes();
}

function bytesOf(sent: readonly Sent[]): Uint8Array[] {
  return sent.flatMap(({ url, body }) => [Buffer.from(decodeURIComponent(url)), body]);
}

function filesIn(folder: string): Promise<Uint8Array[]> {
  const paths = [...new Bun.Glob("**/*").scanSync({ cwd: folder, dot: true, onlyFiles: true })];
  return Promise.all(paths.map((path) => Bun.file(join(folder, path)).bytes()));
}

function tracesIn(all: readonly Uint8Array[], traces: readonly Buffer[]): string[] {
  return all.flatMap((bytes) =>
    traces.flatMap((trace) => (Buffer.from(bytes).includes(trace) ? [trace.toString()] : [])),
  );
}
