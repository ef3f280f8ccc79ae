import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { AlertDraft } from "../../../src/core/alerts/alert.ts";
import { PAGE_MESSAGES } from "../../../src/messages/messages.ts";
import { makeBulk, makeDraft } from "../../support/make.ts";
import { DAY } from "../../support/time.ts";
import { createWorld, type World } from "../../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld();
  await add("Rusty", { species: "dog", color: "black", breed: "Labrador" });
  await add("Goldie", { species: "dog", color: "golden", breed: "Malinois x Labrador" });
  await add("Bella", { species: "dog", color: "grey", breed: "caniche" });
  await add("Filou", { color: "gris tigré" });
  await add("Minka", { color: "schwarzweiß" });
  await add("Labrador", { color: "unknown", breed: "siamois" });
  // A grey cat and a blue bird, which people call by one word.
  await add("Chartreuse", { color: "blue" });
  await add("Kiki", { species: "bird", color: "blue" });
});
afterAll(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
});

async function add(name: string, about: Partial<AlertDraft>): Promise<void> {
  const draft = makeDraft({ name, ...about });
  await world.app.service.alerts.add([makeBulk({ draft, expiresAt: world.now() + DAY })]);
}

const listed = async (query: string) => {
  const page = await world.text(`/?${query}`);
  return [...page.matchAll(/Lost \w+: <\/span>(\w+)<\/a>/g)].map(([, name]) => name!).sort();
};

describe("a search by looks", () => {
  test.each([
    ["color=tan", ["Goldie"]],
    ["color=grey", ["Bella", "Chartreuse", "Filou"]],
    ["color=blue", ["Kiki"]],
    ["color=orange", []],
    ["color=black", ["Minka", "Rusty"]],
    ["color=white&species=cat", ["Minka"]],
    ["q=golden", ["Goldie"]],
    ["q=goldie&color=tan", ["Goldie"]],
    ["breed_group=labrador", ["Goldie", "Rusty"]],
    ["breed_group=shepherd&species=dog", ["Goldie"]],
    ["breed_group=siamese", ["Labrador"]],
    ["breed_group=poodle&color=grey", ["Bella"]],
  ])(
    "%s finds what matching reads as that, in any language, and no animal for its name",
    async (query, names) => {
      expect(await listed(query)).toEqual(names);
    },
  );

  test("offers the groups of the chosen species, or of all, each under its species", async () => {
    const all = await world.text("/");
    const cats = await world.text("/?species=cat&breed_group=siamese");

    expect([...all.matchAll(/<optgroup label="([^"]+)"/g)].map(([, label]) => label)).toEqual([
      "Dog",
      "Cat",
      "Bird",
      "Other animal",
    ]);
    expect(cats).not.toContain('value="labrador"');
    expect(cats).toContain('<option value="siamese" selected="">Siamese, Birman, Burmese</option>');
    // Blue, yellow and red are colours of feathers only.
    expect(all).toContain('<option value="blue">Blue</option>');
    expect(cats).not.toContain('<option value="blue">');
  });

  test("that finds nothing says without which of them there would be alerts", async () => {
    const page = await world.text("/?color=white&breed_group=labrador");

    expect(page).toContain(PAGE_MESSAGES.en.home.without.color);
    const link = /href="([^"]+)">Search for any colour/.exec(page)![1]!.replaceAll("&amp;", "&");
    expect(await listed(link.slice(2))).toEqual(["Goldie", "Rusty"]);
  });

  test("that makes no sense is refused beside its fields", async () => {
    const answer = await world.fetch("/?color=plaid&breed_group=unicorn");
    const page = await answer.text();

    expect(answer.status).toBe(400);
    expect(page).toContain('href="#field-color"');
    expect(page).toContain('href="#field-breed_group"');
  });

  test("is kept by the map and its popups", async () => {
    const page = await world.text("/?color=black&breed_group=labrador");
    const kept = "color=black&amp;breed_group=labrador";
    const rows = async (query: string) => {
      const { lost, found } = await world.json(`/map/alerts.json?${query}`);
      return lost.length + found.length;
    };

    expect(page).toContain(`data-cell="/map/cell?${kept}"`);
    expect(await rows("color=black&breed_group=labrador")).toBe(1);
    expect(await rows("color=white&breed_group=labrador")).toBe(0);
    const cell = await world.text("/map/cell?lat=45.77&lng=4.83&color=black");
    expect(cell).toContain("Rusty");
    expect(cell).not.toContain("Filou");
  });
});
