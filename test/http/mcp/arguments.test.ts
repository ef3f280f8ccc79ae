import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { snakeCase } from "../../../src/http/middleware/field-names.ts";
import { ALIASES } from "../../../src/http/mcp/arguments.ts";
import { createWorld, LOST_CAT, type World } from "../../support/world.ts";
import { makeBulk, makeDraft } from "../../support/make.ts";
import { DAY } from "../../support/time.ts";

const LYON = { lat: 45.77, lng: 4.83 };

let world: World;
let alert: any;
beforeAll(async () => {
  world = await createWorld({ LIMIT_PUBLISH: "off", LIMIT_SUBSCRIBE: "off", LIMIT_MESSAGE: "off" });
  alert = await world.publish({ ...LOST_CAT, ...LYON });
});
afterAll(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
});

async function call(tool: string, args: Record<string, unknown>): Promise<any> {
  return await world.tool(tool, args);
}

async function refusal(tool: string, args: Record<string, unknown>): Promise<string> {
  return await call(tool, args).then(
    () => "answered",
    (error: Error) => error.message,
  );
}

describe("other names of inputs", () => {
  test("are those of answers, so that an alert can be asked for as it was printed", async () => {
    const printed = {
      alert_type: "lost",
      pet_type: "cat",
      latitude: alert.latitude,
      longitude: alert.longitude,
    };

    expect((await call("search_alerts", printed)).alerts).toHaveLength(1);
    expect((await call("search_alerts", { ...printed, alert_type: "found" })).alerts).toEqual([]);
    const receipt = await call("publish_alert", {
      ...printed,
      pet_name: "Bo",
      color: "grey",
      photos: [],
      contact_email: "bo@example.org",
    });
    expect(receipt.notes).toBeUndefined();
    expect(receipt.slug).toContain("bo");
    const zone = { ...printed, contact_email: "bo@example.org" };
    expect((await call("subscribe_zone", zone)).status).toBe("pending_confirmation");
  });

  test("may be written in camelCase", async () => {
    const { area } = await call("search_alerts", { place: "Lyon", radiusKm: 7, petType: "cat" });

    expect(area.radius_km).toBe(7);
  });

  test("may be given beside ours with the same value, as a number or text", async () => {
    const twice = { ...LYON, latitude: "45.77", query: "Mimi", q: "Mimi" };

    expect((await call("search_alerts", twice)).alerts).toHaveLength(1);
  });

  test.each([
    ["search_alerts", { type: "lost", alert_type: "found" }, "type and alert_type"],
    ["search_alerts", { query: "Mimi", q: "Bo" }, "query and q"],
    ["get_alert", { id: "one", slug: "other" }, "id and slug"],
    ["publish_alert", { photos: ["a"], photo_urls: ["b"] }, "photos and photo_urls"],
  ])("%s %p: two values are refused with both names", async (tool, args, names) => {
    expect(await refusal(tool, args)).toBe(`${names} mean the same and have two values.`);
  });
});

describe("every other name", () => {
  const tools = {
    search: "search_alerts",
    zone: "subscribe_zone",
    publication: "publish_alert",
    alert: "send_message",
  } as const;
  const cases = Object.entries(ALIASES).flatMap(([group, aliases]) =>
    Object.entries(aliases).map(
      ([alias, own]) => [tools[group as keyof typeof tools], snakeCase(alias), own] as const,
    ),
  );

  test.each(cases)("%s: %s beside %s with another value is refused", async (tool, alias, own) => {
    const ours = snakeCase(own);
    const args = { [ours]: "one", [alias]: "other" };

    expect(await refusal(tool, args)).toBe(
      `${ours} and ${alias} mean the same and have two values.`,
    );
  });
});

describe("an unknown parameter", () => {
  test.each([
    ["search_alerts", { ...LYON, specis: "cat" }],
    ["subscribe_zone", { ...LYON, specis: "cat", email: "bo@example.org" }],
    ["search_alerts", { __proto__x: 1 }],
    ["search_alerts", { constructor: 1 }],
  ])("%s %p: is refused where it may be a filter", async (tool, args) => {
    expect(await refusal(tool, args)).toMatch(
      /^Possible parameters: .*species.* Unknown parameter: \w+\.$/,
    );
  });

  test("is ignored with a note where it filters nothing", async () => {
    const { notes } = await call("get_alert", { alert: alert.id, verbose: true });

    expect(notes).toEqual(["Ignored unknown parameter: verbose."]);
  });
});

describe("words of a search", () => {
  let lyon: World;
  beforeAll(async () => {
    lyon = await createWorld();
    const animals = [
      { species: "cat", color: "grey", name: "Socks", breed: "unknown" },
      { species: "cat", color: "grey and white", name: "Snow", breed: "European Shorthair" },
      { species: "dog", color: "grey", name: "Wolf", breed: "Husky" },
      { species: "dog", color: "black", name: "The Dude", breed: "Labrador" },
    ] as const;
    await lyon.app.service.alerts.add(
      animals.map((about) =>
        makeBulk({
          draft: makeDraft({ ...about, city: "Lyon" }),
          ownerEmail: null,
          expiresAt: lyon.now() + 30 * DAY,
        }),
      ),
    );
  });
  afterAll(async () => {
    expect(lyon.logged).toEqual([]);
    await lyon.end();
  });

  const search = async (query: string, more: object = {}): Promise<any> =>
    lyon.tool("search_alerts", { query, ...more });
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
      const draft = () =>
        makeDraft({ species: "bird", color: "green", name: "Kiwi", city: "Lyon" });
      await lyon.app.service.alerts.add(
        Array.from({ length: 7 }, () =>
          makeBulk({ draft: draft(), ownerEmail: null, expiresAt: lyon.now() + DAY }),
        ),
      );

      expect((await search("green bird banded zzzzzz")).closest).toHaveLength(5);
    });
  });
});
