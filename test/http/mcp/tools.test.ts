import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { alertSchema } from "../../../src/http/api/alert-json.ts";
import { receiptSchema } from "../../../src/http/mcp/receipt.ts";
import { call, rpc, mcpClientOf } from "../../support/mcp.ts";
import { createWorld, json, LOST_CAT, type World } from "../../support/world.ts";

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

const { post, result, errorText } = mcpClientOf(() => world);

describe("tools", () => {
  test("return the same JSON as text and as structured content, which fits their schemas", async () => {
    const searched = await result(call("search_alerts", { limit: "1", radius_km: 20 }));
    const got = await result(call("get_alert", { alert: alert.url }));
    const subscribed = await result(
      call("subscribe_zone", { lat: "45.77", lng: 4.83, email: "s@example.org" }),
    );

    for (const answer of [searched, got, subscribed])
      expect(JSON.parse(answer.content[0].text)).toEqual(answer.structuredContent);
    alertSchema.strict().parse(got.structuredContent.alert);
    const { now: _now, ...receipt } = subscribed.structuredContent;
    receiptSchema.strict().parse(receipt);
  });

  test("accept every kind of alert id under every alias of the parameter", async () => {
    for (const args of [
      { alert: alert.id },
      { id: alert.id },
      { slug: alert.slug },
      { alert_id: alert.short_code },
      { alert: ` ${alert.url}?x=1 ` },
      { alert: `alert://${alert.slug}` },
      { lost_alert: `alert://${alert.short_code}` },
      { id: `urn:uuid:${alert.id}` },
    ]) {
      expect((await result(call("get_alert", args))).structuredContent.alert.id).toBe(alert.id);
    }
  });

  test("ignore nulls, empty texts, and a radius without a centre", async () => {
    for (const none of [null, "", " "]) {
      const args = { lat: none, lng: none, radius_km: 50, query: none, type: none, cursor: none };
      const found = await result(call("search_alerts", args));

      expect(found.structuredContent.alerts).toHaveLength(1);
    }
    expect(await errorText("get_alert", { alert: "" })).toStartWith("alert must be the UUID");
  });

  test("note what was removed from public text and which parameters are unknown", async () => {
    const receipt = await world.tool("publish_alert", {
      ...LOST_CAT,
      description: "call +33 6 12 34 56 78",
      photo_urls: ["http://example.org/cat.jpg"],
      shape: "round",
      email: "n@example.org",
    });

    expect(receipt["notes"]).toEqual([
      expect.stringContaining("description"),
      expect.stringContaining("Photo 1 of photo_urls is left out"),
      expect.stringContaining("shape"),
    ]);
  });

  test.each([
    ["search_alerts", { lat: 91, lng: 0 }, "lat must be at most 90"],
    ["search_alerts", { lat: "north", lng: "west" }, "lat must be a number"],
    ["search_alerts", { lat: 1 }, "lng is required"],
    ["search_alerts", { limit: 1000 }, "limit must be at most 100"],
    ["search_alerts", { species: "hamster" }, "species must be one of dog, cat, bird, other"],
    ["get_alert", { alert: 5 }, "alert must be a string"],
    ["get_alert", { alert: "no-such-alert-abc234" }, "Use search_alerts to find alerts"],
    ["publish_alert", { ...LOST_CAT, email: "a@b.org, v@e.org" }, "email must be an email address"],
    ["publish_alert", { ...LOST_CAT, color: "   " }, "color must not be empty"],
    [
      "publish_alert",
      { ...LOST_CAT, event_date: "2027-01-01" },
      "event_date must not be in the future",
    ],
    ["publish_alert", { ...LOST_CAT, custody: "vet" }, "custody is for found animals only"],
    ["publish_alert", { ...LOST_CAT, microchip: "123" }, "microchip must be a microchip number"],
    [
      "send_message",
      { alert: "ABC234", message: "x", email: "a@example.org" },
      "No alert with that id",
    ],
    [
      "subscribe_zone",
      { lat: 1, lng: 1, email: "a@example.org", radius_km: 101 },
      "radius_km must be at most 100",
    ],
  ])("%s %p explains what is wrong", async (name, args, message) => {
    expect(await errorText(name, args)).toContain(message);
  });

  test("that do not exist are reported in a message that the SDK's client shows unchanged", async () => {
    const { error } = await json(post(call("drop_tables", {})));
    expect(error.message).toStartWith("Unknown tool: drop_tables.");

    const client = await world.mcpClient();
    const message = await client
      .callTool({ name: "drop_tables" })
      .catch((thrown) => thrown.message);
    expect(message).toBe(`MCP error -32602: ${error.message}`);
    await client.close();
  });

  test("return no link, token or full email address to the assistant", async () => {
    const results = JSON.stringify([
      await world.tool("publish_alert", { ...LOST_CAT, email: "secret-person@example.org" }),
      await world.tool("send_message", {
        alert: alert.id,
        message: "hello",
        email: "secret-person@example.org",
      }),
      await world.tool("subscribe_zone", { lat: 1, lng: 1, email: "secret-person@example.org" }),
    ]);

    expect(results).not.toContain("confirm/");
    expect(results).not.toContain("secret-person");
  });
});

describe("a call beyond a limit", () => {
  test("names the limit, its rate and the time to wait; a sighting counts as a message", async () => {
    const strict = await createWorld({ LIMIT_PUBLISH: "1/h", LIMIT_MESSAGE: "1/h" });
    const limited = mcpClientOf(() => strict);
    const publish = { ...LOST_CAT, email: "o@example.org" };
    const { slug } = await strict.publish(publish);
    await strict.post(`/alerts/${slug}/sighting`, {
      lat: "45.77",
      lng: "4.83",
      email: "p@example.net",
    });

    expect(await limited.errorText("publish_alert", { ...publish, color: "black" })).toBe(
      "Too many publications: the limit is 1 an hour for each client. Try again in 60 minutes. Retry after 3600 seconds.",
    );
    const message = { alert: slug, message: "Hello", email: "f@example.net" };
    expect(await limited.errorText("send_message", message)).toStartWith(
      "Too many messages and sightings: the limit is 1 an hour for each client.",
    );
    await strict.end();
  });
});

describe("a client over its limit of reads", () => {
  const send = (strict: World, body: unknown, more: Record<string, string> = {}) => {
    const text = JSON.stringify(body);
    const length = String(Buffer.byteLength(text));
    const headers = { "Content-Type": "application/json", "Content-Length": length, ...more };
    return strict.fetch("/api/mcp", { method: "POST", headers, body: text });
  };

  test("gets a tool error that a model can read, and other requests an error in JSON-RPC", async () => {
    const strict = await createWorld({ LIMIT_READ: "1/m" });
    const sentence =
      "Too many requests: the limit is 1 a minute for each client. Try again in 60 seconds.";
    expect((await send(strict, rpc("ping"))).status).toBe(200);

    const refused = await send(strict, call("get_alert", { alert: "ABC234" }, "seven"));
    expect([refused.status, refused.headers.get("Retry-After")]).toEqual([200, "60"]);
    expect(await json(refused)).toEqual({
      jsonrpc: "2.0",
      id: "seven",
      result: { content: [{ type: "text", text: sentence }], isError: true },
    });
    const listed = await send(strict, rpc("tools/list", {}, 8));
    expect(listed.status).toBe(429);
    expect(await json(listed)).toMatchObject({ id: 8, error: { message: sentence } });
    await strict.end();
  });

  test("gets the error of the REST API for a body that is no request", async () => {
    const strict = await createWorld({ LIMIT_READ: "1/m" });
    await send(strict, rpc("ping"));

    const answer = await send(strict, ["no request"]);
    expect([answer.status, answer.headers.get("Retry-After")]).toEqual([429, "60"]);
    expect(await json(answer)).toMatchObject({ title: "Too many requests", status: 429 });
    await strict.end();
  });

  test("is not read when it sends a long body, one of unknown length, or an upload", async () => {
    const strict = await createWorld({ LIMIT_READ: "1/m" });
    for (let nth = 0; nth < 2; nth++) await send(strict, rpc("ping"));

    const upload = { "Content-Type": "multipart/form-data; boundary=b" };
    for (const [body, more] of [
      [call("search_alerts", { query: "x".repeat(17_000) }), {}],
      [call("search_alerts", {}), { "Content-Length": "", "Transfer-Encoding": "chunked" }],
      ["x".repeat(17_000), upload],
    ] as const) {
      const answer = await send(strict, body, more);
      expect([answer.status, answer.headers.get("Retry-After")]).toEqual([429, "60"]);
      expect(await json(answer)).toMatchObject({ title: "Too many requests", status: 429 });
    }
    await strict.end();
  });
});

describe("a costly call", () => {
  test("is refused for its length before it is processed", async () => {
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
  }, 20_000);

  test("in a batch counts each call", async () => {
    const strict = await createWorld({ LIMIT_READ: "25/m" });
    const batch = Array.from({ length: 20 }, (_, id) => rpc("ping", {}, id));
    const send = () =>
      strict.fetch("/api/mcp", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(batch),
      });

    expect([(await send()).status, (await send()).status]).toEqual([200, 429]);
    await strict.end();
  });
});
