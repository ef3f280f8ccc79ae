import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { MINUTE } from "../../support/time.ts";
import { createWorld, json, type World } from "../../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld({ LIMIT_PUBLISH: "off" });
  const alerts = [
    { name: "Mimi" },
    { name: "Rex", species: "dog" },
    { name: "Élodie", type: "found", custody: "finder" },
    { name: "Far", lat: 48.85, lng: 2.35 },
    { name: "Дымка" },
  ];
  for (const [nth, alert] of alerts.entries()) {
    await world.publish({ ...alert, email: `owner${nth}@example.org` });
    await world.pass(MINUTE);
  }
});
afterAll(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
});

const get = (path: string, init: RequestInit = {}) => world.fetch(`/api/v1${path}`, init);
const names = async (query: string) =>
  (await json(get(`/alerts${query}`))).alerts.map((alert: any) => alert.pet_name);

describe("a search with sort=nearest", () => {
  const NEAR = "?lat=46&lng=4.8&radius_km=500&sort=nearest";

  test("lists the nearest first, and at one place the newest first", async () => {
    const { alerts: listed } = await json(get(`/alerts${NEAR}`));

    expect(listed.map((alert: any) => alert.pet_name)).toEqual([
      "Дымка",
      "Élodie",
      "Rex",
      "Mimi",
      "Far",
    ]);
    const distances = listed.map((alert: any) => alert.distance_km);
    expect(distances).toEqual(distances.toSorted((a: number, b: number) => a - b));
    expect(await names(`${NEAR}&species=cat&type=lost&q=l`)).toEqual(["Дымка", "Mimi"]);
    expect(await names(`${NEAR.replace("nearest", "newest")}`)).toEqual(await names(""));
  });

  test("leads through all pages by an opaque cursor and the Link header, in GeoJSON too", async () => {
    for (const list of ["/alerts", "/alerts.geojson"]) {
      const seen: string[] = [];
      let path: string | undefined = `${list}${NEAR}&limit=2&count=true`;
      while (path !== undefined) {
        const answer: Response = await get(path);
        const body: any = await json(answer);
        expect(answer.headers.get("X-Total-Count")).toBe("5");
        const page = body.alerts ?? body.features.map((one: any) => one.properties);
        seen.push(...page.map((alert: any) => alert.pet_name));
        if (body.next_cursor !== null) expect(body.next_cursor).toMatch(/^[\w-]{28}$/);
        path = /<.*\/api\/v1(.*)>; rel="next"/.exec(answer.headers.get("Link") ?? "")?.[1];
        expect(path === undefined).toBe(body.next_cursor === null);
      }
      expect(seen).toEqual(["Дымка", "Élodie", "Rex", "Mimi", "Far"]);
    }
  });

  test.each([
    ["x", "is not from this search"],
    ["AAAAAAAAAAAAAAAAAAAAAAAAAAAA", "is not from this search"],
    ["AUAAAAAAAAAAAAAAAAAAAAAAAAAA", "is not from this search"],
    ["2026-05-01T08:00:00.000Z", "is from sort=newest"],
    ["2026-05-01", "is from sort=newest"],
    ["", "is not from this search"],
  ])("refuses the cursor %p", async (cursor, message) => {
    expect(await cursorError(`${NEAR}&cursor=${cursor}`)).toStartWith(message);
  });

  test("has cursors that the default order refuses", async () => {
    const { next_cursor: cursor } = await json(get(`/alerts${NEAR}&limit=2`));

    expect(await cursorError(`?cursor=${cursor}`)).toStartWith("is from sort=nearest");
    expect(await cursorError("?cursor=soon")).toStartWith("must be a date or a timestamp");
  });

  async function cursorError(query: string): Promise<string> {
    const answer = await get(`/alerts${query}`);
    const { errors } = await json(answer);
    expect([answer.status, errors.length, errors[0].field]).toEqual([400, 1, "cursor"]);
    return errors[0].message;
  }
});

test("count=true adds the number of matching alerts on all pages to the headers", async () => {
  const total = async (query: string) =>
    (await get(`/alerts${query}`)).headers.get("X-Total-Count");

  expect(await total("?count=true")).toBe("5");
  expect(await total("?count=true&limit=2&cursor=2026-05-01T08:02:00Z")).toBe("5");
  expect(await total("?count=true&limit=1&species=dog")).toBe("1");
  expect(await total("?count=true&q=zzz")).toBe("0");
  expect(await total("?count=false")).toBeNull();
  expect(await total("")).toBeNull();
  expect((await get("/alerts?count=yes")).status).toBe(400);

  const page = await get("/alerts?count=true&limit=1");
  const conditional = { headers: { "If-None-Match": page.headers.get("ETag") ?? "" } };
  const again = await get("/alerts?count=true&limit=1", conditional);
  expect([again.status, again.headers.get("X-Total-Count")]).toEqual([304, "5"]);
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

test("a time of a search is read as people and programs write it", async () => {
  const at = (name: string, time: string) => get(`/alerts?${name}=${encodeURIComponent(time)}`);
  const seventh = Date.UTC(2026, 4, 1, 7);
  for (const time of [
    "2026-05",
    "2026-05-01T07:00:00.5",
    "2026-05-01 07:00:00",
    "2026-05-01T09:00:00+02:00",
    String(seventh / 1000),
    String(seventh),
  ]) {
    // All alerts were published after eight.
    expect([time, (await json(at("since", time))).alerts.length]).toEqual([time, 5]);
    expect([time, (await json(at("cursor", time))).alerts.length]).toEqual([time, 0]);
  }
  for (const time of ["2026", "2026-13", "yesterday", "1e9", "2026-05-01T25:00", "99999999999999"])
    for (const name of ["since", "cursor"])
      expect([time, (await at(name, time)).status]).toEqual([time, 400]);
});
