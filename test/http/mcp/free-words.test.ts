import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { makeBulk, makeDraft } from "../../support/make.ts";
import { DAY } from "../../support/time.ts";
import { createWorld, type World } from "../../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld();
  const animals = [
    { species: "cat", color: "grey", name: "Socks", breed: "unknown" },
    { species: "cat", color: "grey and white", name: "Snow", breed: "European Shorthair" },
    { species: "dog", color: "grey", name: "Wolf", breed: "Husky" },
    { species: "dog", color: "black", name: "The Dude", breed: "Labrador" },
  ] as const;
  await world.app.service.alerts.add(
    animals.map((about) =>
      makeBulk({
        draft: makeDraft({ ...about, city: "Lyon" }),
        ownerEmail: null,
        expiresAt: world.now() + 30 * DAY,
      }),
    ),
  );
});
afterAll(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
});

const search = async (query: string, more: object = {}): Promise<any> =>
  world.tool("search_alerts", { query, ...more });
const names = async (query: string, more: object = {}) =>
  (await search(query, more)).alerts.map(({ pet_name }: any) => pet_name).sort();

describe("words that mean nothing", () => {
  test.each([
    "a grey and white cat",
    "I am looking for my grey cat that is white",
    "un chat gris avec du blanc",
    "mi gato gris con blanco",
    "cat named Snow",
    "meine graue Katze mit etwas Weiß",
  ])("are left out of %p", async (query) => {
    expect(await names(query)).toEqual(["Snow"]);
  });

  test("or name a type of alerts are left out, and only that type is found", async () => {
    expect(await names("lost grey dog")).toEqual(["Wolf"]);
    expect(await names("chien gris perdu", { type: "lost" })).toEqual(["Wolf"]);
    expect(await names("found grey dog")).toEqual([]);
    expect(await names("lost grey dog", { type: "found" })).toEqual([]);
  });

  test("are looked for where there are no others", async () => {
    expect(await names("the")).toEqual(["The Dude"]);
    expect(await names("the dude")).toEqual(["The Dude"]);
  });

  test("are looked for by REST, which finds what every word begins", async () => {
    const rest = async (q: string) =>
      (await world.json(`/api/v1/alerts?q=${encodeURIComponent(q)}`)).alerts.length;

    expect(await rest("grey cat")).toBe(2);
    expect(await rest("grey cat with white")).toBe(0);
    expect(await world.json("/api/v1/alerts?q=grey%20cat%20paws")).toEqual({
      alerts: [],
      next_cursor: null,
    });
  });
});

describe("a search that no alert fits", () => {
  test("adds those that come closest, with the words that each of them lacks", async () => {
    const { alerts, total, closest } = await search("gray cat with white paws");

    expect([alerts, total]).toEqual([[], 0]);
    expect(closest.map((one: any) => [one.pet_name, one.missing_words])).toEqual([
      ["Snow", ["paws"]],
    ]);
  });

  test("names every word that is missing, and keeps to the species and the filters", async () => {
    const { closest } = await search("grey cat zebra stripes");

    expect(closest.map((one: any) => one.pet_name).sort()).toEqual(["Snow", "Socks"]);
    for (const { missing_words } of closest) expect(missing_words).toEqual(["zebra", "stripes"]);
    expect(await search("grey paws", { species: "dog" })).toMatchObject({
      closest: [{ pet_name: "Wolf", missing_words: ["paws"] }],
    });
    expect(await search("grey paws", { type: "found" })).not.toHaveProperty("closest");
  });

  test("adds at most five, none to a search that finds something, and none for a single word", async () => {
    expect((await search("grey cat")).closest).toBeUndefined();
    expect((await search("zzzzzz")).closest).toBeUndefined();
    const draft = () => makeDraft({ species: "bird", color: "green", name: "Kiwi", city: "Lyon" });
    await world.app.service.alerts.add(
      Array.from({ length: 7 }, () =>
        makeBulk({ draft: draft(), ownerEmail: null, expiresAt: world.now() + DAY }),
      ),
    );

    expect((await search("green bird banded zzzzzz")).closest).toHaveLength(5);
  });
});
