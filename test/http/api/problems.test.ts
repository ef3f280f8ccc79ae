import { afterAll, beforeAll, expect, test } from "bun:test";
import { MINUTE } from "../../support/time.ts";
import { createWorld, type World } from "../../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
});

test("the API tells in every response what is left of the limit, but not pages of other sites", async () => {
  const strict = await createWorld({ LIMIT_READ: "2/m" });
  const limits = async (path: string, init: RequestInit = {}) => {
    const { status, headers } = await strict.fetch(path, init);
    return [status, headers.get("RateLimit-Policy"), headers.get("RateLimit")];
  };
  const policy = '"reads";q=2;w=60';

  expect(await limits("/api/v1/alerts")).toEqual([200, policy, '"reads";r=1;t=60']);
  strict.jump(20_000);
  expect(await limits("/api/v1/alerts/nothing")).toEqual([404, policy, '"reads";r=0;t=40']);
  expect(await limits("/feed.atom")).toEqual([429, policy, '"reads";r=0;t=40']);
  expect(await limits("/")).toEqual([429, null, null]);
  strict.jump(MINUTE);
  const call = { jsonrpc: "2.0", id: 1, method: "ping" };
  const headers = { "Content-Type": "application/json" };
  expect(await limits("/api/mcp", { method: "POST", headers, body: JSON.stringify(call) })).toEqual(
    [200, policy, '"reads";r=1;t=60'],
  );
  // They would tell any site that somebody behind its visitor's address has just been here.
  for (const path of ["/api/v1/alerts", "/feed.atom", "/api/mcp"]) {
    const { headers } = await strict.fetch(path);
    expect(headers.get("Access-Control-Allow-Origin")).toBe("*");
    expect(headers.get("Access-Control-Expose-Headers")).not.toContain("RateLimit");
  }
  await strict.end();

  const open = await createWorld();
  expect((await open.fetch("/api/v1/alerts")).headers.has("RateLimit")).toBe(false);
  await open.end();
});

test("they tell a client of its own reads, not of those of its neighbours", async () => {
  const strict = await createWorld({ LIMIT_READ: "3/m" });
  const leftAfter = async (from: string) =>
    (await strict.fetch("/api/v1/alerts", {}, from)).headers.get("RateLimit");

  expect(await leftAfter("2001:db8:0:1::1")).toBe('"reads";r=2;t=60');
  for (const network of [2, 3, 4])
    for (let read = 0; read < 3; read++) await leftAfter(`2001:db8:0:${network}::1`);
  expect(await leftAfter("2001:db8:0:6::1")).toBe('"reads";r=2;t=60');
  await strict.end();
});

test("the type of every problem ends in a code, at an address of the documentation that explains it", async () => {
  const docs = await world.text("/api/docs");
  const post = { method: "POST", body: "x".repeat(256 * 1024 + 1) };
  for (const [path, code, init] of [
    ["/api/v1/alerts?limit=0", "bad_input"],
    ["/api/v1/alerts/nothing", "not_found"],
    ["/api/v1/nothing", "not_found"],
    ["/api/v1/alerts", "bad_method", { method: "PUT" }],
    ["/api/mcp", "bad_type", { method: "POST", body: "{}" }],
    ["/api/mcp", "too_large", { ...post, headers: { "Content-Type": "application/json" } }],
  ] as [string, string, RequestInit?][]) {
    const { type } = (await (await world.fetch(path, init)).json()) as any;
    expect([path, type]).toEqual([path, `http://localhost:3000/api/docs#${code}`]);
    expect(docs).toContain(`id="${code}"`);
  }
});
