import type { BrowserContext, Page } from "playwright-core";
import { MESSAGES } from "../../src/http/web/messages/messages.ts";
import { HOUR } from "../support/time.ts";
import { jpeg } from "../support/picture.ts";
import { STEP_MS_MAX } from "./chromium.ts";
import { nextStep } from "./page-actions.ts";

const words = MESSAGES.en;
export const OWNER = "owner@example.org";

/** Opens the form for a lost animal in a new tab. */
export async function openForm(context: BrowserContext, origin: string): Promise<Page> {
  context.setDefaultTimeout(STEP_MS_MAX);
  const page = await context.newPage();
  await page.goto(`${origin}/publish?type=lost`);
  await page.getByRole("button", { name: words.publish.steps.next }).first().waitFor();
  return page;
}

/** Fills in the form up to its button, with three photos, and waits until all of it is kept. */
export async function fillIn(page: Page): Promise<void> {
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
  while (!(await isKept(page)));
}

/** Restored form up to its button, with all that was filled in. */
export async function goThrough(page: Page): Promise<readonly string[]> {
  await page.getByRole("img", { name: "Photo 3" }).waitFor();
  const color = await page.getByLabel(words.publish.color).inputValue();
  await nextStep(page);
  const place = await page.getByLabel(words.publish.place.lost).inputValue();
  await nextStep(page);
  return [color, place, await page.getByLabel(words.field.email).inputValue()];
}
export const FILLED_IN = ["grey tabby", "Lyon", OWNER];

export const send = (page: Page) =>
  page.getByRole("button", { name: words.continue, exact: true }).click();

/** Stops the clock of a page, so that a form is sent again only when that is asked for. */
export async function stopClock(page: Page): Promise<void> {
  const now = Date.now();
  await page.clock.install({ time: now - HOUR });
  await page.clock.pauseAt(now);
}

/** True if the device keeps the form with three photos and all of these texts, which `fillIn` types. */
export function isKept(page: Page, texts: readonly string[] = [OWNER]): Promise<boolean> {
  return page.evaluate(keepsDraft, [texts, 3] as const);
}

// Runs inside the page.
function keepsDraft([texts, photos]: readonly [readonly string[], number]): Promise<boolean> {
  return new Promise((resolve) => {
    const request = indexedDB.open("pet-alert", 1);
    request.onsuccess = () => {
      const get = request.result.transaction("drafts").objectStore("drafts").get("publish-lost");
      get.onsuccess = () =>
        resolve(
          get.result?.files.length === photos &&
            texts.every((text) =>
              get.result.values.some(([, value]: [string, string]) => value === text),
            ),
        );
    };
  });
}
declare const indexedDB: any;
