import { expect } from "bun:test";
import { PAGE_MESSAGES } from "../../src/messages/messages.ts";
import { LOST_CAT } from "../support/world.ts";
import { createJourneys } from "./browser-session.ts";
import { headingOf } from "./page-actions.ts";

const { journey } = createJourneys();
const words = PAGE_MESSAGES.en;

journey(
  "a lost connection shows a page of ours, and no private page is kept",
  async ({ page, world }) => {
    await world.publish();
    await page.goto("/");
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => null));
    await page.goto(await world.linkTo(LOST_CAT.email, "/manage/"));
    expect(await headingOf(page)).toBe(words.manage.title);

    const kept = await page.evaluate(async () => {
      const names = await caches.keys();
      const lists = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
      return lists.flat().map(({ url }: { url: string }) => new URL(url).pathname);
    });
    await page.context().setOffline(true);
    await page.goto("/about").catch(() => {});

    expect(await headingOf(page)).toBe(words.offline.title);
    expect(
      kept.filter(
        (path: string) =>
          !/^\/(?:offline|style\.css|icon\.svg|scripts\/[\w-]+\.(?:js|css))$/.test(path),
      ),
    ).toEqual([]);
    expect(kept.length).toBeGreaterThan(5);
    await page.context().setOffline(false);
  },
  { serviceWorkers: "allow" },
);

declare const navigator: { serviceWorker: { ready: Promise<unknown> } };
declare const caches: {
  keys(): Promise<string[]>;
  open(name: string): Promise<{ keys(): Promise<readonly { url: string }[]> }>;
};
