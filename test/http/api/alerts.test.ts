import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { alertSchema } from "../../../src/http/api/alert-json.ts";
import { readQr } from "../../support/qr.ts";
import { decompressed } from "../../support/unpacked.ts";
import { DAY, MINUTE } from "../../support/time.ts";
import { createWorld, json, type World } from "../../support/world.ts";

let world: World;
const alerts: any[] = [];
beforeAll(async () => {
  world = await createWorld({ LIMIT_PUBLISH: "off" });
  const make = async (about: Record<string, unknown>) => {
    alerts.push(await world.publish(about));
    await world.pass(MINUTE);
  };
  await make({ name: "Mimi", email: "a@example.org" });
  await make({ name: "Rex", species: "dog", breed: "Border Collie", email: "b@example.org" });
  await make({
    name: "Élodie",
    type: "found",
    custody: "finder",
    color: "Écaille",
    email: "c@example.org",
  });
  await make({ name: "Far", lat: 48.85, lng: 2.35, email: "d@example.org" });
  await make({ name: "Дымка", color: "серая", email: "e@example.org" });
});
afterAll(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
});

const get = (path: string, init: RequestInit = {}) => world.fetch(`/api/v1${path}`, init);
const names = async (query: string) =>
  (await json(get(`/alerts${query}`))).alerts.map((alert: any) => alert.pet_name);

describe("searching", () => {
  test("lists active alerts newest first, as their schema says", async () => {
    const { alerts: listed, next_cursor } = await json(get("/alerts"));

    expect(listed.map((alert: any) => alert.pet_name)).toEqual([
      "Дымка",
      "Far",
      "Élodie",
      "Rex",
      "Mimi",
    ]);
    expect(next_cursor).toBeNull();
    for (const alert of listed) alertSchema.strict().parse(alert);
  });

  test.each([
    ["?species=dog", ["Rex"]],
    ["?type=found", ["Élodie"]],
    ["?lat=48.85&lng=2.35", ["Far"]],
    ["?lat=45.77&lng=4.83&radius_km=500&species=cat&type=lost", ["Дымка", "Far", "Mimi"]],
    ["?q=elodie%20ECAILLE", ["Élodie"]],
    ["?q=дым", ["Дымка"]],
    ["?q=lyon", ["Дымка", "Élodie", "Rex", "Mimi"]],
    ["?since=2026-05-02", []],
    ["?unknown=1&radiusKm=banana&query=x", ["Дымка", "Far", "Élodie", "Rex", "Mimi"]],
  ])("%s finds matching alerts", async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  test("a page is compressed for clients that accept it, with an ETag for each coding", async () => {
    const page = (accepted: string, tag = "") =>
      get("/alerts", { headers: { "Accept-Encoding": accepted, "If-None-Match": tag } });
    const tags = new Map<string | null, string>();
    const texts = new Set<string>();
    for (const [accepted, coding] of [
      ["identity", null],
      ["gzip, deflate, br", "gzip"],
      ["gzip, zstd", "zstd"],
      ["gzip, zstd;q=0", "gzip"],
      ["identity, gzip;q=0.5", null],
      [`gzip,${"a,".repeat(200)}`, null],
    ] as const) {
      const answer = await page(accepted);
      expect([accepted, answer.headers.get("Content-Encoding")]).toEqual([accepted, coding]);
      expect(answer.headers.get("Vary")).toBe("Accept-Encoding");
      tags.set(coding, answer.headers.get("ETag") ?? "");
      texts.add(decompressed(await answer.bytes(), coding).toString());
    }

    expect([texts.size, new Set(tags.values()).size]).toEqual([1, 3]);
    const unchanged = await page("gzip", tags.get("gzip"));
    expect([unchanged.status, unchanged.headers.get("Vary")]).toEqual([304, "Accept-Encoding"]);
    expect((await page("zstd", tags.get("gzip"))).status).toBe(200);
    const head = await get("/alerts", { method: "HEAD", headers: { "Accept-Encoding": "gzip" } });
    expect(head.headers.get("ETag")).toBe(tags.get("gzip")!);
  });

  test("so are feeds, descriptions and tool results, but not event streams", async () => {
    const headers = { "Accept-Encoding": "zstd" };
    for (const path of ["/feed.atom", "/api/v1/alerts.geojson", "/api/openapi.json"])
      expect((await world.fetch(path, { headers })).headers.get("Content-Encoding")).toBe("zstd");
    const call = (accepted: string) =>
      world.fetch("/api/mcp", {
        method: "POST",
        headers: { ...headers, Accept: accepted, "Content-Type": "application/json" },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
      });
    const compressed = await call("application/json");
    expect(compressed.headers.get("Content-Encoding")).toBe("zstd");
    expect(compressed.headers.get("Vary")).toBe("Origin, Accept-Encoding");
    const text = decompressed(await compressed.bytes(), "zstd").toString();
    expect(JSON.parse(text).result.tools).toHaveLength(6);
    expect((await call("text/event-stream")).headers.get("Content-Encoding")).toBeNull();
  });

  test("distances from the given centre have one decimal", async () => {
    const { alerts: listed } = await json(get("/alerts?lat=45.8&lng=4.83&q=mimi"));

    expect(listed[0].distance_km).toBe(3.3);
  });
});

describe("invalid searches", () => {
  test.each([
    ["?lat=91&lng=0", "lat"],
    ["?lat=1", "lng"],
    ["?lat=&lng=", "lat"],
    ["?lat=1e1&lng=1", "lat"],
    ["?lat=1&lat=2&lng=1", "lat"],
    ["?radius_km=5", "radius_km"],
    ["?lat=1&lng=1&radius_km=500.1", "radius_km"],
    ["?type=stolen", "type"],
    ["?limit=0", "limit"],
    ["?limit=101", "limit"],
    ["?since=2026-02-30", "since"],
    ["?q=%20%21", "q"],
    [`?q=${"a".repeat(201)}`, "q"],
  ])("%s is refused because of %s", async (query, field) => {
    const answer = await get(`/alerts${query}`);
    const body = await json(answer);

    expect(answer.status).toBe(400);
    expect(answer.headers.get("Content-Type")).toBe("application/problem+json");
    const type = "http://localhost:3000/api/docs#bad_input";
    expect(body).toMatchObject({ type, title: "Bad request", status: 400 });
    expect(body.errors.map((error: any) => error.field)).toContain(field);
  });

  test.each(["POST", "DELETE"])("%s is refused with the allowed methods", async (method) => {
    for (const path of ["/alerts", `/alerts/${alerts[0].id}`]) {
      const answer = await get(path, { method });

      expect(answer.status).toBe(405);
      expect(answer.headers.get("Allow")).toBe("GET, HEAD");
    }
  });
});

describe("one alert", () => {
  test("is found by UUID, slug and short code in any case", async () => {
    const [alert] = alerts;
    for (const name of [
      alert.id,
      alert.id.toUpperCase(),
      alert.slug,
      alert.short_code,
      alert.short_code.toLowerCase(),
    ]) {
      expect(await json(get(`/alerts/${name}`))).toEqual(alert);
    }
  });

  test.each([
    "ABCDEF",
    "00000000-0000-7000-8000-000000000000",
    "no-such-slug",
    "%00",
    "..%2f..%2fetc",
    "%E0%A4%A",
    "a".repeat(5_000),
  ])("%s is not found", async (name) => {
    expect((await get(`/alerts/${name}`)).status).toBe(404);
  });

  test("is found by the address it had before its name was corrected, also one with a query", async () => {
    const [mimi] = alerts;
    const before = `lost-cat-minni-lyon-${mimi.short_code.toLowerCase()}`;
    for (const text of [before, `http://localhost:3000/alerts/${before}?utm=a-b`])
      expect((await json(get(`/alerts/${encodeURIComponent(text)}`))).id).toBe(mimi.id);
  });
});

describe("other sites", () => {
  test.each(["/api/v1/alerts?limit=x", "/llms.txt", "/api/mcp/server-card"])(
    "may read %s",
    async (path) => {
      const answer = await world.fetch(path, { headers: { Origin: "https://elsewhere.example" } });

      expect(answer.headers.get("Access-Control-Allow-Origin")).toBe("*");
    },
  );

  test("may send preflight requests", async () => {
    const asked = await world.fetch("/api/v1/alerts", {
      method: "OPTIONS",
      headers: { Origin: "https://elsewhere.example", "Access-Control-Request-Method": "GET" },
    });

    expect(asked.status).toBe(204);
    expect(asked.headers.get("Access-Control-Allow-Methods")).toContain("GET");
  });
});

describe("QR images", () => {
  test.each([64, 127, 512])(
    "of %d pixels have that size and contain the short link",
    async (size) => {
      const answer = await world.fetch(`${alerts[0].qr_url}?size=${size}`);
      expect(await readQr(answer)).toEqual({
        width: size,
        height: size,
        said: `http://localhost:3000/a/${alerts[0].short_code}`,
      });
      expect(answer.headers.get("Cache-Control")).toBe("public, max-age=86400");
      expect(answer.headers.get("Content-Type")).toBe("image/png");
      expect(answer.headers.get("Access-Control-Allow-Origin")).toBe("*");
    },
  );

  test("have exactly that size, however long the base URL is", async () => {
    const base = `https://${"a".repeat(39)}.${"b".repeat(39)}.example.org`;
    const other = await createWorld({ BASE_URL: base });
    const { short_code: code } = await other.publish();
    for (const size of [64, 99, 512])
      expect(await readQr(await other.fetch(`/api/qr/${code}?size=${size}`))).toMatchObject({
        width: size,
        height: size,
      });
    await other.end();
  });

  test.each(["63", "513", "", "128.5", "1e2", "128&size=128"])(
    "of size %s are refused",
    async (size) => {
      expect((await world.fetch(`${alerts[0].qr_url}?size=${size}`)).status).toBe(400);
    },
  );

  test.each(["ABC234", "0OIL11", "%2e%2e"])(
    "of the unknown code %s are not found",
    async (code) => {
      expect((await world.fetch(`/api/qr/${code}`)).status).toBe(404);
    },
  );

  test("exist before the alert is confirmed, for codes in either case, and are answered 304", async () => {
    const { qr_url } = await world.tool("publish_alert", {
      type: "lost",
      species: "dog",
      color: "black",
      lat: 1,
      lng: 1,
      email: "p@example.org",
    });
    const answer = await world.fetch(String(qr_url).toLowerCase());

    expect(answer.status).toBe(200);
    const again = await world.fetch(String(qr_url), {
      headers: { "If-None-Match": answer.headers.get("ETag") ?? "" },
    });
    expect(again.status).toBe(304);
  });
});

describe("the service", () => {
  test("limits reads per client and minute", async () => {
    const strict = await createWorld({ LIMIT_READ: "3/m" });
    const read = (from: string) => strict.fetch("/api/v1/alerts", {}, from);
    for (const _ of [1, 2, 3]) expect((await read("2001:db8:1:2::1")).status).toBe(200);

    const refused = await read("2001:db8:1:2:ffff::9");
    expect([refused.status, refused.headers.get("Retry-After")]).toEqual([429, "60"]);
    expect((await read("2001:db8:1:3::1")).status).toBe(200);
    strict.jump(MINUTE);
    expect((await read("2001:db8:1:2::1")).status).toBe(200);
    strict.jump(-DAY);
    expect((await read("2001:db8:1:2::1")).status).toBe(200);
    await strict.end();
  });
});
