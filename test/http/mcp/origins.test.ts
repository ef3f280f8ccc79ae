import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { call, mcpClientOf, newest, rpc } from "../../support/mcp.ts";
import { createWorld, json, LOST_CAT, type World } from "../../support/world.ts";

const HOME = "https://pets.example";
const LISTED = "https://partner.example";
const STRANGERS = ["https://evil.example", "http://localhost:6274", "null"];

describe("on a public address", () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({
      BASE_URL: HOME,
      ALLOWED_ORIGINS: LISTED,
      LIMIT_READ: "100/m",
    });
  });
  afterAll(() => world.end());
  const { post } = mcpClientOf(() => world);
  const from = (origin: string) => ({ headers: { Origin: origin } });

  test.each([HOME, LISTED, ...STRANGERS])(
    "a page of %s may read, without credentials",
    async (origin) => {
      const answer = await post(call("search_alerts", { lat: 45, lng: 4 }), from(origin));

      expect((await json(answer)).result.isError).toBeUndefined();
      expect(answer.headers.get("Access-Control-Allow-Origin")).toBe("*");
      expect(answer.headers.get("Access-Control-Allow-Credentials")).toBeNull();
    },
  );

  test.each(STRANGERS)("a page of %s is told that it may not write", async (origin) => {
    for (const [name, args] of [
      ["publish_alert", LOST_CAT],
      ["send_message", { alert: "ABC234", message: "Hello", email: "a@example.org" }],
      ["subscribe_zone", { lat: 45, lng: 4, email: "a@example.org" }],
    ] as const) {
      const { headers, body } = newest("tools/call", { name, arguments: args });
      for (const answer of [
        post(call(name, args), from(origin)),
        post([call(name, args)], from(origin)),
        post(body, { headers: { ...headers, Origin: origin } }),
      ]) {
        const [{ result }] = [await json(answer)].flat();
        expect(result.isError).toBe(true);
        expect(result.content[0].text).toContain("Web pages of other sites may only read here");
      }
    }
    expect(await world.emails(LOST_CAT.email)).toEqual([]);
  });

  test("our own pages, listed origins and clients that are no web pages may write", async () => {
    for (const headers of [{ Origin: HOME }, { Origin: LISTED }, {}]) {
      const email = `owner${JSON.stringify(headers).length}@example.org`;
      const { result } = await json(
        post(call("publish_alert", { ...LOST_CAT, email }), { headers }),
      );
      expect(result.structuredContent.status).toBe("pending_confirmation");
    }
  });

  test("a preflight allows what clients of every revision send", async () => {
    const answer = await world.fetch("/api/mcp", {
      method: "OPTIONS",
      headers: { Origin: STRANGERS[0]!, "Access-Control-Request-Method": "POST" },
    });

    const allowed = answer.headers.get("Access-Control-Allow-Headers")?.toLowerCase().split(", ");
    expect(answer.status).toBe(204);
    expect(answer.headers.get("Access-Control-Allow-Methods")).toBe("POST");
    for (const name of ["content-type", "authorization", "mcp-protocol-version", "mcp-method", "*"])
      expect(allowed).toContain(name);
  });
});

describe("on a loopback address", () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
  });
  afterAll(() => world.end());
  const { post } = mcpClientOf(() => world);

  test.each(["http://localhost:3000", "http://127.0.0.1:6274", "http://[::1]:6274"])(
    "a page of %s may read and write",
    async (origin) => {
      const args = { lat: 45, lng: 4, email: "a@example.org" };
      const { result } = await json(
        post(call("subscribe_zone", args), { headers: { Origin: origin } }),
      );
      expect(result.structuredContent.status).toBe("pending_confirmation");
    },
  );

  test.each([
    "https://evil.example",
    "null",
    "http://localhost.evil.example",
    "http://127.evil.example",
    "http://127.0.0.1.evil.example",
    "garbage",
  ])("a page of %s is refused, its preflight too", async (origin) => {
    const preflight = { Origin: origin, "Access-Control-Request-Method": "POST" };
    for (const answer of [
      await post(rpc("ping"), { headers: { Origin: origin } }),
      await world.fetch("/api/mcp", { method: "OPTIONS", headers: preflight }),
    ])
      expect([answer.status, answer.headers.get("Access-Control-Allow-Origin")]).toEqual([
        403,
        null,
      ]);
  });

  test.each(["evil.example", "127.evil.example", "localhost.evil.example"])(
    "the host %s is refused (DNS rebinding)",
    async (host) => {
      expect((await post(rpc("ping"), { headers: { Host: host } })).status).toBe(403);
    },
  );
});
