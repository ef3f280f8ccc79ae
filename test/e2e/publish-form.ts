import type { BrowserContext, Page } from "playwright-core";
import { PAGE_MESSAGES } from "../../src/messages/messages.ts";
import { HOUR } from "../support/time.ts";
import { jpeg } from "../support/picture.ts";
import { STEP_MS_MAX } from "./chromium.ts";
import { nextStep } from "./page-actions.ts";

const words = PAGE_MESSAGES.en;
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

/** True if the form with three photos and all of these texts, which `fillIn` types, is kept by the device or the tab. */
export async function isKept(page: Page, texts: readonly string[] = [OWNER]): Promise<boolean> {
  const { device, tab } = await keptBy(page);
  const { files = 0 } = device.find(({ name }) => name === "publish-lost") ?? {};
  return files === 3 && texts.every((text) => JSON.stringify([device, tab]).includes(text));
}

type Kept = {
  readonly name: string;
  readonly values: unknown;
  readonly files: number;
  /** Address to which the worker sends it; empty or absent while its page is to do so. */
  readonly sendTo?: string;
};

/** Drafts that the device keeps, and all that the tab of a page keeps. */
export function keptBy(page: Page): Promise<{ device: readonly Kept[]; tab: string }> {
  return page.evaluate(readDrafts);
}

// Runs inside the page.
function readDrafts(): Promise<{ device: Kept[]; tab: string }> {
  return new Promise((resolve) => {
    const request = indexedDB.open("pet-alert", 1);
    request.onsuccess = () => {
      const device: Kept[] = [];
      const store = request.result.transaction("drafts").objectStore("drafts");
      store.openCursor().onsuccess = ({ target }: any) => {
        const cursor = target.result;
        if (cursor === null) return resolve({ device, tab: JSON.stringify(sessionStorage) });
        const { values, files, sendTo } = cursor.value;
        device.push({ name: cursor.key, values, files: files.length, sendTo });
        cursor.continue();
      };
    };
  });
}
declare const indexedDB: any;
declare const sessionStorage: object;
