import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { alertSchema, askedSchema, summarySchema } from "../../src/http/wire.ts";
import { call, rpc, speakTo } from "../support/mcp.ts";
import { createWorld, json, LOST_CAT, type World } from "../support/world.ts";

let world: World;
let alert: any;
beforeAll(async () => {
  world = await createWorld({ LIMIT_PUBLISH: "off", LIMIT_MESSAGE: "off", LIMIT_SUBSCRIBE: "off" });
  alert = await world.publish();
});
afterAll(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
});

const { post, result, errorText } = speakTo(() => world);

describe("tools", () => {
  test("answer with the same JSON as text and as structure, fitting the schemas they declare", async () => {
    const searched = await result(call("search_alerts", { limit: "1", radius_km: 20 }));
    const got = await result(call("get_alert", { alert: alert.url }));
    const subscribed = await result(
      call("subscribe_zone", { lat: "45.77", lng: 4.83, email: "s@example.org" }),
    );

    for (const answer of [searched, got, subscribed])
      expect(JSON.parse(answer.content[0].text)).toEqual(answer.structuredContent);
    summarySchema.strict().parse(searched.structuredContent.alerts[0]);
    alertSchema.strict().parse(got.structuredContent.alert);
    askedSchema.strict().parse(subscribed.structuredContent);
  });

  test("take an alert by any of its names, under any name for it", async () => {
    for (const args of [
      { alert: alert.id },
      { id: alert.id },
      { slug: alert.slug },
      { alert_id: alert.short_code },
      { alert: ` ${alert.url}?x=1 ` },
    ]) {
      expect((await result(call("get_alert", args))).structuredContent.alert.id).toBe(alert.id);
    }
  });

  test("take nulls for absent, and a radius without a centre for nothing", async () => {
    const found = await result(
      call("search_alerts", { lat: null, lng: null, radius_km: 50, query: null, cursor: null }),
    );

    expect(found.structuredContent.alerts).toHaveLength(1);
  });

  test("say what was removed from public text and what they do not know", async () => {
    const asked = await world.tool("publish_alert", {
      ...LOST_CAT,
      description: "call +33 6 12 34 56 78",
      photo_urls: ["http://example.org/cat.jpg"],
      shape: "round",
      email: "n@example.org",
    });

    expect(asked["notes"]).toEqual([
      expect.stringContaining("description"),
      expect.stringContaining("Photo 1 of photo_urls is left out"),
      expect.stringContaining("shape"),
    ]);
  });

  test("are told what is not known before a long answer, whatever its case, and beside what is wrong", async () => {
    const text = async (name: string, args: object) =>
      (await result(call(name, args))).content[0].text as string;

    expect(await text("search_alerts", { latitude: 45.77, longitude: 4.83 })).toStartWith(
      '{"notes":["Not known here and left out: latitude, longitude."],"alerts":[{',
    );
    for (const name of ["get_alert", "find_matches"])
      expect(await text(name, { alert: alert.id, petType: "cat" })).toStartWith(
        '{"notes":["Not known here and left out: petType."],',
      );
    expect(await text("search_alerts", { lat: 45.77, lng: 4.83, q: "Mimi" })).toStartWith(
      '{"alerts":[',
    );
    expect(await errorText("search_alerts", { specis: "cat", limit: 0 })).toBe(
      "Please mend: limit must be at least 1; specis is not known here.",
    );
    expect(await errorText("publish_alert", { pet: "cat", Place: "Lyon" })).toEndWith(
      "; pet, Place are not known here.",
    );
  });

  test("finds contact details that are spread over fields, or written as the place's own country writes them", async () => {
    const split = await world.tool("publish_alert", {
      ...LOST_CAT,
      name: "call 06 12 34",
      city: "56 78 90 Lyon",
      email: "split@example.org",
    });
    expect(`${split["slug"]}`).not.toMatch(/12-34.*56-78/);
    const lied = {
      ...LOST_CAT,
      lat: 59.91,
      lng: 10.75,
      country_code: "FR",
      description: "ring 41 23 45 67",
      email: "lied@example.org",
    };
    expect((await world.tool("publish_alert", lied))["notes"]).toEqual([
      expect.stringContaining("phone"),
    ]);
  });

  test.each([
    ["search_alerts", { lat: 91, lng: 0 }, "lat must be at most 90"],
    ["search_alerts", { lat: "", lng: "" }, "lat must be a number"],
    ["search_alerts", { lat: 1 }, "lng is missing"],
    ["search_alerts", { lat: [1], lng: {} }, "lat must be a number"],
    ["search_alerts", { query: "" }, "query must hold a word"],
    ["search_alerts", { limit: 1000 }, "limit must be at most 100"],
    ["search_alerts", { species: "hamster" }, "species must be one of dog, cat, bird, other"],
    ["get_alert", {}, "alert is missing"],
    ["get_alert", { alert: 5 }, "alert must be a string"],
    ["get_alert", { alert: "no-such-alert-abc234" }, "search_alerts finds alerts"],
    ["publish_alert", {}, "email is missing"],
    [
      "publish_alert",
      { ...LOST_CAT, email: "a@b.org, v@e.org" },
      "email must be one e-mail address",
    ],
    ["publish_alert", { ...LOST_CAT, color: "   " }, "color must not be empty"],
    [
      "publish_alert",
      { ...LOST_CAT, color: "x".repeat(81) },
      "color must have at most 80 characters",
    ],
    [
      "publish_alert",
      { ...LOST_CAT, event_date: "2027-01-01" },
      "event_date must not lie in the future",
    ],
    ["publish_alert", { ...LOST_CAT, event_date: "01/02/2026" }, "event_date must be a date"],
    ["publish_alert", { ...LOST_CAT, custody: "vet" }, "custody is for found animals only"],
    ["publish_alert", { ...LOST_CAT, microchip: "123" }, "microchip must be a microchip number"],
    ["publish_alert", { ...LOST_CAT, country_code: "FRA" }, "country_code must be two letters"],
    [
      "send_message",
      { alert: "ABC234", message: "x", email: "a@example.org" },
      "There is no alert by that name",
    ],
    [
      "send_message",
      { alert: "ABC234", message: "  ", email: "a@example.org" },
      "message must not be empty",
    ],
    [
      "subscribe_zone",
      { lat: 1, lng: 1, email: "a@example.org", radius_km: 101 },
      "radius_km must be at most 100",
    ],
    ["subscribe_zone", { lat: 1, lng: 1 }, "email is missing"],
  ])("%s %p says how to mend it", async (name, args, words) => {
    expect(await errorText(name, args)).toContain(words);
  });

  test("refuse what is no object of arguments as the protocol says", async () => {
    for (const args of ["text", 5, [1]]) {
      const { error } = await json(post(call("search_alerts", args)));
      expect(error.code).toBe(-32602);
    }
  });

  test("unknown ones are a protocol error", async () => {
    expect((await json(post(call("drop_tables", {})))).error.code).toBe(-32602);
    expect((await json(post(call("__proto__", {})))).error.code).toBe(-32602);
  });

  test("unknown ones are told of in our words only, which the SDK's client tells as they are", async () => {
    const { error } = await json(post(call("drop_tables", {})));
    expect(error.message).toStartWith("There is no tool drop_tables.");

    const client = await world.mcpClient();
    const told = await client.callTool({ name: "drop_tables" }).catch((thrown) => thrown.message);
    expect(told).toBe(`MCP error -32602: ${error.message}`);
    await client.close();
  });

  test("give no link, token or whole address to the assistant that asked", async () => {
    const asked = JSON.stringify([
      await world.tool("publish_alert", { ...LOST_CAT, email: "secret-person@example.org" }),
      await world.tool("send_message", {
        alert: alert.id,
        message: "hello",
        email: "secret-person@example.org",
      }),
      await world.tool("subscribe_zone", { lat: 1, lng: 1, email: "secret-person@example.org" }),
    ]);

    expect(asked).not.toContain("confirm/");
    expect(asked).not.toContain("secret-person");
  });
});

describe("a costly question", () => {
  test("is refused by its length before anything is made of it", async () => {
    const stacked = `a${"\u0301".repeat(30_000)}${"\u0316".repeat(30_000)}`;

    expect(await errorText("search_alerts", { query: stacked })).toContain(
      "query must have at most 200 characters",
    );
    const fields = ["name", "city", "microchip", "email", "description", "color", "event_date"];
    for (const [name, args] of [
      ["get_alert", { alert: stacked }],
      ...fields.map((field): [string, object] => [
        "publish_alert",
        { ...LOST_CAT, [field]: stacked },
      ]),
      ["send_message", { alert: alert.id, message: stacked, email: "a@example.org" }],
    ] as const) {
      expect(await errorText(name, args)).toContain("must have at most");
    }
  }, 2_000);

  test("in a batch counts call by call", async () => {
    const strict = await createWorld({ LIMIT_READ: "25/m" });
    const batch = Array.from({ length: 20 }, (_, id) => rpc("ping", {}, id));
    const ask = () =>
      strict.fetch("/api/mcp", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(batch),
      });

    expect([(await ask()).status, (await ask()).status]).toEqual([200, 429]);
    await strict.end();
  });
});
