import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { makeBulk, makeDraft } from "../../support/make.ts";
import { DAY } from "../../support/time.ts";
import { BASE_URL, createWorld, type World } from "../../support/world.ts";

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
});

/** Texts of all elements with this name, in order. */
function valuesOf(feed: string, element: string): string[] {
  return [...feed.matchAll(new RegExp(`<${element}[^>]*>([^<]*)</${element}>`, "g"))].map(
    ([, value = ""]) => value,
  );
}

function linkOf(feed: string, rel: string): string | undefined {
  const address = new RegExp(`<link rel="${rel}"[^>]*href="([^"]*)"`).exec(feed)?.[1];
  return address?.replaceAll("&amp;", "&");
}

/** Imports this many alerts about dogs, the newest last. */
async function fill(count: number): Promise<void> {
  const alerts = Array.from({ length: count }, (_, at) =>
    makeBulk({
      draft: makeDraft({ id: Bun.randomUUIDv7(), species: "dog", name: `Rex ${at}` }),
      expiresAt: world.now() + 30 * DAY,
    }),
  );
  await world.app.service.alerts.add(alerts);
}

describe("the Atom feed", () => {
  test("lists active alerts, newest first, each with a permanent id", async () => {
    const cat = await world.publish();
    world.jump(DAY);
    const dog = await world.publish({ species: "dog", name: "Rex", description: "Very shy." });

    const answer = await world.fetch("/feed.atom");
    const feed = await answer.text();

    expect(answer.headers.get("Content-Type")).toBe("application/atom+xml; charset=utf-8");
    expect(valuesOf(feed, "id")).toEqual([
      `${BASE_URL}/feed.atom`,
      `urn:uuid:${dog.id}`,
      `urn:uuid:${cat.id}`,
    ]);
    expect(valuesOf(feed, "title").slice(1)).toEqual([
      "Lost dog: Rex (Lyon 1er, FR)",
      "Lost cat: Mimi (Lyon 1er, FR)",
    ]);
    expect(valuesOf(feed, "updated")).toEqual([dog.updated_at, dog.updated_at, cat.updated_at]);
    expect(valuesOf(feed, "published")).toEqual([dog.published_at, cat.published_at]);
    expect(feed).toContain("Very shy.</summary>");
    expect(feed).toContain(`<link rel="alternate" type="text/html" href="${dog.url}"/>`);
    expect(linkOf(feed, "self")).toBe(`${BASE_URL}/feed.atom`);
  });

  test("is valid without entries", async () => {
    const feed = await world.text("/feed.atom");

    expect(valuesOf(feed, "updated")).toEqual(["1970-01-01T00:00:00.000Z"]);
    expect(feed).not.toContain("<entry>");
    expect(linkOf(feed, "next")).toBeUndefined();
  });

  test("keeps its filters and its id on all pages", async () => {
    await fill(5);
    await world.publish();

    const seen: string[] = [];
    const ids = new Set<string | undefined>();
    let next: string | undefined = "/feed.atom?species=dog&limit=2";
    for (let pages = 0; next !== undefined && pages < 9; pages++) {
      const feed = await world.text(next);
      seen.push(...valuesOf(feed, "title").slice(1));
      ids.add(valuesOf(feed, "id")[0]);
      next = linkOf(feed, "next");
    }

    expect(seen).toEqual([4, 3, 2, 1, 0].map((at) => `Lost dog: Rex ${at} (Lyon, FR)`));
    ids.add(valuesOf(await world.text("/feed.atom?limit=2&species=dog"), "id")[0]);
    expect([...ids]).toEqual([`${BASE_URL}/feed.atom?limit=2&amp;species=dog`]);
  });

  test("escapes hostile text and removes characters that XML forbids", async () => {
    const evil = `]]><x a="1">&amp;'\u0001\uFFFE`;
    const draft = makeDraft({ id: Bun.randomUUIDv7(), name: evil, color: evil, description: evil });
    await world.app.service.alerts.add([makeBulk({ draft, expiresAt: world.now() + DAY })]);

    const feed = await world.text(
      `/feed.atom?nonsense=${encodeURIComponent(evil)}&since=2000-01-01`,
    );

    expect(valuesOf(feed, "title")[1]).toBe(
      "Lost cat: ]]&gt;&lt;x a=&quot;1&quot;&gt;&amp;amp;' (Lyon, FR)",
    );
    for (const text of ["<x ", "\u0001", "\uFFFE"]) expect(feed).not.toContain(text);
  });
});

describe("GeoJSON", () => {
  test("contains each alert as in the REST search, at the centre of its cell, longitude first", async () => {
    const { latitude, longitude, ...cat } = await world.publish();

    const answer = await world.fetch("/api/v1/alerts.geojson");

    expect(answer.headers.get("Content-Type")).toBe("application/geo+json");
    expect(await answer.json()).toEqual({
      type: "FeatureCollection",
      features: [
        {
          type: "Feature",
          id: cat.id,
          geometry: { type: "Point", coordinates: [longitude, latitude] },
          properties: cat,
        },
      ],
      next_cursor: null,
    });
    expect([latitude, longitude]).toEqual([45.77, 4.83]);
  });
});

describe.each([["/feed.atom"], ["/api/v1/alerts.geojson"]])("%s", (path) => {
  test("takes the filters of the REST search", async () => {
    const cat = await world.publish();
    await world.publish({ species: "dog", name: "Rex", lat: 48.85, lng: 2.35 });

    const near = await world.text(`${path}?lat=45.77&lng=4.83&radius_km=10&type=lost&q=mim`);

    expect(near).toContain(cat.id);
    expect(near).not.toContain("Rex");
    expect(await world.text(`${path}?type=found`)).not.toContain(cat.id);
  });

  test("may be read by any site, and is answered 304 while unchanged", async () => {
    await world.publish();

    const first = await world.fetch(path);
    const tag = first.headers.get("ETag") ?? "";
    const same = await world.fetch(path, { headers: { "If-None-Match": tag } });
    await world.publish({ species: "dog", email: "second@example.org" });
    const changed = await world.fetch(path, { headers: { "If-None-Match": tag } });

    expect(first.headers.get("Access-Control-Allow-Origin")).toBe("*");
    expect(first.headers.get("Cache-Control")).toBe("no-cache");
    expect(tag).not.toBe("");
    expect([same.status, changed.status]).toEqual([304, 200]);
  });
});
