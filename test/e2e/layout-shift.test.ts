import { expect } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { browserTests, closePages, openChromium, START_MS_MAX } from "./chromium.ts";
import { PLAIN_TEXTS } from "./sample-data.ts";
import { openSite, type Site } from "./site.ts";
import { createUserActions, HOME, makePhotos } from "./user-actions.ts";
import { atNight } from "../support/nightly.ts";

const { afterAll, beforeAll, test } = browserTests;

/** Largest score of all shifts of a page together: https://web.dev/articles/cls calls up to 0.1 good. */
const SHIFT_MAX = 0.05;
const SCREENS = [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
] as const;
const ALERTS_WITH_PHOTOS = 6;

let chromium: Browser;
let site: Site;
let alert: { readonly page: string; readonly manage: string; readonly sighting: string };

beforeAll(async () => {
  chromium = await openChromium();
  site = await openSite();
  const { publish, hang, askToTell, confirmed } = createUserActions(site.world, PLAIN_TEXTS);
  for (let number = 0; number < ALERTS_WITH_PHOTOS; number++) {
    alert = await publish(`photo${number}@example.org`, { ...HOME, name: "Zorro" });
    await hang(alert.manage, await makePhotos(1 + (number % 2)));
  }
  await confirmed((await askToTell("passer-by@example.org", alert.sighting)).confirm);
}, START_MS_MAX);

afterAll(async () => {
  await closePages(chromium);
  await site?.end();
});

const LOOKED_AT: readonly (readonly [name: string, at: () => string])[] = [
  ["the home page", () => "/"],
  ["a search around a town", () => "/?place=Lyon,+France&radius_km=25"],
  ["an alert's page", () => alert.page],
  ["the page to publish", () => "/publish?type=lost"],
];

test.each(LOOKED_AT)(
  "%s stays in place while its photos, scripts and map arrive",
  async (_, at) => {
    for (const screen of SCREENS) {
      const page = await chromium.newPage({ viewport: screen, serviceWorkers: "block" });
      await page.addInitScript(OBSERVE_SHIFTS);
      await page.goto(new URL(at(), site.origin).href, { waitUntil: "networkidle" });
      await scrollThrough(page);

      const shifts = await page.evaluate<{ value: number; nodes: string[] }[]>("shifts");
      const photos = await page.evaluate<number>("document.images.length");
      await page.close();

      const total = shifts.reduce((sum, { value }) => sum + value, 0);
      expect(total, Bun.inspect([screen, shifts])).toBeLessThan(SHIFT_MAX);
      if (!at().startsWith("/publish")) expect(photos).toBeGreaterThan(1);
    }
  },
  120_000,
);

atNight(test).each([
  ...LOOKED_AT,
  ["the private page of an alert that was seen", () => alert.manage] as const,
])(
  "%s stays in place while its HTML arrives bit by bit",
  async (_, at) => {
    const slow = serveInPieces(site.origin);
    const page = await chromium.newPage({ viewport: SCREENS[1], serviceWorkers: "block" });
    await page.addInitScript(OBSERVE_SHIFTS);
    const { pathname, search } = new URL(at(), site.origin);
    await page.goto(`${slow.origin}${pathname}${search}`, { waitUntil: "commit" });
    let paintedEarly = 0;
    for (let isMore = true; isMore;) {
      // Two frames: the piece is laid out and painted before the next one comes.
      await page.evaluate(
        "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))",
      );
      isMore = slow.sendNext();
      if (isMore)
        paintedEarly += await page.evaluate<number>("performance.getEntriesByType('paint').length");
    }
    await page.waitForLoadState("load");

    const shifts = await page.evaluate<{ value: number; nodes: string[] }[]>("shifts");
    await page.close();
    await slow.end();
    expect(
      shifts.reduce((sum, { value }) => sum + value, 0),
      Bun.inspect(shifts),
    ).toBeLessThan(SHIFT_MAX);
    expect(paintedEarly).toBeGreaterThan(0);
  },
  120_000,
);

test("a page that does move is noticed", async () => {
  const page = await chromium.newPage({ viewport: SCREENS[0], serviceWorkers: "block" });
  await page.addInitScript(OBSERVE_SHIFTS);
  await page.goto(`${site.origin}/about`, { waitUntil: "networkidle" });
  await page.evaluate(
    "document.querySelector('main').insertAdjacentHTML('afterbegin', '<p>'.padEnd(900, 'late text '))",
  );
  await page.waitForFunction("shifts.length > 0");

  const shifts = await page.evaluate<{ value: number }[]>("shifts");
  await page.close();
  expect(shifts.reduce((sum, { value }) => sum + value, 0)).toBeGreaterThan(SHIFT_MAX);
});

const PIECES = 24;

/** The site over a slow line: the first page is sent in pieces, each when it is called for; all else comes whole. */
function serveInPieces(origin: string) {
  const pieces: Uint8Array[] = [];
  let page: ReadableStreamDefaultController<Uint8Array> | null = null;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    development: false,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const answer = await fetch(`${origin}${pathname}${search}`);
      const type = answer.headers.get("Content-Type") ?? "";
      if (page !== null) return new Response(answer.body, { headers: { "Content-Type": type } });
      const html = await answer.bytes();
      // Nothing is painted before the body begins.
      const begin = Buffer.from(html).indexOf("<main");
      pieces.push(html.slice(0, begin));
      const length = Math.ceil((html.length - begin) / PIECES);
      for (let at = begin; at < html.length; at += length) pieces.push(html.slice(at, at + length));
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          page = controller;
          controller.enqueue(pieces.shift()!);
        },
      });
      return new Response(body, { headers: { "Content-Type": type } });
    },
  });
  return {
    origin: `http://127.0.0.1:${server.port}`,
    /** Sends the next piece; false if that was the last. */
    sendNext(): boolean {
      const piece = pieces.shift();
      if (piece !== undefined) page?.enqueue(piece);
      if (pieces.length === 0) page?.close();
      return pieces.length > 0;
    },
    end: () => server.stop(true),
  };
}

const OBSERVE_SHIFTS = `
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries())
      if (!hadRecentInput)
        window.shifts.push({ value, nodes: sources.map(({ node }) => node?.className || node?.nodeName || "") });
  }).observe({ type: "layout-shift", buffered: true });
`;

/** Goes down the page, so that all lazy photos and the map arrive while somebody looks at them. */
async function scrollThrough(page: Page): Promise<void> {
  await page.evaluate(`(async () => {
    const frame = () => new Promise(requestAnimationFrame);
    for (let top = 0; top < document.documentElement.scrollHeight; top += 400) {
      scrollTo(0, top);
      await frame();
      await frame();
      // What is in sight and loads late arrives before it is scrolled away.
      const isLate = (image) => {
        const { top, bottom, width } = image.getBoundingClientRect();
        return width > 0 && bottom > 0 && top < innerHeight && !image.complete;
      };
      for (let frames = 0; frames < 600 && [...document.images].some(isLate); frames++) await frame();
    }
  })()`);
  await page.waitForLoadState("networkidle");
}
