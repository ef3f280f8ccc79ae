import { expect } from "bun:test";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { MESSAGES } from "../../src/http/web/messages/messages.ts";
import { fr as frenchLetters } from "../../src/mail/messages/fr.ts";
import { LOST_CAT } from "../support/world.ts";
import { browserTests, openChromium } from "./chromium.ts";
import { go, headingOf, loads, press, tabTo } from "./page-actions.ts";
import { INSTALL_MS_MAX } from "../support/system-programs.ts";
import {
  JOURNEY_MS_MAX,
  openBrowserSession,
  SCRIPTS,
  type BrowserSession,
} from "./browser-session.ts";

const { afterAll, afterEach, beforeAll, beforeEach, describe, test } = browserTests;

const words = MESSAGES.en;
const OWNER = LOST_CAT.email;
const READER = "reader@example.net";
/** Exact position of a passer-by. */
const STANDING = { latitude: 45.7591234, longitude: 4.8512345 };
const TRACES = ["45.7591", "4.8512"];

let chromium: Browser;
let session: BrowserSession;
let page: Page;

beforeAll(async () => {
  chromium = await openChromium();
}, INSTALL_MS_MAX);
afterAll(() => chromium?.close());
afterEach(() => session.end());

async function enter(options: BrowserContextOptions = {}): Promise<void> {
  session = await openBrowserSession(chromium, options);
  page = session.page;
}

describe.each(SCRIPTS)("%s", (_, javaScriptEnabled) => {
  beforeEach(() => enter({ javaScriptEnabled }));

  test(
    "the chosen language stays on the same page, on the next ones and in emails",
    async () => {
      const french = MESSAGES.fr;
      await session.world.publish();
      await page.goto("/?q=mimi&type=lost");

      await go(page, french.ownName);
      expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
        q: "mimi",
        type: "lost",
        lang: "fr",
      });
      expect(await headingOf(page)).toBe(french.home.title);
      await go(page, french.named(french.headline.lost.cat, "Mimi"));
      await go(page, french.contact.title.owner);
      expect(new URL(page.url()).search).toBe("");
      await page.getByLabel(french.contact.message).fill("Vue hier soir près du pont.");
      await page.getByLabel(french.field.email).fill(READER);
      await press(page, french.continue);

      const [letter] = await session.world.emails(READER);
      expect(letter?.text).toContain(frenchLetters.confirm.message.title);
    },
    JOURNEY_MS_MAX,
  );
});

describe("a search by place with the keyboard alone", () => {
  test(
    "completes the town, searches around it and opens an alert",
    async () => {
      await enter();
      await session.world.publish();
      await session.world.publish({ name: "Bella", email: "b@example.org", lat: 41.9, lng: 12.5 });
      await page.goto("/");

      await tabTo(page, words.home.place);
      await page.keyboard.type("Lyo");
      await page.locator("#towns option").first().waitFor({ state: "attached" });
      const offered = await page.locator("#towns option").first().getAttribute("value");
      // A browser without a screen shows no list: the rest is typed.
      await page.keyboard.type(offered?.slice("Lyo".length) ?? "");
      await pinIsAt("45.75");
      await tabTo(page, words.home.button);
      await loads(page, () => page.keyboard.press("Enter"));

      expect(offered).toBe("Lyon, France");
      const heading = page.getByRole("heading", { level: 2 }).first();
      expect(await heading.innerText()).toBe(words.home.around(50, "Lyon, France"));
      expect(await page.getByRole("link", { name: "Bella" }).count()).toBe(0);
      await tabTo(page, "Lost cat: Mimi");
      await loads(page, () => page.keyboard.press("Enter"));
      expect(await headingOf(page)).toBe("Lost cat: Mimi");
    },
    JOURNEY_MS_MAX,
  );

  test(
    "takes a town as it was typed where no script completes it",
    async () => {
      await enter({ javaScriptEnabled: false });
      await session.world.publish();
      await page.goto("/");

      await tabTo(page, words.home.place);
      await page.keyboard.type("lyon");
      await loads(page, () => page.keyboard.press("Enter"));

      const heading = page.getByRole("heading", { level: 2 }).first();
      expect(await heading.innerText()).toBe(words.home.around(50, "Lyon, France"));
      expect(await page.getByRole("link", { name: "Mimi" }).count()).toBe(1);
    },
    JOURNEY_MS_MAX,
  );
});

describe("an area to watch", () => {
  test(
    "is a circle around a pin on the map, which the keyboard moves as well",
    async () => {
      await enter();
      await page.goto("/subscribe?lat=45.77&lng=4.83&radius_km=10");

      const map = page.getByRole("application");
      await map.focus();
      await page.keyboard.press("ArrowUp");
      await pinIsAt("45.78");
      await page.locator("path.map-picked").waitFor();
      await page.getByLabel(words.subscribe.radius).selectOption("25");
      await page.getByLabel(words.field.email).fill(READER);
      await press(page, words.continue);

      expect(await headingOf(page)).toBe(words.waiting.title);
      await confirmZone(["25\u00a0km", "45.78, 4.83"]);
      await expectLetterAbout({ lat: 45.78, lng: 4.83 });
    },
    JOURNEY_MS_MAX,
  );

  test(
    "lies around a town where there is no map",
    async () => {
      await enter({ javaScriptEnabled: false });
      await page.goto("/subscribe");

      await page.getByLabel(words.field.city).fill("Lyon");
      await page.getByLabel(words.subscribe.label).fill("Home");
      await page.getByLabel(words.field.email).fill(READER);
      await press(page, words.continue);

      await confirmZone(["5\u00a0km", "Lyon", "45.75, 4.85"]);
      await expectLetterAbout({ lat: 45.75, lng: 4.85 });
    },
    JOURNEY_MS_MAX,
  );

  async function confirmZone(circle: readonly string[]): Promise<void> {
    await page.goto(await session.world.linkTo(READER, "/confirm/"));
    const told = await page.locator("dl").innerText();
    for (const part of circle) expect(told).toContain(part);
    await press(page, words.confirm.zone.button);
    expect(await headingOf(page)).toBe(words.confirm.zone.doneTitle);
  }

  async function expectLetterAbout(place: { lat: number; lng: number }): Promise<void> {
    const before = (await session.world.emails(READER)).length;
    await session.world.publish({ ...place, email: OWNER });
    expect(await session.world.emails(READER)).toHaveLength(before + 1);
  }
});

describe("an animal seen by a passer-by", () => {
  test(
    "is reported with the position of the phone, of which only the cell is sent",
    async () => {
      await enter({ permissions: ["geolocation"], geolocation: STANDING });
      const alert = await session.world.publish();

      await page.goto(`/a/${alert.short_code}`);
      await go(page, words.sighting.link);
      await page.getByRole("button", { name: words.map.locate }).click();
      await pinIsAt("45.76");
      await page.getByLabel(words.sighting.note).fill("By the river, limping.");
      await page.getByLabel(words.field.email).fill(READER);
      await press(page, words.continue);
      await confirmSighting();

      await page.goto(alert.url);
      const told = await page.locator(".sightings").innerText();
      expect(told).toContain("By the river, limping.");
      expect(told).toContain("Lyon");
      const letter = (await session.world.emails(OWNER)).at(-1);
      expect(letter?.text).toContain("By the river, limping.");
      expect(letter?.text).not.toContain(READER);
      const sent = session.site.sent.map(({ url, body }) => `${url} ${Buffer.from(body)}`).join();
      expect(sent).toContain("45.76");
      for (const trace of TRACES) expect(sent).not.toContain(trace);
    },
    JOURNEY_MS_MAX,
  );

  test(
    "is reported with the name of the town when scripts are off",
    async () => {
      await enter({ javaScriptEnabled: false });
      const alert = await session.world.publish();

      await page.goto(alert.url);
      await go(page, words.sighting.link);
      await page.getByLabel(words.sighting.place).fill("Lyon");
      await page.getByLabel(words.sighting.when).selectOption(words.sighting.hoursAgo(2));
      await page.getByLabel(words.field.email).fill(READER);
      await press(page, words.continue);
      await confirmSighting();

      await page.goto(alert.url);
      expect(await page.locator(".sightings li").count()).toBe(1);
    },
    JOURNEY_MS_MAX,
  );

  async function confirmSighting(): Promise<void> {
    expect(await headingOf(page)).toBe(words.waiting.title);
    await page.goto(await session.world.linkTo(READER, "/confirm/"));
    await press(page, words.confirm.sighting.button);
    expect(await headingOf(page)).toBe(words.confirm.sighting.doneTitle);
  }
});

test(
  '"near me" searches around the reader, whose exact place stays in the browser',
  async () => {
    await enter({ permissions: ["geolocation"], geolocation: STANDING });
    await session.world.publish();
    await page.goto("/");

    await press(page, words.home.nearMe);

    const { searchParams } = new URL(page.url());
    expect(searchParams.get("lat")).toBe("45.76");
    expect(await page.getByRole("link", { name: "Mimi" }).count()).toBe(1);
    await page.locator(".leaflet-tile-loaded").first().waitFor();
    const sent = session.site.sent.map(({ url }) => url).join();
    for (const trace of TRACES) expect(sent).not.toContain(trace);
  },
  JOURNEY_MS_MAX,
);

/** Waits until a script has put the form's position there; a hidden field shows its value as an attribute. */
function pinIsAt(lat: string): Promise<void> {
  return page.locator(`#field-lat[value="${lat}"]`).waitFor({ state: "attached" });
}
