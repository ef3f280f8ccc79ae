import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import Ajv2020 from "ajv/dist/2020";
import addFormats from "ajv-formats";
import { createApp } from "../../../src/http/app.ts";
import { siteOf } from "../../support/site.ts";
import { BASE_URL, createWorld, type World } from "../../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld({ SITE_NAME: "Pets of Lyon" });
});
afterAll(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
});

/** URLs in a JSON value. */
function urlsIn(value: unknown): string[] {
  return [...new Set(JSON.stringify(value).match(/http:\/\/localhost:3000[^"\\]*/g))];
}

describe("descriptions for machines", () => {
  test.each([
    [
      "/.well-known/api-catalog",
      'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
    ],
    ["/server.json", "application/json"],
    ["/robots.txt", "text/plain; charset=utf-8"],
  ])("%s has its media type, an hour of caching and an ETag", async (path, type) => {
    const answer = await world.fetch(path);
    const again = await world.fetch(path, {
      headers: { "If-None-Match": answer.headers.get("ETag") ?? "" },
    });

    expect(answer.headers.get("Content-Type")).toBe(type);
    expect(answer.headers.get("Cache-Control")).toBe("public, max-age=3600");
    expect(again.status).toBe(304);
  });

  test("contain no dead links", async () => {
    const found = await Promise.all(
      ["/.well-known/api-catalog", "/server.json"].map((path) => world.json(path)),
    );
    // The base URL of the API has no page, and the tool server accepts POST only.
    const endpoints = [`${BASE_URL}/api/v1`, `${BASE_URL}/api/mcp`];
    const urls = urlsIn(found).filter((url) => !endpoints.includes(url));

    expect(urls.length).toBeGreaterThan(5);
    for (const url of urls) expect([url, (await world.fetch(url)).status]).toEqual([url, 200]);
  });
});

describe("the API catalog", () => {
  test("lists the REST API and the tool server with their descriptions and pages", async () => {
    const { linkset } = await world.json("/.well-known/api-catalog");
    const of = (anchor: string) => linkset.find((one: any) => one.anchor === anchor);

    expect(of(`${BASE_URL}/.well-known/api-catalog`).item).toEqual([
      { href: `${BASE_URL}/api/v1` },
      { href: `${BASE_URL}/api/mcp` },
    ]);
    expect(of(`${BASE_URL}/api/v1`)["service-desc"]).toEqual([
      { href: `${BASE_URL}/api/openapi.json`, type: "application/json" },
    ]);
    expect(of(`${BASE_URL}/api/mcp`)["service-desc"]).toEqual([
      { href: `${BASE_URL}/api/mcp/server-card`, type: "application/mcp-server-card+json" },
    ]);
  });
});

describe("the tool server", () => {
  test("has a manifest that fits the registry schema of 2025-12-11", async () => {
    const manifest = await world.json("/server.json");
    const card = await world.json("/api/mcp/server-card");

    expect(manifest.$schema).toBe(
      "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
    );
    expect(manifestErrors(manifest)).toBeNull();
    for (const field of ["name", "title", "description", "version", "websiteUrl"])
      expect([field, manifest[field]]).toEqual([field, card[field]]);
    expect(manifest.remotes[0].url).toBe(card.remotes[0].url);
  });
});

describe("search engines", () => {
  test("are kept from every path with a token or for moderators and members, and from nothing public", async () => {
    const robots = await (await world.fetch("/robots.txt")).text();
    const disallowed = [...robots.matchAll(/^Disallow: (.+)$/gm)].map(([, path]) => path ?? "");
    const isDisallowed = (path: string) => disallowed.some((start) => path.startsWith(start));
    const { routes } = createApp(siteOf(world));
    const paths = [
      ...new Set(routes.map(({ path }) => path).filter((path) => !path.includes("*"))),
    ];
    const isPrivate = (path: string) => /:(?:token|ticket)\b|^\/(?:admin|inbox)\b/.test(path);

    expect(robots).toStartWith("User-agent: *\n");
    expect(paths.filter(isPrivate).length).toBeGreaterThan(10);
    expect(paths.filter((path) => isPrivate(path) !== isDisallowed(path))).toEqual([]);
  });
});

/** Errors by the registry's schema for remote servers; null if there are none. */
function manifestErrors(manifest: unknown): string | null {
  const ajv = new Ajv2020({ strict: true });
  addFormats(ajv);
  const text = (maxLength: number) => ({ type: "string", minLength: 1, maxLength });
  const check = ajv.compile({
    type: "object",
    required: ["$schema", "name", "description", "version"],
    properties: {
      $schema: { type: "string", format: "uri" },
      name: { ...text(200), minLength: 3, pattern: "^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$" },
      title: text(100),
      description: text(100),
      version: text(255),
      websiteUrl: { type: "string", format: "uri" },
      remotes: {
        type: "array",
        items: {
          type: "object",
          required: ["type", "url"],
          properties: {
            type: { const: "streamable-http" },
            url: { type: "string", pattern: "^https?://[^\\s]+$" },
          },
        },
      },
    },
  });
  return check(manifest) ? null : ajv.errorsText(check.errors);
}
