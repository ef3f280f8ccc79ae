import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { call, rpc, mcpClientOf } from "../../support/mcp.ts";
import { createWorld, json, type World } from "../../support/world.ts";

let world: World;
let alert: any;
beforeAll(async () => {
  world = await createWorld();
  alert = await world.publish();
});
afterAll(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
});

const { post, result } = mcpClientOf(() => world);

describe("a client", () => {
  test("of the SDK connects, lists and calls tools without a session", async () => {
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
    "gets the revision %s it requests",
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

  test("gets 405 at once if it opens a stream or ends a session", async () => {
    for (const method of ["GET", "DELETE", "PUT", "HEAD"]) {
      const answer = await post("", { method });
      expect([method, answer.status, answer.headers.get("Allow")]).toEqual([
        method,
        405,
        expect.stringContaining("POST"),
      ]);
    }
  });

  test("gets an empty 202 if it sends notifications or responses only", async () => {
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
    ["*/*", "application/json"],
    ["application/json, text/event-stream", "application/json"],
    ["text/event-stream", "text/event-stream"],
  ])("that accepts %s gets %s", async (accept, type) => {
    const answer = await post(rpc("ping"), { headers: { Accept: accept } });

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

  test("is refused if it accepts neither format, or does not send JSON", async () => {
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
  test("are answered as an array, even with one message", async () => {
    expect(await json(post([rpc("ping", {}, "a")]))).toEqual([
      { jsonrpc: "2.0", id: "a", result: {} },
    ]);
  });

  test("of all kinds of messages are answered one by one", async () => {
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

  test.each(["", "[1"])("invalid JSON (%p) is refused", async (body) => {
    const answer = await post(body);

    expect([answer.status, (await json(answer)).error.code]).toEqual([400, -32700]);
  });

  test.each([
    "null",
    '{"jsonrpc":"1.0","id":1,"method":"ping"}',
    '{"jsonrpc":"2.0","id":{},"method":"ping"}',
  ])("JSON that is not a message (%s) is refused", async (body) => {
    const answer = await post(body);

    expect([answer.status, (await json(answer)).error.code]).toEqual([400, -32600]);
  });
});

test.each(["12345678901234567890", "1.5"])(
  "a message whose id (%s) cannot be returned exactly gets a response without id",
  async (id) => {
    const answer = await post(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`);

    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ id: null, error: { code: -32600 } });
  },
);

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

  test("the plan of the first days is a resource for each kind of animal, named by the prompts", async () => {
    const { contents } = await result(rpc("resources/read", { uri: "plan://lost/dog" }));
    expect(contents[0].mimeType).toBe("text/markdown");
    expect(contents[0].text).toContain("**Search the neighbourhood** (days 0 to 6)");
    expect(contents[0].text).toContain("https://doi.org/10.3390/ani2020301");
    const { resourceTemplates } = await result(rpc("resources/templates/list"));
    expect(resourceTemplates[1].uriTemplate).toBe("plan://{type}/{species}");

    const { error } = await json(post(rpc("resources/read", { uri: "plan://lost/unicorn" })));
    expect(error.code).toBe(-32002);
    const { messages } = await result(
      rpc("prompts/get", {
        name: "find_my_lost_pet",
        arguments: { species: "dog", place: "Lyon" },
      }),
    );
    expect(messages[0].content.text).toContain("plan://lost/dog");
  });

  test("prompts require their arguments and offer completions", async () => {
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
  test("the card and llms.txt contain this endpoint and the same tools", async () => {
    const { tools } = await result(rpc("tools/list"));
    const card = await world.fetch("/api/mcp/server-card");
    const hints = await (await world.fetch("/llms.txt")).text();

    expect(card.headers.get("Content-Type")).toBe("application/mcp-server-card+json");
    expect(await json(card)).toMatchObject({
      name: "localhost/pet-alert",
      remotes: [
        {
          type: "streamable-http",
          url: "http://localhost:3000/api/mcp",
          supportedProtocolVersions: [
            "2026-07-28",
            "2025-11-25",
            "2025-06-18",
            "2025-03-26",
            "2024-11-05",
          ],
        },
      ],
    });
    for (const tool of tools) expect(hints).toContain(`- ${tool.name}: ${tool.description}`);
    expect(hints).toStartWith("# Pet Alert\n\n> ");
  });
});
