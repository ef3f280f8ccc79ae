import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { PAGE_MESSAGES } from "../../../src/messages/messages.ts";
import { createWorld, type World } from "../../support/world.ts";

const words = PAGE_MESSAGES.en.home;

let world: World;
beforeEach(async () => {
  world = await createWorld({ LIMIT_PUBLISH: "off" });
});
afterEach(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
});

async function publish(name: string, about: object): Promise<void> {
  await world.publish({ name, email: `${name.toLowerCase()}@example.org`, ...about });
}

const listed = async (query: string) => {
  const page = await world.text(`/?${query}`);
  return [...page.matchAll(/Lost \w+: <\/span>(\w+)<\/a>/g)].map(([, name]) => name!);
};

describe("a search by colour", () => {
  test("finds what matching reads as that colour, in any language, and no animal for its name", async () => {
    await publish("Rusty", { species: "dog", color: "black" });
    await publish("Goldie", { species: "dog", color: "golden" });
    await publish("Filou", { color: "gris tigré" });
    await publish("Minka", { color: "schwarzweiß" });
    await publish("Nobody", { color: "unknown" });

    expect(await listed("color=tan")).toEqual(["Goldie"]);
    expect(await listed("color=grey")).toEqual(["Filou"]);
    expect(await listed("color=orange")).toEqual([]);
    expect(await listed("color=brown")).toEqual([]);
    expect(await listed("color=black")).toEqual(["Minka", "Rusty"]);
    expect(await listed("color=white&species=cat")).toEqual(["Minka"]);
  });

  test("knows a grey cat from a blue bird, which people call by one word", async () => {
    await publish("Chartreuse", { color: "blue" });
    await publish("Kiki", { species: "bird", color: "blue" });

    expect(await listed("color=grey")).toEqual(["Chartreuse"]);
    expect(await listed("color=blue")).toEqual(["Kiki"]);
  });
});

describe("a search by breed", () => {
  test("finds the breeds that look alike, crosses too, and only the species of the group", async () => {
    await publish("Rex", { species: "dog", breed: "Labrador" });
    await publish("Kira", { species: "dog", breed: "Malinois x Labrador" });
    await publish("Bella", { species: "dog", breed: "caniche" });
    await publish("Labrador", { species: "cat", breed: "siamois" });

    expect(await listed("breed_group=labrador")).toEqual(["Kira", "Rex"]);
    expect(await listed("breed_group=shepherd&species=dog")).toEqual(["Kira"]);
    expect(await listed("breed_group=siamese")).toEqual(["Labrador"]);
    expect(await listed("breed_group=poodle&color=grey")).toEqual(["Bella"]);
  });

  test("offers the groups of the chosen species, or of all, each under its species", async () => {
    const all = await world.text("/");
    const cats = await world.text("/?species=cat&breed_group=siamese");

    expect([...all.matchAll(/<optgroup label="([^"]+)"/g)].map(([, label]) => label)).toEqual([
      "Dog",
      "Cat",
      "Bird",
      "Other animal",
    ]);
    expect(cats).not.toContain("<optgroup");
    expect(cats).not.toContain('value="labrador"');
    expect(cats).toContain('<option value="siamese" selected="">Siamese, Birman, Burmese</option>');
    // Blue, yellow and red are colours of feathers only.
    expect(all).toContain('<option value="blue">Blue</option>');
    expect(cats).not.toContain('<option value="blue">');
  });
});

test("a search by looks that finds nothing says without which of them there would be alerts", async () => {
  await publish("Rex", { species: "dog", breed: "Labrador", color: "black" });

  const page = await world.text("/?color=white&breed_group=labrador");

  expect(page).toContain(words.without.color);
  const link = /href="([^"]+)">Search for any colour/.exec(page)![1]!.replaceAll("&amp;", "&");
  expect(await listed(link.slice(2))).toEqual(["Rex"]);
});

test("the next page, the map and its popups keep the colour and the breed; feeds have neither", async () => {
  for (let nth = 0; nth < 21; nth++)
    await publish(`Rex${nth}x`, { species: "dog", breed: "Labrador", color: "black" });

  const page = await world.text("/?color=black&breed_group=labrador");

  const kept = "color=black&amp;breed_group=labrador";
  expect(page).toContain(`data-marks="/map/alerts.json?${kept}"`);
  expect(page).toContain(`data-cell="/map/cell?${kept}"`);
  expect(page).toMatch(new RegExp(`rel="next" href="/\\?${kept}&amp;cursor=`));
  expect(page).toMatch(/feed\.atom"/);
  const marks = async (query: string) =>
    (await world.json(`/map/alerts.json?${query}`)).rows.length;
  expect(await marks("color=black&breed_group=labrador")).toBe(1);
  expect(await marks("color=white&breed_group=labrador")).toBe(0);
  const cell = "/map/cell?lat=45.77&lng=4.83";
  expect(await world.text(`${cell}&color=black`)).toContain("Rex");
  expect(await world.text(`${cell}&color=grey`)).not.toContain("Rex");
}, 120_000);

test("a colour and a breed that make no sense are refused beside their fields", async () => {
  const answer = await world.fetch("/?color=plaid&breed_group=unicorn");

  expect(answer.status).toBe(400);
  const page = await answer.text();
  expect(page).toContain('href="#field-color"');
  expect(page).toContain('href="#field-breed_group"');
});
