import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createWorld, linkIn, LOST_CAT, type World } from "../support/world.ts";

let world: World;
beforeEach(async () => {
  world = await createWorld({ LIMIT_PUBLISH: "off" });
});
afterEach(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
});

async function waiting(email: string): Promise<string> {
  await world.tool("publish_alert", { ...LOST_CAT, email, photo_urls: undefined });
  return linkIn((await world.emails(email)).at(-1)!, "/confirm/");
}

const type = (value: string) => ({ headers: { "Content-Type": value } });

describe("POST to a confirmation link", () => {
  test.each([
    ["no body", {}],
    ["empty JSON", { body: "{}", ...type("application/json") }],
    ["broken JSON", { body: "{", ...type("application/json") }],
    ["JSON that is no object", { body: "[1]", ...type("application/json") }],
    ["text", { body: "yes", ...type("text/plain") }],
    [
      "a form without fields of ours",
      { body: "ok=1", ...type("application/x-www-form-urlencoded") },
    ],
    ["a form without a boundary", { body: "xx", ...type("multipart/form-data") }],
    ["bytes", { body: new Uint8Array([0, 255]), ...type("application/octet-stream") }],
  ])("publishes what waits, with %s", async (_, init: RequestInit) => {
    const link = await waiting("anna@example.org");

    const answer = await world.fetch(link, { method: "POST", ...init });

    expect(answer.status).toBe(200);
    const { alerts } = (await (await world.fetch("/api/v1/alerts")).json()) as any;
    expect(alerts).toMatchObject([{ pet_name: "Mimi", color: "grey tabby" }]);
  });

  test("takes corrections as JSON, too", async () => {
    const link = await waiting("anna@example.org");

    const body = JSON.stringify({ color: "silver", size: "small", unheard: [1] });
    await world.fetch(link, { method: "POST", body, ...type("application/json") });

    const { alerts } = (await (await world.fetch("/api/v1/alerts")).json()) as any;
    expect(alerts).toMatchObject([{ color: "silver", size: "small" }]);
  });

  test.each([
    ["JSON", JSON.stringify({ size: "huge" }), "application/json"],
    ["JSON with a list", JSON.stringify({ size: ["small"] }), "application/json"],
    ["a form", "size=huge", "application/x-www-form-urlencoded"],
  ])("refuses an invalid field in %s, names it, and publishes nothing", async (_, body, of) => {
    const link = await waiting("anna@example.org");

    const answer = await world.fetch(link, { method: "POST", body, ...type(of) });

    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain("Size");
    expect(((await (await world.fetch("/api/v1/alerts")).json()) as any).alerts).toEqual([]);
  });

  test("from a page of another site is refused", async () => {
    const link = await waiting("anna@example.org");

    const headers = { Origin: "https://evil.example", "Content-Type": "application/json" };
    const answer = await world.fetch(link, { method: "POST", body: "{}", headers });

    expect(answer.status).toBe(403);
    expect(((await (await world.fetch("/api/v1/alerts")).json()) as any).alerts).toEqual([]);
  });

  test("GET and HEAD never act", async () => {
    const link = await waiting("anna@example.org");

    for (const method of ["GET", "HEAD"]) await world.fetch(link, { method });

    expect(((await (await world.fetch("/api/v1/alerts")).json()) as any).alerts).toEqual([]);
  });
});

test("a trailing slash is the same address", async () => {
  const alert: any = await world.publish();
  const list = await (await world.fetch("/api/v1/alerts")).text();

  expect(await (await world.fetch("/api/v1/alerts/")).text()).toBe(list);
  for (const path of [
    `/api/v1/alerts/${alert.slug}/`,
    "/about/",
    `/alerts/${alert.slug}/`,
    "/llms.txt/",
  ])
    expect((await world.fetch(path)).status).toBe(200);
  const rpc = { jsonrpc: "2.0", id: 1, method: "ping" };
  const answer = await world.fetch("/api/mcp/", {
    method: "POST",
    body: JSON.stringify(rpc),
    ...type("application/json"),
  });
  expect(await answer.json()).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
});

describe("a time of a search", () => {
  test.each([
    "2026-05",
    "2026-05-01",
    "2026-05-01T07:00",
    "2026-05-01T07:00:00.5",
    "2026-05-01 07:00:00",
    "2026-05-01T09:00:00+02:00",
    String(Date.UTC(2026, 4, 1, 7) / 1000),
    String(Date.UTC(2026, 4, 1, 7)),
  ])("may be written as %s", async (time) => {
    await world.publish();
    const now = new Date(world.now()).toISOString();
    expect(now).toStartWith("2026-05-01T08");

    const found = async (name: string) =>
      (
        (await (
          await world.fetch(`/api/v1/alerts?${name}=${encodeURIComponent(time)}`)
        ).json()) as any
      ).alerts.length;
    expect([await found("since"), await found("cursor")]).toEqual([1, 0]);
  });

  test.each(["2026", "2026-13", "yesterday", "1e9", "-1", "2026-05-01T25:00", "99999999999999"])(
    "is refused as %s",
    async (time) => {
      for (const name of ["since", "cursor"])
        expect((await world.fetch(`/api/v1/alerts?${name}=${time}`)).status).toBe(400);
    },
  );
});
