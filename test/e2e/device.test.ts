import { expect } from "bun:test";
import type { BrowserContextOptions, Page } from "playwright-core";
import { PAGE_MESSAGES } from "../../src/messages/messages.ts";
import { createPushDevice } from "../support/push-device.ts";
import { LOST_CAT } from "../support/world.ts";
import { createJourneys } from "./browser-session.ts";
import { WHOLE_CHROMIUM, wholeBrowserTests } from "./chromium.ts";
import { headingOf, press } from "./page-actions.ts";

const { journey } = createJourneys(WHOLE_CHROMIUM, wholeBrowserTests);
const words = PAGE_MESSAGES.en.device;
const WORKER: BrowserContextOptions = { serviceWorkers: "allow", permissions: ["notifications"] };

journey(
  "the worker shows a push, and one that it cannot read, and opens addresses of this site only",
  async ({ page, site }) => {
    await page.goto("/device");
    await page.evaluate(() => navigator.serviceWorker.register("/worker.js").then(() => null));
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => null));
    const deliver = await pushesTo(page, site.origin);

    const shown = { title: "Found cat – Lyon", body: "New in your area", lang: "fr", tag: "t" };
    await deliver(JSON.stringify({ web_push: 8030, notification: { ...shown, navigate: "/x" } }));
    await deliver("no JSON");
    await deliver("");

    await page.waitForFunction(async () => {
      const registration = await navigator.serviceWorker.ready;
      return (await registration.getNotifications()).length === 3;
    });
    const texts = await page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready;
      const all = await registration.getNotifications();
      return all.map(({ title, body, lang, tag }) => ({ title, body, lang, tag }));
    });
    expect(texts).toContainEqual(shown);
    expect(texts.map(({ title }) => title)).toContain(new URL(site.origin).host);

    const [worker] = page.context().serviceWorkers();
    const opened = await worker!.evaluate(async () => {
      const addresses: string[] = [];
      clients.openWindow = async (address) => void addresses.push(address);
      for (const data of ["/x", "https://evil.example/x", "javascript:alert(1)", ""]) {
        await registration.showNotification("pressed", { tag: "pressed", data });
        const [notification] = await registration.getNotifications({ tag: "pressed" });
        dispatchEvent(new NotificationEvent("notificationclick", { notification }));
      }
      return addresses;
    });
    const home = `${site.origin}/`;
    expect(opened).toEqual([`${home}x`, home, home, home]);

    const source = await page.evaluate(() => fetch("/worker.js").then((answer) => answer.text()));
    expect(source.length).toBeLessThan(6_000);
  },
  WORKER,
);

const PHONE = { width: 390, height: 760 };

journey(
  "whoever has confirmed an alert on a phone sees the offer at first glance, has this device told, and stops it",
  async ({ page, world }) => {
    await withSubscription(page, createPushDevice().subscription);
    await page.setViewportSize(PHONE);
    await world.tool("publish_alert", LOST_CAT);
    await page.goto(await world.linkTo(LOST_CAT.email, "/confirm/"));
    await press(page, PAGE_MESSAGES.en.confirm.publish.button);

    const offer = page.getByRole("button", { name: words.tellMe });
    const box = await offer.boundingBox();
    expect(box!.y + box!.height).toBeLessThan(PHONE.height);
    await offer.click();
    await page.getByText(PAGE_MESSAGES.en.manage.done.device).waitFor();
    await page.getByRole("heading", { name: PAGE_MESSAGES.en.plan.title.lost }).waitFor();
    const below = await page.locator("#plan").boundingBox();
    expect(below!.y + below!.height).toBeLessThan(PHONE.height);

    await page.getByRole("link", { name: words.title }).click();
    await page.getByRole("button", { name: words.stop }).waitFor();
    expect(await page.locator("main").innerText()).toContain("Mimi");
    await page.getByRole("button", { name: words.stop }).click();
    await page.waitForURL("**/device?done=stopped");
    await page.getByText(words.nothing).waitFor();
    expect(await headingOf(page)).toBe(words.title);
  },
  WORKER,
);

journey(
  "somebody is told of an area on this device without an address",
  async ({ page }) => {
    await withSubscription(page, createPushDevice().subscription);
    await page.goto("/subscribe");
    await page.getByRole("button", { name: words.onThisDevice }).click();
    await page.locator(".trouble").waitFor();
    await page.getByLabel(PAGE_MESSAGES.en.field.city).fill("Lyon");
    await page.getByLabel(PAGE_MESSAGES.en.subscribe.label).fill("Home");
    await page.getByRole("button", { name: words.onThisDevice }).click();
    await page.waitForURL("**/device?done=added");
    await page.getByRole("button", { name: words.stop }).waitFor();
    expect(await page.locator("main").innerText()).toContain("Home");
  },
  WORKER,
);

journey(
  "whoever forbids notices, or has a browser without them, is told what to do",
  async ({ page, world }) => {
    await page.goto("/subscribe");
    await page.getByRole("button", { name: words.onThisDevice }).click();
    await page.getByText(words.denied).waitFor();

    await page.addInitScript(() => {
      delete (globalThis as { PushManager?: unknown }).PushManager;
      Object.defineProperty(navigator, "userAgent", { value: "iPhone" });
    });
    await world.publish();
    await page.goto(await world.linkTo(LOST_CAT.email, "/manage/"));
    await page.getByText(words.install).waitFor();
    expect(await page.getByRole("button", { name: words.tellMe }).isVisible()).toBeFalse();
  },
  { serviceWorkers: "allow" },
);

/** Function that has a push arrive at the worker of a site, as a push service would. */
async function pushesTo(page: Page, origin: string): Promise<(data: string) => Promise<void>> {
  const session = await page.context().newCDPSession(page);
  const found = Promise.withResolvers<string>();
  session.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
    const own = registrations.find(({ scopeURL }) => scopeURL.startsWith(origin));
    if (own !== undefined) found.resolve(own.registrationId);
  });
  await session.send("ServiceWorker.enable");
  const registrationId = await found.promise;
  return async (data) => {
    await session.send("ServiceWorker.deliverPushMessage", { origin, registrationId, data });
  };
}

/** Gives the browser a subscription, since no push service can be reached here. */
async function withSubscription(
  page: Page,
  subscription: { endpoint: string; p256dh: string; auth: string },
): Promise<void> {
  await page.addInitScript(({ endpoint, ...keys }) => {
    const given = {
      endpoint,
      options: {},
      unsubscribe: async () => true,
      toJSON: () => ({ keys }),
    };
    const isOn = () => localStorage.getItem("subscribed") !== null;
    Object.assign(PushManager.prototype, {
      getSubscription: async () => (isOn() ? given : null),
      subscribe: async () => {
        localStorage.setItem("subscribed", "yes");
        return given;
      },
    });
  }, subscription);
}

declare const PushManager: { readonly prototype: object };
declare const clients: { openWindow(address: string): Promise<void> };
declare const registration: {
  showNotification(title: string, options: { tag: string; data: unknown }): Promise<void>;
  getNotifications(which: { tag: string }): Promise<readonly unknown[]>;
};
declare function dispatchEvent(event: Event): void;
declare const NotificationEvent: new (type: string, init: { notification: unknown }) => Event;
declare const localStorage: {
  getItem(name: string): string | null;
  setItem(name: string, value: string): void;
};
type Shown = {
  readonly title: string;
  readonly body: string;
  readonly lang: string;
  readonly tag: string;
};
declare const navigator: {
  serviceWorker: {
    register(address: string): Promise<unknown>;
    ready: Promise<{ getNotifications(): Promise<readonly Shown[]> }>;
  };
};
