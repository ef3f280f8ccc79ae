import { expect } from "bun:test";
import { ALL_LANGUAGES } from "../../src/messages/languages.ts";
import { animalHeadline } from "../../src/core/alerts/alert-text.ts";
import { EMAIL_MESSAGES, PAGE_MESSAGES } from "../../src/messages/messages.ts";
import { capitalize } from "../../src/messages/locale.ts";
import { MINUTE } from "../support/time.ts";
import { LOST_CAT } from "../support/world.ts";
import { go, headingOf, pinIsAt, press } from "./page-actions.ts";
import { createJourneys } from "./browser-session.ts";

const { journey } = createJourneys();

const words = PAGE_MESSAGES.en;
const OWNER = LOST_CAT.email;
const READER = "reader@example.net";
/** Exact position of a passer-by. */
const STANDING = { latitude: 45.7591234, longitude: 4.8512345 };
const TRACES = ["45.7591", "4.8512"];

journey(
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

journey(
  "an area to watch is a circle around a pin on the map, which the keyboard moves as well",
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
    await page.goto(await world.linkTo(READER, "/confirm/"));
    const told = await page.locator("dl").innerText();
    for (const part of ["25\u00a0km", "Lyon 4e"]) expect(told).toContain(part);
    await press(page, words.confirm.zone.button);
    expect(await headingOf(page)).toBe(words.confirm.zone.doneTitle);

    const before = (await world.emails(READER)).length;
    await world.publish({ lat: 45.78, lng: 4.83, email: OWNER });
    // News of a zone is gathered for the better part of a minute.
    await world.pass(MINUTE);
    expect(await world.emails(READER)).toHaveLength(before + 1);
  },
);

journey(
  '"near me", and an animal that a passer-by saw, send the cell of the phone, whose exact place stays in the browser',
  async ({ page, world, site }) => {
    const alert = await world.publish();
    await page.goto("/");
    await press(page, words.home.nearMe);

    expect(new URL(page.url()).searchParams.get("lat")).toBe("45.76");
    expect(await page.getByRole("link", { name: "Mimi" }).count()).toBe(1);
    await page.locator(".leaflet-tile-loaded").first().waitFor();

    await page.goto(`/a/${alert.short_code}`);
    await go(page, words.sighting.title.cat);
    await page.getByRole("button", { name: words.map.locate }).click();
    await pinIsAt(page, "45.76");
    await page.getByLabel(words.sighting.note).fill("By the river, limping.");
    await page.getByLabel(words.field.email).fill(READER);
    await press(page, words.continue);
    expect(await headingOf(page)).toBe(words.waiting.title);
    await page.goto(await world.linkTo(READER, "/confirm/"));
    await press(page, words.confirm.sighting.button);
    expect(await headingOf(page)).toBe(words.confirm.sighting.doneTitle);

    await page.goto(alert.url);
    const told = await page.locator(".sightings").innerText();
    for (const part of ["By the river, limping.", "Lyon"]) expect(told).toContain(part);
    const email = (await world.emails(OWNER)).at(-1);
    expect(email?.text).toContain("By the river, limping.");
    expect(email?.text).not.toContain(READER);
    const sent = site.sent.map(({ url, body }) => `${url} ${Buffer.from(body)}`).join();
    expect(sent).toContain("45.76");
    for (const trace of TRACES) expect(sent).not.toContain(trace);
  },
  { permissions: ["geolocation"], geolocation: STANDING },
);
