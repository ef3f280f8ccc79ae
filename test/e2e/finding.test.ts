import { describe, expect } from "bun:test";
import type { Page } from "playwright-core";
import { ALL_LANGUAGES } from "../../src/messages/languages.ts";
import { animalHeadline } from "../../src/core/alerts/alert-text.ts";
import { EMAIL_MESSAGES, PAGE_MESSAGES } from "../../src/messages/messages.ts";
import { capitalize } from "../../src/messages/locale.ts";
import { MINUTE } from "../support/time.ts";
import { LOST_CAT, type World } from "../support/world.ts";
import { go, headingOf, loads, press, tabTo } from "./page-actions.ts";
import { createJourneys } from "./browser-session.ts";

const { journey, journeyWithAndWithoutScripts } = createJourneys();

const words = PAGE_MESSAGES.en;
const OWNER = LOST_CAT.email;
const READER = "reader@example.net";
/** Exact position of a passer-by. */
const STANDING = { latitude: 45.7591234, longitude: 4.8512345 };
const TRACES = ["45.7591", "4.8512"];

journeyWithAndWithoutScripts(
  "the chosen language stays on the same page, on the next ones and in emails",
  async ({ page, world }) => {
    const french = PAGE_MESSAGES.fr;
    await world.publish();
    await page.goto("/?q=mimi&type=lost");

    await go(page, ALL_LANGUAGES.fr.name);
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
      q: "mimi",
      type: "lost",
      lang: "fr",
    });
    expect(await headingOf(page)).toBe(french.home.title);
    await go(
      page,
      french.named({
        headline: capitalize(animalHeadline(french, { type: "lost", species: "cat" })),
        name: "Mimi",
      }),
    );
    await go(page, french.contact.title.owner);
    expect(new URL(page.url()).search).toBe("");
    await page.getByLabel(french.contact.message).fill("Vue hier soir près du pont.");
    await page.getByLabel(french.field.email).fill(READER);
    await press(page, french.continue);

    const [email] = await world.emails(READER);
    expect(email?.text).toContain(EMAIL_MESSAGES.fr.confirm.message.title);
  },
);

describe("a search by place with the keyboard alone", () => {
  journey("completes the town, searches around it and opens an alert", async ({ page, world }) => {
    await world.publish();
    await world.publish({ name: "Bella", email: "b@example.org", lat: 41.9, lng: 12.5 });
    await page.goto("/");

    await tabTo(page, words.home.place);
    await page.keyboard.type("Lyo");
    await page.locator('#towns option[value="Lyon, France"]:first-child').waitFor({
      state: "attached",
    });
    // A browser without a screen shows no list: the rest is typed.
    await page.keyboard.type("n, France");
    await pinIsAt(page, "45.75");
    await tabTo(page, words.home.button);
    await loads(page, () => page.keyboard.press("Enter"));

    const heading = page.getByRole("heading", { level: 2 }).first();
    expect(await heading.innerText()).toBe(
      words.home.countAround({ count: 1, km: 50, town: "Lyon, France" }),
    );
    expect(await page.getByRole("link", { name: "Bella" }).count()).toBe(0);
    await tabTo(page, "Lost cat: Mimi");
    await loads(page, () => page.keyboard.press("Enter"));
    expect(await headingOf(page)).toBe("Lost cat: Mimi");
  });

  journey(
    "takes a town as it was typed where no script completes it",
    async ({ page, world }) => {
      await world.publish();
      await page.goto("/");

      await tabTo(page, words.home.place);
      await page.keyboard.type("lyon");
      await loads(page, () => page.keyboard.press("Enter"));

      const heading = page.getByRole("heading", { level: 2 }).first();
      expect(await heading.innerText()).toBe(
        words.home.countAround({ count: 1, km: 50, town: "Lyon, France" }),
      );
      expect(await page.getByRole("link", { name: "Mimi" }).count()).toBe(1);
    },
    { javaScriptEnabled: false },
  );
});

describe("an area to watch", () => {
  journey(
    "is a circle around a pin on the map, which the keyboard moves as well",
    async ({ page, world }) => {
      await page.goto("/subscribe?lat=45.77&lng=4.83&radius_km=10");

      const map = page.getByRole("application");
      await map.focus();
      await page.keyboard.press("ArrowUp");
      await pinIsAt(page, "45.78");
      await page.locator("path.map-picked").waitFor();
      await page.getByLabel(words.subscribe.radius).selectOption("25");
      await page.getByLabel(words.field.email).fill(READER);
      await press(page, words.continue);

      expect(await headingOf(page)).toBe(words.waiting.title);
      await confirmZone(page, world, ["25\u00a0km", "Lyon 4e"]);
      await expectEmailAbout(world, { lat: 45.78, lng: 4.83 });
    },
  );

  journey(
    "lies around a town where there is no map",
    async ({ page, world }) => {
      await page.goto("/subscribe");

      await page.getByLabel(words.field.city).fill("Lyon");
      await page.getByLabel(words.subscribe.label).fill("Home");
      await page.getByLabel(words.field.email).fill(READER);
      await press(page, words.continue);

      await confirmZone(page, world, ["5\u00a0km", "Lyon"]);
      await expectEmailAbout(world, { lat: 45.75, lng: 4.85 });
    },
    { javaScriptEnabled: false },
  );

  async function confirmZone(page: Page, world: World, circle: readonly string[]): Promise<void> {
    await page.goto(await world.linkTo(READER, "/confirm/"));
    const told = await page.locator("dl").innerText();
    for (const part of circle) expect(told).toContain(part);
    await press(page, words.confirm.zone.button);
    expect(await headingOf(page)).toBe(words.confirm.zone.doneTitle);
  }

  async function expectEmailAbout(
    world: World,
    place: { lat: number; lng: number },
  ): Promise<void> {
    const before = (await world.emails(READER)).length;
    await world.publish({ ...place, email: OWNER });
    // News of a zone is gathered for the better part of a minute.
    await world.pass(MINUTE);
    expect(await world.emails(READER)).toHaveLength(before + 1);
  }
});

describe("an animal seen by a passer-by", () => {
  journey(
    "is reported with the position of the phone, of which only the cell is sent",
    async ({ page, world, site }) => {
      const alert = await world.publish();

      await page.goto(`/a/${alert.short_code}`);
      await go(page, words.sighting.title.cat);
      await page.getByRole("button", { name: words.map.locate }).click();
      await pinIsAt(page, "45.76");
      await page.getByLabel(words.sighting.note).fill("By the river, limping.");
      await page.getByLabel(words.field.email).fill(READER);
      await press(page, words.continue);
      await confirmSighting(page, world);

      await page.goto(alert.url);
      const told = await page.locator(".sightings").innerText();
      expect(told).toContain("By the river, limping.");
      expect(told).toContain("Lyon");
      const email = (await world.emails(OWNER)).at(-1);
      expect(email?.text).toContain("By the river, limping.");
      expect(email?.text).not.toContain(READER);
      const sent = site.sent.map(({ url, body }) => `${url} ${Buffer.from(body)}`).join();
      expect(sent).toContain("45.76");
      for (const trace of TRACES) expect(sent).not.toContain(trace);
    },
    { permissions: ["geolocation"], geolocation: STANDING },
  );

  journey(
    "is reported with the name of the town when scripts are off",
    async ({ page, world }) => {
      const alert = await world.publish();

      await page.goto(alert.url);
      await go(page, words.sighting.title.cat);
      await page.getByLabel(words.sighting.place).fill("Lyon");
      await page
        .getByLabel(words.sighting.when)
        .selectOption(words.sighting.hoursAgo({ hours: 2 }));
      await page.getByLabel(words.field.email).fill(READER);
      await press(page, words.continue);
      await confirmSighting(page, world);

      await page.goto(alert.url);
      expect(await page.locator(".sightings li").count()).toBe(1);
    },
    { javaScriptEnabled: false },
  );

  async function confirmSighting(page: Page, world: World): Promise<void> {
    expect(await headingOf(page)).toBe(words.waiting.title);
    await page.goto(await world.linkTo(READER, "/confirm/"));
    await press(page, words.confirm.sighting.button);
    expect(await headingOf(page)).toBe(words.confirm.sighting.doneTitle);
  }
});

journey(
  '"near me" searches around the reader, whose exact place stays in the browser',
  async ({ page, world, site }) => {
    await world.publish();
    await page.goto("/");

    await press(page, words.home.nearMe);

    const { searchParams } = new URL(page.url());
    expect(searchParams.get("lat")).toBe("45.76");
    expect(await page.getByRole("link", { name: "Mimi" }).count()).toBe(1);
    await page.locator(".leaflet-tile-loaded").first().waitFor();
    const sent = site.sent.map(({ url }) => url).join();
    for (const trace of TRACES) expect(sent).not.toContain(trace);
  },
  { permissions: ["geolocation"], geolocation: STANDING },
);

/** Waits until a script has put the form's position there; a hidden field shows its value as an attribute. */
function pinIsAt(page: Page, lat: string): Promise<void> {
  return page.locator(`#field-lat[value="${lat}"]`).waitFor({ state: "attached" });
}
