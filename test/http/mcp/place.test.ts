import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createWorld, LOST_CAT, type World } from "../../support/world.ts";

const LYON = { lat: 45.75, lng: 4.85 };
const EMAIL = "anna@example.org";

let world: World;
beforeAll(async () => {
  world = await createWorld({ LIMIT_PUBLISH: "off", LIMIT_SUBSCRIBE: "off" });
  await world.publish({ ...LOST_CAT, ...LYON });
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

const { lat: _lat, lng: _lng, ...CAT } = LOST_CAT;

describe("a search", () => {
  test("around a named place finds what lies there, and says which place and radius were understood", async () => {
    const found = await call("search_alerts", { place: "Lyon", radius_km: 10 });

    expect(found.alerts).toHaveLength(1);
    expect(found.area).toMatchObject({ town: "Lyon, FR", radius_km: 10 });
    expect(found.area.latitude).toBeCloseTo(45.75, 1);
    expect(found.notes).toBeUndefined();
  });

  test("around a part of a town that nobody knows uses the town, and says so", async () => {
    const { area, notes } = await call("search_alerts", { place: "Zzyzxqua, Lyon" });

    expect(area.town).toBe("Lyon, FR");
    expect(notes).toEqual([
      'Of place, only Lyon, FR was understood, not "Zzyzxqua"; its centre stands for the place. If you know coordinates, lat and lng are more exact.',
    ]);
  });
});

test("a place and coordinates that agree give the coordinates", async () => {
  const { area } = await call("search_alerts", { place: "Lyon", lat: 45.8, lng: 4.9 });

  expect(area).toMatchObject({ latitude: 45.8, longitude: 4.9 });
});

test("a place and coordinates of another are refused with the distance between them", async () => {
  const args = { ...LYON, place: "Marseille", email: EMAIL };

  for (const tool of ["search_alerts", "subscribe_zone"])
    expect(
      await refusal(tool, tool === "search_alerts" ? { ...LYON, place: "Marseille" } : args),
    ).toMatch(
      /^place is Marseille, FR, 27\d km from lat and lng, which lie near Lyon, FR\. Give one of the two\./,
    );
});

describe("a place that may be several", () => {
  const ASKED =
    "Ask which one is meant, then call again with its name as written here, or with country_code. If you know coordinates, lat and lng are more exact.";
  const OWN = { ...CAT, city: undefined };

  test("is asked about by every tool, which answers the choices and does nothing", async () => {
    const emails = await world.emails(EMAIL);
    const { slug } = await world.publish({ ...LOST_CAT, ...LYON, email: "owner@example.org" });
    const about = { email: EMAIL, message: "Seen by the station." };

    for (const [tool, args, asked] of [
      ["search_alerts", { place: "Valencia" }, "place may mean Valencia, VE; Valencia, ES."],
      ["publish_alert", { ...OWN, place: "06600" }, "place may mean 06600 Antibes, FR;"],
      ["subscribe_zone", { place: "Ehrenfeld", email: EMAIL }, "place may mean Ehrenfeld, AT."],
      ["send_message", { alert: slug, ...about, seen_place: "London" }, "seen_place may mean "],
    ] as const) {
      const text = await refusal(tool, args);
      expect(text).toStartWith(asked);
      expect(text).toEndWith(
        tool === "send_message" ? ASKED.replace("lat and lng", "seen_lat and seen_lng") : ASKED,
      );
    }
    expect(await world.emails(EMAIL)).toEqual(emails);
  });
});

test("an unknown place is refused with similar names, or a way out", async () => {
  expect(await refusal("search_alerts", { place: "Marseile" })).toContain(
    "place is unknown; perhaps Marseille, FR",
  );
  expect(await refusal("search_alerts", { place: "qqqqxyz" })).toBe(
    'place is unknown: try the nearest larger town. A quarter may be known with its city: "Friedrichshain, Berlin". If you know coordinates, lat and lng are more exact.',
  );
  const example = await call("search_alerts", {
    place: "Friedrichshain, Berlin",
    country_code: "DE",
  });
  expect(example.area.town).toBe("Friedrichshain, Berlin, DE");
});

describe("a publication", () => {
  test("at a named place is there, and the receipt says where", async () => {
    const place = { place: "69004", country_code: "FR" };
    const receipt = await call("publish_alert", { ...CAT, ...place, city: undefined });

    expect(receipt.area.town).toMatch(/^69004 .*, FR$/);
    expect(receipt.area.latitude).toBeCloseTo(45.78, 1);
    expect(receipt.area.radius_km).toBeUndefined();
  });

  test("without any place is refused", async () => {
    expect(await refusal("publish_alert", CAT)).toBe("place is required, or lat and lng.");
    expect(await refusal("publish_alert", { ...CAT, lat: 45.75 })).toBe(
      "lng is required: lat and lng go together.",
    );
  });

  test("with a city far from its coordinates is accepted with a note", async () => {
    const { notes } = await call("publish_alert", { ...CAT, ...LYON, city: "Marseille" });

    expect(notes).toHaveLength(1);
    expect(notes[0]).toMatch(/^city is "Marseille", but the position lies near Lyon, FR, 27\d km/);
  });
});

test("bad places are refused with the field", async () => {
  for (const [place, reason] of [
    ["x".repeat(201), "place must have at most 200 characters"],
    [",,,", "place"],
    ["\u0000\u200b", "place"],
    ["00000 99999-9999", "place is unknown"],
    [7, "place must be"],
  ] as const)
    expect(await refusal("search_alerts", { place })).toStartWith(reason);
  expect(await refusal("search_alerts", { place: "Лион 東京 ليون".repeat(13) })).toStartWith(
    "place is unknown",
  );
});
