import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { PAGE_MESSAGES } from "../../../src/messages/messages.ts";
import { createWorld, type World } from "../../support/world.ts";

const words = PAGE_MESSAGES.en.home;

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
});

describe("a search of an area on the map", () => {
  test("names the nearest town in its heading and in the field, where that leads back to it", async () => {
    await world.publish();
    const page = await world.text("/?lat=45.76&lng=4.84&radius_km=7");

    expect(page).toMatch(/<input[^>]*name="place"[^>]*value="Lyon, France"/);
    expect(page).toContain(words.countAround({ count: 1, km: 7, town: "Lyon, France" }));
    expect(await world.text("/?place=Lyon%2C+France&lat=45.76&lng=4.84&radius_km=7")).toContain(
      'data-centre-lat="45.76"',
    );
  });

  test("leaves the field empty where the name of the town would lead elsewhere", async () => {
    const page = await world.text("/?lat=-25.5&lng=127.5&radius_km=100");

    expect(page).toMatch(/<input[^>]*name="place"[^>]*value=""/);
  });

  test("keeps its map where nothing is found, so that another area can be searched", async () => {
    const page = await world.text("/?lat=45.76&lng=4.84&radius_km=7&type=lost");

    expect(page).toContain('data-search-here="/?type=lost"');
    expect(page).toContain("/scripts/map.js");
  });
});
