import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { alertSchema, askedSchema, summarySchema } from "../../src/http/wire.ts";
import { createWorld, LOST_CAT, type World, json } from "../support/world.ts";

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

type Options = { headers?: Record<string, string>; method?: string };
async function post(
  body: unknown,
  { headers = {}, method = "POST" }: Options = {},
): Promise<Response> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const init = method === "GET" || method === "HEAD" ? {} : { body: text };
  return world.fetch("/api/mcp", {
    method,
    headers: { "Content-Type": "application/json", ...headers },
    ...init,
  });
}
const rpc = (method: string, params: object = {}, id: string | number = 1) => ({
  jsonrpc: "2.0",
  id,
  method,
  params,
});
const call = (name: string, args: unknown, id: string | number = 1) =>
  rpc("tools/call", { name, arguments: args }, id);
const result = async (body: unknown, options?: Options) => (await json(post(body, options))).result;
const errorText = async (name: string, args: unknown) => {
  const answer = await result(call(name, args));
  expect(answer.isError).toBe(true);
  return answer.content[0].text as string;
};

describe("a client", () => {
  test("of the SDK connects, lists and calls without a session", async () => {
    const client = await world.mcpClient();

    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toEqual([
      "search_alerts",
      "get_alert",
      "find_matches",
      "publish_alert",
      "send_message",
      "subscribe_zone",
    ]);
    const found = await client.callTool({
      name: "search_alerts",
      arguments: { lat: 45.77, lng: 4.83 },
    });
    expect(found.structuredContent).toMatchObject({
      alerts: [{ slug: alert.slug }],
      next_cursor: null,
    });
    await client.close();
  });

  test.each(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])(
    "gets the revision %s it asks for",
    async (revision) => {
      const params = {
        protocolVersion: revision,
        capabilities: {},
        clientInfo: { name: "c", version: "1" },
      };

      const answer = await post(rpc("initialize", params));

      expect((await json(answer)).result).toMatchObject({
        protocolVersion: revision,
        serverInfo: { name: "pet-alert" },
      });
      expect(answer.headers.get("Mcp-Session-Id")).toBeNull();
    },
  );

  test("gets 405 at once where it opens a stream or ends a session", async () => {
    for (const method of ["GET", "DELETE", "PUT", "HEAD"]) {
      const answer = await post("", { method });
      expect([method, answer.status, answer.headers.get("Allow")]).toEqual([
        method,
        405,
        expect.stringContaining("POST"),
      ]);
    }
  });

  test("gets an empty 202 for notifications and responses alone", async () => {
    for (const body of [
      { jsonrpc: "2.0", method: "notifications/initialized" },
      [{ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } }],
      { jsonrpc: "2.0", id: 4, result: {} },
      { jsonrpc: "2.0", id: 4, error: { code: -32_601, message: "Method not found" } },
    ]) {
      const answer = await post(body);
      expect([answer.status, await answer.text()]).toEqual([202, ""]);
    }
  });

  test.each([
    [undefined, "application/json"],
    ["*/*", "application/json"],
    ["application/json", "application/json"],
    ["application/json, text/event-stream", "application/json"],
    ["text/event-stream", "text/event-stream"],
  ])("that accepts %s gets %s", async (accept, type) => {
    const answer = await post(rpc("ping"), {
      headers: accept === undefined ? {} : { Accept: accept },
    });

    expect(answer.status).toBe(200);
    expect(answer.headers.get("Content-Type")).toStartWith(type);
    const body = await answer.text();
    expect(
      JSON.parse(
        type === "text/event-stream"
          ? (/^event: message\ndata: (.*)\n\n$/.exec(body)?.[1] ?? "")
          : body,
      ),
    ).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
  });

  test("is refused when it accepts neither form, or sends no JSON", async () => {
    expect((await post(rpc("ping"), { headers: { Accept: "text/html" } })).status).toBe(406);
    expect(
      (await post("a=b", { headers: { "Content-Type": "application/x-www-form-urlencoded" } }))
        .status,
    ).toBe(415);
    expect((await post(rpc("ping"), { headers: { "Content-Type": "text/plain" } })).status).toBe(
      415,
    );
    expect(
      (await post(rpc("ping"), { headers: { "Mcp-Protocol-Version": "1999-01-01" } })).status,
    ).toBe(400);
  });

  test("in a browser comes from our own pages or loopback only", async () => {
    for (const origin of ["http://localhost:3000", "http://127.0.0.1:6274"]) {
      const answer = await post(rpc("ping"), { headers: { Origin: origin } });
      expect([answer.status, answer.headers.get("Access-Control-Allow-Origin")]).toEqual([
        200,
        origin,
      ]);
    }
    for (const origin of [
      "https://evil.example",
      "null",
      "http://localhost.evil.example",
      "garbage",
    ]) {
      const answer = await post(rpc("ping"), { headers: { Origin: origin } });
      expect([answer.status, answer.headers.get("Access-Control-Allow-Origin")]).toEqual([
        403,
        null,
      ]);
    }
    expect((await post(rpc("ping"), { headers: { Host: "evil.example" } })).status).toBe(403);
  });

  test("finds no authorization server to register with", async () => {
    for (const path of [
      "/.well-known/oauth-authorization-server",
      "/.well-known/oauth-protected-resource/api/mcp",
      "/register",
    ]) {
      expect((await world.fetch(path)).status).toBe(404);
    }
  });
});

describe("batches", () => {
  test("are answered as an array, in one piece, even for one message", async () => {
    expect(await json(post([rpc("ping", {}, "a")]))).toEqual([
      { jsonrpc: "2.0", id: "a", result: {} },
    ]);
  });

  test("of everything are answered message by message", async () => {
    const batch = [
      rpc("ping", {}, 1),
      call("get_alert", { alert: alert.slug }, 2),
      call("no_such_tool", {}, 3),
      rpc("no/such/method", {}, 4),
      { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 2 } },
      { garbage: true, id: 6 },
      null,
      call("search_alerts", { lat: 500 }, 8),
    ];

    const answers = await json(post(batch));

    const byId = (id: number | null) => answers.filter((answer: any) => answer.id === id);
    expect(answers).toHaveLength(7);
    expect(byId(2)[0].result.structuredContent.alert.slug).toBe(alert.slug);
    expect(byId(3)[0].error.code).toBe(-32602);
    expect(byId(4)[0].error.code).toBe(-32601);
    expect(byId(6)[0].error.code).toBe(-32600);
    expect(byId(null)[0].error.code).toBe(-32600);
    expect(byId(8)[0].result.isError).toBe(true);
  });

  test.each([
    ["an empty one", [], {}],
    ["one of 21", Array.from({ length: 21 }, (_, id) => rpc("ping", {}, id)), {}],
    [
      "one with initialize",
      [
        rpc("initialize", {
          protocolVersion: "2025-03-26",
          capabilities: {},
          clientInfo: { name: "c", version: "1" },
        }),
      ],
      {},
    ],
    ["one in a revision without them", [rpc("ping")], { "MCP-Protocol-Version": "2025-06-18" }],
  ])("%s is refused", async (_, batch, headers) => {
    const answer = await post(batch, { headers });

    expect([answer.status, (await json(answer)).error.code]).toEqual([400, -32600]);
  });

  test.each(["", "{", "[1", "\u0000", "undefined"])(
    "what is no JSON (%p) is told so",
    async (body) => {
      const answer = await post(body);

      expect([answer.status, (await json(answer)).error.code]).toEqual([400, -32700]);
    },
  );

  test.each([
    "1",
    "null",
    '"x"',
    "{}",
    '{"jsonrpc":"1.0","id":1,"method":"ping"}',
    '{"jsonrpc":"2.0","id":{},"method":"ping"}',
  ])("JSON that is no message (%s) is told so", async (body) => {
    const answer = await post(body);

    expect([answer.status, (await json(answer)).error.code]).toEqual([400, -32600]);
  });
});

test.each(["12345678901234567890", "-9007199254740993", "1.5", "1e400"])(
  "a message whose number (%s) cannot be given back as it came is answered under none",
  async (id) => {
    const answer = await post(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`);

    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ id: null, error: { code: -32600 } });
  },
);

describe("the list of tools", () => {
  test("is the same to the byte every time, and every schema is a plain object", async () => {
    const [first, second] = await Promise.all(
      [1, 2].map(async () => (await post(rpc("tools/list"))).text()),
    );

    expect(first).toBe(second ?? "");
    for (const tool of JSON.parse(first ?? "").result.tools) {
      expect(tool.inputSchema.type).toBe("object");
      expect(Object.keys(tool.inputSchema.properties).length).toBeGreaterThan(0);
      expect(tool.annotations).toMatchObject({
        readOnlyHint: expect.any(Boolean),
        destructiveHint: expect.any(Boolean),
        idempotentHint: expect.any(Boolean),
        openWorldHint: expect.any(Boolean),
      });
      expect(tool.description.length).toBeGreaterThan(80);
    }
  });
});

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

describe("resources and prompts", () => {
  test("an alert is a resource, an unknown one is not found", async () => {
    const { contents } = await result(rpc("resources/read", { uri: `alert://${alert.slug}` }));
    expect(JSON.parse(contents[0].text)).toEqual(alert);

    const { error } = await json(post(rpc("resources/read", { uri: "alert://nothing-here" })));
    expect(error.code).toBe(-32002);
    expect((await result(rpc("resources/templates/list"))).resourceTemplates[0].uriTemplate).toBe(
      "alert://{slug}",
    );
  });

  test("prompts say what they need and complete what they can", async () => {
    const { prompts } = await result(rpc("prompts/list"));
    expect(prompts.map((prompt: any) => prompt.name)).toEqual([
      "find_my_lost_pet",
      "report_a_lost_pet",
      "i_found_a_pet",
    ]);

    const { messages } = await result(
      rpc("prompts/get", { name: "i_found_a_pet", arguments: { species: "dog", place: "Lyon" } }),
    );
    expect(messages[0].content.text).toContain("I found a dog near Lyon");
    const missing = await json(post(rpc("prompts/get", { name: "i_found_a_pet" })));
    expect(missing.error.code).toBe(-32602);

    const argument = { name: "species", value: "c" };
    const { completion } = await result(
      rpc("completion/complete", { ref: { type: "ref/prompt", name: "i_found_a_pet" }, argument }),
    );
    expect(completion.values).toEqual(["cat"]);
  });
});

describe("discovery", () => {
  test("every descriptor names this endpoint and the same tools", async () => {
    const { tools } = await result(rpc("tools/list"));
    const card = await world.fetch("/api/mcp/server-card");
    const descriptor = await world.json("/.well-known/mcp.json");
    const hints = await (await world.fetch("/llms.txt")).text();

    expect(card.headers.get("Content-Type")).toBe("application/mcp-server-card+json");
    expect(await json(card)).toMatchObject({
      name: "localhost/pet-alert",
      remotes: [{ type: "streamable-http", url: "http://localhost:3000/api/mcp" }],
    });
    expect(descriptor).toMatchObject({
      protocolVersion: "2025-03-26",
      transport: { type: "streamable-http", endpoint: "http://localhost:3000/api/mcp" },
      authentication: { required: false },
    });
    expect(await world.json("/.well-known/mcp/server-card.json")).toEqual(descriptor);
    expect(descriptor.tools.map((tool: any) => tool.name)).toEqual(
      tools.map((tool: any) => tool.name),
    );
    for (const tool of tools) expect(hints).toContain(`- ${tool.name}: ${tool.description}`);
    expect(hints).toStartWith("# Pet Alert\n\n> ");
  });

  test("descriptors are cached and checked by tag", async () => {
    const first = await world.fetch("/llms.txt");
    const again = await world.fetch("/llms.txt", {
      headers: { "If-None-Match": first.headers.get("ETag") ?? "" },
    });

    expect([first.headers.get("Cache-Control"), again.status]).toEqual([
      "public, max-age=3600",
      304,
    ]);
  });
});
