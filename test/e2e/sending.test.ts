import { expect } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { PAGE_MESSAGES } from "../../src/messages/messages.ts";
import { MINUTE } from "../support/time.ts";
import { breakingLine } from "./breaking-line.ts";
import { browserTests, closePages, openChromium, START_MS_MAX } from "./chromium.ts";
import { fillIn, openForm, OWNER, send, stopClock } from "./publish-form.ts";
import { openSite, type Site } from "./site.ts";

// Lost requests are what these tests are about, so they go without a session that counts them as errors.
const { afterAll, afterEach, beforeAll, beforeEach, test } = browserTests;
const words = PAGE_MESSAGES.en;
const { draft } = words.publish;
const PATIENCE_MS = 120_000;

let chromium: Browser;
let site: Site;
let page: Page;
beforeAll(async () => {
  chromium = await openChromium();
}, START_MS_MAX);
afterAll(() => closePages(chromium));
beforeEach(async () => {
  site = await openSite();
  const screen = { viewport: { width: 390, height: 844 }, locale: "en" };
  const context = await chromium.newContext({ ...screen, serviceWorkers: "block" });
  page = await openForm(context, site.origin);
  await fillIn(page);
});
afterEach(async () => {
  await page.context().close();
  expect(site.world.logged).toEqual([]);
  await site.end();
});

test(
  "a form that is cut off half way is sent again, whole and once",
  async () => {
    const line = breakingLine(() => Number(new URL(behind.origin).port), 2_500);
    const behind = await openSite({ BASE_URL: line.origin });
    const context = await chromium.newContext({ locale: "en", serviceWorkers: "block" });
    const cut = await openForm(context, line.origin);
    await fillIn(cut);
    await stopClock(cut);
    await send(cut);
    await cut.getByText(draft.offline).waitFor();
    expect(await behind.world.emails(OWNER)).toHaveLength(0);
    line.mend();
    await send(cut);
    await arrives(cut);

    expect(await behind.world.emails(OWNER)).toHaveLength(1);
    await behind.world.confirm(OWNER);
    const { alerts } = await behind.world.json("/api/v1/alerts");
    expect(alerts.map(({ photos }: { photos: unknown[] }) => photos.length)).toEqual([3]);
    expect(behind.world.logged).toEqual([]);
    await context.close();
    line.end();
    await behind.end();
  },
  PATIENCE_MS,
);

/** Answers to the posts of a form in turn, and then the server's own. */
async function answers(
  page: Page,
  ...posts: readonly ("lost" | "refused" | "busy" | "slow")[]
): Promise<{ readonly release: () => void }> {
  const left = [...posts];
  const slow = Promise.withResolvers<void>();
  await page.route("**/publish", async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    switch (left.shift()) {
      case "lost":
        await route.fetch({ maxRedirects: 0 });
        return route.abort("connectionreset");
      case "refused":
        return route.abort("connectionrefused");
      case "busy":
        return route.fulfill({ status: 503, body: "busy" });
      case "slow":
        await slow.promise;
        return route.continue();
      case undefined:
        return route.continue();
    }
  });
  return { release: slow.resolve };
}

const arrives = (page: Page) => page.waitForURL("**/waiting/**");
/** Tells a page that the connection is back. */
const reconnect = (page: Page) => page.evaluate(() => dispatchEvent(new Event("online")));
declare function dispatchEvent(event: Event): boolean;

test(
  "a form is one request however often its answer is lost, and is sent by itself when the connection is back",
  async () => {
    await answers(page, "lost", "lost", "refused");
    await stopClock(page);
    for (let tries = 0; tries < 3; tries++) {
      await send(page);
      await page.getByText(draft.offline).waitFor();
    }
    await reconnect(page);
    await arrives(page);

    expect(await site.world.emails(OWNER)).toHaveLength(1);
  },
  PATIENCE_MS,
);

test(
  "a form that a busy server refuses is sent again without a page of errors, and by its button after a while",
  async () => {
    await answers(page, "busy", "busy", "busy", "busy");
    await stopClock(page);
    await send(page);
    for (let tries = 1; tries < 4; tries++) {
      await page.getByText(draft.busy).waitFor();
      await Promise.all([page.waitForResponse("**/publish"), page.clock.fastForward(MINUTE)]);
    }
    await page.getByText(draft.failed).waitFor();
    await send(page);
    await arrives(page);

    expect(await site.world.emails(OWNER)).toHaveLength(1);
  },
  PATIENCE_MS,
);

test(
  "a form says that it is being sent, beside its button, and is sent once",
  async () => {
    const { release } = await answers(page, "slow");
    await send(page);
    const sending = page.getByRole("status").filter({ hasText: /^Sending…/ });
    await sending.waitFor();
    expect(await sending.boundingBox()).not.toBeNull();
    await send(page);
    await reconnect(page);
    release();
    await arrives(page);

    const posts = site.sent.filter(({ headers }) =>
      headers.get("Content-Type")?.startsWith("multipart/"),
    );
    expect(posts).toHaveLength(1);
    expect(await site.world.emails(OWNER)).toHaveLength(1);
  },
  PATIENCE_MS,
);
