import { expect } from "bun:test";
import type { Browser, BrowserContextOptions } from "playwright-core";
import { browserTests, CHROMIUM, closePages, openChromium, START_MS_MAX } from "./chromium.ts";
import { openSite } from "./site.ts";
import { openTab } from "./tab.ts";

export type BrowserSession = Awaited<ReturnType<typeof openBrowserSession>>;

type Journey = (session: BrowserSession) => Promise<void>;

/** Longest journey, on a busy machine. */
const JOURNEY_MS_MAX = 300_000;

/** Test functions of a file whose tests share one browser, by default the one without a window. */
export function createJourneys(program = CHROMIUM, tests = browserTests) {
  const { afterAll, beforeAll, test } = tests;
  let chromium: Browser;
  beforeAll(async () => {
    chromium = await openChromium(program);
  }, START_MS_MAX);
  afterAll(() => closePages(chromium));

  /** A test with a session of its own, which fails, too, if there was an error that no page showed. */
  const journey = (title: string, walk: Journey, options: BrowserContextOptions = {}) =>
    test(
      title,
      async () => {
        const session = await openBrowserSession(chromium, options);
        try {
          await walk(session);
        } finally {
          await session.close();
        }
        expect(session.errors()).toEqual([]);
      },
      JOURNEY_MS_MAX,
    );
  return {
    journey,
    /** A journey that must succeed with and without scripts. */
    journeyWithAndWithoutScripts(
      title: string,
      walk: Journey,
      options: BrowserContextOptions = {},
    ): void {
      journey(`${title} (with scripts)`, walk, options);
      journey(`${title} (with scripts off)`, walk, { ...options, javaScriptEnabled: false });
    },
  };
}

/** Own service and a browser tab on it, in English by default. */
export async function openBrowserSession(chromium: Browser, options: BrowserContextOptions = {}) {
  const site = await openSite();
  const context = await chromium.newContext({
    baseURL: site.origin,
    locale: "en",
    // It would answer in place of what a test has put on a route.
    serviceWorkers: "block",
    ...options,
  });
  const tab = await openTab(context, site);
  return {
    site,
    world: site.world,
    page: tab.page,
    /** False where the browser runs no scripts. */
    hasScripts: options.javaScriptEnabled !== false,
    /** Errors so far that no page showed. */
    errors: () => [...tab.heard(), ...site.world.logged],
    async close(): Promise<void> {
      await context.close();
      await site.end();
    },
  };
}
