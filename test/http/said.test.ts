import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { bytesOf } from "../../src/http/said.ts";
import { createWorld, json, type World } from "../support/world.ts";

let world: World;
const slugs: string[] = [];
beforeAll(async () => {
  world = await createWorld({ LIMIT_PUBLISH: "off" });
  for (const name of ["Mimi", "Дымка"]) slugs.push((await world.publish({ name })).slug);
});
afterAll(() => world.end());

const SECURITY = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Origin-Agent-Cluster": "?1",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
};

describe("headers", () => {
  test.each([
    ["/healthz", 200],
    ["/", 200],
    ["/api/v1/alerts", 200],
    ["/api/v1/alerts?limit=0", 400],
    ["/api/v1/alerts/nobody", 404],
    ["/style.css", 200],
    ["/no/such/address", 404],
  ])(
    "for browsers' safety go with every answer, however it was made: %s, %d",
    async (path, status) => {
      const answer = await world.fetch(path);

      expect(answer.status).toBe(status);
      expect(answer.headers.toJSON()).toMatchObject(
        Object.fromEntries(
          Object.entries(SECURITY).map(([name, value]) => [name.toLowerCase(), value]),
        ),
      );
    },
  );

  test("let other sites frame the one page that is made for it", async () => {
    expect((await world.fetch("/embed")).headers.has("X-Frame-Options")).toBe(false);
    expect((await world.fetch("/")).headers.get("X-Frame-Options")).toBe("DENY");
  });

  test("say each link once, the next page's first, and those of the API even with 304", async () => {
    const page = await world.fetch("/api/v1/alerts?limit=1");
    const tag = page.headers.get("ETag") ?? "";
    const held = await world.fetch("/api/v1/alerts?limit=1", { headers: { "If-None-Match": tag } });

    const relations = (answer: Response) =>
      [...(answer.headers.get("Link") ?? "").matchAll(/rel="([^"]+)"/g)].map(([, one]) => one);
    const ofApi = ["service-desc", "service-doc", "api-catalog"];
    expect(relations(page)).toEqual(["next", ...ofApi]);
    expect(held.status).toBe(304);
    expect(relations(held)).toEqual(ofApi);
  });

  test("of one answer never come with another", async () => {
    const next = await world.fetch("/api/v1/alerts?limit=1");
    const whole = await world.fetch("/api/v1/alerts");

    expect(next.headers.get("Link")).toContain('rel="next"');
    expect(whole.headers.get("Link")).not.toContain('rel="next"');
    expect(whole.headers.get("ETag")).not.toBe(next.headers.get("ETag"));
  });
});

describe("bodies", () => {
  test("asked for at once each come whole, though all are written in the same place", async () => {
    const asked = Array.from({ length: 40 }, (_, nth) => slugs[nth % slugs.length] ?? "");

    const answers = await Promise.all(asked.map((slug) => world.fetch(`/api/v1/alerts/${slug}`)));
    const bodies = await Promise.all(answers.map((answer) => json(answer)));

    expect(bodies.map((body) => body.slug)).toEqual(asked);
  });

  test.each([0, 4, 30_000, 100_000])("of pieces are their bytes in order: %d of text", (length) => {
    const text = "я😀a".repeat(length / 4);
    const bytes = new Uint8Array([123, 125]);

    const body = new TextDecoder().decode(bytesOf([bytes, text, ",", bytes]));

    expect(body).toBe(`{}${text},{}`);
  });
});
