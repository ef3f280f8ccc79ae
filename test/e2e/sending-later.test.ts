import { afterEach, beforeEach, describe, expect } from "bun:test";
import type { BrowserContext, Page } from "playwright-core";
import { PAGE_MESSAGES } from "../../src/messages/messages.ts";
import { DAY, HOUR } from "../support/time.ts";
import { jpeg } from "../support/picture.ts";
import { FINDER, LOST_CAT } from "../support/world.ts";
import { scratchFolder, until } from "../support/process.ts";
import { breakingLine } from "./breaking-line.ts";
import { openProfile, WHOLE_CHROMIUM, wholeBrowserTests } from "./chromium.ts";
import { keptBy, send, stopClock } from "./publish-form.ts";
import { openSite, type Site } from "./site.ts";
import { atNight } from "../support/nightly.ts";

// A sighting that is written where there is no connection, and whose page is closed before there is one.

const { test } = wholeBrowserTests;
const words = PAGE_MESSAGES.en;
const NOTE = "By the river, limping.";
const PATIENCE_MS = 180_000;

let site: Site;
let line: ReturnType<typeof breakingLine>;
let profile: ReturnType<typeof scratchFolder>;
let context: BrowserContext;

beforeEach(async () => {
  // Pages arrive, forms do not.
  line = breakingLine(() => Number(new URL(site.origin).port), 100);
  site = await openSite({ BASE_URL: line.origin });
  // Forms give times by the clock of the device.
  site.world.jump(Date.now() - site.world.now());
  profile = scratchFolder();
  context = await openProfile(profile.path, WHOLE_CHROMIUM);
});
afterEach(async () => {
  await context.close();
  expect(site.world.logged).toEqual([]);
  line.end();
  await site.end();
  profile.forget();
});

/** Number of drafts that wait to be sent. */
const waiting = async (page: Page) =>
  (await keptBy(page)).device.filter(({ sendTo }) => Boolean(sendTo)).length;

/** Form of a sighting, filled in with a photo and sent in vain, and a page beside it, which sends nothing by itself. */
async function sendInVain() {
  const yesterday = new Date(site.world.now() - DAY).toISOString().slice(0, 10);
  const { url } = await site.world.publish({ event_date: yesterday });
  const page = await context.newPage();
  await page.goto(url);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => null));
  await page.getByRole("link", { name: words.sighting.title.cat }).first().click();
  const buffer = Buffer.from(await jpeg({ width: 320, height: 240 }));
  const photo = { name: "IMG_1.jpg", mimeType: "image/jpeg", buffer };
  await page.getByLabel(words.photoField.choose).setInputFiles([photo]);
  await page.getByRole("img", { name: "Photo 1", exact: true }).waitFor();
  await page.getByLabel(words.sighting.place).fill("Lyon");
  await page.getByLabel(words.sighting.note).fill(NOTE);
  await page.getByLabel(words.field.email).fill(FINDER);
  await stopClock(page);
  await send(page);
  await page.getByText(words.publish.draft.offline).waitFor();
  const beside = await context.newPage();
  await beside.goto(`${line.origin}/robots.txt`);
  while ((await waiting(beside)) !== 1);
  const nothingWaits = async () => {
    while ((await waiting(beside)) !== 0);
  };
  return { page, url, beside, nothingWaits };
}

/** Has the browser tell the worker that there is a connection again, as it does by itself, but some minutes later. */
async function wakeWorker(): Promise<void> {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  const found = Promise.withResolvers<string>();
  session.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
    const own = registrations.find(({ scopeURL }) => scopeURL.startsWith(line.origin));
    if (own !== undefined) found.resolve(own.registrationId);
  });
  await session.send("ServiceWorker.enable");
  await session.send("ServiceWorker.dispatchSyncEvent", {
    origin: line.origin,
    registrationId: await found.promise,
    tag: "send-drafts",
    lastChance: false,
  });
}

/** Forms that arrived. */
const arrived = () =>
  site.sent.map(({ body }) => Buffer.from(body).toString()).filter((body) => body.includes(NOTE));

/** Sightings on the alert once the finder has confirmed all that was asked for. */
async function sightings(url: string) {
  expect(await site.world.emails(FINDER)).toHaveLength(1);
  await site.world.confirm(FINDER);
  return (await site.world.text(new URL(url).pathname)).split(NOTE).length - 1;
}

describe("a sighting that was written without a connection", () => {
  test(
    "is sent by the worker once its page is closed, once only, and says when the animal was seen",
    async () => {
      const { page, url, beside, nothingWaits } = await sendInVain();
      const tags = () =>
        page.evaluate(async () => (await navigator.serviceWorker.ready).sync.getTags());
      await until(async () => (await tags()).join() === "send-drafts");
      await page.close();
      expect(await site.world.emails(FINDER)).toEqual([]);
      const seen = new Date(await beside.evaluate(olderBy, 5 * HOUR));
      line.mend();
      await wakeWorker();
      await nothingWaits();
      await wakeWorker();

      expect(arrived().join()).toContain(`name="seenHour"\r\n\r\n${seen.getHours()}\r\n`);
      expect(await sightings(url)).toBe(1);
    },
    PATIENCE_MS,
  );

  atNight(test)(
    "is sent once, too, if the page and the worker send it at the same time",
    async () => {
      const { page, url, nothingWaits } = await sendInVain();
      line.mend();
      await Promise.all([send(page), wakeWorker()]);
      await page.waitForURL("**/waiting/**");
      await nothingWaits();

      expect(await sightings(url)).toBe(1);
    },
    PATIENCE_MS,
  );

  test(
    "is sent when any page is opened where browsers have no Background Sync, but not by its own form",
    async () => {
      await context.addInitScript(() => {
        delete ServiceWorkerRegistration.prototype.sync;
      });
      const { page, url, beside, nothingWaits } = await sendInVain();
      const form = page.url();
      await page.close();
      line.mend();
      await beside.goto(form);
      await beside.getByText(words.publish.draft.restored).waitFor();
      expect(await site.world.emails(FINDER)).toEqual([]);
      await beside.goto(`${line.origin}/about`);
      await nothingWaits();

      expect(await sightings(url)).toBe(1);
    },
    PATIENCE_MS,
  );

  atNight(test)(
    "is erased after twelve hours",
    async () => {
      const { page, beside, nothingWaits } = await sendInVain();
      await page.close();
      await beside.evaluate(olderBy, 12 * HOUR);
      line.mend();
      await wakeWorker();
      await nothingWaits();

      expect((await keptBy(beside)).device).toEqual([]);
      expect(await site.world.emails(FINDER)).toEqual([]);
    },
    PATIENCE_MS,
  );

  test(
    "and that is refused stays in its form, and is not sent again",
    async () => {
      const { page, beside, nothingWaits } = await sendInVain();
      await page.close();
      await site.world.post(`${await site.world.linkTo(LOST_CAT.email, "/manage/")}/remove`);
      line.mend();
      await wakeWorker();
      await nothingWaits();
      await wakeWorker();

      expect((await keptBy(beside)).device).toHaveLength(1);
      expect(arrived()).toHaveLength(1);
    },
    PATIENCE_MS,
  );
});

// Runs inside the page.
/** Makes the kept draft older; resolves to its new time. */
function olderBy(ms: number): Promise<number> {
  return new Promise((resolve) => {
    const request = indexedDB.open("pet-alert", 1);
    request.onsuccess = () => {
      const store = request.result.transaction("drafts", "readwrite").objectStore("drafts");
      store.openCursor().onsuccess = ({ target }: any) => {
        const { value } = target.result;
        const savedAt = value.savedAt - ms;
        target.result.update({ ...value, savedAt }).onsuccess = () => resolve(savedAt);
      };
    };
  });
}

declare const indexedDB: any;
declare const navigator: {
  serviceWorker: { ready: Promise<{ sync: { getTags(): Promise<string[]> } }> };
};
declare const ServiceWorkerRegistration: { readonly prototype: { sync?: unknown } };
