import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createWorld, LOST_CAT, type World } from "../../support/world.ts";

const OWNER = LOST_CAT.email;
const PASSER = "passer@example.net";
const ALERT = { type: "lost", species: "cat", color: "grey tabby", email: OWNER };
const PIN = { lat: "45.76", lng: "4.84" };

let world: World;
beforeEach(async () => {
  world = await createWorld({ LIMIT_PUBLISH: "off" });
});
afterEach(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
});

type Fields = Readonly<Record<string, string>>;

/** Sends a form that must be asked about; gives the places offered, with the values that choose them. */
async function asked(path: string, fields: Fields, language = "en"): Promise<Map<string, string>> {
  const answer = await world.post(path, fields, { "Accept-Language": language });
  const page = await answer.text();
  expect(answer.status).toBe(400);
  const options = [...page.matchAll(/<option value="(-?[\d.]+,-?[\d.]+)"[^>]*>([^<]+)/g)];
  return new Map(options.map(([, position = "", town = ""]) => [town, position]));
}

const named = async (...form: Parameters<typeof asked>) => [...(await asked(...form)).keys()];
const live = async () => (await world.json("/api/v1/alerts")).alerts;

describe("a form for an alert", () => {
  const publish = (place: string, language: string) =>
    named("/publish", { ...ALERT, place }, language);

  test("asks which place is meant, and publishes at the one that is chosen", async () => {
    const places = await asked("/publish", { ...ALERT, place: "Córdoba" });
    expect([...places.keys()]).toEqual(["Córdoba, Argentina", "Córdoba, Spain"]);
    expect(await world.emails(OWNER)).toEqual([]);

    const chosen = { ...ALERT, place: "Córdoba", which: places.get("Córdoba, Spain")! };
    const wrong = await (await world.post("/publish", { ...chosen, email: "me" })).text();
    expect(wrong).toContain(`name="which" value="${chosen.which}"`);
    expect((await world.post("/publish", chosen)).status).toBe(303);
    await world.confirm(OWNER);
    expect((await live())[0]).toMatchObject({ city: "Córdoba", country_code: "ES" });
  });

  test.each([
    ["97400", "fr-MA", "97400 Saint-Denis, La Réunion"],
    ["Ehrenfeld", "de-DE", "Ehrenfeld, Österreich"],
  ])("asks about %p of a reader in %p", async (place, language, offered) => {
    expect(await publish(place, language)).toContain(offered);
    expect(await world.emails(OWNER)).toEqual([]);
  });

  test.each([
    ["97400", "fr-FR", "Saint-Denis"],
    ["1067", "de-DE", "Dresden"],
  ])("takes %p of a reader in %p", async (place, language, city) => {
    await world.post("/publish", { ...ALERT, place }, { "Accept-Language": language });
    await world.confirm(OWNER);
    expect((await live())[0].city).toBe(city);
  });

  test("keeps a pin beside a name of many places: at it if one is near, else as a choice", async () => {
    const near = { ...ALERT, place: "Neustadt", lat: "53.55", lng: "9.98" };
    expect((await world.post("/publish", near)).status).toBe(303);

    const [first] = await named("/publish", { ...ALERT, ...PIN, place: "Neustadt" }, "de-DE");
    expect(first).toBe("Lyon, Frankreich");
  });

  test("takes the country in a link or a field", async () => {
    expect(await world.text("/publish?place=Valencia&country_code=es")).toContain(
      'value="Valencia, Spain"',
    );
    const fields = { ...ALERT, place: "Valencia", country_code: "ES" };
    expect((await world.post("/publish", fields)).status).toBe(303);
  });
});

test("a form names the towns that a misspelt one may be, with an or between them", async () => {
  const fields = { ...ALERT, place: "Bellevile" };
  const page = await (await world.post("/publish", fields, { "Accept-Language": "fr-FR" })).text();

  expect(page).toContain("peut-être Belleville, Canada ou Belleville, États-Unis");
});

test("a form for a sighting asks, but not about places in the alert's country", async () => {
  const { slug } = await world.publish({ lat: 45.77, lng: 4.83 });
  const path = `/alerts/${slug}/sighting`;

  expect(await named(path, { email: PASSER, place: "London" })).toContain("London, United Kingdom");
  const there = { email: PASSER, place: "Villeurbanne" };
  expect((await world.post(path, there, { "Accept-Language": "de" })).status).toBe(303);
});

test("the form that edits an alert asks, and moves it to the one that is chosen", async () => {
  await world.publish({ lat: 45.77, lng: 4.83 });
  const manage = await world.linkTo(OWNER, "/manage/");
  const fields = { edited: "1", color: "grey", place: "London", lat: "45.77", lng: "4.83" };

  const places = await asked(`${manage}/edit`, fields);
  const which = places.get("London, United Kingdom")!;
  expect((await world.post(`${manage}/edit`, { ...fields, which })).status).toBe(303);
  expect((await live())[0].latitude).toBeCloseTo(51.5, 1);
});
