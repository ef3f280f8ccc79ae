import { expect } from "bun:test";
import type { Browser, BrowserContextOptions } from "playwright-core";
import { openSite } from "./site.ts";
import { openTab } from "./tab.ts";

export type BrowserSession = Awaited<ReturnType<typeof openBrowserSession>>;

/** Timeout of a journey on a busy machine. */
export const JOURNEY_MS_MAX = 60_000;

const STEP_MS_MAX = 15_000;

/** Every journey runs with and without scripts. */
export const SCRIPTS = [
  ["with scripts", true],
  ["with scripts off", false],
] as const;

/** Own service and a browser tab on it, in English by default. */
export async function openBrowserSession(chromium: Browser, options: BrowserContextOptions = {}) {
  const site = await openSite();
  const context = await chromium.newContext({ baseURL: site.origin, locale: "en", ...options });
  context.setDefaultTimeout(STEP_MS_MAX);
  const tab = await openTab(context, site);
  return {
    site,
    world: site.world,
    tab,
    page: tab.page,
    /** Closes everything; fails if there was an error that no page showed. */
    async end(): Promise<void> {
      await context.close();
      await site.end();
      expect(tab.heard()).toEqual([]);
      expect(site.world.logged).toEqual([]);
    },
  };
}
