import { afterEach, beforeEach, describe, expect, test, afterAll, beforeAll } from "bun:test";
import { PAGE_MESSAGES } from "../../../src/messages/messages.ts";
import { QUOTAS } from "../../../src/core/caps.ts";
import { addMany, LYON, aroundLyon } from "../../support/make.ts";
import { createWorld, type World } from "../../support/world.ts";
import { RADIUS_KM_DEFAULT } from "../../../src/core/alerts/search.ts";
import { TOWNS_MAX } from "../../../src/places/geocoder.ts";
import { MARKS_MAX } from "../../../src/core/alerts/directory.ts";
import { decompressed } from "../../support/unpacked.ts";

const EVIL = `"><img src=x onerror=alert(1)><script>alert(1)</script>'`;
const HERE = `/map/cell?lat=${LYON.lat}&lng=${LYON.lng}`;

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
});

const cards = (fragment: string) => fragment.split("<article").length - 1;

describe("the popup of a cell", () => {
  test("holds the cards of its alerts and of no other cell, with the distance from the search", async () => {
    await world.publish({ name: "Here", ...LYON });
    await world.publish({
      name: "Beside",
      email: "b@example.org",
      lat: LYON.lat + 0.01,
      lng: LYON.lng,
    });

    const fragment = await world.text(`${HERE}&from_lat=45.85&from_lng=4.84`);

    expect(cards(fragment)).toBe(1);
    expect(fragment).toContain("Here");
    expect(fragment).toContain(`10\u00a0km away`);
    expect(fragment).toContain('<span class="tag lost">Lost</span>');
    expect(fragment).not.toContain("<html");
    expect(await world.text(HERE)).not.toContain("away");
  });

  test("follows the filters of the search", async () => {
    await world.publish({ name: "Mimi", ...LYON });
    await world.publish({ name: "Rex", species: "dog", email: "b@example.org", ...LYON });

    expect(cards(await world.text(HERE))).toBe(2);
    expect(cards(await world.text(`${HERE}&species=dog&q=rex`))).toBe(1);
    expect(await world.text(`${HERE}&type=found`)).toContain(PAGE_MESSAGES.en.map.noneHere);
  });

  test("holds the newest of very many, and leads to a list of all", async () => {
    await addMany(world, QUOTAS.alertsPerPopup + 5, () => ({ point: LYON }));

    const fragment = await world.text(`${HERE}&species=cat`);

    expect(cards(fragment)).toBe(QUOTAS.alertsPerPopup);
    const all = /<a href="([^"]+)">Show all alerts here/.exec(fragment)![1]!;
    expect(all).toBe("/?species=cat&amp;lat=45.76&amp;lng=4.84&amp;radius_km=1");
  });

  test("shows hostile words as words", async () => {
    await world.publish({ name: EVIL, color: EVIL, ...LYON });
    const fragment = await world.text(`${HERE}&q=${encodeURIComponent("img")}`);

    expect(cards(fragment)).toBe(1);
    expect(fragment).not.toContain("<script");
    expect(fragment).not.toContain("<img src=x");
  });

  test.each(["?lat=45.76", "?lat=91&lng=0", "?lat=1&lng=1&from_lat=2"])(
    "is refused without a place that makes sense: %s",
    async (query) => {
      expect((await world.fetch(`/map/cell${query}`)).status).toBe(400);
    },
  );
});

describe("the towns offered while one is typed", () => {
  const offered = async (q: string, language = "en") =>
    (
      await world.fetch(`/towns?q=${encodeURIComponent(q)}`, {
        headers: { "Accept-Language": language },
      })
    ).json();

  test("are few, none before two letters, and may be kept for a day in each language", async () => {
    const { headers } = await world.fetch("/towns?q=san");

    expect(await offered("san")).toHaveLength(TOWNS_MAX);
    expect(await offered("l")).toEqual([]);
    expect(await offered("")).toEqual([]);
    expect(await offered(EVIL.repeat(50))).toEqual([]);
    expect(headers.get("Cache-Control")).toBe("public, max-age=86400");
    expect(headers.get("Vary")).toBe("Accept-Language, Cookie");
    expect(headers.get("Content-Type")).toContain("application/json");
  });

  test("have a position on the public grid, and a label by which they are found again", async () => {
    const [town] = (await offered("mailand", "de")) as { label: string; lat: number }[];
    const page = await world.text(`/?place=${encodeURIComponent(town!.label)}`, {
      "Accept-Language": "de",
    });

    expect(town).toMatchObject({ label: "Mailand, Italien", lat: 45.46, lng: 9.19 });
    expect(page).toContain(
      PAGE_MESSAGES.de.home.around({ km: RADIUS_KM_DEFAULT, town: town!.label }),
    );
  });
});

const MORE = MARKS_MAX + 500;
const NEAR_LYON = "lat=45.76&lng=4.84&radius_km=200";

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
  let crowded: World;
  beforeAll(async () => {
    crowded = await createWorld();
    await addMany(crowded, MORE, (nth) => ({
      type: nth % 3 === 0 ? "found" : "lost",
      species: nth % 2 === 0 ? "dog" : "cat",
      name: nth % 1_000 === 1 ? "Zorro" : "Mimi",
      point: aroundLyon(nth, MORE, 80),
    }));
  });
  afterAll(async () => {
    expect(crowded.logged).toEqual([]);
    await crowded.end();
  });

  test("are the newest 10,000 alerts of the search, and say that there are more", async () => {
    const { more, ...answer } = await crowded.json(`/map/alerts.json?${NEAR_LYON}`);

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
    const body = await crowded.text(`/map/alerts.json?${NEAR_LYON}`);

    expect(body.replaceAll(/[-\d,[\]]/g, "")).toBe('{"more":true"lost":"found":}');
  });

  test("travel in less than 50 KB, packed", async () => {
    const coding = "zstd";
    const answer = await crowded.fetch(`/map/alerts.json?${NEAR_LYON}`, {
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
      marksIn(await crowded.json(`/map/alerts.json?${NEAR_LYON}&${query}`)).length;

    expect(await count("q=zorro")).toBe(Math.ceil((MORE - 1) / 1_000));
    expect(await count("q=zoro&species=cat")).toBe(Math.ceil((MORE - 1) / 1_000));
    expect(await count("q=zorro&type=found")).toBeLessThan(await count("q=zorro"));
    expect(await count("q=nobody")).toBe(0);
    expect(await count("species=bird")).toBe(0);
  });

  test("are cached for a minute, and not sent again to clients that have them", async () => {
    const address = `/map/alerts.json?${NEAR_LYON}&type=found`;
    const first = await crowded.fetch(address);
    const etag = first.headers.get("ETag")!;

    const again = await crowded.fetch(address, { headers: { "If-None-Match": etag } });

    expect(first.headers.get("Cache-Control")).toBe("public, max-age=60");
    expect(again.status).toBe(304);
  });

  test("of a search that makes no sense are refused", async () => {
    for (const query of ["lat=45.76", "lat=45.76&lng=4.84&radius_km=501", "species=zebra"])
      expect((await crowded.fetch(`/map/alerts.json?${query}`)).status).toBe(400);
  });
});
