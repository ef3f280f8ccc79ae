import { expect } from "bun:test";
import type { Browser, BrowserContextOptions } from "playwright-core";
import { openSite } from "./site.ts";
import { openTab } from "./tab.ts";

export type Stage = Awaited<ReturnType<typeof openStage>>;

/** How long a journey may take on a machine that is busy. */
export const JOURNEY_MS_MAX = 60_000;

const STEP_MS_MAX = 15_000;

/** With scripts and without: every journey goes through the same doors. */
export const SCRIPTS = [
  ["with scripts", true],
  ["with scripts off", false],
] as const;

/** A service of its own and somebody in front of it, in English unless told otherwise. */
export async function openStage(chromium: Browser, options: BrowserContextOptions = {}) {
  const site = await openSite();
  const context = await chromium.newContext({ baseURL: site.origin, locale: "en", ...options });
  context.setDefaultTimeout(STEP_MS_MAX);
  const tab = await openTab(context, site);
  return {
    site,
    world: site.world,
    tab,
    page: tab.page,
    /** Closes it all; fails when something went wrong that no page showed. */
    async end(): Promise<void> {
      await context.close();
      await site.end();
      expect(tab.heard()).toEqual([]);
      expect(site.world.logged).toEqual([]);
    },
  };
}
