import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { MARKS_MAX } from "../../../src/core/alerts/directory.ts";
import { addMany, aroundLyon } from "../../support/many-alerts.ts";
import { decompressed } from "../../support/unpacked.ts";
import { createWorld, type World } from "../../support/world.ts";

const MORE = MARKS_MAX + 500;
const NEAR_LYON = "lat=45.76&lng=4.84&radius_km=200";

let world: World;
beforeAll(async () => {
  world = await createWorld();
  await addMany(world, MORE, (nth) => ({
    type: nth % 3 === 0 ? "found" : "lost",
    species: nth % 2 === 0 ? "dog" : "cat",
    name: nth % 1_000 === 1 ? "Zorro" : "Mimi",
    point: aroundLyon(nth, MORE, 80),
  }));
}, 300_000);
afterAll(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
});

type Rows = readonly (readonly [lat: number, lngs: readonly number[]])[];
type Answer = { readonly lost: Rows; readonly found: Rows };

/** Type, latitude and longitude of each mark. */
function marksIn(answer: Answer): [type: string, lat: number, lng: number][] {
  return (["lost", "found"] as const).flatMap((type) =>
    answer[type].flatMap(([lat, lngs]) =>
      lngs.map((lng): [string, number, number] => [type, lat, lng]),
    ),
  );
}

describe("the marks of a map", () => {
  test("are the newest 10,000 alerts of the search, and say that there are more", async () => {
    const { more, ...answer } = await world.json(`/map/alerts.json?${NEAR_LYON}`);

    const marks = marksIn(answer);
    expect(marks).toHaveLength(MARKS_MAX);
    expect(more).toBe(true);
    const newest = Array.from({ length: MARKS_MAX }, (_, nth) => MORE - 1 - nth);
    const expected = newest.map((nth) => {
      const { lat, lng } = aroundLyon(nth, MORE, 80);
      const type = nth % 3 === 0 ? "found" : "lost";
      return [type, Math.round(lat * 100), Math.round(lng * 100)].join();
    });
    expect(marks.map((mark) => mark.join()).toSorted()).toEqual(expected.toSorted());
  });

  test("hold nothing that names an alert", async () => {
    const body = await world.text(`/map/alerts.json?${NEAR_LYON}`);

    expect(body.replaceAll(/[-\d,[\]]/g, "")).toBe('{"more":true"lost":"found":}');
  });

  test.each(["zstd", "gzip"])("travel in less than 50 KB, packed as %s", async (coding) => {
    const answer = await world.fetch(`/map/alerts.json?${NEAR_LYON}`, {
      headers: { "Accept-Encoding": coding },
    });

    const bytes = await answer.bytes();
    expect(answer.headers.get("Content-Encoding")).toBe(coding);
    expect(bytes.length).toBeLessThan(50_000);
    const marks = marksIn(JSON.parse(decompressed(bytes, coding).toString()));
    expect(marks).toHaveLength(MARKS_MAX);
  });

  test("follow the filters of the search, and its reading of misspelt words", async () => {
    const count = async (query: string) =>
      marksIn(await world.json(`/map/alerts.json?${NEAR_LYON}&${query}`)).length;

    expect(await count("q=zorro")).toBe(Math.ceil((MORE - 1) / 1_000));
    expect(await count("q=zoro&species=cat")).toBe(Math.ceil((MORE - 1) / 1_000));
    expect(await count("q=zorro&type=found")).toBeLessThan(await count("q=zorro"));
    expect(await count("q=nobody")).toBe(0);
    expect(await count("species=bird")).toBe(0);
  });

  test("are cached for a minute, and not sent again to clients that have them", async () => {
    const address = `/map/alerts.json?${NEAR_LYON}&type=found`;
    const first = await world.fetch(address);
    const etag = first.headers.get("ETag")!;

    const again = await world.fetch(address, { headers: { "If-None-Match": etag } });

    expect(first.headers.get("Cache-Control")).toBe("public, max-age=60");
    expect(again.status).toBe(304);
  });

  test.each([
    ["lat=45.76", "lat without lng"],
    ["lat=45.76&lng=4.84&radius_km=501", "too far"],
    ["q=!!!", "no word"],
    ["species=zebra", "no species of ours"],
  ])("of a search that makes no sense are refused: %s (%s)", async (query) => {
    const answer = await world.fetch(`/map/alerts.json?${query}`);

    expect(answer.status).toBe(400);
    expect(answer.headers.get("Content-Type")).toContain("application/problem+json");
  });

  test("take the order and page of a list, which do not matter to them", async () => {
    const address = `/map/alerts.json?${NEAR_LYON}&q=zorro`;
    expect(await world.text(`${address}&sort=nearest&cursor=x&limit=5`)).toBe(
      await world.text(address),
    );
  });
});
