import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { ENVELOPE, mcpClientOf, newest, rpc } from "../../support/mcp.ts";
import { createWorld, json, type World } from "../../support/world.ts";

const REVISION = "2026-07-28";
const OLDER = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

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

const { post } = mcpClientOf(() => world);
/** Sends a request of the newest revision, with changes. */
const ask = (
  method: string,
  params: Record<string, unknown> = {},
  headers: Record<string, string> = {},
) => {
  const request = newest(method, params);
  return post(request.body, { headers: { ...request.headers, ...headers } });
};
const errorOf = async (answer: Response) => [answer.status, (await json(answer)).error?.code];

describe("a client of 2026-07-28", () => {
  test("discovers the server without a handshake", async () => {
    const { result } = await json(ask("server/discover"));

    expect(result).toMatchObject({
      resultType: "complete",
      supportedVersions: [REVISION],
      capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
      instructions: expect.stringContaining("lost and found pets"),
      ttlMs: 3_600_000,
      cacheScope: "public",
      _meta: { "io.modelcontextprotocol/serverInfo": { name: "pet-alert" } },
    });
  });

  test("gets the same tools and the same answers as clients of older revisions", async () => {
    const listed = await json(ask("tools/list"));
    const called = { name: "search_alerts", arguments: { lat: 45.77, lng: 4.83 } };
    const found = await json(ask("tools/call", called));

    const older = await json(post(rpc("tools/list")));
    expect(listed.result.tools).toEqual(older.result.tools);
    const { content, structuredContent } = (await json(post(rpc("tools/call", called)))).result;
    expect(found.result).toMatchObject({ resultType: "complete", content, structuredContent });
    expect(structuredContent.alerts[0].slug).toBe(alert.slug);
  });

  test("is told how long it may keep lists and resources", async () => {
    for (const method of [
      "tools/list",
      "prompts/list",
      "resources/list",
      "resources/templates/list",
    ])
      expect((await json(ask(method))).result).toMatchObject({
        ttlMs: 3_600_000,
        cacheScope: "public",
      });
    const read = await json(ask("resources/read", { uri: `alert://${alert.slug}` }));
    expect(read.result).toMatchObject({ ttlMs: 0, cacheScope: "public" });
    expect(JSON.parse(read.result.contents[0].text).slug).toBe(alert.slug);
  });

  test("gets -32602 for a missing resource, with its URI", async () => {
    const uri = "alert://nothing-here";

    expect((await json(ask("resources/read", { uri }))).error).toMatchObject({
      code: -32602,
      data: { uri },
    });
  });

  test("gets 404 at once for a method that this server or the revision lacks", async () => {
    for (const method of ["no/such", "initialize", "ping", "subscriptions/listen", "toString"])
      expect([method, ...(await errorOf(await ask(method)))]).toEqual([method, 404, -32601]);
  });
});

test("a call beyond the limit of reads gets a complete result that says so", async () => {
  const limited = await createWorld({ LIMIT_READ: "1/m" });
  const { post } = mcpClientOf(() => limited);
  const { headers, body } = newest("tools/call", { name: "get_alert", arguments: { alert: "x" } });
  await post(body, { headers });

  const length = String(JSON.stringify(body).length);
  const refused = await json(post(body, { headers: { ...headers, "Content-Length": length } }));
  expect(refused.result).toMatchObject({ resultType: "complete", isError: true });
  await limited.end();
});

describe("a request that disagrees with itself", () => {
  const headersOf = (without: string) => {
    const { headers } = newest("tools/call", { name: "get_alert" });
    return Object.fromEntries(Object.entries(headers).filter(([name]) => name !== without));
  };
  const { body } = newest("tools/call", { name: "get_alert" });

  test.each([
    ["header of an older revision", { "MCP-Protocol-Version": "2025-11-25" }],
    ["header of an unknown revision", { "MCP-Protocol-Version": "1999-01-01" }],
    ["another method in the header", { "Mcp-Method": "tools/list" }],
    ["another name in the header", { "Mcp-Name": "send_message" }],
  ])("gets -32020: %s", async (_, headers) => {
    const answer = await ask("tools/call", { name: "get_alert" }, headers);

    expect(await errorOf(answer)).toEqual([400, -32020]);
  });

  test.each(["MCP-Protocol-Version", "Mcp-Method", "Mcp-Name"])(
    "gets -32020: no %s",
    async (name) => {
      expect(await errorOf(await post(body, { headers: headersOf(name) }))).toEqual([400, -32020]);
    },
  );

  test("gets -32022 with the supported revisions if it names an unknown one", async () => {
    const envelope = newest("tools/list", {}, "2099-01-01");
    const newer = await post(envelope.body, { headers: envelope.headers });
    expect(newer.status).toBe(400);
    expect((await json(newer)).error).toMatchObject({
      code: -32022,
      data: { supported: [REVISION], requested: "2099-01-01" },
    });

    const older = await post(rpc("ping", {}, 7), {
      headers: { "MCP-Protocol-Version": "1999-01-01" },
    });
    expect(older.status).toBe(400);
    expect(await json(older)).toMatchObject({
      id: 7,
      error: {
        code: -32022,
        data: { supported: [REVISION, ...OLDER.toReversed()], requested: "1999-01-01" },
      },
    });
  });

  test.each([
    ["without an envelope", {}],
    ["with an empty envelope", { _meta: {} }],
    ["with a revision that is not text", { _meta: { [`${ENVELOPE}protocolVersion`]: 1 } }],
    ["with no capabilities", { _meta: { [`${ENVELOPE}protocolVersion`]: REVISION } }],
  ])("gets -32602: %s", async (_, params) => {
    const { headers } = newest("tools/list");

    const answer = await post(rpc("tools/list", params), { headers });
    expect(await errorOf(answer)).toEqual([400, -32602]);
  });

  test("cannot be part of a batch", async () => {
    const { headers, body } = newest("tools/list");
    for (const batch of [[body], [body, body], [rpc("ping"), body]]) {
      expect(await errorOf(await post(batch, { headers }))).toEqual([400, -32600]);
      expect(await errorOf(await post(batch))).toEqual([400, -32600]);
    }
  });

  test("is refused as an invalid message, whatever its headers", async () => {
    const { headers } = newest("tools/list");
    for (const body of [
      "null",
      "1",
      "{}",
      '{"jsonrpc":"2.0","id":1.5,"method":"tools/list"}',
      '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":["2026-07-28"]}}',
    ])
      expect(await errorOf(await post(body, { headers }))).toEqual([400, -32600]);
    expect(await errorOf(await post("{", { headers }))).toEqual([400, -32700]);
  });
});

test("an older client that asks initialize for 2026-07-28 is offered the newest older one", async () => {
  const params = {
    protocolVersion: REVISION,
    capabilities: {},
    clientInfo: { name: "c", version: "1" },
  };

  const { result } = await json(post(rpc("initialize", params)));
  expect(result.protocolVersion).toBe("2025-11-25");
});

test.each(["initialize", "logging/setLevel", "tools/call", "resources/read", "prompts/get"])(
  "malformed parameters of %s get -32602 and no words of a library",
  async (method) => {
    const { error } = await json(post(rpc(method, { level: 1, name: 1, uri: 1 })));

    const ours = expect.stringMatching(
      new RegExp(`^Invalid parameters for ${method}\\. Missing or invalid: [\\w., ]+\\.$`),
    );
    expect(error).toEqual({ code: -32602, message: ours });
  },
);
