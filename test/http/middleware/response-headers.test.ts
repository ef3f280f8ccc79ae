import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { encodeBody } from "../../../src/http/middleware/response-headers.ts";
import { createWorld, json, type World } from "../../support/world.ts";

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
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
};

describe("headers", () => {
  test.each([
    ["/healthz", 200, "no-referrer"],
    ["/", 200, "same-origin"],
    ["/api/v1/alerts", 200, "no-referrer"],
    ["/api/v1/alerts?limit=0", 400, "no-referrer"],
    ["/api/v1/alerts/nobody", 404, "no-referrer"],
    ["/style.css", 200, "no-referrer"],
    ["/no/such/address", 404, "no-referrer"],
    ["/manage/nobody", 404, "no-referrer"],
  ])("for security are on every response: %s, %d", async (path, status, referrerPolicy) => {
    const answer = await world.fetch(path);

    expect(answer.status).toBe(status);
    expect(answer.headers.toJSON()).toMatchObject(
      Object.fromEntries(
        Object.entries({ ...SECURITY, "Referrer-Policy": referrerPolicy }).map(([name, value]) => [
          name.toLowerCase(),
          value,
        ]),
      ),
    );
  });

  test("of one response never appear on another", async () => {
    const next = await world.fetch("/api/v1/alerts?limit=1");
    const whole = await world.fetch("/api/v1/alerts");

    expect(next.headers.get("Link")).toContain('rel="next"');
    expect(whole.headers.get("Link")).not.toContain('rel="next"');
    expect(whole.headers.get("ETag")).not.toBe(next.headers.get("ETag"));
  });
});

describe("bodies", () => {
  test("of simultaneous requests are complete, although they share a buffer", async () => {
    const requested = Array.from({ length: 40 }, (_, nth) => slugs[nth % slugs.length] ?? "");

    const answers = await Promise.all(
      requested.map((slug) => world.fetch(`/api/v1/alerts/${slug}`)),
    );
    const bodies = await Promise.all(answers.map((answer) => json(answer)));

    expect(bodies.map((body) => body.slug)).toEqual(requested);
  });

  test.each([0, 4, 30_000, 100_000])(
    "are the bytes of their fragments in order: %d characters",
    (length) => {
      const text = "я😀a".repeat(length / 4);
      const bytes = new Uint8Array([123, 125]);

      const body = new TextDecoder().decode(encodeBody([bytes, text, ",", bytes]));

      expect(body).toBe(`{}${text},{}`);
    },
  );
});
