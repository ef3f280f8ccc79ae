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

  test("continues with other filters, but not around another centre", async () => {
    const { next_cursor: cursor } = await json(get(`/alerts${NEAR}&limit=2`));

    expect(await names(`${NEAR}&cursor=${cursor}&species=cat`)).toEqual(["Mimi", "Far"]);
    expect(
      await names(`${NEAR}&cursor=${cursor}&radius_km=5`.replace("&radius_km=500", "")),
    ).toEqual([]);
    expect(await cursorError(`${NEAR.replace("4.8", "4.81")}&cursor=${cursor}`)).toStartWith(
      "is not from this search",
    );
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

  test("needs a centre", async () => {
    const answer = await get("/alerts?sort=nearest");

    expect(answer.status).toBe(400);
    expect((await json(answer)).errors).toEqual([
      { field: "sort", message: "requires lat and lng" },
    ]);
    expect((await get("/alerts?sort=farthest&lat=1&lng=1")).status).toBe(400);
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
