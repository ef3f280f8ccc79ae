import { afterEach, beforeEach, describe, expect } from "bun:test";
import type { BrowserContext, Page } from "playwright-core";
import { PAGE_MESSAGES } from "../../src/messages/messages.ts";
import { HOUR } from "../support/time.ts";
import { FINDER } from "../support/world.ts";
import { scratchFolder } from "../support/process.ts";
import { browserTests, openProfile } from "./chromium.ts";
import { headingOf, loads, nextStep } from "./page-actions.ts";
import {
  fillIn,
  FILLED_IN,
  goThrough,
  isKept,
  keptBy,
  openForm,
  OWNER,
  send as press,
} from "./publish-form.ts";
import { openSite, type Site } from "./site.ts";
import { atNight } from "../support/nightly.ts";

const { test } = browserTests;
const words = PAGE_MESSAGES.en;
const CHIP = "985112345678901";
/** Of a pin, in a hidden field. */
const LATITUDE = "45.7654";
const PATIENCE_MS = 180_000;

let site: Site;
let profile: ReturnType<typeof scratchFolder>;
let context: BrowserContext;

beforeEach(async () => {
  site = await openSite();
  profile = scratchFolder();
  context = await openProfile(profile.path);
});
afterEach(async () => {
  await context.close();
  expect(site.world.logged).toEqual([]);
  await site.end();
  profile.forget();
});

const form = () => openForm(context, site.origin);
const restored = (page: Page) => page.getByText(words.publish.draft.restored);
const colorOf = (page: Page) => page.getByLabel(words.publish.color).inputValue();

/** Opens the form in a browser whose clock stands at an hour of today, or of tomorrow from 24. */
async function formAt(hour: number): Promise<Page> {
  const page = await context.newPage();
  // The worker, which also erases what is over, keeps the clock of the machine.
  await page.addInitScript(() => {
    delete Navigator.prototype.serviceWorker;
  });
  await page.clock.setFixedTime(new Date().setHours(hour, 0, 0, 0));
  await page.goto(`${site.origin}/publish?type=lost`);
  await page.getByRole("button", { name: words.publish.steps.next }).first().waitFor();
  return page;
}

/** Alerts once the owner has confirmed all that was asked for. */
async function published() {
  await site.world.confirm(OWNER);
  return (await site.world.json("/api/v1/alerts")).alerts;
}

describe("a form for a new alert", () => {
  test(
    "survives a lost answer and a closed browser, and is the same request hours later",
    async () => {
      const first = await form();
      await fillIn(first);
      await first.route("**/publish", async (route) => {
        if (route.request().method() !== "POST") return route.continue();
        await route.fetch({ maxRedirects: 0 });
        await route.abort("connectionreset");
      });
      await press(first);
      await first.getByText(words.publish.draft.offline).waitFor();
      await context.close();
      site.world.jump(5 * HOUR);

      context = await openProfile(profile.path);
      const page = await form();
      await restored(page).waitFor();
      expect(await goThrough(page)).toEqual(FILLED_IN);
      await press(page);
      await page.waitForURL("**/waiting/**");

      expect(await headingOf(page)).toBe(words.waiting.title);
      expect(await site.world.emails(OWNER)).toHaveLength(1);
      const alerts = await published();
      expect(alerts.map(({ photos }: { photos: unknown[] }) => photos.length)).toEqual([3]);
      expect(await colorOf(await form())).toBe("");
    },
    PATIENCE_MS,
  );

  test(
    "open in two tabs is sent once, and the other tab does not bring it back",
    async () => {
      const first = await form();
      await fillIn(first);
      const second = await form();
      await restored(second).waitFor();
      await press(first);
      await first.waitForURL("**/waiting/**");

      const third = await form();
      expect(await colorOf(third)).toBe("");
      await nextStep(second);
      await second.getByLabel(words.publish.place.lost).fill("Lyon");
      await nextStep(second);
      await second.getByLabel(words.field.email).fill(OWNER);
      await press(second);
      await second.waitForURL("**/waiting/**");
      expect(await site.world.emails(OWNER)).toHaveLength(1);
      expect(await published()).toHaveLength(1);
      expect(await colorOf(await form())).toBe("");
    },
    PATIENCE_MS,
  );

  test(
    "begins empty for a found animal beside that of a lost one, and is forgotten where that is asked for",
    async () => {
      const page = await form();
      await fillIn(page);
      const found = await context.newPage();
      await found.goto(`${site.origin}/publish?type=found`);
      await found.getByRole("button", { name: words.publish.steps.next }).first().waitFor();
      expect(await colorOf(found)).toBe("");
      const other = await form();
      await restored(other).waitFor();
      await page.close();
      await loads(other, () =>
        other.getByRole("button", { name: words.publish.draft.forget }).click(),
      );
      await other.getByRole("button", { name: words.publish.steps.next }).first().waitFor();

      expect(await isKept(other)).toBe(false);
      expect(await colorOf(other)).toBe("");
      await other.close();
      expect(await colorOf(await form())).toBe("");
    },
    PATIENCE_MS,
  );

  atNight(test)(
    "is kept for twelve hours, by a clock that is behind or ahead, too, with the day on which it was written",
    async () => {
      const first = await formAt(20);
      await fillIn(first);
      const today = await first.evaluate(() => new Date().toLocaleDateString("sv"));
      const chosen = (page: Page) =>
        page.evaluate(() => ({
          day: document.querySelector("[name=day]:checked")?.value,
          date: document.querySelector("#field-eventDate")?.value,
        }));

      for (const [hour, choice] of [
        [9, null],
        [21, { day: "today", date: "" }],
        [31, { day: "date", date: today }],
      ] as const) {
        const page = await formAt(hour);
        expect(await colorOf(page)).toBe("grey tabby");
        if (choice !== null) expect(await chosen(page)).toEqual(choice);
        await page.close();
      }
      const late = await formAt(33);
      expect(await colorOf(late)).toBe("");
      expect((await keptBy(late)).device).toEqual([]);
    },
    PATIENCE_MS,
  );

  test(
    "keeps the address, the place and the chip number in its tab only",
    async () => {
      const page = await form();
      await page.getByText(words.publish.more).click();
      await page.getByLabel(words.publish.microchip).fill(CHIP);
      await fillIn(page);
      await page.evaluate(`(() => {
        const field = document.querySelector("[name=lat]");
        field.value = "${LATITUDE}";
        field.dispatchEvent(new Event("input", { bubbles: true }));
      })()`);
      while (!(await isKept(page, [OWNER, CHIP, LATITUDE])));
      const { device } = await keptBy(page);
      expect(JSON.stringify(device)).toContain("grey tabby");
      for (const secret of [OWNER, CHIP, "Lyon", LATITUDE])
        expect(JSON.stringify(device)).not.toContain(secret);

      const valuesOf = (of: Page) =>
        of.evaluate(() =>
          ["color", "place", "email", "microchip"].map(
            (name) => document.querySelector(`[name=${name}]`)?.value,
          ),
        );
      await page.reload();
      await restored(page).waitFor();
      expect(await valuesOf(page)).toEqual([...FILLED_IN, CHIP]);
      const next = await form();
      await restored(next).waitFor();
      expect(await valuesOf(next)).toEqual(["grey tabby", "", "", ""]);
    },
    PATIENCE_MS,
  );

  test(
    "is kept with its photos, too, when it came back with errors",
    async () => {
      const page = await form();
      await fillIn(page);
      await page.getByRole("button", { name: words.publish.steps.back }).last().click();
      await page.getByLabel(words.publish.place.lost).fill("Xyzzyburgh");
      await nextStep(page);
      await loads(page, () => press(page));
      await page.getByRole("alert").waitFor();
      await page.getByLabel(words.publish.place.lost).fill("Lyon");
      await nextStep(page);
      while (!(await isKept(page, FILLED_IN)));
      await context.close();

      context = await openProfile(profile.path);
      const again = await form();
      await again.getByRole("img", { name: "Photo 3" }).waitFor();
      expect(await colorOf(again)).toBe("grey tabby");
    },
    PATIENCE_MS,
  );
});

describe("a message", () => {
  const TEXT = "She sits in our garden.";
  const typed = (page: Page) =>
    Promise.all(
      [words.contact.message, words.contact.name, words.field.email].map((label) =>
        page.getByLabel(label).inputValue(),
      ),
    );

  atNight(test)(
    "is kept by its tab alone until it was sent in vain, and is forgotten where that is asked for",
    async () => {
      const { contact_url: address } = await site.world.publish();
      const open = async () => {
        const page = await context.newPage();
        await page.goto(address);
        return page;
      };
      const page = await open();
      await page.getByLabel(words.contact.message).fill(TEXT);
      await page.getByLabel(words.contact.name).fill("Jo");
      await page.getByLabel(words.field.email).fill(FINDER);
      await page.getByLabel(words.contact.name).focus();
      while (!(await keptBy(page)).tab.includes(FINDER));
      expect((await keptBy(page)).device).toEqual([]);
      await page.reload();
      await restored(page).waitFor();
      expect(await typed(page)).toEqual([TEXT, "Jo", FINDER]);
      const beside = await open();
      expect(await typed(beside)).toEqual(["", "", ""]);
      expect(await restored(beside).count()).toBe(0);

      await context.setOffline(true);
      await press(page);
      await page.getByText(words.publish.draft.offline).waitFor();
      await context.close();
      context = await openProfile(profile.path);
      const again = await open();
      await restored(again).waitFor();
      expect(await typed(again)).toEqual([TEXT, "Jo", FINDER]);

      await loads(again, () =>
        again.getByRole("button", { name: words.publish.draft.forget }).click(),
      );
      expect(await typed(again)).toEqual(["", "", ""]);
      const { device, tab } = await keptBy(again);
      expect(JSON.stringify([device, tab])).not.toContain(FINDER);
    },
    PATIENCE_MS,
  );
});

declare const Navigator: { readonly prototype: { serviceWorker?: unknown } };
declare const document: {
  querySelector(selector: string): { readonly value: string } | null;
};
