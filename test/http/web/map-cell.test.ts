import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { PAGE_MESSAGES } from "../../../src/messages/messages.ts";
import { STOCKS } from "../../../src/core/caps.ts";
import { addMany, LYON } from "../../support/many-alerts.ts";
import { createWorld, type World } from "../../support/world.ts";

const EVIL = `"><img src=x onerror=alert(1)><script>alert(1)</script>'`;
const HERE = `/map/cell?lat=${LYON.lat}&lng=${LYON.lng}`;

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
});

const cards = (fragment: string) => fragment.split("<article").length - 1;

describe("the popup of a cell", () => {
  test("holds the cards of its alerts and of no other cell, with the distance from the search", async () => {
    await world.publish({ name: "Here", ...LYON });
    await world.publish({
      name: "Beside",
      email: "b@example.org",
      lat: LYON.lat + 0.01,
      lng: LYON.lng,
    });

    const fragment = await world.text(`${HERE}&from_lat=45.85&from_lng=4.84`);

    expect(cards(fragment)).toBe(1);
    expect(fragment).toContain("Here");
    expect(fragment).toContain(`10\u00a0km away`);
    expect(fragment).toContain('<span class="tag lost">Lost</span>');
    expect(fragment).not.toContain("<html");
    expect(await world.text(HERE)).not.toContain("away");
  });

  test("follows the filters of the search", async () => {
    await world.publish({ name: "Mimi", ...LYON });
    await world.publish({ name: "Rex", species: "dog", email: "b@example.org", ...LYON });

    expect(cards(await world.text(HERE))).toBe(2);
    expect(cards(await world.text(`${HERE}&species=dog&q=rex`))).toBe(1);
    expect(await world.text(`${HERE}&type=found`)).toContain(PAGE_MESSAGES.en.map.noneHere);
  });

  test("holds the newest of very many, and leads to a list of all", async () => {
    await addMany(world, STOCKS.alertsPerPopup + 5, () => ({ point: LYON }));

    const fragment = await world.text(`${HERE}&species=cat`);

    expect(cards(fragment)).toBe(STOCKS.alertsPerPopup);
    const all = /<a href="([^"]+)">Show all alerts here/.exec(fragment)![1]!;
    expect(all).toBe("/?species=cat&amp;lat=45.76&amp;lng=4.84&amp;radius_km=1");
  });

  test("speaks the reader's language, is kept by no cache and listed by no search engine", async () => {
    await world.publish({ ...LYON });
    const answer = await world.fetch(HERE, { headers: { "Accept-Language": "fr" } });

    expect(await answer.text()).toContain(PAGE_MESSAGES.fr.type.lost);
    expect(answer.headers.get("Vary")).toContain("Accept-Language");
    expect(answer.headers.get("Cache-Control")).toBe("no-cache");
    expect(answer.headers.get("X-Robots-Tag")).toBe("noindex");
    expect(answer.headers.get("Content-Security-Policy")).toStartWith("default-src 'none';");
  });

  test("shows hostile words as words", async () => {
    await world.publish({ name: EVIL, color: EVIL, ...LYON });
    const fragment = await world.text(`${HERE}&q=${encodeURIComponent("img")}`);

    expect(cards(fragment)).toBe(1);
    expect(fragment).not.toContain("<script");
    expect(fragment).not.toContain("<img src=x");
  });

  test.each(["", "?lat=45.76", "?lat=x&lng=1", "?lat=91&lng=0", "?lat=1&lng=1&from_lat=2"])(
    "is refused without a place that makes sense: %s",
    async (query) => {
      expect((await world.fetch(`/map/cell${query}`)).status).toBe(400);
    },
  );
});
